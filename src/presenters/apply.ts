import type { Text } from '../contract/text.js';
import { counted, type Forms, nouns } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { Prose } from '../domain/prose.js';
import { batchView } from './batch.js';
import { defaultView } from './generic.js';
import { each, record, usual } from './record.js';
import type { RenderOptions, View } from './render.js';
import { scalarText } from './scalar.js';
import { type Column, tableLines } from './table.js';

type Row = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, Text>>;

const SHOWN = 100;
const bad = new Set(['blocked', 'unread', 'rejected', 'failed', 'uncertain']);
/** Another run has sent a product that this one wanted to send. */
const badOfProducts = new Set([...bad, 'skipped']);

const differences = record({
  ...usual('line sku companyTaxNumber step action state resource companyName'),
  ...each('text', 'what: o quê'),
});

/** The differences between file and registry, and their result; unchanged products are only counted. */
export const applyView: View = (data, options) => {
  const { rows, summary } = partsOf(data);
  if (summary === undefined) return defaultView(data, options);
  // With --create-only it is one job, as any batch.
  if (summary['create'] === undefined) return batchView(data, options);
  const isPlan = summary['dryRun'] === true;
  const billed = { en: 'billed calls', pt: 'chamadas cobradas' }[options.language];
  return [
    ...tableOf(
      rows.filter(({ action }) => action !== 'unchanged'),
      options,
      (shown) => [
        { title: 'line', cells: shown.map((row) => row['line']) },
        { title: 'sku', cells: shown.map((row) => row['label']) },
        { title: 'action', cells: shown.map((row) => row['action']), isRequired: true },
        { title: 'state', cells: shown.map((row) => row['status'] ?? row['state']), isRequired: true },
        whatColumn(shown, options, ({ field }) => scalarText(field)),
      ],
    ),
    headLine(summary['total'], nouns.product, options),
    ...countLines(summary, { ...productActions, ...(isPlan ? {} : productStates) }, { ...options, bad: badOfProducts }),
    ...(scalarText(summary['billedCalls']) === '0' ? [] : [`  ${billed}: ${scalarText(summary['billedCalls'])}`]),
  ];
};

const productActions: Words = {
  create: { en: 'create', pt: 'criar' },
  update: { en: 'update', pt: 'alterar' },
  unchanged: { en: 'as in the file', pt: 'como no arquivo' },
  blocked: { en: 'not as in the file, nothing sent', pt: 'fora do arquivo, nada enviado' },
  repeated: { en: 'repeated lines', pt: 'linhas repetidas' },
  invalid: { en: 'invalid, left out', pt: 'inválidas, fora do envio' },
};

const productStates: Words = {
  succeeded: { en: 'validated', pt: 'validados' },
  pending: { en: 'accepted, validation pending', pt: 'aceitos, validação pendente' },
  prepared: { en: 'not sent', pt: 'não enviados' },
  rejected: { en: 'in Error', pt: 'em Error' },
  failed: { en: 'failed', pt: 'com falha' },
  uncertain: { en: 'uncertain', pt: 'sem confirmação' },
  skipped: { en: 'sent by another run', pt: 'enviados por outra execução' },
};

/** The steps that differ, and their result; what is as in the file, or not in it, is only counted. */
export const companyApplyView: View = (data, options) => {
  const { rows, summary } = partsOf(data);
  if (summary === undefined) return defaultView(data, options);
  const steps = rows.filter(({ action }) => action !== 'unchanged' && action !== 'extra');
  return [
    ...tableOf(steps, options, (shown) => {
      const column = (title: string, isRequired: boolean): Column => ({
        ...{ title, isRequired },
        cells: shown.map((row) => row[title]),
      });
      const changeText = ({ field, from, to }: Row): string =>
        `${scalarText(field)}: ${scalarText(from ?? '—')} → ${scalarText(to)}`;
      return [
        ...['companyTaxNumber', 'step', 'action'].map((title) => column(title, true)),
        ...['state', 'resource', 'companyName'].map((title) => column(title, false)),
        whatColumn(shown, options, changeText),
      ];
    }),
    headLine(summary['clients'], clients, options),
    ...countLines(summary, companyWords, { ...options, bad }),
  ];
};

const clients = { en: ['client', 'clients'], pt: ['cliente', 'clientes'] } as const;

const companyWords: Words = {
  create: { en: 'create', pt: 'criar' },
  update: { en: 'update', pt: 'alterar' },
  unchanged: { en: 'as in the file', pt: 'como no arquivo' },
  blocked: { en: 'not as in the file, nothing sent', pt: 'fora do arquivo, nada enviado' },
  unread: { en: 'could not be compared', pt: 'sem comparação' },
  extra: { en: 'not in the file, left alone', pt: 'fora do arquivo, sem mudança' },
  succeeded: { en: 'done', pt: 'feitos' },
  skipped: { en: 'done by another run', pt: 'feitos por outra execução' },
  prepared: { en: 'not sent', pt: 'não enviados' },
  failed: { en: 'failed', pt: 'com falha' },
  uncertain: { en: 'uncertain', pt: 'sem confirmação' },
};

function partsOf(data: unknown): { readonly rows: readonly Row[]; readonly summary: Row | undefined } {
  const records = Array.isArray(data) ? data.filter(isRecord) : [];
  const rows = records.filter(({ type }) => type === 'item');
  return { rows, summary: records.find(({ type }) => type === 'summary') };
}

function tableOf(
  rows: readonly Row[],
  options: RenderOptions,
  columnsOf: (shown: readonly Row[]) => readonly Column[],
): readonly string[] {
  if (rows.length === 0) return [];
  const hidden = rows.length - SHOWN;
  const table = tableLines(columnsOf(rows.slice(0, SHOWN)), options, { record: differences });
  return [...table, ...(hidden > 0 ? [options.paint.dim(`… ${hidden}`)] : []), ''];
}

/** The error of a row, the line that it repeats, or its changes. */
function whatColumn(rows: readonly Row[], options: RenderOptions, changeText: (change: Row) => string): Column {
  const cells = rows.map(({ error, duplicateOfLine, changes }) => {
    if (error instanceof Prose) return error[options.language];
    if (typeof error === 'string') return error;
    if (duplicateOfLine !== undefined) return `= ${scalarText(duplicateOfLine)}`;
    return (Array.isArray(changes) ? changes.filter(isRecord) : []).map(changeText).join(', ');
  });
  return { title: 'what', cells, isRequired: true, isBelow: true };
}

function headLine(count: unknown, forms: Forms, { language, paint }: RenderOptions): string {
  return paint.strong(counted(Number(count), forms)[language]);
}

/** One line for each count that is not zero. */
function countLines(
  summary: Row,
  words: Words,
  options: RenderOptions & { readonly bad: ReadonlySet<string> },
): readonly string[] {
  return Object.entries(words).flatMap(([name, { [options.language]: text }]) => {
    const count = summary[name];
    if (typeof count !== 'number' || count === 0) return [];
    return [`  ${options.bad.has(name) ? options.paint.bad(text) : text}: ${count}`];
  });
}
