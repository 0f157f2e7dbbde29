import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

export interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The embedded sandbox of one machine, behind the program's own words. */
export interface InvoiceSandbox {
  readonly host: TestHost;
  fiscal(...argv: string[]): Promise<Run>;
  /** `fiscal invoice …`. */
  invoice(...argv: string[]): Promise<Run>;
  /** The same service from a machine that has no memory of the other's jobs. */
  elsewhere(...argv: string[]): Promise<Run>;
  /** The next calls of the operation fail in this way. */
  fault(kind: string, operation: string, ...more: string[]): Promise<void>;
  put(name: string, content: unknown): string;
  /** The ids under which the ledger shows an issue, one for each. */
  issued(operation: string): Promise<readonly string[]>;
}

export function invoiceSandbox(): InvoiceSandbox {
  const host = testHost();
  const fiscal = async (...argv: string[]): Promise<Run> =>
    runFiscal(['--profile', 'sandbox', ...argv], host);
  return {
    host,
    fiscal,
    elsewhere: async (...argv) => {
      const env = { ...host.env, FISCAL_STATE_DIR: join(host.root, 'other-state') };
      return runFiscal(['--profile', 'sandbox', ...argv], testHost({ env, cwd: host.cwd }));
    },
    invoice: (...argv) => fiscal('invoice', ...argv),
    async fault(kind, operation, ...more) {
      const { exitCode, stderr } = await fiscal(
        ...['sandbox', 'fault', 'add', '--kind', kind, '--operation', operation, ...more],
      );
      if (exitCode !== 0) throw new Error(stderr);
    },
    put(name, content) {
      writeFileSync(join(host.cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
      return name;
    },
    async issued(operation) {
      const { stdout } = await fiscal('sandbox', 'ledger', '--operation', operation, '-o', 'ndjson');
      return recordsOf(stdout).flatMap(({ effect }) => (isIssue(effect) ? [effect.id] : []));
    },
  };
}

export function recordsOf(stdout: string): readonly Record<string, unknown>[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

/** The JSON error on stderr. */
export function errorOf({ stderr }: Run): Record<string, unknown> {
  const line = stderr.trimEnd().split('\n').at(-1) ?? '';
  return (JSON.parse(line) as { error: Record<string, unknown> }).error;
}

function isIssue(effect: unknown): effect is { readonly id: string } {
  return typeof effect === 'object' && effect !== null && 'issued' in effect && 'id' in effect;
}

export const wait = ['--wait', '--interval', '300ms'];
