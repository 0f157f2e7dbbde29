import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { addExactly, compareExactly, type JsonNumber, subtractExactly } from '../../domain/exact-decimal.js';
import { isNumber, NumberLiteral, parseForeignJson } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { CellReader, type TableForm } from '../../services/input/cell-reader.js';
import type { Cells, Reading } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';
import { companyOfRow } from '../../services/scope/companies.js';
import type { UsageCount } from '../../store/store.js';
import { type Calls, CallSums } from '../../services/costs/call-sums.js';
import { billedNames, type Prices } from '../../services/costs/prices.js';

/** Rows of the bill that speak of the same calls, added up. */
interface Billed {
  readonly name: string;
  readonly companyId: string | undefined;
  calls: number;
  /** BRL; absent where the bill gives none. */
  amount: JsonNumber | undefined;
}

type Verdict = 'equal' | 'within-unknown' | 'different';

interface Ours {
  readonly counts: readonly UsageCount[];
  readonly prices: Prices | undefined;
  /** How the bill is read, where it is a table. */
  readonly form: TableForm;
}

/**
 * Compares the calls of the store with a bill: rows with `operation` (or the way of billing), `calls`, and if the bill has them
 * `company` and `amount`. `within-unknown`: the difference is not larger than the calls without an answer. Exit 3 for a difference.
 * Errors: `input.*`, `input.invalid` with the line.
 */
export async function compareBill(context: Context, path: string, { counts, prices, form }: Ours): Promise<Outcome> {
  const bill = await readBill(context, path, form);
  const byCompany = bill.some(({ companyId }) => companyId !== undefined);
  const names = new Set(bill.map(({ name }) => name));
  const ours = new CallSums<{ readonly name: string; readonly companyId?: string }>(prices);
  for (const row of counts) {
    const name = names.has(row.operation) || !names.has(row.billed) ? row.operation : row.billed;
    if (names.has(row.operation) && names.has(row.billed)) throw bothNamed(path, row);
    ours.add({ name, ...(byCompany && row.companyId !== undefined && { companyId: row.companyId }) }, row);
  }
  const rest = new Map(ours.list().map((calls) => [keyOf(calls), calls]));
  const label = await (await context.scope()).labels();
  const none: Calls = { billed: 0, unknown: 0, freeRepeats: 0, ...(prices && { cost: '0', unknownCost: '0' }) };
  const compared = bill.map((theirs) => {
    const found = rest.get(keyOf(theirs));
    rest.delete(keyOf(theirs));
    return comparison(theirs, found ?? none, label);
  });
  const missing = [...rest.values()].map(({ name, companyId, ...calls }) =>
    comparison({ name, companyId, calls: 0, amount: undefined }, calls, label),
  );
  const data = [...compared, ...missing].filter(({ billed, unknown, billCalls }) => billed + unknown + billCalls > 0);
  const different = data.filter(({ verdict }) => verdict === 'different').length;
  const exitCode = different === 0 ? ExitCode.ok : ExitCode.partial;
  const counted = {
    rows: data.length,
    different,
    withinUnknown: data.filter(({ verdict }) => verdict === 'within-unknown').length,
  };
  const withoutAmount = prices !== undefined && bill.some(({ amount }) => amount === undefined);
  return {
    data: [...data, { type: 'summary', ...counted, exitCode }],
    exitCode,
    notices: withoutAmount ? [noAmounts] : [],
  };
}

function comparison({ name, companyId, calls, amount }: Billed, ours: Calls, label: (id: string) => object) {
  const { billed, unknown, cost, unknownCost } = ours;
  return {
    type: 'comparison',
    name,
    ...(companyId !== undefined && { company: companyId, ...label(companyId) }),
    ...{ billed, unknown, billCalls: calls, difference: calls - billed },
    ...(cost !== undefined && { cost, unknownCost }),
    ...(amount !== undefined && { amount: String(amount) }),
    ...(amount !== undefined &&
      cost !== undefined && { amountDifference: String(subtractExactly(amount, new NumberLiteral(cost))) }),
    verdict: verdictOf(calls, amount, ours),
  };
}

function verdictOf(calls: number, amount: JsonNumber | undefined, ours: Calls): Verdict {
  const isPriced = amount !== undefined && ours.cost !== undefined && ours.unknownCost !== undefined;
  const least = isPriced ? new NumberLiteral(ours.cost) : 0;
  const most = isPriced ? addExactly(least, new NumberLiteral(ours.unknownCost)) : 0;
  const isCostIn = !isPriced || (compareExactly(amount, least) >= 0 && compareExactly(amount, most) <= 0);
  if (!isCostIn || calls < ours.billed || calls > ours.billed + ours.unknown) return 'different';
  return calls === ours.billed && (!isPriced || compareExactly(amount, least) === 0) ? 'equal' : 'within-unknown';
}

function keyOf({ name, companyId = '' }: { readonly name: string; readonly companyId?: string | undefined }): string {
  return JSON.stringify([name, companyId]);
}

async function readBill(context: Context, path: string, form: TableForm): Promise<readonly Billed[]> {
  const source = await openSource(context, path, { again: false });
  const cells = new CellReader(form);
  const rules = {
    parse: parseForeignJson,
    rows: (header: readonly string[], name: string) => rowReader(header, name, cells),
  };
  const rows = new Map<string, Billed>();
  try {
    for await (const record of readRecords(source, rules, undefined, cells)) {
      if ('problem' in record) throw invalid(path, `line ${record.line}`, record.problem);
      const { name, company, calls, amount } = requireRow(path, record.line, record.value);
      const whose = await companyOfRow(context, company, { local: true });
      if (whose !== undefined && 'problem' in whose) throw invalid(path, `line ${record.line}`, whose.problem);
      const row = { name, companyId: whose?.companyId };
      const sum = rows.get(keyOf(row)) ?? { ...row, calls: 0, amount: undefined };
      sum.calls += calls;
      if (amount !== undefined) sum.amount = addExactly(sum.amount ?? 0, amount);
      rows.set(keyOf(row), sum);
    }
  } finally {
    await source.close();
  }
  if (rows.size === 0) throw new FiscalError('input.empty', { path: source.name }, { sent: 'no' });
  return [...rows.values()];
}

/** The titles of a column, in lower case, without accents and what stands in parentheses. */
const columns = {
  operation: ['operation', 'operacao'],
  company: ['company', 'empresa', 'cnpj'],
  calls: ['calls', 'chamadas', 'quantidade'],
  amount: ['amount', 'valor'],
} as const;

type Field = keyof typeof columns;

function fieldOf(title: string): Field | undefined {
  const plain = title
    .replace(/\([^()]*\)/, '')
    .trim()
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();
  return fields.find((field) => columns[field].some((known) => known === plain));
}

const fields = ['operation', 'company', 'calls', 'amount'] as const;

/** The place of each field. Throws where two titles mean the same one. */
function placesOf(titles: readonly string[], name: string): ReadonlyMap<Field, number> {
  const places = new Map<Field, number>();
  for (const [at, title] of titles.entries()) {
    const field = fieldOf(title);
    if (field === undefined) continue;
    const earlier = places.get(field);
    if (earlier !== undefined) throw invalidColumn(name, field, [titles[earlier] ?? '', title]);
    places.set(field, at);
  }
  return places;
}

function rowReader(header: readonly string[], name: string, cells: CellReader): (row: Cells) => Reading {
  const places = placesOf(header, name);
  const missing = (['operation', 'calls'] as const).filter((field) => !places.has(field));
  if (missing.length > 0)
    throw new FiscalError('input.missing_column', { path: name, columns: missing.join(', ') }, { sent: 'no' });
  return (row) => {
    const cell = (field: Field): string => row[places.get(field) ?? -1]?.trim() ?? '';
    const amount = cells.number(cell('amount'), { column: 'amount', at: places.get('amount') ?? -1 });
    if ('problem' in amount) return amount;
    return {
      value: { operation: cell('operation'), company: cell('company'), calls: cell('calls'), amount: amount.text },
    };
  };
}

interface BillRow {
  readonly name: string;
  readonly company: unknown;
  readonly calls: number;
  readonly amount: JsonNumber | undefined;
}

function requireRow(path: string, line: number, value: unknown): BillRow {
  if (!isRecord(value)) throw invalid(path, `line ${line}`, { en: 'is no object', pt: 'não é um objeto' });
  const titles = Object.keys(value);
  const places = placesOf(titles, path);
  const cell = (field: Field): unknown => value[titles[places.get(field) ?? -1] ?? ''];
  const operation = textOf(cell('operation'));
  const name = billedNames.find((known) => known === operation);
  if (name === undefined) throw invalid(path, `line ${line}`, aName(operation.slice(0, 40)));
  const calls = textOf(cell('calls'));
  if (!/^\d{1,9}$/.test(calls)) throw invalid(path, `line ${line}`, aCount(calls.slice(0, 40)));
  const amount = textOf(cell('amount'));
  if (amount !== '' && !/^-?\d{1,15}(?:\.\d{1,10})?$/.test(amount))
    throw invalid(path, `line ${line}`, anAmount(amount.slice(0, 40)));
  return {
    name,
    company: cell('company'),
    calls: Number(calls),
    amount: amount === '' ? undefined : new NumberLiteral(amount),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || isNumber(value) ? String(value) : '';
}

function invalidColumn(path: string, field: Field, titles: readonly [string, string]): FiscalError {
  const [one, other] = titles;
  const message = {
    en: `the columns "${one}" and "${other}" both stand for it`,
    pt: `as colunas "${one}" e "${other}" significam a mesma coisa`,
  };
  return invalid(path, field, message);
}

function invalid(path: string, field: string, message: Text): FiscalError {
  return new FiscalError('input.invalid', { what: path }, { details: [{ field, message }], sent: 'no' });
}

function bothNamed(path: string, { operation, billed }: UsageCount): FiscalError {
  const message = {
    en: `the bill names ${operation} and ${billed}, which contains it: name one of them`,
    pt: `a fatura cita ${operation} e ${billed}, que a contém: cite um dos dois`,
  };
  return invalid(path, 'operation', message);
}

function aName(found: string): Text {
  const list = billedNames.join(', ');
  return {
    en: `operation "${found}" is none that is billed: ${list}`,
    pt: `a operação "${found}" não é uma das cobradas: ${list}`,
  };
}

function aCount(found: string): Text {
  return { en: `calls "${found}" is no whole number`, pt: `calls "${found}" não é um número inteiro` };
}

function anAmount(found: string): Text {
  return { en: `amount "${found}" is no amount such as 12.50`, pt: `amount "${found}" não é um valor como 12,50` };
}

const noAmounts: Text = {
  en: 'the bill has rows without an amount: of these only the number of calls was compared',
  pt: 'a fatura tem linhas sem valor: nelas só a quantidade de chamadas foi comparada',
};
