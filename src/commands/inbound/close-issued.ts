import type { ManifestEntry } from '../../archive/manifest.js';
import { checkInvoiceKey } from '../../domain/access-key.js';
import { formatUtc } from '../../domain/dates.js';
import { isOfMonth } from '../../domain/document-date.js';
import { rowReasons } from '../../errors/reasons.js';
import type { IssuedCoverage, ListCoverage, SerieNumbers } from '../../services/closing/coverage.js';
import type { Month } from '../../services/closing/month.js';
import { type NumberRange, serieNumbers } from '../../services/closing/serie-numbers.js';
import type { Context } from '../../services/context.js';
import { unreadableRows } from '../../services/documents/unreadable-rows.js';
import { type DecidingClock, decidingClocks } from '../../services/closing/deciding-clocks.js';
import { askedOf, readAsked } from '../../services/issued/asked-events.js';
import type { IssuedModel } from '../../services/issued/book.js';
import { readIssuedList } from '../../services/issued/reading.js';
import { finalityOf } from '../../services/issued/rows.js';
import { textIn } from '../../services/sync/columns.js';
import { dateOf } from '../../store/document-dates.js';
import type { SeenDocument } from '../../store/documents.js';
import {
  type Comparison,
  type GroupResult,
  type ListedRow,
  compareFiles,
  withArchived,
  xmlCounts,
} from './close-compare.js';
import { endOf, ofTheFamily } from './close-received.js';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { RuleFindings, readYamlFile } from '../../services/input/rules-file.js';
import { oneAmong } from '../../services/scope/resolver.js';

interface IssuedComparison extends Comparison {
  readonly documentType: IssuedModel;
  readonly declared: DeclaredNumbers;
}

/** Compares the issued invoices of one company and model with the list of the service. Yields the entries of the manifest. */
export async function* compareIssued(
  context: Context,
  comparison: IssuedComparison,
): AsyncGenerator<ManifestEntry, GroupResult<IssuedCoverage>> {
  const { group, documentType: model } = comparison;
  const listing = await readListing(context, comparison);
  const { rows, numbers, servedAt } = listing;
  const known = await withArchived(context, comparison, rows.keys());
  const lists = { rows, events: new Map(), unreadable: listing.coverage.unreadable, known };
  const files = yield* compareFiles(context, comparison, lists);
  const store = await context.store();
  const cursor = await store.cursors.get({ ...group, stream: 'issued' });
  const disabled = await disabledHere(context, comparison);
  const { profile } = await context.settings();
  return {
    ...files,
    servedAt,
    coverage: {
      ...{ family: model, list: listing.coverage, events: null, xml: xmlCounts(files) },
      ...{ listedEver: listing.listedEver, refused: listing.refused },
      eventsAsked: eventsAsked(cursor?.position, {
        month: comparison.month,
        clocks: decidingClocks(profile, servedAt),
      }),
      eventsWithoutFile: files.eventsWithoutFile,
      numbering: numbers.series({ disabled, declared: comparison.declared.of(group.companyId, model) }),
      withoutNumber: numbers.unknown,
      lastSyncAt: cursor === undefined ? null : formatUtc(cursor.at),
      unreadable: await unreadableRows(store, group),
    },
  };
}

interface IssuedListing {
  readonly rows: ReadonlyMap<string, ListedRow>;
  readonly coverage: ListCoverage;
  readonly listedEver: number;
  readonly refused: number;
  readonly numbers: NumbersOfModel;
  readonly servedAt: number | undefined;
}

/** The invoices of the month that the service lists, and the numbers of all. A truncated list keeps the rows that were read. */
async function readListing(
  context: Context,
  { group: { companyId }, month, documentType: model }: IssuedComparison,
): Promise<IssuedListing> {
  const rows = new Map<string, ListedRow>();
  const refused = new Set<string>();
  const undated = new Set<string>();
  const numbers = new NumbersOfModel(model, month);
  const count = { unreadable: 0, listedEver: 0 };
  let servedAt: number | undefined;
  const keep = (seen: SeenDocument): boolean => {
    const isNewNumber = numbers.add(seen);
    const { id, status } = seen;
    const date = dateOf(seen);
    if (date.month === undefined) undated.add(id);
    else if (isOfMonth(date, month.name)) {
      const isNew = !rows.has(id) && !refused.has(id);
      if (finalityOf(status) === 'refused') refused.add(id);
      else rows.set(id, listedRow(seen));
      return isNew || isNewNumber;
    }
    return isNewNumber;
  };
  const read = async (): Promise<void> => {
    const client = await context.client();
    const signal = context.interruption;
    const reading = await readIssuedList({
      ...{ client, companyId, list: { model, environment: 'Production' }, signal },
      keep: (seen) => Promise.resolve(seen.filter(keep).length),
      refuse: (id) => rows.set(id, { status: '', changedAt: undefined, refusal: sameKey }),
    });
    count.unreadable = reading.unreadable;
    count.listedEver = reading.rows;
    servedAt = reading.servedAt;
  };
  const end = await endOf(context, read, ofTheFamily);
  const unreadable = count.unreadable + undated.size;
  return {
    coverage: { ...end, documents: rows.size, unreadable },
    ...{ rows, numbers, servedAt, listedEver: count.listedEver, refused: refused.size },
  };
}

const sameKey = { kind: 'not-archived', reason: new Prose(rowReasons['same-key']) } as const;

function listedRow({ accessKey, status = '', modifiedOn, createdOn }: SeenDocument): ListedRow {
  const at = Date.parse(modifiedOn ?? createdOn ?? '');
  const changedAt = Number.isNaN(at) ? undefined : at;
  const isFinal = finalityOf(status) === 'issued';
  return {
    ...{ status, changedAt, ...(accessKey !== undefined && { key: accessKey }) },
    ...(!isFinal && { refusal: { kind: 'not-final', reason: status === '' ? '-' : status } as const }),
  };
}

/** When a sync asked for the events of the month, by the deciding clock that is behind. */
function eventsAsked(
  position: unknown,
  { month, clocks }: { readonly month: Month; readonly clocks: readonly DecidingClock[] },
): IssuedCoverage['eventsAsked'] {
  const asked = askedOf(readAsked(position), month, clocks);
  return asked === undefined ? null : { at: formatUtc(asked.at), since: formatUtc(asked.since) };
}

/** What `invoice … disable` of this store has disabled. */
async function disabledHere(
  context: Context,
  { group: { companyId }, documentType: model }: IssuedComparison,
): Promise<SerieRanges> {
  const ranges = new Map<number, NumberRange[]>();
  if (model === 'nfse') return ranges;
  const { storeNamespace: profile } = await context.settings();
  const { items } = await context.store();
  const kind = `${model}-disable`;
  for (const { state, dedupeKey } of await items.holdersOf({
    ...{ profile, kind, beginnings: [`${companyId} Production`] },
  })) {
    const [, serie, first, last] = / (\d+) (\d+)-(\d+)$/.exec(dedupeKey) ?? [];
    if (state !== 'succeeded' || serie === undefined) continue;
    ranges.set(Number(serie), [...(ranges.get(Number(serie)) ?? []), [Number(first), Number(last)]]);
  }
  return ranges;
}

/** The numbers of one model that the list of the service shows, by serie. */
class NumbersOfModel {
  readonly #series = new Map<number, { used: Set<number>; disabled: Set<number>; ofMonth: Set<number> }>();
  /** Invoices of the month. */
  readonly #withoutNumber = new Set<string>();

  constructor(
    private readonly model: IssuedModel,
    private readonly month: Month,
  ) {}

  get unknown(): number {
    return this.#withoutNumber.size;
  }

  /** Returns whether the number was not known. The city gives the number of an NFS-e. */
  add(seen: SeenDocument): boolean {
    const { id, accessKey = '', status = '', data } = seen;
    if (this.model === 'nfse') return false;
    const isIssued = finalityOf(status) === 'issued';
    const isDisabled = status === 'Disabled';
    if (!isIssued && !isDisabled && status !== 'IssueDenied') return false;
    const isInMonth = isOfMonth(dateOf(seen), this.month.name);
    const named = numberIn(accessKey) ?? numberOf(data);
    if (named === undefined) {
      if (isInMonth && isIssued) this.#withoutNumber.add(id);
      return false;
    }
    const { serie, number } = named;
    const known = this.#series.get(serie) ?? { used: new Set(), disabled: new Set(), ofMonth: new Set() };
    this.#series.set(serie, known);
    const numbers = isDisabled ? known.disabled : known.used;
    const isNew = !numbers.has(number);
    numbers.add(number);
    if (isInMonth) known.ofMonth.add(number);
    return isNew;
  }

  series({
    disabled,
    declared,
  }: {
    readonly disabled: SerieRanges;
    readonly declared: SerieRanges;
  }): readonly SerieNumbers[] {
    return [...this.#series]
      .toSorted(([one], [other]) => one - other)
      .map(([serie, known]) =>
        serieNumbers(serie, {
          ...{ ofMonth: known.ofMonth, used: known.used, declared: declared.get(serie) ?? [] },
          disabled: [...[...known.disabled].map((number) => [number, number] as const), ...(disabled.get(serie) ?? [])],
        }),
      )
      .filter((found) => found !== undefined);
  }
}

function numberIn(accessKey: string): { readonly serie: number; readonly number: number } | undefined {
  const { valid, parts } = checkInvoiceKey(accessKey);
  return valid && parts !== undefined ? { serie: Number(parts.series), number: Number(parts.number) } : undefined;
}

/** Of a denied or disabled invoice, which may have no key. */
function numberOf(row: unknown): { readonly serie: number; readonly number: number } | undefined {
  const [serie, number] = [textIn(row, 'serie'), textIn(row, 'number')];
  if (!/^\d{1,3}$/.test(serie ?? '') || !/^\d{1,9}$/.test(number ?? '')) return undefined;
  return { serie: Number(serie), number: Number(number) };
}

/** Ranges by serie. */
type SerieRanges = ReadonlyMap<number, readonly NumberRange[]>;

/** Numbers that were disabled with another program or machine, as a person wrote them down. */
export class DeclaredNumbers {
  readonly #ranges = new Map<string, Map<number, NumberRange[]>>();

  /**
   * Reads a file (YAML) with `disabled`, a list of `company` (absent: of every company that is closed), `model` (nfe or nfce), `serie`,
   * `from` and `to` (absent: one number). Without a path there are none. Errors: `input.invalid` with the path of every problem, and
   * those of the file and of `Scope.find`.
   */
  static async read(context: Context, path: string | undefined): Promise<DeclaredNumbers> {
    const declared = new DeclaredNumbers();
    if (path === undefined) return declared;
    const findings = new RuleFindings();
    const file = findings.mapping('', await readYamlFile(context, path), ['disabled']);
    const entries = entriesIn(file['disabled'], findings);
    if (findings.list.length > 0)
      throw new FiscalError('input.invalid', { what: path }, { details: findings.list, sent: 'no' });
    for (const { company, model, serie, range } of entries) {
      const id = company === undefined ? '' : (await oneAmong(await context.scope(), company)).id;
      const key = `${model} ${id}`;
      const series = declared.#ranges.get(key) ?? new Map<number, NumberRange[]>();
      declared.#ranges.set(key, series.set(serie, [...(series.get(serie) ?? []), range]));
    }
    return declared;
  }

  of(companyId: string, model: string): SerieRanges {
    const [own, any] = [companyId, ''].map((id) => this.#ranges.get(`${model} ${id}`) ?? []);
    const series = new Map<number, readonly NumberRange[]>();
    for (const [serie, ranges] of [...(own ?? []), ...(any ?? [])])
      series.set(serie, [...(series.get(serie) ?? []), ...ranges]);
    return series;
  }
}

interface Entry {
  readonly company: string | undefined;
  readonly model: 'nfe' | 'nfce';
  readonly serie: number;
  readonly range: NumberRange;
}

const HIGHEST_SERIE = 969;
const HIGHEST_NUMBER = 999_999_999;

function entriesIn(value: unknown, findings: RuleFindings): readonly Entry[] {
  if (!Array.isArray(value) || value.length === 0) {
    findings.add('disabled', { en: 'must be a list of ranges', pt: 'deve ser uma lista de faixas' });
    return [];
  }
  return value.flatMap((entry: unknown, nth): readonly Entry[] => {
    const at = `disabled[${nth}]`;
    const fields = findings.mapping(at, entry, ['company', 'model', 'serie', 'from', 'to']);
    const company = fields['company'] === undefined ? undefined : findings.text(`${at}.company`, fields['company']);
    const model = findings.choice(`${at}.model`, fields['model'], ['nfe', 'nfce'] as const);
    const number = (name: string, most: number, least: number): number | undefined => {
      const text = findings.text(`${at}.${name}`, fields[name]);
      if (text === undefined) return undefined;
      const isNumber = /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
      return isNumber ? Number(text) : findings.add(`${at}.${name}`, wholeNumber(least, most));
    };
    const serie = number('serie', HIGHEST_SERIE, 0);
    const from = number('from', HIGHEST_NUMBER, 1);
    const to = fields['to'] === undefined ? from : number('to', HIGHEST_NUMBER, 1);
    if (model === undefined || serie === undefined || from === undefined || to === undefined) return [];
    if (to >= from) return [{ company, model, serie, range: [from, to] }];
    findings.add(`${at}.to`, { en: 'is before from', pt: 'é menor que from' });
    return [];
  });
}

function wholeNumber(least: number, most: number): Text {
  return {
    en: `must be a whole number from ${least} to ${most}`,
    pt: `deve ser um número inteiro de ${least} a ${most}`,
  };
}
