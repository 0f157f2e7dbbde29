import type { ListOperationId } from '../contract/answers.js';
import type { Text } from '../contract/text.js';
import { exactJson, isNumber } from '../domain/json-numbers.js';
import { KeySet } from '../domain/key-set.js';
import { fieldOf } from '../domain/record.js';
import { answerReasons } from '../errors/answer-reasons.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { filled } from '../errors/text-template.js';

/** More pages than any list of this service has. */
export const MAX_PAGES = 20_000;

/** How often a list is read that is not whole. */
const MAX_READINGS = 3;

/** `service.list_cut`: the rows read are correct but incomplete. */
export function listCut(operation: ListOperationId, count: number, reason: Text): FiscalError {
  return new FiscalError('service.list_cut', { operation, count, reason }, cutFacts(operation));
}

function cutFacts(operation: ListOperationId) {
  return { operation, httpStatus: 200, sent: 'yes', retryable: true } as const;
}

/** A `service.list_cut` that another reading may mend. */
class NotWhole extends FiscalError {}

/** The pages lead nowhere, as those of a service that knows no option but the published ones do. */
class StandsStill extends NotWhole {}

/** Whether the list may be read in another way: the service refused an option, or its pages lead nowhere. */
export function asksForAnotherWay(error: unknown): boolean {
  if (error instanceof StandsStill) return true;
  const status = error instanceof FiscalError ? error.facts.httpStatus : undefined;
  return status === 400 || status === 422 || status === 501;
}

/** On what it rests that a list is whole: its own count, or, without one, the end of its pages. */
export type RestsOn = 'count' | 'paging';

/** What a page says of the length of its list. */
interface Counted {
  readonly total: number | undefined;
  /** The total counts only a part of the list: it leaves out so many rows that were read before. */
  readonly leftOut?: number | undefined;
  /** The rows that were read were to be skipped: beside new ones, none comes again. */
  readonly isSkipped?: boolean;
}

/**
 * One reading of a list from its beginning to its end. It is whole when its different rows are as many as the largest total that a
 * page gave, no page came again, and the total stayed. A total that is the length of its own page proves nothing: some services
 * put that length there. Without a total the end of the pages decides, unless a row came twice: it may stand for another one.
 */
export class ListReading {
  readonly #seen = new KeySet();
  #pageBefore: readonly string[] = [];
  /** The largest total, and the largest of those that are the length of their page. */
  #total: number | undefined;
  #ownLength = 0;
  #first: number | undefined;
  #hasMoved = false;
  #hasTwice = false;

  constructor(
    private readonly operation: ListOperationId,
    private readonly identify: (row: unknown) => string,
  ) {}

  /** Different rows read. */
  get count(): number {
    return this.#seen.size;
  }

  /** The largest total, once a page gave one that proves something. */
  get total(): number | undefined {
    return this.#total === undefined ? undefined : Math.max(this.#total, this.#ownLength);
  }

  get restsOn(): RestsOn {
    return this.#total === undefined ? 'paging' : 'count';
  }

  /** Takes the next page. Returns the rows that this reading has not met. */
  take(rows: readonly unknown[], { total, leftOut, isSkipped = false }: Counted): readonly unknown[] {
    const page = rows.map(this.identify);
    const fresh = rows.filter((_, index) => this.#seen.add(page[index] ?? ''));
    if (fresh.length < rows.length)
      this.#hasTwice ||= (isSkipped && fresh.length > 0) || !this.#overlaps(page, rows.length - fresh.length);
    this.#pageBefore = page;
    // A total of 0 beside rows is that of a list that was not counted.
    if (total === undefined || (total === 0 && rows.length > 0)) return fresh;
    const all = total + (leftOut ?? 0);
    if (total === rows.length) {
      this.#ownLength = Math.max(all, this.#ownLength);
      return fresh;
    }
    this.#total = Math.max(all, this.#total ?? 0);
    if (leftOut === undefined) this.#hasMoved ||= all !== (this.#first ?? all);
    if (leftOut === undefined) this.#first ??= all;
    return fresh;
  }

  /** The end of the pages. Error: `service.list_cut` when the list is not whole. */
  end(): void {
    const { total, count } = this;
    if (total !== undefined && total !== count)
      throw this.notWhole(filled(answerReasons.notAsCounted, { total, count }));
    if (this.#hasMoved) throw this.notWhole(answerReasons.countChanged);
    if (total === undefined && this.#hasTwice) throw this.notWhole(answerReasons.rowTwice);
  }

  /** The reading ends here; another one may be whole. */
  notWhole(reason: Text): FiscalError {
    const { operation, count } = this;
    return new NotWhole('service.list_cut', { operation, count, reason }, cutFacts(operation));
  }

  /** The reading ends here; one that asks in another way may be whole. */
  standsStill(reason: Text): FiscalError {
    const { operation, count } = this;
    return new StandsStill('service.list_cut', { operation, count, reason }, cutFacts(operation));
  }

  /** No other reading would be whole. */
  cut(reason: Text): FiscalError {
    return listCut(this.operation, this.count, reason);
  }

  /** A page that begins with the last rows of the page before: the place to continue from is part of the next page. */
  #overlaps(page: readonly string[], repeated: number): boolean {
    const end = this.#pageBefore.slice(-repeated);
    return end.length === repeated && end.every((row, index) => row === page[index]);
  }
}

/** How the pages of a list are read again. */
interface Readings {
  readonly identify: (row: unknown) => string;
  /** Defaults to three. */
  readonly most?: number | undefined;
}

/** The rows of each page, each row once however often the list is read: again while a reading is not whole, at most three times. */
export async function* untilWhole(
  read: () => AsyncGenerator<readonly unknown[]>,
  { identify, most = MAX_READINGS }: Readings,
): AsyncGenerator<readonly unknown[]> {
  const given = new KeySet();
  for (let reading = 1; ; reading += 1) {
    try {
      for await (const rows of read()) yield rows.filter((row) => given.add(identify(row)));
      return;
    } catch (error) {
      if (!(error instanceof NotWhole) || reading >= most) throw error;
    }
  }
}

/** What tells one row from another: its key; a row without one, or of a list without one, is compared as a whole. */
export function identityBy(field: string | undefined): (row: unknown) => string {
  return (row) => (field === undefined ? undefined : keyIn(row, field)) ?? exactJson(row ?? null);
}

export function keyIn(row: unknown, field: string): string | undefined {
  const value = fieldOf(row, field) ?? fieldOf(row, 'id');
  if (isNumber(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}
