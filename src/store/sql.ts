import type { Engine } from './columns.js';
import { type TableName, tables } from './schema.js';

/** A piece of a statement that the engines write differently. It is made once, and known by its identity. */
export class Part {
  constructor(
    readonly sqlite: string,
    readonly postgres: string,
  ) {}
}

/** What stands for these fields of all rows of a statement. */
class RowsPart extends Part {
  constructor(
    sqlite: string,
    postgres: string,
    readonly names: readonly string[],
  ) {
    super(sqlite, postgres);
  }
}

/** A value of each row that a statement is for, by its name (`fieldsOf`). */
class Field {
  constructor(readonly name: string) {}
}

/**
 * A statement, or a piece of one, in the words that both engines have. What stands in `${…}` is a value, and never text: a value of a
 * parameter, a list of values, a `Part` or another `Sql`. One place of a text has always one of these kinds.
 */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
    readonly rows?: readonly object[],
  ) {}

  /** For each of these rows: one statement on PostgreSQL, or a part of one, one after another on SQLite. */
  for(rows: readonly object[]): Sql {
    return new Sql(this.strings, this.values, rows);
  }
}

export function sql(strings: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return new Sql(strings, values);
}

export const nothing = sql``;

/** Text of this program, the same for both engines: names of columns, or a condition that several statements share. */
export function words(text: string): Part {
  return new Part(text, text);
}

/** The tables, by their names. */
export const t = Object.fromEntries(
  Object.keys(tables).map((name) => [name, new Part(name, `fiscal.${name}`)]),
) as Readonly<Record<TableName, Part>>;

/** The piece only where the value is given. */
export function given(value: unknown, piece: Sql): Sql {
  return value === undefined ? nothing : piece;
}

const anyOf = new Part('IN (SELECT value FROM json_each(', '= ANY (CAST(');
const endOf = { text: new Part('))', ' AS text[]))'), int: new Part('))', ' AS bigint[]))') };

/** `state ${among(states)}` */
export function among(values: readonly string[]): Sql {
  return sql`${anyOf}${values}${endOf.text}`;
}

/** The same for numbers. */
export function amongNumbers(values: readonly number[]): Sql {
  return sql`${anyOf}${values}${endOf.int}`;
}

const listed = {
  begin: new Part('(SELECT value AS wanted FROM json_each(', 'unnest(CAST('),
  end: new Part(')) AS list', ' AS text[])) AS list (wanted)'),
};

/** A table with one column, `wanted`. */
export function listOf(values: readonly string[]): Sql {
  return sql`${listed.begin}${values}${listed.end}`;
}

/** At most so many rows; `undefined`: all. In a CAST, because SQLite prepares a statement anew for each bare limit. */
export function limited(limit: number | undefined): Sql {
  return limit === undefined ? nothing : sql`LIMIT CAST(${limit} AS bigint)`;
}

/** Nobody else changes the rows that were read until the transaction ends; SQLite has one writer. */
export const forUpdate = new Part('', 'FOR UPDATE');

/** The time of the server in whole milliseconds; a file goes by the clock of its machine. */
export const serverMs = new Part('0', 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint');

/** By this index: without statistics SQLite would read more rows. */
export function indexedBy(index: string): Part {
  return new Part(`INDEXED BY ${index}`, '');
}

/** The greater of two numbers, neither of which is NULL. */
export const greatest = new Part('max', 'greatest');

type FieldType = 'text' | 'int' | 'real';

/** What a statement for many rows takes of each. */
export type Fields<Name extends string> = Readonly<Record<Name, Field>> & {
  /** `INSERT INTO … (…) ${each} ${one}, ${other} ${end}` */
  readonly each: Part;
  readonly end: Part;
  /** `UPDATE … SET … = ${one} ${from} WHERE … = ${other}` */
  readonly from: Part;
  /** All of them, one after another; and as `name = …`, where they are columns. */
  readonly list: Sql;
  readonly set: Sql;
  /** `SELECT … ${one} FROM … ${and} WHERE … = ${other}` */
  readonly and: Part;
};

const recordTypes: Readonly<Record<FieldType, string>> = { text: 'text', int: 'bigint', real: 'double precision' };

/** The place of the rows in a text of PostgreSQL. */
const ROWS = '@rows';

export function fieldsOf<Name extends string>(types: Readonly<Record<Name, FieldType>>): Fields<Name> {
  const record = Object.entries<FieldType>(types).map(([name, type]) => `"${name}" ${recordTypes[type]}`);
  const rows = `json_to_recordset(CAST(${ROWS} AS json))`;
  const names = Object.keys(types) as Name[];
  const fields = names.map((name) => new Field(name));
  return {
    ...(Object.fromEntries(fields.map((field) => [field.name, field])) as Record<Name, Field>),
    list: new Sql(['', ...names.slice(1).map(() => ', '), ''], fields),
    set: new Sql([...names.map((name, index) => `${index === 0 ? '' : ', '}${name} = `), ''], fields),
    each: new Part('VALUES (', 'SELECT '),
    end: new RowsPart(
      ')',
      ` FROM ROWS FROM (${rows} AS (${record.join(', ')})) WITH ORDINALITY AS r ORDER BY ordinality`,
      names,
    ),
    from: new RowsPart('', `FROM ${rows} AS r (${record.join(', ')})`, names),
    and: new RowsPart('', `CROSS JOIN ${rows} AS r (${record.join(', ')})`, names),
  };
}

/** What a step of a transaction asks of the engine. */
export type Asked =
  | { readonly query: Sql; readonly wants: 'rows' | 'row' | 'changes' }
  | { readonly alone: readonly string[] };

/** Work within a transaction: SQLite carries it out at once, PostgreSQL waits for each answer. */
export type Step<Result> = Generator<Asked, Result, unknown>;

export function* all<Row extends object>(query: Sql): Step<readonly Row[]> {
  // Whoever writes the statement says what its rows are.
  return (yield { query, wants: 'rows' }) as readonly Row[];
}

export function* get<Row extends object>(query: Sql): Step<Row | undefined> {
  return (yield { query, wants: 'row' }) as Row | undefined;
}

/** The number of rows that it changed. */
export function* run(query: Sql): Step<number> {
  return Number(yield { query, wants: 'changes' });
}

/** Lets nobody else pass who asks for the same name, until the transaction ends; SQLite has one writer. */
export function* alone(...name: readonly string[]): Step<void> {
  yield { alone: name };
}

export interface How {
  /** False: SQLite does not wait for the disk, where nothing was promised. */
  readonly durable?: boolean;
  /** It does no harm twice: PostgreSQL runs it again when its connection is lost, whether it took effect or not. */
  readonly repeatable?: true;
}

/** The statements of the store, on either engine. A resolved change is committed. */
export interface Db {
  /** Reads. */
  all<Row extends object, Shown = Row>(query: Sql, show?: (row: Row) => Shown): Promise<readonly Shown[]>;
  get<Row extends object, Shown = Row>(query: Sql, show?: (row: Row) => Shown): Promise<Shown | undefined>;
  /** Changes rows, in a transaction of its own, and returns their number. */
  run(query: Sql, how?: How): Promise<number>;
  /** The same, and returns the rows that it names. */
  change<Row extends object, Shown = Row>(query: Sql, show?: (row: Row) => Shown, how?: How): Promise<readonly Shown[]>;
  together<Result>(work: () => Step<Result>, how?: How): Promise<Result>;
}

interface Node<Made> {
  made?: Made;
  readonly next: Map<object, Node<Made>>;
}

interface Found<Made> {
  readonly made: Made;
  /** In the order of the parameters. */
  readonly values: readonly unknown[];
}

/** What one connection makes of statements, each once: found again by the identity of its texts. */
export class Statements<Made> {
  readonly #beginning: Node<Made> = { next: new Map() };

  /** @param rowsOf the one value that stands for all rows; SQLite takes their fields one after another instead. */
  constructor(
    private readonly engine: Engine,
    private readonly make: (text: string) => Made,
    private readonly rowsOf?: (rows: readonly object[], names: readonly string[]) => string,
  ) {}

  find(query: Sql): Found<Made> {
    const values: unknown[] = [];
    const node = this.#follow(this.#beginning, query, { values, rows: query.rows ?? [] });
    node.made ??= this.make(this.#textOf(query));
    return { made: node.made, values };
  }

  #follow(from: Node<Made>, { strings, values }: Sql, found: Collected): Node<Made> {
    let node = nextOf(from, strings);
    for (const value of values) {
      if (value instanceof Sql) node = this.#follow(node, value, { ...found, rows: value.rows ?? found.rows });
      else if (value instanceof Part) {
        node = nextOf(node, value);
        if (value instanceof RowsPart && this.rowsOf !== undefined)
          found.values.push(this.rowsOf(found.rows, value.names));
      } else if (!(value instanceof Field) || this.rowsOf === undefined) found.values.push(value);
    }
    return node;
  }

  #textOf(query: Sql): string {
    let count = 0;
    const mark = (): string => (this.engine === 'sqlite' ? '?' : `$${(count += 1)}`);
    const write = ({ strings, values }: Sql): string =>
      strings.reduce((text, next, index) => {
        const value = values[index - 1];
        if (value instanceof Sql) return text + write(value) + next;
        if (value instanceof Part) return text + value[this.engine].replace(ROWS, mark) + next;
        const isOfRow = value instanceof Field && this.engine === 'postgres';
        return text + (isOfRow ? `r."${value.name}"` : mark()) + next;
      });
    return write(query);
  }
}

interface Collected {
  readonly values: unknown[];
  readonly rows: readonly object[];
}

function nextOf<Made>({ next }: Node<Made>, key: object): Node<Made> {
  const known = next.get(key);
  if (known !== undefined) return known;
  const made: Node<Made> = { next: new Map() };
  next.set(key, made);
  return made;
}

/** The value for one row. */
export function valueFor(row: object, value: unknown): unknown {
  // A row has what `fieldsOf` names, or nothing.
  return value instanceof Field ? (row as Readonly<Record<string, unknown>>)[value.name] : value;
}

/** A statement as text of an engine, with its values: for one that is used once. */
export function writtenFor(engine: Engine, query: Sql): { readonly text: string; readonly values: readonly unknown[] } {
  const { made, values } = new Statements(engine, (text) => text).find(query);
  return { text: made, values };
}
