import { Readable } from 'node:stream';
import type { Given } from '../../cli/command.js';
import type { exportDefinition } from './clients-commands.js';
import { extname, resolve } from 'node:path';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { activityOf, shownActivity } from '../../domain/capture-settings.js';
import { counted } from '../../domain/counted.js';
import type { JsonObject } from '../../domain/field-changes.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { withoutFormula } from '../../domain/spreadsheet-cell.js';
import { sentenceOf } from '../../domain/sentence.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { Prose } from '../../domain/prose.js';
import { workbookBytes } from '../../io/workbook.js';
import { mapConcurrent } from '../../jobs/concurrency.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { thumbprintIn } from '../../jobs/resources/certificate.js';
import { registrationForms } from '../../jobs/resources/registration.js';
import { csvErrorLine } from '../../services/batch/error-sheet.js';
import { families } from '../../services/company/activity.js';
import { bestOf } from '../../services/company/certificate.js';
import type { Context } from '../../services/context.js';
import { notWritten, requireFolder, writeWhole } from '../../io/output-file.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { clientFields, webhookFields } from './clients-fields.js';
import { Present, type Seen } from './clients-present.js';

type Form = 'yaml' | 'csv' | 'xlsx';

const readingClients: Text = { en: 'reading clients', pt: 'lendo clientes' };

/**
 * Writes the companies of the account as the file that `company apply` takes. No secret is in it, and what the service does not show
 * is left out. Errors: `usage.invalid_value`, `store.unwritable`, those of the reads.
 */
export async function exportClients(context: Context, { out }: Given<typeof exportDefinition>): Promise<Outcome> {
  if (out === undefined) throw new FiscalError('usage.missing', { names: '--out' }, { sent: 'no' });
  const form = formOf(out);
  const path = resolve(context.cwd, out);
  await requireFolder(path);
  const companies = await companiesOf(context, { all: context.flags['company'] === undefined });
  const reading = new Reading(context);
  const { concurrency, dryRun } = await context.settings();
  let done = 0;
  const clients = await mapConcurrent(companies, concurrency, async (company) => {
    const client = await reading.client(company);
    done += 1;
    context.progress.report({ label: readingClients, done, total: companies.length });
    return client;
  }).finally(() => context.progress.stop());
  const webhooks = form === 'yaml' ? await reading.webhooks() : [];
  if (!dryRun) await writeWhole(path, Readable.from(await bytesOf(form, clients, webhooks)), context.random);
  const exitCode = reading.unread.length === 0 ? ExitCode.ok : ExitCode.partial;
  const unread = reading.unread.map(({ what, error }) => ({
    what,
    errorCode: error.code,
    error: new Prose(error.text),
  }));
  return {
    data: { path: out, companies: clients.length, webhooks: webhooks.length, unread },
    exitCode,
    sentence: dryRun
      ? sentenceOf('none', notWritten)
      : sentenceOf(exitCode === ExitCode.ok ? 'good' : 'warn', writtenText(clients.length, out)),
    notices: [
      leftOut,
      ...(form === 'yaml' ? [] : [onlyInYaml]),
      ...(unread.length === 0 ? [] : [incomplete(unread.length)]),
    ],
  };
}

class Reading {
  readonly unread: { readonly what: string; readonly error: FiscalError }[] = [];
  readonly #present: Present;

  constructor(private readonly context: Context) {
    this.#present = new Present(context);
  }

  async client({ id, taxNumber = '' }: AccountCompany): Promise<JsonObject> {
    const read = async <Value>(part: string, seen: Promise<Seen<Value>>, none: Value): Promise<Value> => {
      const answer = await seen;
      if ('value' in answer) return answer.value;
      this.unread.push({ what: `${taxNumber || id} ${part}`, error: answer.error });
      return none;
    };
    const company = await read('company', this.#present.company(id), {});
    const stateTaxes = await read('state-tax', this.#present.registrations(id, registrationForms.state), []);
    const municipalTaxes = await read(
      'municipal-tax',
      this.#present.registrations(id, registrationForms.municipal),
      [],
    );
    const certificates = await read('certificate', this.#present.certificates(id), []);
    const best = bestOf(certificates, {
      now: this.context.clock.now(),
      taxNumber: taxNumber === '' ? undefined : taxNumber,
    });
    const thumbprint = thumbprintIn({ thumbprint: best.thumbprint });
    const captures: [InboundFamily, JsonObject][] = [];
    for (const family of families) {
      const settings = await read(`capture ${family}`, this.#present.capture(id, family), undefined);
      if (settings === undefined) continue;
      const activity = activityOf(settings);
      if (activity === 'active') captures.push([family, chosen(settings, clientFields.capture[family])]);
      else if (activity === 'unclear')
        this.unread.push({
          what: `${taxNumber || id} capture ${family}`,
          error: unclear(settings, { family, company: id }),
        });
    }
    const {
      cnpj: _own,
      stateTaxes: _states,
      municipalTaxes: _cities,
      certificate: _pfx,
      capture: _settings,
      ...fields
    } = clientFields;
    return {
      ...{ cnpj: taxNumber, ...chosen(company, fields) },
      ...(stateTaxes.length === 0
        ? {}
        : { stateTaxes: stateTaxes.map((each) => chosen(each, clientFields.stateTaxes[0])) }),
      ...(municipalTaxes.length === 0
        ? {}
        : { municipalTaxes: municipalTaxes.map((each) => chosen(each, clientFields.municipalTaxes[0])) }),
      ...(thumbprint === undefined ? {} : { certificate: { thumbprint } }),
      ...(captures.length === 0 ? {} : { capture: Object.fromEntries(captures) }),
    };
  }

  async webhooks(): Promise<readonly JsonObject[]> {
    const seen = await this.#present.webhooks();
    if ('value' in seen)
      return seen.value.filter((row) => textField(row, 'uri') !== undefined).map((row) => chosen(row, webhookFields));
    this.unread.push({ what: 'webhooks', error: seen.error });
    return [];
  }
}

/** Settings that do not say whether the capture is on: a file with it would enable it, one without it would say that it is off. */
function unclear(settings: JsonObject, of: { readonly family: InboundFamily; readonly company: string }) {
  const shown = shownActivity(settings);
  const reason = { en: `the service shows ${shown}`, pt: `o serviço mostra ${shown}` };
  return new FiscalError('capture.not_active', { ...of, reason }, { sent: 'yes', retryable: false });
}

/** The fields that a file of clients takes, where the service shows a value for them. */
function chosen(shown: JsonObject, fields: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, kind]): (readonly [string, unknown])[] => {
      const value = shown[name] ?? undefined;
      if (value === undefined || value === '' || (Array.isArray(value) && value.length === 0)) return [];
      if (isRecord(kind)) {
        const inner = isRecord(value) ? chosen(value, kind) : {};
        return Object.keys(inner).length === 0 ? [] : [[name, inner]];
      }
      const isPlain = typeof value !== 'object' || (kind === 'list' && Array.isArray(value));
      return isPlain ? [[name, kind === 'text' ? String(value) : value]] : [];
    }),
  );
}

async function bytesOf(
  form: Form,
  clients: readonly JsonObject[],
  webhooks: readonly JsonObject[],
): Promise<AsyncIterable<Uint8Array> | readonly Uint8Array[]> {
  if (form === 'yaml') {
    const { default: yaml } = await import('yaml');
    const sections = { companies: clients, ...(webhooks.length === 0 ? {} : { webhooks }) };
    return [Buffer.from(yaml.stringify(sections, { lineWidth: 0 }))];
  }
  const flat = clients.map((client) => new Map(cellsOf(client, '')));
  const columns = [...new Set(['cnpj', ...flat.flatMap((row) => [...row.keys()])])];
  const rows = flat.map((row) => columns.map((column) => row.get(column) ?? ''));
  if (form === 'csv') return [Buffer.from(`\uFEFF${[columns, ...rows].map(csvLine).join('')}`)];
  async function* cells() {
    yield* rows;
  }
  return workbookBytes(cells(), { name: 'fiscal', columns: columns.map((title) => ({ title, kind: 'text' })) });
}

/** A name that a spreadsheet would run as a formula has an apostrophe before it, which `company apply` takes away. */
function csvLine(cells: readonly string[]): string {
  return csvErrorLine(cells.map(withoutFormula), ';');
}

/** The cells of a client by the paths of its fields; an enabled capture without settings is `true`. */
function cellsOf(value: unknown, path: string): readonly (readonly [string, string])[] {
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return [[path, value.join(',')]];
  if (Array.isArray(value)) return value.flatMap((each: unknown, index) => cellsOf(each, `${path}[${index}]`));
  if (!isRecord(value)) return [[path, String(value)]];
  const own: readonly (readonly [string, string])[] = /^capture\.\w+$/.test(path) ? [[path, 'true']] : [];
  return [
    ...own,
    ...Object.entries(value).flatMap(([name, inner]) => cellsOf(inner, path === '' ? name : `${path}.${name}`)),
  ];
}

function formOf(out: string): Form {
  const extension = extname(out).toLowerCase();
  if (extension === '.yaml' || extension === '.yml') return 'yaml';
  if (extension === '.csv') return 'csv';
  if (extension === '.xlsx') return 'xlsx';
  const expected = {
    en: 'a file that ends in .yaml, .csv or .xlsx',
    pt: 'um arquivo que termine em .yaml, .csv ou .xlsx',
  };
  throw invalidValue('--out', out, expected);
}

function writtenText(count: number, out: string): Text {
  return counted(count, {
    en: [`# company written to ${out}`, `# companies written to ${out}`],
    pt: [`# empresa gravada em ${out}`, `# empresas gravadas em ${out}`],
  });
}

const leftOut: Text = {
  en: 'no secret is in the file: PFX files and their passwords, the CSC, the credentials of city halls and the secrets of webhooks are left out, and so are automatic manifestations',
  pt: 'o arquivo não tem segredos: arquivos PFX e suas senhas, o CSC, as credenciais de prefeituras e os segredos de webhooks ficam de fora, assim como as manifestações automáticas',
};
const onlyInYaml: Text = {
  en: 'a table has one row per client; the webhooks of the account are written to a .yaml file only',
  pt: 'uma tabela tem uma linha por cliente; os webhooks da conta só são gravados em um arquivo .yaml',
};

function incomplete(count: number): Text {
  return counted(count, {
    en: [
      '# part could not be read and is missing in the file: see unread',
      '# parts could not be read and are missing in the file: see unread',
    ],
    pt: [
      '# parte não pôde ser lida e falta no arquivo: veja unread',
      '# partes não puderam ser lidas e faltam no arquivo: veja unread',
    ],
  });
}
