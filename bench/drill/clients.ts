import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { cnpjDigits } from '../../src/domain/tax-number.js';
import { addUnkindFaults, CALM_MS, recordsIn, shiftedLife } from './unkind.js';
import { chance, type LifeEnd } from './life.js';
import { clearFaults, ledger } from './ledger.js';
import { afterRequests } from './moments.js';
import { RestartableSandbox } from './restartable-sandbox.js';

export interface Sizes {
  readonly clients: number;
  readonly kills: number;
  readonly seed: number;
}

/** What must be right, the same in every run, and what was only measured. */
export interface Findings {
  readonly right: {
    readonly exitCode: number | null;
    readonly checkExitCode: number | null;
    /** Steps that differ at the end, and clients with an uncertain step. */
    readonly drift: number;
    readonly uncertain: number;
    /** Resources that the service created beyond those of the file, and those that are missing. */
    readonly twice: number;
    readonly missing: number;
    readonly unchanged: number;
  };
  readonly kills: number;
  readonly lives: number;
  readonly requests: number;
  readonly seconds: number;
}

const FAULTY = [
  ...['company.create', 'stateTax.create', 'municipalTax.create'],
  ...['nfe.inbound.enable', 'nfse.inbound.enable'],
];
const RATE = 0.1;
/** Late effects come after 1.5 s at most, and every read shows them 1 s later. */
const SETTLE = '4s';
const MOST_ROUNDS = 200;

/** One machine applies a file of clients, killed again and again, while the service lags and fails. */
export async function drillClients({ clients, kills, seed }: Sizes): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const sandbox = new RestartableSandbox(folder, ['--lag', '500ms']);
  const begin = Date.now();
  try {
    await sandbox.start();
    const file = join(folder, 'clients.yaml');
    await writeFile(file, clientsFile(clients));
    await addUnkindFaults(sandbox.url, FAULTY, RATE);
    const next = chance(seed);
    const count = { kills: 0, lives: 0 };
    const apply = async (...more: string[]): Promise<LifeEnd> => {
      count.lives += 1;
      const words = ['company', 'apply', file, '--yes', '--resend-absent', '--settle-time', SETTLE];
      return await shiftedLife(sandbox.env, [...words, '-o', 'ndjson', ...more], { nth: 0 });
    };
    const perLife = Math.max(4, Math.floor((clients * 12) / (kills + 1)));
    for (let round = 0; count.kills < kills && round < MOST_ROUNDS; round += 1) {
      const moment = afterRequests(sandbox.url, 1 + Math.floor(next() * 2 * perLife), next() * 200, 60_000);
      count.lives += 1;
      const words = ['company', 'apply', file, '--yes', '--resend-absent', '--settle-time', SETTLE];
      const end = await shiftedLife(sandbox.env, [...words, '-o', 'ndjson'], { nth: 0, kill: moment });
      if (end.wasKilled) count.kills += 1;
    }
    await clearFaults(sandbox.url);
    await pause(CALM_MS);
    // What was blocked because the service did not show it yet is sent by the second.
    await apply();
    await pause(CALM_MS);
    const last = await apply();
    if (last.exitCode !== 0) console.log(last.stderr.slice(-2_000));
    const check = await apply('--check');
    const rows = recordsIn(check);
    const steps = rows.filter(({ type, line }) => type === 'item' && line !== 0);
    const made = await createdIn(sandbox.url);
    const wanted = { company: clients, 'state-tax': clients, 'municipal-tax': clients };
    const over = Object.entries(wanted).map(([name, each]) => (made.get(name) ?? 0) - each);
    return {
      right: {
        ...{ exitCode: last.exitCode, checkExitCode: check.exitCode },
        drift: steps.filter(({ action }) => action !== 'unchanged').length,
        uncertain: recordsIn(last).filter(({ state }) => state === 'uncertain').length,
        twice: over.reduce((sum, each) => sum + Math.max(0, each), 0),
        missing: over.reduce((sum, each) => sum + Math.max(0, -each), 0),
        unchanged: steps.length,
      },
      ...count,
      requests: made.get('requests') ?? 0,
      seconds: Math.round((Date.now() - begin) / 1000),
    };
  } finally {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** The steps of each client: company, two registrations and two captures. */
export const STEPS = 5;

export function clientsFile(count: number): string {
  const one = (index: number): string => {
    const base = `${String(10_000_000 + index * 7)}0001`;
    const cnpj = base + cnpjDigits(base);
    return [
      `  - cnpj: "${cnpj}"`,
      `    name: Cliente ${index} Ltda`,
      '    taxRegime: SimplesNacional',
      '    address:',
      '      { street: Rua A, number: "1", district: Centro, city: { code: "3550308", name: São Paulo },',
      '        state: SP, postalCode: "01310100", country: BRA }',
      `    stateTaxes: [{ code: SP, taxNumber: "${110_042_000_000 + index}", type: NFe, environmentType: Test, serie: 1, number: 1 }]`,
      `    municipalTaxes: [{ city: { code: "3550308" }, taxNumber: "${10_000_000 + index}", environment: Development }]`,
      '    capture: { nfe: { environmentSEFAZ: Production }, nfse: { initialNsu: "0" } }',
    ].join('\n');
  };
  return `companies:\n${Array.from({ length: count }, (_, index) => one(index)).join('\n')}\n`;
}

/** How many resources of each kind the service created. */
async function createdIn(url: string): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const add = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
  for await (const { effect } of ledger(url)) {
    add('requests');
    if (typeof effect?.['created'] === 'string') add(effect['created']);
  }
  return counts;
}
