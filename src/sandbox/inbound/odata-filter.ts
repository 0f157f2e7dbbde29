import { invalid } from '../core/refusal.js';
import type { Field, Fields } from './odata-fields.js';

/** A condition in SQL with the values of its places. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

type Token =
  | { readonly kind: 'word' | 'text' | 'number' | 'time'; readonly value: string }
  | { readonly kind: '(' | ')'; readonly value: '' };

const tokenPattern =
  /\s*(?:([()])|'((?:[^']|'')*)'|(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w/]*))/y;
const longest = 4_000;
const deepest = 50;

const comparisons: Readonly<Record<string, string>> = {
  eq: '=',
  ne: '<>',
  gt: '>',
  ge: '>=',
  lt: '<',
  le: '<=',
};

/** OData 4 `$filter`, as far as it goes here: comparisons, `and`, `or`, `not`, parentheses, null. Anything else is a 400. */
export function readFilter(text: string, fields: Fields): Condition {
  if (text.length > longest) throw wrong(`is longer than ${longest} characters`);
  const reader = new Reader(tokensOf(text), fields);
  return reader.whole();
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  tokenPattern.lastIndex = 0;
  while (text.slice(tokenPattern.lastIndex).trim() !== '') {
    const at = tokenPattern.lastIndex;
    const match = tokenPattern.exec(text);
    if (match === null) throw wrong(`cannot be read from character ${at + 1}`);
    const [, bracket, quoted, time, digits, word] = match;
    if (bracket === '(' || bracket === ')') tokens.push({ kind: bracket, value: '' });
    else if (quoted !== undefined) tokens.push({ kind: 'text', value: quoted.replaceAll("''", "'") });
    else if (time !== undefined) tokens.push({ kind: 'time', value: time });
    else if (digits !== undefined) tokens.push({ kind: 'number', value: digits });
    else tokens.push({ kind: 'word', value: word ?? '' });
  }
  return tokens;
}

class Reader {
  #position = 0;

  constructor(
    private readonly tokens: readonly Token[],
    private readonly fields: Fields,
  ) {}

  whole(): Condition {
    const condition = this.#either(0);
    if (this.#position < this.tokens.length) throw wrong('goes on after its end');
    return condition;
  }

  #either(depth: number): Condition {
    let left = this.#both(depth);
    while (this.#takeWord('or')) left = joined(left, 'OR', this.#both(depth));
    return left;
  }

  #both(depth: number): Condition {
    let left = this.#single(depth);
    while (this.#takeWord('and')) left = joined(left, 'AND', this.#single(depth));
    return left;
  }

  #single(depth: number): Condition {
    if (depth > deepest) throw wrong('is nested too deep');
    if (this.#takeWord('not')) {
      const { sql, values } = this.#single(depth + 1);
      return { sql: `NOT ${sql}`, values };
    }
    if (this.tokens[this.#position]?.kind !== '(') return this.#comparison();
    this.#position += 1;
    const inner = this.#either(depth + 1);
    if (this.#take()?.kind !== ')') throw wrong('has an open parenthesis');
    return inner;
  }

  #comparison(): Condition {
    const name = this.#word('a field');
    const field = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    if (field === undefined) throw wrong(`does not know the field ${name}`);
    const operator = this.#word('a comparison');
    const sql = comparisons[operator];
    if (sql === undefined) throw wrong(`does not know the comparison ${operator}`);
    return compare(field, sql, this.#take());
  }

  #word(what: string): string {
    const token = this.#take();
    if (token?.kind !== 'word') throw wrong(`needs ${what} at its place ${this.#position}`);
    return token.value;
  }

  #takeWord(word: string): boolean {
    const token = this.tokens[this.#position];
    if (token?.kind !== 'word' || token.value !== word) return false;
    this.#position += 1;
    return true;
  }

  #take(): Token | undefined {
    const token = this.tokens[this.#position];
    this.#position += 1;
    return token;
  }
}

function joined(left: Condition, word: 'AND' | 'OR', right: Condition): Condition {
  return { sql: `(${left.sql} ${word} ${right.sql})`, values: [...left.values, ...right.values] };
}

/** OData 4 part 2 §5.1.1: `ne` holds for null, the orders do not. */
function compare(field: Field, operator: string, literal: Token | undefined): Condition {
  if (literal === undefined || literal.kind === '(' || literal.kind === ')') throw wrong('needs a value');
  if (literal.kind === 'word') {
    if (literal.value !== 'null') throw wrong(`does not know the value ${literal.value}`);
    if (operator !== '=' && operator !== '<>') return { sql: '0', values: [] };
    return { sql: `(${field.sql} IS ${operator === '=' ? '' : 'NOT '}NULL)`, values: [] };
  }
  const sql = operator === '<>' ? `(${field.sql} IS NOT ?)` : `(${field.sql} ${operator} ?)`;
  return { sql, values: [valueOf(field, literal.value)] };
}

/** Quoted or not: deployments differ in what they want around numbers and times. */
function valueOf({ kind }: Field, text: string): string | number {
  if (kind === 'text') return text;
  const value = kind === 'number' ? Number(text) : Date.parse(text);
  if (text === '' || !Number.isFinite(value)) throw wrong(`compares a ${kind} with ${text}`);
  return value;
}

function wrong(message: string): Error {
  return invalid('$filter', `The filter ${message}.`);
}
