import { onlySet } from '../core/exact-json.js';
import type { Family } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import { customer } from '../xml/layout.js';

/** An SQL condition with its parameters. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

type Token =
  | { readonly kind: 'word' | 'text' | 'number' | 'time'; readonly value: string }
  | { readonly kind: '(' | ')' | ','; readonly value: '' };

const tokenPattern =
  /\s*(?:([(),])|'((?:[^']|'')*)'|(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?)|(-?\d+(?:\.\d+)?)|([A-Za-z_][\w/]*))/y;
const longest = 4_000;
const deepest = 50;

/** Maps instead of objects, because the names come from requests. */
const comparisons: ReadonlyMap<string, string> = new Map([
  ['eq', '='],
  ['ne', '<>'],
  ['gt', '>'],
  ['ge', '>='],
  ['lt', '<'],
  ['le', '<='],
]);

/** Functions of a field and a text; case-sensitive. */
const functions: ReadonlyMap<string, (sql: string, text: string) => Condition> = new Map([
  ['startswith', (sql, text) => ({ sql: `(substr(${sql}, 1, length(?)) = ?)`, values: [text, text] })],
  ['contains', (sql, text) => ({ sql: `(instr(${sql}, ?) > 0)`, values: [text] })],
]);

/**
 * Parses the supported part of OData 4 `$filter`: comparisons, `in`, `startswith`, `contains`, `and`, `or`, `not`,
 * parentheses, null. Throws 400 for anything else.
 */
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
    if (bracket === '(' || bracket === ')' || bracket === ',') tokens.push({ kind: bracket, value: '' });
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
    const asked = this.tokens[this.#position]?.kind === '(' ? functions.get(name) : undefined;
    if (asked !== undefined) return this.#function(asked);
    const field = this.#field(name);
    const operator = this.#word('a comparison');
    if (operator === 'in') return this.#list(field);
    const sql = comparisons.get(operator);
    if (sql === undefined) throw wrong(`does not know the comparison ${operator}`);
    return compare(field, sql, this.#take());
  }

  #field(name: string): Field {
    const field = this.fields.get(name);
    if (field === undefined) throw wrong(`does not know the field ${name}`);
    return field;
  }

  /** `name(field,'text')`, optionally followed by `eq true` or `eq false`. */
  #function(conditionOf: (sql: string, text: string) => Condition): Condition {
    this.#expect('(');
    const field = this.#field(this.#word('a field'));
    if (field.kind === 'time') throw wrong('looks for a text in a time');
    this.#expect(',');
    const literal = this.#take();
    if (literal?.kind !== 'text') throw wrong('needs a text in quotes');
    this.#expect(')');
    const shown = field.shown ?? (field.kind === 'text' ? field.sql : `CAST(${field.sql} AS TEXT)`);
    const condition = conditionOf(shown, literal.value);
    if (!this.#takeWord('eq')) return condition;
    if (this.#takeWord('true')) return condition;
    if (!this.#takeWord('false')) throw wrong('compares a function with something else than true or false');
    return { ...condition, sql: `(NOT ${condition.sql})` };
  }

  #list(field: Field): Condition {
    this.#expect('(');
    const any = [compare(field, '=', this.#take())];
    while (this.tokens[this.#position]?.kind === ',') {
      this.#position += 1;
      any.push(compare(field, '=', this.#take()));
    }
    this.#expect(')');
    // Not one OR inside another: SQLite limits the depth of an expression, and a list has any length.
    const [values, nulls] = [any.flatMap((one) => one.values), any.find((one) => one.values.length === 0)];
    const listed = { sql: `(${field.sql} IN (${values.map(() => '?').join(', ')}))`, values };
    return nulls === undefined ? listed : joined(nulls, 'OR', listed);
  }

  #expect(kind: '(' | ')' | ','): void {
    if (this.#take()?.kind !== kind) throw wrong(`needs ${kind} at its place ${this.#position}`);
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
  if (literal === undefined || ['(', ')', ','].includes(literal.kind)) throw wrong('needs a value');
  if (literal.kind === 'word') {
    if (literal.value !== 'null') throw wrong(`does not know the value ${literal.value}`);
    if (operator !== '=' && operator !== '<>') return { sql: '0', values: [] };
    return { sql: `(${field.sql} IS ${operator === '=' ? '' : 'NOT '}NULL)`, values: [] };
  }
  const sql = operator === '<>' ? `(${field.sql} IS NOT ?)` : `(${field.sql} ${operator} ?)`;
  return { sql, values: [valueOf(field, literal.value)] };
}

/** Quoted or not: deployments differ in the literals of numbers and times. */
function valueOf({ kind }: Field, text: string): string | number {
  if (kind === 'text') return text;
  const value = kind === 'number' ? Number(text) : Date.parse(text);
  if (text === '' || !Number.isFinite(value)) throw wrong(`compares a ${kind} with ${text}`);
  return value;
}

function wrong(message: string): Error {
  return invalid('$filter', `The filter ${message}.`);
}

/** The SQL of a list field, and how it compares with literals. */
interface Field {
  readonly sql: string;
  readonly kind: 'text' | 'time' | 'number';
  /** The shown text, if it differs from `sql`. */
  readonly shown?: string;
}

/** By the name in the list, `/` between an object and its field. A Map, because the names come from requests. */
export type Fields = ReadonlyMap<string, Field>;

type Row = readonly [name: string, field: Field];

const text = (sql: string): Field => ({ sql, kind: 'text' });
const time = (sql: string): Field => ({ sql, kind: 'time' });
const number = (sql: string, shown?: string): Field => ({ sql, kind: 'number', ...onlySet({ shown }) });
/** A constant of this module as an SQL literal. */
const quoted = (constant: string): string => `'${constant.replaceAll("'", "''")}'`;

const ofCompany = (column: string): string =>
  `(SELECT json ->> '$.${column}' FROM resources WHERE kind = 'company' AND resources.id = companyId)`;

/** The recipient as in `recipientOf`; an unknown one is not shown. */
const recipient = (stored: string, column: string, constant: string): Field =>
  text(
    `NULLIF(COALESCE(${stored}, CASE direction WHEN 'outgoing' THEN ${quoted(constant)} ELSE ${ofCompany(column)} END), '')`,
  );

const party = (name: string): readonly Row[] => [
  [`${name}/federalTaxNumber`, recipient('recipientTaxNumber', 'federalTaxNumber', customer.taxNumber)],
  [`${name}/name`, recipient('recipientName', 'name', customer.name)],
];

const common: readonly Row[] = [
  ['id', text('id')],
  ['accessKey', text('accessKey')],
  ['companyId', text('companyId')],
  ['company/id', text('companyId')],
  ['company/federalTaxNumber', text(ofCompany('federalTaxNumber'))],
  ['company/name', text(ofCompany('name'))],
  ['status', text('status')],
  ['webhookStatus', text('webhookStatus')],
  ['nsu', number('nsu')],
  ['issuedOn', time('issuedOn')],
  ['authorizedOn', time('authorizedOn')],
  ['createdOn', time('createdOn')],
  ['modifiedOn', time('modifiedOn')],
  ['issuer/federalTaxNumber', text('issuerTaxNumber')],
  ['issuer/name', text('issuerName')],
];

const total = number('CAST(totalAmount AS REAL)', 'totalAmount');
const ordinal = number('CAST(substr(accessKey, 26, 9) AS INTEGER)');
const series = number('CAST(substr(accessKey, 23, 3) AS INTEGER)');
const prefix = "'/v2/companies/' || companyId || '/inbound/";
const isSummary = "stage = 'summary'";

/** The fields for filters and orders of a document list: those that it shows, `id` and `issuer`. */
export const documentFields: Readonly<Record<Family, Fields>> = {
  nfe: new Map([
    ...common,
    ...party('buyer'),
    ['type', text(`CASE WHEN ${isSummary} THEN 'productInvoiceSummary' ELSE 'productInvoice' END`)],
    ['nfeNumber', ordinal],
    ['nfeSerialNumber', series],
    ['totalInvoiceAmount', total],
    ['operationType', text("CASE direction WHEN 'incoming' THEN 'Incoming' ELSE 'Outgoing' END")],
    ['links/xml', text(`${prefix}nfe/' || accessKey || '/xml'`)],
    ['links/pdf', text(`CASE WHEN NOT ${isSummary} THEN ${prefix}nfe/' || accessKey || '/pdf' END`)],
  ]),
  cte: new Map([
    ...common,
    ...party('taker'),
    ['type', text("'transportationInvoice'")],
    ['cteNumber', ordinal],
    ['cteSerialNumber', series],
    ['totalInvoiceAmount', total],
    ['links/xml', text(`${prefix}' || accessKey || '/xml'`)],
  ]),
  nfse: new Map([
    ...common,
    ['createdAt', time('createdOn')],
    ['updatedAt', time('modifiedOn')],
    ['provider/federalTaxNumber', text('issuerTaxNumber')],
    ['provider/name', text('issuerName')],
    ...party('borrower'),
    ['intermediary/federalTaxNumber', text('intermediaryTaxNumber')],
    ['intermediary/name', text('intermediaryName')],
    ['type', text("'serviceInvoice'")],
    ['number', number('CAST(substr(accessKey, 24, 13) AS INTEGER)')],
    ['servicesAmount', number('CAST(totalAmount AS REAL)')],
  ]),
};

const eventTypes: Readonly<Record<Family, string>> = {
  nfe: 'productInvoiceEvent',
  cte: 'transportationInvoiceEvent',
  nfse: 'serviceInvoiceEvent',
};

/** The same for a list with events among its notes. */
export function mixedFields(family: Family): Fields {
  const fields = documentFields[family];
  const ofNotes = fields.get('type')?.sql ?? "''";
  const type = text(`CASE WHEN eventKey IS NULL THEN ${ofNotes} ELSE ${quoted(eventTypes[family])} END`);
  return new Map([
    ...fields,
    ['type', type],
    ['eventCode', text('eventType')],
    ['parentAccessKey', text('CASE WHEN eventKey IS NOT NULL THEN accessKey END')],
  ]);
}

export const eventFields: Fields = new Map([
  ['accessKey', text('accessKey')],
  ['eventKey', text('eventKey')],
  ['companyId', text('companyId')],
  ['type', text('type')],
  ['description', text('description')],
  ['sequence', number('sequence')],
  ['protocol', text('protocol')],
  ['nsu', number('nsu')],
  ['issuedOn', time('issuedOn')],
  ['receiptOn', time('issuedOn')],
  ['createdOn', time('createdOn')],
]);
