import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { StandingClock } from '../support/clock.js';
import { runFiscal } from '../support/host.js';
import { serveInboundHere, type ServedDocument, type ServedEvent } from '../support/inbound-service.js';
import { machineBefore, type Machine } from '../support/service-host.js';

type Row = Readonly<Record<string, unknown>>;

/** What a case holds: rows of the lists, with the names of the files that stand behind them. */
interface Case {
  readonly companies: readonly Row[];
  readonly docs: readonly (Omit<ServedDocument, 'xml' | 'names'> & {
    readonly key: string;
    readonly ids?: readonly string[];
    readonly file: string | null;
  })[];
  readonly events: readonly (Omit<ServedEvent, 'xml' | 'eventKey'> & { readonly file: string })[];
}

/** The third of December 2026: November is over. */
export const now = Date.UTC(2026, 11, 3, 15);

export const fixture = (name: string, file: string): string => join(import.meta.dirname, 'fixtures', name, file);

export interface ServedCase extends Machine {
  /** The records of a command, and how it ended. */
  records(...argv: string[]): Promise<readonly Row[]>;
  read(file: string): Buffer;
}

/** A machine before the service of a case, until the test ends. `replaced`: a file that stands for another one. */
export async function serveCase(
  name: string,
  { replaced = {} }: { readonly replaced?: Readonly<Record<string, string>> } = {},
): Promise<ServedCase> {
  const read = (file: string): Buffer => readFileSync(fixture(name, file));
  const { companies, docs, events } = JSON.parse(read('served.json').toString()) as Case;
  const fileOf = (file: string | null): { readonly xml?: Buffer } =>
    file === null ? {} : { xml: read(replaced[file] ?? file) };
  const world = {
    companies,
    documents: docs.map(({ key, ids = [], file, ...document }) => ({
      ...{ ...document, names: [key, ...ids] },
      ...fileOf(file),
    })),
    events: events.map(({ file, ...event }) => ({
      ...{ ...event, eventKey: String(event.row['eventKey']) },
      ...fileOf(file),
    })),
  };
  const { url } = await serveInboundHere(world, () => now);
  const [company] = companies;
  const ready = { url, invoiceKey: 'i-key', dataKey: 'd-key', tenantId: 't1', companyId: String(company?.['id']) };
  const machine = machineBefore(ready, { clock: new StandingClock(now) });
  return {
    ...machine,
    read,
    records: async (...argv) => {
      const { stdout, stderr } = await runFiscal([...argv, '-o', 'json'], machine.host);
      if (stdout === '') throw new Error(stderr);
      const data: unknown = JSON.parse(stdout);
      return Array.isArray(data) ? (data as Row[]) : [data as Row];
    },
  };
}

/** One field of some records by another one. */
export function byField(records: readonly Row[], key: string, value: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    records.filter((record) => record[key] !== undefined).map((record) => [String(record[key]), record[value]]),
  );
}

export function ofType(records: readonly Row[], type: string): readonly Row[] {
  return records.filter((record) => record['type'] === type);
}

/** Some fields of a record, in this order. */
export function fields(record: Row | undefined, ...names: string[]): Row {
  return Object.fromEntries(names.map((name) => [name, record?.[name]]));
}
