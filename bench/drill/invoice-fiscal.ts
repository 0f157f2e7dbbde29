import { join } from 'node:path';
import { lookAsAPerson } from './invoice-count.js';
import { isShort, models, type Order } from './invoice-orders.js';
import { type Scene, writeLines } from './invoices.js';
import { live, type LifeEnd } from './life.js';

/** What a client says of its orders in the end. */
export interface Told {
  /** The id of the invoice that it calls issued. */
  readonly ids: ReadonlyMap<string, string>;
  /** Sends whose outcome was unknown and that a look at the service resolved. */
  readonly found: number;
  /** Sends made again after the service was seen to have nothing, or under their key. */
  readonly again: number;
  /** Asked a person: the short way has nothing to be looked up with. */
  readonly asked: number;
  /** Asked a person where a look should have told. */
  readonly uncertain: number;
}

type Row = Readonly<Record<string, unknown>>;

const MOST_LIVES = 1_000;
/** A single invoice needs no more requests than these. */
const SINGLE = 3;

/** The program itself: three imports and some single invoices, each command typed again until it ends well. */
export class FiscalIssuer {
  readonly #ids = new Map<string, string>();
  #asked = 0;
  #uncertain = 0;

  constructor(private readonly scene: Scene) {}

  async issue(): Promise<Told> {
    const { orders } = this.scene;
    // The short ones first: the imports use up what is left of the kills.
    for (const order of orders.filter(({ way }) => way === 'trusted')) await this.#single(order);
    await this.#imports();
    await this.scene.ignoreKeys();
    for (const order of orders.filter(({ way }) => way === 'distrusted')) await this.#single(order);
    const notes = await this.#notes();
    const found = notes.filter((note) => note.startsWith('found at the service')).length;
    const again = notes.filter((note) => /^send (?!1$)\d+$/.test(note)).length;
    return { ids: this.#ids, found, again, asked: this.#asked, uncertain: this.#uncertain };
  }

  /** In turn, so that each is killed and taken up again at many places; at last each runs to its end. */
  async #imports(): Promise<void> {
    let open: readonly (readonly string[])[] = await this.#commands();
    while (open.length > 0) {
      const left: (readonly string[])[] = [];
      for (const words of open) {
        const end = await this.#live(words);
        if (end.exitCode === 0 || end.exitCode === 3) this.#note(end);
        else left.push(words);
      }
      open = left;
    }
  }

  async #commands(): Promise<readonly (readonly string[])[]> {
    const { orders, folder } = this.scene;
    const commands: (readonly string[])[] = [];
    for (const model of models) {
      const file = join(folder, `${model}.ndjson`);
      const bodies = orders.filter(({ way }) => way === model).map(({ name, body }) => ({ ...body, externalId: name }));
      if (bodies.length === 0) continue;
      await writeLines(file, bodies);
      const pace = ['--wait', '--yes', '--interval', '1s', '--concurrency', '4'];
      // The effects of this service are never later than that.
      const settling = ['--settle-time', '5s', '--resend-absent'];
      commands.push(['invoice', 'apply', '--model', model, file, ...pace, ...settling, '-o', 'ndjson']);
    }
    return commands;
  }

  #note(end: LifeEnd): void {
    for (const { type, state, externalId, invoiceId } of recordsOf(end)) {
      if (type === 'item' && state === 'succeeded') this.#ids.set(String(externalId), String(invoiceId));
      if (type === 'item' && state === 'uncertain') this.#uncertain += 1;
    }
  }

  async #single(order: Order): Promise<void> {
    const file = join(this.scene.folder, `${order.name}.json`);
    await writeLines(file, [order.body]);
    const words = [
      'invoice',
      'issue',
      '--model',
      'general',
      '--file',
      file,
      '--yes',
      '--wait',
      '--interval',
      '1s',
      '-o',
      'json',
    ];
    for (;;) {
      const end = await this.#live(words, SINGLE);
      if (end.exitCode === 0) return void this.#ids.set(order.name, String(recordsOf(end)[0]?.['id']));
      if (end.exitCode === 3) await this.#answer(order, end);
    }
  }

  /** The person that is asked looks at the service and says what stands there. */
  async #answer(order: Order, { stderr }: LifeEnd): Promise<void> {
    const { env, url } = this.scene;
    this.#asked += 1;
    const item = /fiscal job resolve ([\w-]+)/.exec(stderr)?.[1];
    if (item === undefined || !isShort(order.way)) throw new Error(`a question without an item: ${stderr}`);
    const id = await lookAsAPerson(url, String(env['FISCAL_INVOICE_KEY']), order);
    const verdict = id === undefined ? ['--as', 'not-sent'] : ['--as', 'succeeded', '--resource', id];
    const end = await live(env, ['job', 'resolve', item, ...verdict, '--yes']);
    if (end.exitCode !== 0) throw new Error(end.stderr);
  }

  async #live(words: readonly string[], mostRequests?: number): Promise<LifeEnd> {
    const { env, deaths } = this.scene;
    if (deaths.lives >= MOST_LIVES) throw new Error(`not at an end after ${MOST_LIVES} lives`);
    const end = await live(env, words, deaths.moment(mostRequests));
    deaths.saw(end);
    if (end.exitCode === 1 || end.exitCode === 2) throw new Error(end.stderr);
    return end;
  }

  /** Every step of every item that the store remembers. */
  async #notes(): Promise<readonly string[]> {
    const { env } = this.scene;
    const notes: string[] = [];
    for (const { id } of recordsOf(await live(env, ['job', 'list', '--all', '-o', 'ndjson']))) {
      const items = recordsOf(await live(env, ['job', 'items', '--full', String(id), '-o', 'ndjson']));
      for (const { events } of items) {
        if (Array.isArray(events)) notes.push(...events.map((event: unknown) => String(Object(event)['note'])));
      }
    }
    return notes;
  }
}

function recordsOf({ stdout }: LifeEnd): readonly Row[] {
  const text = stdout.trim();
  if (text === '') return [];
  return text.startsWith('{\n') ? [JSON.parse(text)] : text.split('\n').map((line): Row => JSON.parse(line));
}
