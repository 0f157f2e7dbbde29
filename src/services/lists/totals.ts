import type { Text } from '../../contract/text.js';
import { counted, type Forms, nouns } from '../../domain/counted.js';
import type { DocumentState } from '../../domain/document-state.js';
import { parseDecimalText } from '../../domain/decimal-text.js';
import { addExactly, type JsonNumber } from '../../domain/exact-decimal.js';
import { isNumber, NumberLiteral } from '../../domain/json-numbers.js';
import type { Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { amountText } from '../../domain/amount-text.js';

/** What a row of a list is for its sum: a document in a state, or none: an event, an invoice that was not or is not yet issued. */
export type RowState = DocumentState | 'event' | 'not-issued' | 'not-final';

interface Counted<Row> {
  readonly amountOf: (row: Row) => JsonNumber | undefined;
  readonly stateOf: (row: Row) => RowState;
  readonly noun?: Forms;
}

/** Counts and sums the rows of a list while they pass: those of documents that stand, and how many others there are. */
export class ListTotals<Row> {
  #count = 0;
  #withoutAmount = 0;
  #sum: JsonNumber = 0;
  readonly #leftOut = new Map<RowState, number>();

  constructor(private readonly counted: Counted<Row>) {}

  async *over(rows: AsyncIterable<Row>): AsyncGenerator<Row> {
    for await (const row of rows) {
      const state = this.counted.stateOf(row);
      if (state === 'standing') this.#add(this.counted.amountOf(row));
      else this.#leftOut.set(state, (this.#leftOut.get(state) ?? 0) + 1);
      yield row;
    }
  }

  #add(amount: JsonNumber | undefined): void {
    this.#count += 1;
    if (amount === undefined) this.#withoutAmount += 1;
    else this.#sum = addExactly(this.#sum, amount);
  }

  /** `12 documents, 26,871.56 in total`; of a list that was not read to its end, only what it shows. */
  sentence({ isWhole }: { readonly isWhole: boolean }): Sentence | undefined {
    if (this.#count + this.#leftOut.size === 0) return undefined;
    const documents = counted(this.#count, this.counted.noun ?? nouns.document);
    const sum = amountText(String(this.#sum));
    const without = this.#withoutAmount === 0 ? noText : withoutText(this.#withoutAmount);
    const leftOut = leftOutText(this.#leftOut);
    return isWhole
      ? sentenceOf('none', {
          en: `${documents.en}, ${sum.en} in total${without.en}${leftOut.en}`,
          pt: `${documents.pt}, ${sum.pt} no total${without.pt}${leftOut.pt}`,
        })
      : sentenceOf('none', {
          en: `${documents.en} shown, ${sum.en} together${without.en}${leftOut.en}; the list has more, so this is no total`,
          pt: `${documents.pt} na tela, ${sum.pt} somados${without.pt}${leftOut.pt}; a lista tem mais, então isto não é o total`,
        });
  }
}

/** `; left out: 2 cancelled, 1 denied`. */
function leftOutText(leftOut: ReadonlyMap<RowState, number>): Text {
  if (leftOut.size === 0) return noText;
  const list = [...leftOut].map(([state, count]) => counted(count, leftOutForms[state]));
  return {
    en: `; left out: ${list.map(({ en }) => en).join(', ')}`,
    pt: `; de fora: ${list.map(({ pt }) => pt).join(', ')}`,
  };
}

const leftOutForms: Readonly<Record<RowState, Forms>> = {
  standing: { en: ['# standing', '# standing'], pt: ['# ativa', '# ativas'] },
  cancelled: { en: ['# cancelled', '# cancelled'], pt: ['# cancelada', '# canceladas'] },
  substituted: { en: ['# substituted', '# substituted'], pt: ['# substituída', '# substituídas'] },
  annulled: { en: ['# annulled', '# annulled'], pt: ['# anulada', '# anuladas'] },
  denied: { en: ['# denied', '# denied'], pt: ['# denegada', '# denegadas'] },
  disabled: { en: ['# disabled', '# disabled'], pt: ['# inutilizada', '# inutilizadas'] },
  unknown: {
    en: ['# of unknown state', '# of unknown state'],
    pt: ['# de situação não conhecida', '# de situação não conhecida'],
  },
  event: { en: ['# event', '# events'], pt: ['# evento', '# eventos'] },
  'not-issued': { en: ['# not issued', '# not issued'], pt: ['# não emitida', '# não emitidas'] },
  'not-final': {
    en: ['# not final yet', '# not final yet'],
    pt: ['# ainda sem situação final', '# ainda sem situação final'],
  },
};

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
