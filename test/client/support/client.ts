import { onTestFinished } from 'vitest';
import type { Client, ClientOptions, ClientSettings, Exchange, Pace } from '../../../src/client/client.js';
import { createClient } from '../../../src/client/create.js';
import type { Credential } from '../../../src/config/settings.js';
import type { Text } from '../../../src/contract/text.js';
import type { Clock } from '../../../src/domain/world.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';

export const secret = 'live-key-9f3a77';

export const settings: ClientSettings = {
  profile: 'acme',
  hosts: {},
  paths: {},
  keyIn: 'header',
  sends: { taxNumbers: 'integer', decimals: 'number', externalId: false },
  connectTimeoutMs: 2_000,
  readTimeoutMs: 2_000,
  maxRetryWaitMs: 300_000,
  maxBelievedWaitMs: 900_000,
  caCert: undefined,
  proxy: undefined,
};

export const credential: Credential = { kind: 'invoice', scheme: 'raw', secret, source: 'profile acme' };

/** A clock whose sleeps take no time and are written down. */
export function fakeClock(): Clock & { readonly sleeps: number[] } {
  let now = 1_800_000_000_000;
  const sleeps: number[] = [];
  return {
    sleeps,
    now: () => now,
    uptime: () => now,
    async sleep(ms, signal) {
      if (signal?.aborted === true) throw signal.reason;
      sleeps.push(ms);
      now += ms;
      await Promise.resolve();
    },
  };
}

export interface Bench {
  readonly client: Client;
  readonly exchanges: readonly Exchange[];
  readonly sleeps: readonly number[];
  readonly lines: readonly string[];
  /** What was said about the clocks. */
  readonly warnings: readonly Text[];
  readonly observed: readonly { readonly host: string; readonly status: number; readonly retryAfterMs?: number }[];
}

/** A client against `url`, with everything that it does to the outside written down. */
export function bench(url: string, changes: BenchChanges = {}): Bench {
  const exchanges: Exchange[] = [];
  const lines: string[] = [];
  const warnings: Text[] = [];
  const observed: { host: string; status: number; retryAfterMs?: number }[] = [];
  const clock = fakeClock();
  const pace: Pace = {
    enter: async () => Promise.resolve(),
    observe: async (host, answer) => {
      observed.push({ host, ...answer });
      return Promise.resolve();
    },
  };
  const options: ClientOptions = {
    settings: { ...settings, hosts: { product: url, query: url }, ...changes.settings },
    credential: async (kind) => Promise.resolve({ ...credential, kind, ...changes.credential }),
    pace: changes.pace ?? pace,
    recorder: { reserve: () => Promise.resolve(undefined), record: (exchange) => void exchanges.push(exchange) },
    clock,
    random: { unit: () => 0.5, uuid: () => '00000000-0000-4000-8000-000000000000' },
    env: changes.env ?? {},
    debug: (line) => void lines.push(line),
    signal: changes.signal ?? new AbortController().signal,
    clocksDiffer: (sentence) => Promise.resolve(void warnings.push(sentence)),
  };
  const client = createClient(options);
  onTestFinished(() => client.close());
  return { client, exchanges, sleeps: clock.sleeps, lines, observed, warnings };
}

export interface BenchChanges {
  readonly settings?: Partial<ClientSettings>;
  readonly credential?: Partial<Credential>;
  readonly pace?: Pace;
  readonly env?: ClientOptions['env'];
  readonly signal?: AbortSignal;
}

/** The error of a call that must fail, as data. */
export async function failureOf(work: Promise<unknown>): Promise<{ code: string; facts: FiscalError['facts'] }> {
  try {
    await work;
  } catch (error) {
    if (error instanceof FiscalError) return { code: error.code, facts: error.facts };
    throw error;
  }
  throw new Error('the call succeeded');
}
