import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { companyTaxRegime } from '../../domain/company-check.js';
import type { JsonObject } from '../../domain/field-changes.js';
import { parseUtc } from '../../domain/dates.js';
import { fieldOf, isRecord } from '../../domain/record.js';
import { checkCnpj, readTaxNumber } from '../../domain/tax-number.js';
import { checkMunicipalTax, checkStateTax } from '../../domain/tax-registration-check.js';
import { parseDay } from '../../domain/typed-dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { isWebhookAddress } from '../../jobs/resources/webhook.js';
import { CellReader, type TableForm } from '../../services/input/cell-reader.js';
import type { PathStep } from '../../services/input/field-path.js';
import { LineProblems } from '../../services/input/line-problems.js';
import { readRecords } from '../../services/input/records.js';
import { readYamlText } from '../../services/input/rules-file.js';
import { openSource } from '../../services/input/source.js';
import { parseYamlWithLines } from '../../services/input/yaml.js';
import type { Context } from '../../services/context.js';
import { clientFields, type FieldProblem, typed, webhookFields } from './clients-fields.js';
import { clientRows } from './clients-table.js';

/** One client of the file. */
export interface Client {
  readonly line: number;
  /** Without punctuation. */
  readonly cnpj: string;
  /** The fields of the company that the file gives. */
  readonly company: JsonObject;
  readonly stateTaxes: readonly JsonObject[];
  readonly municipalTaxes: readonly JsonObject[];
  readonly certificate: { readonly file?: string; readonly thumbprint?: string };
  readonly capture: Partial<Readonly<Record<InboundFamily, JsonObject>>>;
}

/** A webhook of the account. */
export interface ClientWebhook {
  readonly line: number;
  readonly uri: string;
  readonly fields: JsonObject;
  readonly secretFile?: string;
}

export interface ClientFile {
  readonly name: string;
  readonly clients: readonly Client[];
  readonly webhooks: readonly ClientWebhook[];
}

interface FileRequest extends TableForm {
  /** A path, or `-` for standard input. */
  readonly file: string;
}

const MOST_KIB = 16 * 1024;

/**
 * The clients of a YAML, CSV or .xlsx file. Errors: `input.*`, with the line of every problem.
 */
export async function readClients(context: Context, { file, ...form }: FileRequest): Promise<ClientFile> {
  const source = await openSource(context, file, { again: false });
  const problems = new LineProblems();
  const isYaml = /^\.ya?ml$/.test(source.extension) || source.extension === '';
  try {
    const found = isYaml
      ? readYaml(await readYamlText(source, MOST_KIB), source.name, problems)
      : { clients: await readTable(source, form, problems), webhooks: [] };
    repeated(found.clients, ({ cnpj }) => cnpj, { field: 'cnpj', problems });
    repeated(found.webhooks, ({ uri }) => uri, { field: 'uri', problems });
    if (problems.lines > 0) throw problems.error(source.name);
    if (found.clients.length + found.webhooks.length === 0) throw new FiscalError('input.empty', { path: source.name });
    return { name: source.name, ...found };
  } finally {
    await source.close();
  }
}

function readYaml(text: string, name: string, problems: LineProblems): Omit<ClientFile, 'name'> {
  const { value, lineOf } = parseYamlWithLines(text, { name });
  if (!isRecord(value)) throw onlySections(name);
  const strange = Object.keys(value).find((key) => key !== 'companies' && key !== 'webhooks');
  if (strange !== undefined) problems.add(lineOf([strange]), [{ field: strange.slice(0, 60), message: noSection }]);
  const entries = (section: string): readonly unknown[] => {
    const list = value[section];
    if (list === undefined || list === '' || list === null) return [];
    if (Array.isArray(list)) return list;
    problems.add(lineOf([section]), [{ field: section, message: mustBeList }]);
    return [];
  };
  const reading = (section: string, index: number): Reading => ({
    line: lineOf([section, index]),
    add: ({ path, message }) => problems.add(lineOf([section, index, ...path]), [{ field: pathText(path), message }]),
  });
  return {
    clients: entries('companies').flatMap((each, index) => clientOf(each, reading('companies', index))),
    webhooks: entries('webhooks').flatMap((each, index) => webhookOf(each, reading('webhooks', index))),
  };
}

async function readTable(
  source: Parameters<typeof readRecords>[0],
  form: TableForm,
  problems: LineProblems,
): Promise<readonly Client[]> {
  const clients: Client[] = [];
  const rules = { parse: notJson, rows: clientRows };
  for await (const record of readRecords(source, rules, undefined, new CellReader(form))) {
    const { line } = record;
    if ('problem' in record) problems.add(line, [{ field: '', message: record.problem }]);
    else {
      const add = ({ path, message }: FieldProblem): void => problems.add(line, [{ field: pathText(path), message }]);
      clients.push(...clientOf(record.value, { line, add }));
    }
  }
  return clients;
}

function notJson(): never {
  const message = { en: 'a file of clients is YAML, CSV or .xlsx', pt: 'um arquivo de clientes é YAML, CSV ou .xlsx' };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

interface Reading {
  readonly line: number;
  add(problem: FieldProblem): void;
}

function clientOf(value: unknown, { line, add }: Reading): readonly Client[] {
  const fields = typed(value, clientFields, add);
  const { cnpj: written, stateTaxes, municipalTaxes, certificate, capture, ...company } = fields;
  const cnpj = checkedCnpj(written, add);
  const objects = (list: unknown): readonly JsonObject[] => (Array.isArray(list) ? list.filter(isRecord) : []);
  const client: Client = {
    ...{ line, cnpj, company: inOwnWords(company) },
    stateTaxes: objects(stateTaxes).map(upperState),
    municipalTaxes: objects(municipalTaxes),
    certificate: certificateOf(certificate, add),
    capture: captureOf(capture, add),
  };
  const check = (name: 'stateTaxes' | 'municipalTaxes', rule: typeof checkStateTax): void => {
    for (const [index, each] of client[name].entries())
      for (const { field, message } of rule(each)) add({ path: [name, index, field], message });
    const again = client[name].findIndex((each, index) =>
      client[name].slice(0, index).some((other) => registrationWords(other) === registrationWords(each)),
    );
    if (again > 0) add({ path: [name, again], message: sameRegistration });
  };
  check('stateTaxes', checkStateTax);
  check('municipalTaxes', checkMunicipalTax);
  return [client];
}

function checkedCnpj(written: unknown, add: Reading['add']): string {
  if (typeof written !== 'string') {
    add({ path: ['cnpj'], message: isRequired });
    return '';
  }
  // A spreadsheet loses leading zeros.
  const check = checkCnpj(readTaxNumber(written) ?? written);
  const message = check.issues[0]?.message;
  if (message !== undefined) add({ path: ['cnpj'], message });
  return check.value;
}

/** Regime and CEP as the service writes them. */
function inOwnWords(company: JsonObject): JsonObject {
  const { taxRegime, address } = company;
  const postalCode = fieldOf(address, 'postalCode');
  return {
    ...company,
    ...(typeof taxRegime === 'string' ? { taxRegime: companyTaxRegime(taxRegime) } : {}),
    ...(isRecord(address) && typeof postalCode === 'string'
      ? { address: { ...address, postalCode: postalCode.replace('-', '') } }
      : {}),
  };
}

/** The settings of each family, with the day on which a capture begins as a time. */
function captureOf(value: unknown, add: Reading['add']): Client['capture'] {
  const settings = Object.entries(isRecord(value) ? value : {});
  const read = settings.map(([family, given]) => {
    const day = fieldOf(given, 'startFromDate');
    const nsu = fieldOf(given, 'startFromNsu') ?? fieldOf(given, 'initialNsu');
    if (typeof nsu === 'string' && !/^\d{1,15}$/.test(nsu)) add({ path: ['capture', family], message: anNsu });
    if (typeof day !== 'string' || !isRecord(given)) return [family, given];
    const startFromDate = parseDay(day) ?? day;
    if (parseUtc(startFromDate) === undefined) add({ path: ['capture', family, 'startFromDate'], message: aDay });
    return [family, { ...given, startFromDate }];
  });
  return Object.fromEntries(read);
}

function upperState(registration: JsonObject): JsonObject {
  const { code } = registration;
  return typeof code === 'string' ? { ...registration, code: code.toUpperCase() } : registration;
}

function certificateOf(value: unknown, add: Reading['add']): Client['certificate'] {
  if (!isRecord(value)) return {};
  const { file, thumbprint } = value;
  const digits = typeof thumbprint === 'string' ? thumbprint.replaceAll(/[:\s]/g, '').toUpperCase() : undefined;
  if (digits !== undefined && !/^[0-9A-F]{40}$/.test(digits))
    add({ path: ['certificate', 'thumbprint'], message: aThumbprint });
  return { ...(typeof file === 'string' ? { file } : {}), ...(digits === undefined ? {} : { thumbprint: digits }) };
}

function webhookOf(value: unknown, { line, add }: Reading): readonly ClientWebhook[] {
  const { secretFile, uri, ...fields } = typed(value, webhookFields, add);
  if (typeof uri !== 'string' || !isWebhookAddress(uri)) {
    add({ path: ['uri'], message: anAddress });
    return [];
  }
  const secret = typeof secretFile === 'string' ? { secretFile } : {};
  return [{ line, uri, fields: { uri, ...fields }, ...secret }];
}

/** What a registration is known by again, with or without punctuation. */
export function registrationWords(registration: JsonObject): string {
  const { city, code, taxNumber, type } = registration;
  const words = city === undefined ? [code, taxNumber, type] : [isRecord(city) ? city['code'] : '', taxNumber];
  return words
    .map((word) =>
      String(word ?? '')
        .replaceAll(/[^0-9A-Z]/gi, '')
        .replace(/^0+/, '')
        .toUpperCase(),
    )
    .join(' ');
}

interface Repeat {
  readonly field: string;
  readonly problems: LineProblems;
}

function repeated<Entry extends { readonly line: number }>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  { field, problems }: Repeat,
): void {
  const first = new Map<string, number>();
  for (const entry of entries) {
    const name = nameOf(entry);
    const before = first.get(name);
    if (before === undefined) first.set(name, entry.line);
    else if (name !== '') problems.add(entry.line, [{ field, message: isAlsoIn(name, before) }]);
  }
}

function isAlsoIn(name: string, line: number): Text {
  return { en: `${name} is in line ${line} as well`, pt: `${name} também está na linha ${line}` };
}

function pathText(path: readonly PathStep[]): string {
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${step}`))
    .join('')
    .slice(0, 100);
}

function onlySections(path: string): FiscalError {
  return new FiscalError('input.syntax', { path, format: 'YAML', reason: noSection }, { sent: 'no' });
}

const noSection: Text = {
  en: 'the file has the sections companies and webhooks, and no other',
  pt: 'o arquivo tem as seções companies e webhooks, e nenhuma outra',
};
const mustBeList: Text = { en: 'must be a list', pt: 'deve ser uma lista' };
const isRequired: Text = { en: 'is required', pt: 'é obrigatório' };
const sameRegistration: Text = {
  en: 'is the same registration as one before it',
  pt: 'é a mesma inscrição que uma anterior',
};
const aDay: Text = {
  en: 'must be a day (2026-10-01) or a UTC time',
  pt: 'deve ser um dia (2026-10-01) ou um horário UTC',
};
const anNsu: Text = { en: 'an NSU has up to 15 digits', pt: 'um NSU tem até 15 algarismos' };
const aThumbprint: Text = {
  en: 'must be 40 hexadecimal digits (fiscal certificate list)',
  pt: 'deve ter 40 dígitos hexadecimais (fiscal certificate list)',
};
const anAddress: Text = {
  en: 'must be an https address without user or password; http only for this machine',
  pt: 'deve ser um endereço https sem usuário nem senha; http só para esta máquina',
};
