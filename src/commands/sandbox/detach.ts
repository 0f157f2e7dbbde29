import { type ChildProcess, spawn } from 'node:child_process';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { isRecord } from '../../domain/record.js';
import { type Fields } from './ask.js';
import { modeFlags } from './modes.js';
import { refuseSecond, type ServeInput } from './serve.js';

export type DetachInput = ServeInput;

/** Starts `fiscal sandbox start` as a process of its own and gives its ready line. It outlives this one. */
export async function startDetached(context: Context, input: DetachInput): Promise<Fields> {
  await refuseSecond(context);
  const { execPath, path } = context.program;
  const child = spawn(execPath, [path, 'sandbox', 'start', '-o', 'json', ...flagsOf(input)], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: context.cwd,
    env: { ...context.env, FISCAL_ERROR_FORMAT: 'text' },
  });
  try {
    return await readyLine(child);
  } finally {
    child.stdout.destroy();
    child.stderr.destroy();
    child.unref();
  }
}

function flagsOf(input: DetachInput): readonly string[] {
  const { port, rate, fresh, alphanumericKeys, bytes } = input;
  return [
    ...modeFlags(input),
    ...(port === undefined ? [] : ['--port', String(port)]),
    ...(rate === undefined ? [] : ['--rate', String(rate)]),
    ...(fresh ? ['--fresh'] : []),
    ...(bytes === 'bytes' ? [] : ['--bytes', bytes]),
    ...(alphanumericKeys ? ['--alphanumeric-keys'] : []),
  ];
}

function readyLine(child: ChildProcess): Promise<Fields> {
  return new Promise((resolve, reject) => {
    let output = '';
    let complaint = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const ready = output.includes('\n') ? parse(output) : undefined;
      if (ready !== undefined) resolve(ready);
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(0, 2_000);
    });
    child.on('error', (error) => reject(cannotStart(error.message)));
    child.on('close', () => reject(cannotStart(complaint.trim().split('\n')[0] ?? '')));
  });
}

function parse(output: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(output.split('\n')[0] ?? '');
    return isRecord(value) && value['type'] === 'ready' ? value : undefined;
  } catch {
    // Not the ready line: whoever waits is told when the process ends.
    return undefined;
  }
}

function cannotStart(reason: string): FiscalError {
  return new FiscalError('sandbox.cannot_start', { reason: reason.replace(/^fiscal: /, '') });
}
