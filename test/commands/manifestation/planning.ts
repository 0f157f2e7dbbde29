import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../../src/domain/world.js';
import type { SeenDocument, SeenEvent } from '../../../src/store/documents.js';
import { seed } from '../seed.js';
import { FakeClock, realClock } from '../../support/clock.js';
import { seedReadings } from '../../support/readings.js';
import { runFiscal, testHost, type TestHost } from '../../support/host.js';

/** 1 July 2026 at noon in UTC. */
export const noon = Date.UTC(2026, 6, 1, 12);

export const supplier = '11222333000181';
export const otherSupplier = '07933914000154';

export interface Documents {
  readonly accessKey: string;
  readonly supplier?: string;
  readonly amount?: string;
  readonly authorizedOn?: string;
  readonly [column: string]: string | undefined;
}

/** Goes on from noon as real time does, for runs that wait for a real server. */
export function runningClock(): Clock {
  const offset = noon - Date.now();
  return { ...realClock, now: () => Date.now() + offset };
}

/** A host whose clock stands at noon of 1 July 2026, with a key for the service at `url`, if any. */
export function planningHost(url?: string, clock: Clock = new FakeClock(noon)): TestHost {
  const service = url === undefined ? {} : { FISCAL_PRODUCT_URL: url, FISCAL_INVOICE_KEY: 'invoice-key' };
  return testHost({ clock, companies: ['c1'], env: { FISCAL_COMPANY: 'c1', ...service } });
}

export function write(host: TestHost, name: string, content: string): string {
  writeFileSync(join(host.cwd, name), content);
  return name;
}

/** A CSV of documents with the columns of the first one. */
export function documents(host: TestHost, rows: readonly Documents[], name = 'documents.csv'): string {
  const columns = Object.keys(rows[0] ?? {});
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return write(host, name, lines.map((cells) => `${cells.join(',')}\n`).join(''));
}

export async function manifestation(host: TestHost, ...argv: string[]) {
  const result = await runFiscal(['manifestation', ...argv], host);
  return { ...result, records: () => recordsOf(result.stdout) };
}

/** NDJSON, or the one object of a command that gives one. */
function recordsOf(stdout: string): readonly Record<string, unknown>[] {
  const texts = stdout.startsWith('{\n') ? [stdout] : stdout.split('\n').filter((line) => line !== '');
  return texts.map((text) => JSON.parse(text) as Record<string, unknown>);
}

/** A document as a sync keeps it, and how the company stands in its metadata. */
export function synced(accessKey: string, more: Readonly<Record<string, unknown>> = {}) {
  const { issuer = supplier, recipient, authorizedOn = '2026-06-10T12:00:00Z', ...data } = more;
  return {
    id: accessKey,
    accessKey,
    issuer: String(issuer),
    ...(recipient === undefined ? {} : { recipient: String(recipient) }),
    amountText: '12.00',
    issuedOn: String(authorizedOn),
    authorizedOn: String(authorizedOn),
    data,
  };
}

/** What a sync leaves behind: documents, events, and when it read the list of events to its end. */
export async function seedSync(
  host: TestHost,
  sync: {
    readonly company?: string;
    readonly documents?: readonly SeenDocument[];
    readonly events?: readonly SeenEvent[];
    readonly readAt?: number;
  },
): Promise<void> {
  const { company = 'c1', documents: seen = [], events = [], readAt } = sync;
  const group = { profile: 'environment', companyId: company, family: 'nfe' } as const;
  await seed(host, async (store) => {
    await store.documents.see(group, seen, noon);
    await store.events.see(group, events, noon);
    if (readAt === undefined) return;
    await seedReadings(store, { companyId: company, at: readAt });
  });
}

/** An event as the service lists it. */
export function listed(accessKey: string, code: number): SeenEvent {
  const facts = { code, sequence: 1 };
  return { eventKey: `ID${code}${accessKey}01`, documentId: accessKey, type: String(code), facts };
}
