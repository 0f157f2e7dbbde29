import type { Given } from '../../cli/command.js';
import { stat } from 'node:fs/promises';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { removeDeadWorkers, thisMachine } from '../../jobs/lease.js';
import type { Context } from '../../services/context.js';
import { copiedTables, isNumbered, type NamedTable } from '../../store/schema.js';
import { type CopyMark, copyRefusal } from '../../store/copy-mark.js';
import { rowFault } from '../../store/row-faults.js';
import { wentBackRefusal } from '../../store/seen-sends.js';
import type { WholeRow } from '../../store/row.js';
import { type Digest, digestOf, pagesOf, type WholeRows } from '../../store/whole-rows.js';
import type { copy } from './commands.js';
import { writeKeptAnswers } from './kept-answers.js';
import { nameOf, openAt, type Place, placeNamed } from './place.js';

interface Side {
  readonly place: Place;
  readonly name: string;
  readonly id: string;
  readonly copy?: CopyMark;
  readonly lostRows: boolean;
  /** By the clock of the store. */
  readonly now: number;
}

interface CopiedRows extends Digest {
  readonly table: string;
}

/**
 * Copies every row of one store to an empty one, compares both, and leaves the first so that nothing is sent from it. What was
 * interrupted goes on with the same words.
 */
export async function copyStore(context: Context, { from, to }: Given<typeof copy>): Promise<Outcome> {
  const places = await placesOf(context, from, to);
  const { dryRun } = await context.settings();
  if (dryRun) return await plan(places);
  await context.consent({ what: question(nameOf(places.from), nameOf(places.to)) });
  const source = await sideAt(context, places.from);
  const target = await sideAt(context, places.to);
  if (source.id === target.id) throw sameStore(source.name);
  const known = source.copy;
  if (known?.step === 'arriving' || (known !== undefined && known.otherId !== target.id))
    throw copyRefusal(source.name, known);
  if (target.copy !== undefined && (target.copy.step !== 'arriving' || target.copy.otherId !== source.id))
    throw copyRefusal(target.name, target.copy);
  // The target opens last: open, and named by the source, it has everything.
  if (known?.step === 'copied' && target.copy === undefined) return copiedBefore(source, target);
  await writeKeptAnswers(context, source);
  const tables = await copyBetween(context, source, target);
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  return {
    data: { type: 'copy', from: source.name, to: target.name, rows, tables },
    sentence: {
      tone: 'good',
      en: `${rows} rows of ${source.name} are in ${target.name}, compared table by table; only ${target.name} sends`,
      pt: `${rows} linhas de ${source.name} estão em ${target.name}, comparadas tabela por tabela; só ${target.name} envia`,
    },
    notices: source.lostRows ? [lostRows] : [],
  };
}

function copiedBefore({ name: from }: Side, { name: to }: Side): Outcome {
  const sentence = {
    tone: 'none',
    en: `${from} was copied to ${to} before: there is nothing to do`,
    pt: `${from} já foi copiado para ${to}: não há nada a fazer`,
  } as const;
  return { data: { type: 'copy', from, to, rows: 0, tables: [], already: true }, sentence };
}

async function placesOf(
  context: Context,
  from: string | undefined,
  to: string | undefined,
): Promise<{ readonly from: Place; readonly to: Place }> {
  if (from === undefined || to === undefined) {
    const names = [...(from === undefined ? ['--from'] : []), ...(to === undefined ? ['--to'] : [])];
    throw new FiscalError('usage.missing', { names: names.join(', ') }, { sent: 'no' });
  }
  const places = { from: await placeNamed(context, '--from', from), to: await placeNamed(context, '--to', to) };
  if (nameOf(places.from) === nameOf(places.to)) throw sameStore(to);
  const { from: source } = places;
  if (source.kind === 'file' && (await stat(source.path).catch(() => undefined)) === undefined)
    throw new FiscalError('input.not_found', { path: source.path }, { sent: 'no' });
  return places;
}

function sameStore(typed: string): FiscalError {
  return invalidValue('--to', typed, { en: 'it is the store of --from', pt: 'é o mesmo banco de --from' });
}

function question(from: string, to: string): Text {
  return {
    en: `copies ${from} to ${to}; from then on nothing is sent from ${from}`,
    pt: `copia ${from} para ${to}; a partir daí nada é enviado a partir de ${from}`,
  };
}

const lostRows: Text = {
  en: 'the newest rows of the copied store were lost with its journal: before you send again, check with the service what was sent last',
  pt: 'as linhas mais novas do banco copiado se perderam com o diário: antes de enviar de novo, confira com o serviço o que foi enviado por último',
};

/** Creates the store there or updates its schema, and reads what it says of itself. */
async function sideAt(context: Context, place: Place): Promise<Side> {
  const store = await openAt(context, place);
  try {
    const { id, copy, lostRows, wentBack } = store.identity;
    // The copy would not know it.
    if (wentBack !== undefined) throw wentBackRefusal(nameOf(place));
    if (copy === undefined) await removeDeadWorkers(store, thisMachine(context.program.pid));
    return { place, name: nameOf(place), id, ...(copy && { copy }), lostRows, now: store.clock.now() };
  } finally {
    await store.close();
  }
}

export async function rowsAt(place: Place, { alone }: { readonly alone: boolean }): Promise<WholeRows> {
  if (place.kind === 'server') {
    const { openServerRows } = await import('../../store/postgres/whole-rows.js');
    return openServerRows(place.server);
  }
  const { openFileRows } = await import('../../store/sqlite/whole-rows.js');
  return openFileRows(place.path, { without: sandboxProfile.name, alone });
}

async function plan({ from, to }: { readonly from: Place; readonly to: Place }): Promise<Outcome> {
  const rows = await rowsAt(from, { alone: false });
  try {
    const tables = [];
    for (const table of copiedTables) tables.push({ table: table.name, rows: await rows.count(table) });
    const total = tables.reduce((sum, table) => sum + table.rows, 0);
    return { data: { type: 'copy', from: nameOf(from), to: nameOf(to), rows: total, tables, dryRun: true } };
  } finally {
    await rows.close();
  }
}

/** Both sides refuse others until the copy is whole: then the source for good, and only after that the target opens. */
async function copyBetween(context: Context, source: Side, target: Side): Promise<readonly CopiedRows[]> {
  const from = await rowsAt(source.place, { alone: true });
  try {
    const to = await rowsAt(target.place, { alone: true });
    try {
      const at = context.clock.now();
      const arriving: CopyMark = { step: 'arriving', otherId: source.id, other: source.name, at };
      const begun: CopyMark = { step: 'begun', otherId: target.id, other: target.name, at };
      const copied: CopyMark = { ...begun, step: 'copied' };
      const copying = new Copying(context, { from, to, mine: arriving });
      await copying.requireReadable(source.place);
      await to.refuseOthers(arriving, { found: target.copy, now: target.now });
      // Without its mark the source may have changed since an earlier attempt.
      if (source.copy === undefined) await to.clear(arriving);
      const before = { found: source.copy, now: source.now };
      await from.refuseOthers(begun, before).catch(async (error: unknown) => {
        if (target.copy === undefined) await to.admitOthers(arriving);
        throw error;
      });
      await copying.copyAll();
      const tables = await copying.compareAll(source.name, target.name);
      await to.requireMine(arriving);
      await from.refuseOthers(copied, { found: begun, now: source.now });
      const firstSendAt = await from.firstSendAt();
      await from.requireMine(copied);
      await to.admitOthers(arriving, { firstSendAt });
      return tables;
    } finally {
      await to.close();
    }
  } finally {
    context.progress.stop();
    await from.close();
  }
}

class Copying {
  #done = 0;

  constructor(
    private readonly context: Context,
    private readonly sides: { readonly from: WholeRows; readonly to: WholeRows; readonly mine: CopyMark },
  ) {}

  async requireReadable(place: Place): Promise<void> {
    await requireReadable(this.sides.from, place, (table, rows) =>
      this.#proceed({ en: `reading ${table}`, pt: `lendo ${table}` }, rows),
    );
  }

  async copyAll(): Promise<void> {
    const { from, to, mine } = this.sides;
    this.#done = 0;
    for (const table of copiedTables) {
      // Each page is there whole or not at all, so a numbered table goes on after its last row.
      const last = isNumbered(table) ? await to.last(table) : undefined;
      for await (const page of pagesOf(from, table, last)) {
        this.#proceed({ en: `copying ${table.name}`, pt: `copiando ${table.name}` }, page.length);
        await to.insert(table, page, mine);
      }
    }
  }

  async compareAll(path: string, to: string): Promise<readonly CopiedRows[]> {
    this.#done = 0;
    const compared: CopiedRows[] = [];
    for (const table of copiedTables) {
      const expected = await this.#digest(this.sides.from, table);
      const found = await this.#digest(this.sides.to, table);
      if (found.rows !== expected.rows || found.sha256 !== expected.sha256)
        throw new FiscalError(
          'store.copy_differs',
          { table: table.name, path, to, found: shown(found), expected: shown(expected) },
          { sent: 'no', hint: afterDifference },
        );
      compared.push({ table: table.name, ...expected });
    }
    return compared;
  }

  async #digest(side: WholeRows, table: NamedTable): Promise<Digest> {
    const label = { en: `comparing ${table.name}`, pt: `comparando ${table.name}` };
    return await digestOf(side, table, (rows) => this.#proceed(label, rows));
  }

  #proceed(label: Text, rows: number): void {
    this.context.interruption.throwIfAborted();
    this.#done += rows;
    this.context.progress.report({ label, done: this.#done });
  }
}

function shown({ rows, sha256 }: Digest): string {
  return `${rows} (${sha256.slice(0, 12)})`;
}

const afterDifference: Text = {
  en: 'give the copy up with "fiscal store release" on the store that it reads from, remove the other one, and copy again',
  pt: 'desista da cópia com "fiscal store release" no banco de origem, remova o outro e copie de novo',
};

/** Throws at the first damage: a copy would carry it on, or stop at it in the middle. `seen` gets the rows of each page. */
async function requireReadable(
  rows: WholeRows,
  place: Place,
  seen: (table: string, rows: number) => void,
): Promise<void> {
  const hint = checkHint(place);
  const reason = await rows.engineFault();
  if (reason !== undefined)
    throw new FiscalError('store.damaged', { path: nameOf(place), reason }, { sent: 'no', hint });
  for (const table of copiedTables) {
    for await (const page of pagesOf(rows, table)) {
      seen(table.name, page.length);
      for (const row of page) {
        const fault = rowFault(table.name, row);
        if (fault === undefined) continue;
        const values = { path: nameOf(place), table: table.name, key: keyText(table, row) };
        throw new FiscalError('store.damaged_row', { ...values, reason: fault.reason }, { sent: 'no', hint });
      }
    }
  }
}

/** `seq 12`, or `profile acme, host api.example`. */
function keyText({ key }: NamedTable, row: WholeRow): string {
  return key.map((column) => `${column} ${String(row[column])}`).join(', ');
}

function checkHint(place: Place): Text {
  const line = fiscalLine({ command: 'store check', positionals: [place.kind === 'server' ? 'server' : place.path] });
  return { en: `to see everything that is damaged: ${line}`, pt: `para ver tudo o que está danificado: ${line}` };
}
