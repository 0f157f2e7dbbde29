import { dayAt } from '../../domain/dates.js';
import { addExactly, type JsonNumber, multiplyExactly } from '../../domain/exact-decimal.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import type { CountedCalls } from '../../store/store.js';
import type { Prices } from './prices.js';

/** Calls, and what they cost. */
export interface Calls {
  readonly billed: number;
  /** Sent without an answer: the service may have billed them. */
  readonly unknown: number;
  /** Repeats of calls that the service bills once. */
  readonly freeRepeats: number;
  /** BRL, as text: of the billed calls, and of the unknown ones if they are billed. Absent without prices. */
  readonly cost?: string;
  readonly unknownCost?: string;
}

interface Sum<Part> {
  readonly part: Part;
  billed: number;
  unknown: number;
  freeRepeats: number;
  cost: JsonNumber;
  unknownCost: JsonNumber;
}

/** Adds up calls by parts that a caller chooses. */
export class CallSums<Part extends object> {
  readonly #sums = new Map<string, Sum<Part>>();

  constructor(private readonly prices: Prices | undefined) {}

  /** Throws `input.invalid` where the calls have no price. */
  add(part: Part, { at, operation, billed, outcome, calls }: CountedCalls): void {
    const key = JSON.stringify(part);
    const none = { part, billed: 0, unknown: 0, freeRepeats: 0, cost: 0, unknownCost: 0 };
    const sum = this.#sums.get(key) ?? none;
    this.#sums.set(key, sum);
    if (outcome === 'repeat') {
      sum.freeRepeats += calls;
      return;
    }
    sum[outcome] += calls;
    if (this.prices === undefined) return;
    const price = new NumberLiteral(this.prices.of({ operation, billed, day: dayAt(at) }));
    const field = outcome === 'billed' ? 'cost' : 'unknownCost';
    sum[field] = addExactly(sum[field], multiplyExactly(price, calls));
  }

  list(): readonly (Part & Calls)[] {
    return [...this.#sums.values()].map(({ part, cost, unknownCost, ...counts }) => ({
      ...part,
      ...counts,
      ...(this.prices && { cost: String(cost), unknownCost: String(unknownCost) }),
    }));
  }

  /** Of everything that was added. */
  static total(counts: readonly CountedCalls[], prices: Prices | undefined): Calls {
    const sums = new CallSums<object>(prices);
    for (const row of counts) sums.add({}, row);
    const none = { billed: 0, unknown: 0, freeRepeats: 0 };
    return sums.list()[0] ?? { ...none, ...(prices && { cost: '0', unknownCost: '0' }) };
  }
}
