import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withSandbox } from '../running-sandbox.js';
import { countInvoices, compare, type Counted } from './invoice-count.js';
import { addInvoiceFaults, ignoreKeys } from './invoice-faults.js';
import { FiscalIssuer, type Told } from './invoice-fiscal.js';
import { issueNaively } from './invoice-naive.js';
import { inventOrders, type Order } from './invoice-orders.js';
import { afterRequests } from './moments.js';
import { chance, type Moment } from './life.js';

export interface Sizes {
  readonly invoices: number;
  readonly kills: number;
  readonly seed: number;
  readonly faults: 'all' | 'quick';
}

/** What one client left at the service, and what it said of it. */
export interface Findings {
  readonly orders: number;
  readonly once: number;
  readonly twice: number;
  /** Invoices beside the first one of their order. */
  readonly tooMany: number;
  readonly lost: number;
  /** Told to be issued, and it is not, or is another one; or told to have failed, and it stands. */
  readonly toldWrong: number;
  readonly kills: number;
  readonly lives: number;
  readonly seconds: number;
  readonly told: Told;
  readonly counted: Counted;
}

/** What an issuer may use. */
export interface Scene {
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  readonly folder: string;
  readonly orders: readonly Order[];
  readonly deaths: Deaths;
  /** The service begins to ignore the Idempotency-Key. */
  ignoreKeys(): Promise<void>;
}

/** Hands out the moments at which lives end, until they are used up. */
export class Deaths {
  kills = 0;
  lives = 0;
  readonly #next: () => number;

  constructor(
    private readonly url: string,
    private readonly sizes: Sizes,
  ) {
    this.#next = chance(sizes.seed);
  }

  /** After some requests of this life, and a little while: there are enough invoices for all the kills. */
  moment(mostRequests = this.sizes.invoices / this.sizes.kills): Moment | undefined {
    if (this.kills >= this.sizes.kills) return undefined;
    const requests = 1 + Math.floor(this.#next() * mostRequests);
    return afterRequests(this.url, requests, this.#next() * 20);
  }

  saw({ wasKilled }: { readonly wasKilled: boolean }): void {
    this.lives += 1;
    if (wasKilled) this.kills += 1;
  }
}

/** The same orders, faults and number of kills for fiscal or for a client that sends again whatever got no answer. */
export async function drillInvoices(client: 'fiscal' | 'naive', sizes: Sizes): Promise<Findings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const found: Findings[] = [];
  try {
    await withSandbox(folder, async ({ env }) => {
      const url = String(env['FISCAL_PRODUCT_URL']);
      const orders = inventOrders(sizes.invoices);
      const deaths = new Deaths(url, sizes);
      await addInvoiceFaults(url, sizes.faults);
      const scene = { env, url, folder, orders, deaths, ignoreKeys: () => ignoreKeys(url) };
      const begin = Date.now();
      const told = await (client === 'fiscal' ? new FiscalIssuer(scene).issue() : issueNaively(scene));
      const seconds = Math.round((Date.now() - begin) / 100) / 10;
      const counted = await countInvoices(url, String(env['FISCAL_INVOICE_KEY']));
      const { kills, lives } = deaths;
      const toldWrong = orders.filter((order) => !isTrue(order, told, counted)).length;
      const base = { orders: orders.length, ...compare(orders, counted), toldWrong };
      found.push({ ...base, kills, lives, seconds, told, counted });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const [only] = found;
  if (only === undefined) throw new Error('the sandbox was never there');
  return only;
}

function isTrue({ name }: Order, { ids }: Told, { issued }: Counted): boolean {
  const standing = issued.get(name) ?? [];
  const id = ids.get(name);
  return id === undefined ? standing.length === 0 : standing.includes(id);
}

/** One body in each line, as an import takes them. */
export async function writeLines(path: string, values: readonly unknown[]): Promise<void> {
  await writeFile(path, values.map((value) => `${JSON.stringify(value)}\n`).join(''));
}
