import { expect, test } from 'vitest';
import { sharedFlags } from '../src/cli/shared-flags.js';
import { topics } from '../src/cli/topics.js';
import { exitCodeMeanings } from '../src/cli/exit-codes.js';
import type { OutputSchema } from '../src/presenters/record.js';
import { groups, sections, singles } from '../src/commands/groups.js';
import { allOutputs, outputOf } from '../src/commands/outputs.js';
import { eventTypes } from '../src/domain/event-codes.js';
import { isRecord } from '../src/domain/record.js';
import { errorCatalogue } from '../src/errors/catalogue.js';
import { fieldAt, innerOf } from '../src/presenters/record.js';
import { loadCommands } from './support/commands.js';

const commands = await loadCommands();

/** Every `{ en, pt }` in a value, with the path to it. */
function textsIn(value: unknown, path: string): readonly { path: string; en: unknown; pt: unknown }[] {
  if (Array.isArray(value)) return value.flatMap((entry, index) => textsIn(entry, `${path}[${index}]`));
  if (!isRecord(value)) return [];
  if ('en' in value || 'pt' in value) return [{ path, en: value['en'], pt: value['pt'] }];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${path}.${name}`));
}

/** Three words or more are never the same in both languages. */
function isMissing({ en, pt }: { readonly en: unknown; readonly pt: unknown }): boolean {
  if (typeof en !== 'string' || typeof pt !== 'string' || en.trim() === '' || pt.trim() === '') return true;
  return en === pt && (en.match(/\p{L}{3,}/gu)?.length ?? 0) > 3;
}

test('every text of the help, the errors and the exit codes exists in both languages', async () => {
  const help = Object.fromEntries(
    await Promise.all(Object.entries(topics).map(async ([name, { load }]) => [name, await load()])),
  );
  const places = {
    ...{ commands: Object.fromEntries(commands), sharedFlags, sections, groups, singles, topics, help },
    ...{ errors: errorCatalogue(), exitCodeMeanings, eventTypes },
  };
  const texts = textsIn(places, '');
  expect(texts.length).toBeGreaterThan(1500);
  expect(texts.filter(isMissing).map(({ path, en, pt }) => `${path}: ${String(en)} | ${String(pt)}`)).toEqual([]);
});

/** Words that are the same in both languages. */
const same = ['bytes', 'id', 'total', 'webhooks'];

test('every column of a table is described by a record of its command, with a title in both languages', async () => {
  let columns = 0;
  const raw: string[] = [];
  for (const [name, { view }] of commands) {
    const { records = {} } = (await outputOf(name)) ?? {};
    for (const column of (await view?.())?.columns ?? []) {
      columns += 1;
      const titles = Object.values(records).map((record) => fieldAt(record, column)?.titles);
      if (!titles.some((title) => title !== undefined) && !same.includes(column)) raw.push(`${name}: ${column}`);
    }
  }
  expect(columns).toBeGreaterThan(200);
  expect(raw).toEqual([]);
});

/** What the sandbox says of itself; developers read it. */
const ofTheSandbox = /^sandbox /;

/** Fields of records that a terminal shows in another form. */
const notShown = new Set(['contentType', 'dryRun', 'leftOut', 'mayShow', 'idempotencyKey']);

function untitledIn(record: OutputSchema): readonly string[] {
  return Object.entries(innerOf(record)?.properties ?? {}).flatMap(([name, field]) => [
    ...(field.titles === undefined ? [name] : []),
    ...untitledIn(field),
  ]);
}

/** The last records of a list, with all their fields. */
const totals = new Set(['summary', 'reconciliation']);

/** Every field that the general view shows, alone or below a view of its own: there it shows the totals. */
test('every field that the general view shows has a title in both languages', async () => {
  const raw: string[] = [];
  for (const [name, { prints, records }] of Object.entries(await allOutputs())) {
    if (prints === 'text' || ofTheSandbox.test(name)) continue;
    const hasView = (await commands.get(name)?.view?.()) !== undefined;
    const fields = Object.entries(records)
      .filter(([type, { additionalProperties }]) => additionalProperties !== true && (!hasView || totals.has(type)))
      .flatMap(([, record]) => untitledIn(record))
      .filter((field) => !notShown.has(field) && !same.includes(field));
    raw.push(...fields.map((field) => `${name}: ${field}`));
  }
  expect(raw).toEqual([]);
});

/** What the service says in these records, as its details and workbooks show it in Portuguese. */
const saidByService: readonly (readonly [command: string, record: string, titles: Readonly<Record<string, string>>])[] =
  [
    ['lookup cpf', 'lookup', { createdOn: 'criado em', birthOn: 'nascimento' }],
    [
      'lookup nfe',
      'lookup',
      { 'issuer.tradeName': 'nome fantasia', sequence: 'sequência', authorizedOn: 'autorização' },
    ],
    ['lookup nfe', 'lookup', { description: 'descrição', stateCode: 'código da UF', type: 'tipo' }],
    ['inbound capture show', 'inbound', { startFromDate: 'data de corte', createdOn: 'criado em' }],
    [
      'inbound capture show',
      'inbound',
      { modifiedOn: 'alterado em', createdAt: 'criado em', updatedAt: 'atualizado em' },
    ],
    ['inbound capture show', 'notice', { nsu: 'NSU' }],
    ['inbound capture reset-nsu', 'inbound', { message: 'mensagem' }],
    [
      'inbound list',
      'inbound',
      { description: 'descrição', eventCode: 'código do evento', 'intermediary.name': 'nome' },
    ],
    [
      'inbound get',
      'inbound',
      { description: 'descrição', eventCode: 'código do evento', 'intermediary.name': 'nome' },
    ],
    ['company registration get', 'company', { series: 'série', environment: 'ambiente', 'city.state': 'UF' }],
    ['company registration list', 'company', { series: 'série', environment: 'ambiente', 'city.state': 'UF' }],
    ['manifestation get', 'manifestation', { createdAt: 'criado em' }],
    ['manifestation list', 'manifestation', { createdAt: 'criado em' }],
    ['product get', 'product', { errorMessage: 'erro' }],
    ['tax calculate', 'tax', { 'items.sku': 'SKU' }],
  ];

test.each(saidByService)('%s titles what the service says', async (command, record, titles) => {
  const described = (await outputOf(command))?.records[record];
  const found = Object.keys(titles).map((field) => [field, fieldAt(described, field)?.titles?.pt]);
  expect(Object.fromEntries(found)).toEqual(titles);
});
