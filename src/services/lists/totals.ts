import { counted, type Forms, nouns } from '../../domain/counted.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { addExactly, type JsonNumber } from '../../domain/exact-decimal.js';
import { isNumber, NumberLiteral } from '../../domain/json-numbers.js';
import type { Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { amountText } from '../../domain/amount-text.js';

/** Counts and sums the rows of a list while they pass. */
export class ListTotals<Row> {
  #count = 0;
  #withoutAmount = 0;
  #sum: JsonNumber = 0;

  constructor(
    private readonly amountOf: (row: Row) => JsonNumber | undefined,
    private readonly noun: Forms = nouns.document,
  ) {}

  async *over(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      const amount = this.amountOf(row);
      this.#count += 1;
      if (amount === undefined) this.#withoutAmount += 1;
      else this.#sum = addExactly(this.#sum, amount);
      yield row;
    }
  }

  /** `12 documents, 26,871.56 in total`; of a list that was not read to its end, only what it shows. */
  sentence({ isWhole }: { readonly isWhole: boolean }): Sentence | undefined {
    if (this.#count === 0) return undefined;
    const documents = counted(this.#count, this.noun);
    const sum = amountText(String(this.#sum));
    const without = this.#withoutAmount === 0 ? noText : withoutText(this.#withoutAmount);
    return isWhole
      ? sentenceOf('none', {
          en: `${documents.en}, ${sum.en} in total${without.en}`,
          pt: `${documents.pt}, ${sum.pt} no total${without.pt}`,
        })
      : sentenceOf('none', {
          en: `${documents.en} shown, ${sum.en} together${without.en}; the list has more, so this is no total`,
          pt: `${documents.pt} na tela, ${sum.pt} somados${without.pt}; a lista tem mais, então isto não é o total`,
        });
  }
}

/** No amount of a document is longer. */
const MOST_CHARACTERS = 30;

/** An amount as a row of the service has it, a number or text; `undefined` for anything else. */
export function amountIn(value: unknown): JsonNumber | undefined {
  const text = isNumber(value) ? String(value) : value;
  if (typeof text !== 'string' || text.length > MOST_CHARACTERS) return undefined;
  if (isNumber(value)) return /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?$/.test(text) ? value : undefined;
  return parseDecimalText(text) === undefined ? undefined : new NumberLiteral(text);
}

const noText = { en: '', pt: '' };

function withoutText(count: number) {
  return { en: ` (${count} without an amount)`, pt: ` (${count} sem valor)` };
}
