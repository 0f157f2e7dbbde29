import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exitCodeMeanings } from '../../src/cli/exit-codes.js';
import type { RunResult, TestHost } from '../support/host.js';

/** A key that must reach no output and no file. */
export const CANARY = 'canary-of-a-key-0123456789-abcdef';

const formats = ['json', 'ndjson', 'csv', 'table', 'terminal'] as const;
export type FuzzFormat = (typeof formats)[number];
export { formats };

/** The words that ask for a format. `terminal`: none, on a host whose streams are a terminal. */
export function formatWords(format: FuzzFormat): readonly string[] {
  return format === 'terminal' ? ['--no-input'] : ['-o', format, '--no-input'];
}

/** The host with its output on a terminal; what stands on stdin stays. */
export function onTerminal(host: TestHost): TestHost {
  const { stdout, stderr } = host;
  return { ...host, stdout: { ...stdout, isTerminal: true }, stderr: { ...stderr, isTerminal: true } };
}

export interface Finished extends RunResult {
  readonly host: TestHost;
  readonly format: FuzzFormat;
  /** The command prints the bytes of a document, whatever the format. */
  readonly isDocument?: boolean;
  /** The command prints what it has found before it exits 2. */
  readonly mayPrint?: boolean;
  /** The hostile texts came from somebody else than the user, who may name any file. */
  readonly isForeign?: boolean;
  /** Processor time of the run. */
  readonly cpuMs: number;
}

/** Longer than any case needs; processor time, so that a busy machine breaks no rule. */
const MAX_CPU_MS = 10_000;

/** Runs the program and measures it. Nothing is thrown: a rejection is a finding. */
export async function finish(host: TestHost, format: FuzzFormat, run: () => Promise<RunResult>): Promise<Finished> {
  const before = process.cpuUsage();
  const result = await run().catch((error: unknown): RunResult => {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { exitCode: 1, stdout: '', stderr: `run() rejected: ${text}` };
  });
  const { user, system } = process.cpuUsage(before);
  return { ...result, host, format, cpuMs: (user + system) / 1_000 };
}

/** The rules that hold for every run, whatever it was given. */
export function brokenRules(finished: Finished): readonly string[] {
  const {
    host,
    format,
    cpuMs,
    isDocument = false,
    isForeign = false,
    mayPrint = false,
    exitCode,
    stdout,
    stderr,
  } = finished;
  const broken: string[] = [];
  const say = (rule: string, what = ''): void => void broken.push(`${rule}: ${what.slice(0, 600)}`);
  if (exitCode === 1 || !(exitCode in exitCodeMeanings)) say(`exit ${exitCode}`, stderr);
  if (/\n\s+at \S.*:\d+:\d+/.test(stderr)) say('a stack trace', stderr);
  // A batch that a damaged row ends has a summary, which says so.
  if (exitCode === 2 && stdout !== '' && !mayPrint && !stdout.includes('"stopped"'))
    say('output of a command that was not run', stdout);
  // A list that breaks off is not closed: `fiscal help output`.
  const whole = exitCode === 0 || !stdout.startsWith('[') || stdout.trimEnd().endsWith(']') ? stdout : `${stdout}]`;
  if (format === 'json' && !isDocument && stdout !== '' && !isJson(whole)) say('not JSON', stdout);
  if (format === 'ndjson' && !isDocument && !linesOf(stdout).every(isJson)) say('not NDJSON', stdout);
  const last = linesOf(stderr).at(-1) ?? '';
  const isMachine = format === 'json' || format === 'ndjson';
  // A batch that stops early says so in its summary record: `fiscal help output`.
  const isSummed = new RegExp(`"exitCode": ?${exitCode}\\b`).test(stdout);
  if (isMachine && isError(exitCode) && !mayPrint && !isSummed && !isJson(last)) say('the error is not JSON', last);
  if (format === 'terminal' && !isDocument) {
    const found = controls.exec(stdout.replaceAll(ours, '') + stderr.replaceAll(ours, ''));
    if (found !== null) say('a control character', JSON.stringify(found[0]));
  }
  if (stdout.includes(CANARY) || stderr.includes(CANARY)) say('a key in the output', stdout + stderr);
  for (const path of isForeign ? strangersIn(host.root) : []) say('a file outside of its folder', path);
  for (const path of filesWith(host.root, CANARY)) say('a key in a file', path);
  if (cpuMs > MAX_CPU_MS) say('too slow', `${cpuMs.toFixed(0)} ms`);
  return broken;
}

/** Codes of which the last line on stderr names an error; the others may end with a result that needs attention. */
function isError(exitCode: number): boolean {
  return ![0, 3, 8, 13, 14].includes(exitCode);
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What the program itself writes to a terminal: colours, the cursor, and lines that are drawn again. */

const ours = /\u001b\[(?:0|1|2|4|22|24|39|49|3[0-7]|9[0-7])?m|\u001b\[\?25[hl]|\u001b\[\d*[AGHJK]/g;

const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** What a path like `../escape`, in a name from outside, has left behind. */
function strangersIn(root: string): readonly string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => /(?:^|\/)[^/]*escape$/.test(path));
}

function filesWith(root: string, text: string): readonly string[] {
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));
}
