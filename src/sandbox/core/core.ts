import type { SandboxAccount } from '../../contract/sandbox.js';
import { settleAccount } from './account.js';
import { type Callers, openCallers } from './callers.js';
import { type Chance, openChance } from './chance.js';
import { clockNames, openClock, type ServiceClock } from './clock.js';
import { type Companies, openCompanies } from './companies.js';
import { type DueWork, openDueWork } from './due-work.js';
import { type Faults, openFaults } from './faults.js';
import { type Ledger, openLedger } from './ledger.js';
import { type Meta, openMeta } from './meta.js';
import { openDatabase, type SandboxDatabase } from './open-database.js';
import { openRateLimit, type RateLimit } from './rate-limit.js';
import { openUsage, type Usage } from './usage.js';
import { openProducts, type Products } from '../product/products.js';

export interface CoreOptions {
  /** A SQLite file, or `:memory:`. */
  readonly path: string;
  readonly account: SandboxAccount | undefined;
  readonly seed: number;
  /** Requests per second; `undefined`: no limit. */
  readonly rate: number | undefined;
  readonly alphanumericKeys: boolean;
  /** From the storing of a product to the end of its validation. */
  readonly validationDelayMs: number;
}

/** The state of the service and its rules. Everything in it is synchronous: one request is one transaction. */
export interface Core {
  readonly options: CoreOptions;
  readonly account: SandboxAccount;
  readonly clock: ServiceClock;
  readonly chance: Chance;
  readonly callers: Callers;
  readonly companies: Companies;
  readonly products: Products;
  readonly work: DueWork;
  readonly usage: Usage;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly rate: RateLimit;
  transaction<Result>(step: () => Result): Result;
  /** Back to the first day: the account and its two keys stay. */
  reset(): void;
  close(): void;
}

export function openCore(options: CoreOptions): Core {
  const database = openDatabase(options.path);
  const meta = openMeta(database);
  const parts = openParts(database, meta, options);
  const transaction = <Result>(step: () => Result): Result => database.transaction(step).immediate();
  const begin = (): SandboxAccount => {
    if (meta.get('seed') === undefined) parts.chance.reseed(options.seed);
    const account = settleAccount(database, options.account);
    parts.companies.add(account.tenantId, account.companyId);
    return account;
  };
  return {
    ...parts,
    options,
    account: transaction(begin),
    transaction,
    reset() {
      const emptied = ['companies', 'products', 'due_work', 'usage', 'faults', 'ledger'];
      for (const table of emptied) database.exec(`DELETE FROM ${table}`);
      database.exec('DELETE FROM sqlite_sequence');
      parts.callers.dropExtraKeys();
      meta.clear([...clockNames, 'seed', 'ids', 'rate.bucket']);
      begin();
    },
    close: () => void database.close(),
  };
}

function openParts(database: SandboxDatabase, meta: Meta, options: CoreOptions) {
  const chance = openChance(meta);
  return {
    chance,
    clock: openClock(meta),
    callers: openCallers(database),
    companies: openCompanies(database),
    products: openProducts(database),
    work: openDueWork(database),
    usage: openUsage(database),
    ledger: openLedger(database),
    faults: openFaults(database, chance),
    rate: openRateLimit(meta, options.rate),
  };
}
