import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samples } from '../../../src/commands/invoice/samples.js';
import { dayAt } from '../../../src/domain/dates.js';
import type { Clock } from '../../../src/domain/world.js';
import { ShiftedClock } from '../../support/clock.js';
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
  /** The next invoices end in this way. */
  outcome(...words: string[]): Promise<void>;
  /** The second day of the next month comes, for this machine and for the service. */
  monthEnds(): Promise<void>;
  put(name: string, content: unknown): string;
  /** Issues the sample of a model, with other fields, and waits for its end. Throws when it was not issued. */
  issue(model: Model, externalId: string, fields?: object): Promise<Issued>;
  /** The ids under which the ledger shows an issue, one for each. */
  issued(operation: string): Promise<readonly string[]>;
}

type Model = 'nfe' | 'nfce' | 'nfse';

export interface Issued {
  readonly id: string;
  readonly accessKey: string;
}

/** The month in which a sandbox begins, in Brasília. */
export const firstMonth = dayAt(Date.now()).slice(0, 7);

export function invoiceSandbox(given?: Clock): InvoiceSandbox {
  const clock = new ShiftedClock();
  const host = testHost({ clock: given ?? clock });
  const fiscal = async (...argv: string[]): Promise<Run> => runFiscal(['--profile', 'sandbox', ...agreed(argv)], host);
  const put = (name: string, content: unknown): string => {
    writeFileSync(join(host.cwd, name), typeof content === 'string' ? content : JSON.stringify(content));
    return name;
  };
  return {
    host,
    fiscal,
    put,
    async monthEnds() {
      const [year = 0, number = 0] = firstMonth.split('-').map(Number);
      const seconds = Math.ceil((Date.UTC(year, number, 2, 12) - clock.now()) / 1_000);
      clock.aheadMs += seconds * 1_000;
      await fiscal('sandbox', 'clock', 'advance', `${seconds}s`);
    },
    async issue(model, externalId, fields = {}) {
      const file = put(`${model}.json`, { ...samples[model], ...fields });
      const words = ['--model', model, '--file', file, '--external-id', externalId, ...wait];
      const { stdout, stderr } = await fiscal('invoice', 'issue', ...words);
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as Issued;
    },
    elsewhere: async (...argv) => {
      const env = { ...host.env, FISCAL_STATE_DIR: join(host.root, 'other-state') };
      return runFiscal(
        ['--profile', 'sandbox', ...agreed(argv)],
        testHost({ ...{ clock: given ?? clock }, env, cwd: host.cwd }),
      );
    },
    invoice: (...argv) => fiscal('invoice', ...argv),
    async fault(kind, operation, ...more) {
      const { exitCode, stderr } = await fiscal(
        ...['sandbox', 'fault', 'add', '--kind', kind, '--operation', operation, ...more],
      );
      if (exitCode !== 0) throw new Error(stderr);
    },
    async outcome(...words) {
      const { exitCode, stderr } = await fiscal('sandbox', 'fault', 'add', '--of', 'invoices', ...words);
      if (exitCode !== 0) throw new Error(stderr);
    },
    async issued(operation) {
      const { stdout } = await fiscal('sandbox', 'ledger', '--operation', operation, '-o', 'ndjson');
      return recordsOf(stdout).flatMap(({ effect }) => (isIssue(effect) ? [effect.id] : []));
    },
  };
}

/** What is issued was agreed to; `ask-issue.test.ts` is about the question. */
function agreed(argv: readonly string[]): readonly string[] {
  return argv[0] === 'invoice' && argv[1] === 'issue' && !argv.includes('--dry-run') ? [...argv, '--yes'] : argv;
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
