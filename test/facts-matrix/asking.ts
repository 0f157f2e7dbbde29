import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFiscal } from '../support/host.js';
import type { Machine } from '../support/service-host.js';
import type { Cells } from './cells.js';
import type { Judged } from './reader.js';
import type { MadeWorld } from './world.js';

/** What a command is asked with, and what its answers are compared with. */
export interface Asking {
  readonly machine: Machine;
  readonly cells: Cells;
  readonly judged: readonly Judged[];
  readonly world: MadeWorld;
}

export type Row = Readonly<Record<string, unknown>>;

/** Months that are over; the world has more documents in the month of today. */
export const closedMonths = ['2026-03', '2026-04', '2026-05', '2026-06', '2026-07', '2026-08', '2026-09', '2026-10'];

/** The records of a command. */
export async function rows({ machine }: Asking, ...argv: string[]): Promise<readonly Row[]> {
  const run = [...argv, '-o', 'json'];
  const { stdout, stderr } = await runFiscal(run, machine.host, { isServiceHostile: true });
  if (stdout === '') throw new Error(`${argv.join(' ')}: ${stderr}`);
  const data: unknown = JSON.parse(stdout);
  return Array.isArray(data) ? (data as Row[]) : [data as Row];
}

export function written({ machine }: Asking, name: string): string {
  return readFileSync(join(machine.host.cwd, name), 'utf8');
}

export function ofType(list: readonly Row[], type: string): readonly Row[] {
  return list.filter((row) => row['type'] === type);
}

export function ofCompany(list: readonly Row[], company: string): Row {
  return list.find(({ companyId }) => companyId === company) ?? {};
}

export function inner(row: Row | undefined, name: string): Row {
  return (row?.[name] ?? {}) as Row;
}

/** `c1 3526…`: documents of two companies may have one key. */
export function nameOf({ company, key }: Pick<Judged, 'company' | 'key'>): string {
  return `${company} ${key}`;
}

export function rowName(row: Row): string {
  return `${String(row['companyId'])} ${String(row['accessKey'] ?? row['key'])}`;
}

export function tagsIn({ world }: Asking) {
  return (subject: string): readonly string[] => world.tags.get(subject.split(' ').slice(0, 2).join(' ')) ?? [];
}

export function companiesOf({ world }: Asking): readonly string[] {
  return world.companies.map(({ id }) => String(id));
}

export function rootOf({ world }: Asking, company: string): string {
  return String(world.companies.find(({ id }) => id === company)?.['federalTaxNumber']).slice(0, 8);
}

export const isStanding = ({ state }: Judged): boolean => state === 'standing';

export const hasFile = ({ kind }: Judged): boolean => kind !== 'missing';

export function eventFiles(of: readonly Judged[]): number {
  return of.flatMap(({ events }) => events).filter((event) => event.hasFile).length;
}

export function sumOf(of: readonly Judged[]): bigint {
  return of.reduce((sum, { cents = 0n }) => sum + cents, 0n);
}
