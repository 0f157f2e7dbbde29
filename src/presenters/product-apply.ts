import type { Language } from '../contract/text.js';
import { counted, nouns } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { batchView } from './batch.js';
import { saidText } from './cell.js';
import { defaultView } from './generic.js';
import { each, record, usual } from './record.js';
import type { RenderOptions, View } from './render.js';
import { scalarText } from './scalar.js';
import { tableLines } from './table.js';

type Row = Readonly<Record<string, unknown>>;
type Words = Readonly<Record<string, Readonly<Record<Language, string>>>>;

const SHOWN = 100;

const differences = record({ ...usual('line sku action state'), ...each('text', 'what: o quê') });

const actionWords: Words = {
  create: { en: 'create', pt: 'criar' },
  update: { en: 'update', pt: 'alterar' },
  unchanged: { en: 'as in the file', pt: 'como no arquivo' },
  blocked: { en: 'not as in the file, nothing sent', pt: 'fora do arquivo, nada enviado' },
  repeated: { en: 'repeated lines', pt: 'linhas repetidas' },
  invalid: { en: 'invalid, left out', pt: 'inválidas, fora do envio' },
};

const stateWords: Words = {
  succeeded: { en: 'validated', pt: 'validados' },
  pending: { en: 'accepted, validation pending', pt: 'aceitos, validação pendente' },
  prepared: { en: 'not sent', pt: 'não enviados' },
  rejected: { en: 'in Error', pt: 'em Error' },
  failed: { en: 'failed', pt: 'com falha' },
  uncertain: { en: 'uncertain', pt: 'sem confirmação' },
  skipped: { en: 'sent by another run', pt: 'enviados por outra execução' },
};

const bad = new Set(['blocked', 'rejected', 'failed', 'uncertain', 'skipped']);

/** The differences between file and registry, and their result; unchanged products are only counted. */
export const applyView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  const summary = rows.find((row) => row['type'] === 'summary');
  if (summary === undefined) return defaultView(data, options);
  // With --create-only it is one job, as any batch.
  if (summary['create'] === undefined) return batchView(data, options);
  const changed = rows.filter(({ type, action }) => type === 'item' && action !== 'unchanged');
  return [...tableOf(changed, options), ...summaryLines(summary, options)];
};

function tableOf(rows: readonly Row[], options: RenderOptions): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, SHOWN);
  const columns = [
    { title: 'line', cells: shown.map((row) => row['line']) },
    { title: 'sku', cells: shown.map((row) => row['label']) },
    { title: 'action', cells: shown.map((row) => row['action']), isRequired: true },
    { title: 'state', cells: shown.map((row) => row['status'] ?? row['state']), isRequired: true },
    { title: 'what', cells: shown.map((row) => whatOf(row, options)), isRequired: true, isBelow: true },
  ];
  const hidden = rows.length - shown.length;
  return [
    ...tableLines(columns, options, { record: differences }),
    ...(hidden > 0 ? [options.paint.dim(`… ${hidden}`)] : []),
    '',
  ];
}

function whatOf(row: Row, options: RenderOptions): string {
  if (typeof row['error'] === 'string') return saidText(row['error'], options);
  if (row['duplicateOfLine'] !== undefined) return `= ${scalarText(row['duplicateOfLine'])}`;
  const changes = Array.isArray(row['changes']) ? row['changes'].filter(isRecord) : [];
  return changes.map((change) => scalarText(change['field'])).join(', ');
}

function summaryLines(summary: Row, options: RenderOptions): readonly string[] {
  const { language, paint } = options;
  const isPlan = summary['dryRun'] === true;
  const head = [paint.strong(counted(Number(summary['total']), nouns.product)[language])];
  const lines = (words: Words) =>
    Object.entries(words).flatMap(([name, { [language]: text }]) => {
      const count = summary[name];
      if (typeof count !== 'number' || count === 0) return [];
      return [`  ${bad.has(name) ? paint.bad(text) : text}: ${count}`];
    });
  const billed = { en: 'billed calls', pt: 'chamadas cobradas' }[language];
  const calls = scalarText(summary['billedCalls']);
  return [
    ...head,
    ...lines(actionWords),
    ...(isPlan ? [] : lines(stateWords)),
    ...(calls === '0' ? [] : [`  ${billed}: ${calls}`]),
  ];
}
