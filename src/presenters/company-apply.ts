import type { Language } from '../contract/text.js';
import { counted } from '../domain/counted.js';
import { isRecord } from '../domain/record.js';
import { saidText } from './cell.js';
import { defaultView } from './generic.js';
import { each, record, usual } from './record.js';
import type { RenderOptions, View } from './render.js';
import { scalarText } from './scalar.js';
import { tableLines } from './table.js';

type Row = Readonly<Record<string, unknown>>;

const SHOWN = 100;

const differences = record({
  ...usual('companyTaxNumber step action state resource companyName'),
  ...each('text', 'what: o quê'),
});

const words: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
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

const bad = new Set(['blocked', 'unread', 'failed', 'uncertain']);

/** The steps that differ, and their result; what is as in the file, or not in it, is only counted. */
export const companyApplyView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  const summary = rows.find((row) => row['type'] === 'summary');
  if (summary === undefined) return defaultView(data, options);
  const steps = rows.filter(
    ({ type, action }) => type === 'item' && action !== 'unchanged' && action !== 'extra',
  );
  return [...tableOf(steps, options), ...summaryLines(summary, options)];
};

function tableOf(rows: readonly Row[], options: RenderOptions): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, SHOWN);
  const cells = (name: string) => shown.map((row) => row[name]);
  const columns = [
    { title: 'companyTaxNumber', cells: cells('companyTaxNumber'), isRequired: true },
    { title: 'step', cells: cells('step'), isRequired: true },
    { title: 'action', cells: cells('action'), isRequired: true },
    { title: 'state', cells: cells('state') },
    { title: 'resource', cells: cells('resource') },
    { title: 'companyName', cells: cells('companyName') },
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
  const changes = Array.isArray(row['changes']) ? row['changes'].filter(isRecord) : [];
  return changes
    .map(({ field, from, to }) => `${scalarText(field)}: ${scalarText(from ?? '—')} → ${scalarText(to)}`)
    .join(', ');
}

function summaryLines(summary: Row, { language, paint }: RenderOptions): readonly string[] {
  const clients = counted(Number(summary['clients']), {
    en: ['# client', '# clients'],
    pt: ['# cliente', '# clientes'],
  });
  const lines = Object.entries(words).flatMap(([name, { [language]: text }]) => {
    const count = summary[name];
    if (typeof count !== 'number' || count === 0) return [];
    return [`  ${bad.has(name) ? paint.bad(text) : text}: ${count}`];
  });
  return [paint.strong(clients[language]), ...lines];
}
