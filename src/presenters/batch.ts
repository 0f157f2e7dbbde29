import type { Language } from '../contract/text.js';
import { counted, nouns } from '../domain/counted.js';
import { defaultView } from './generic.js';
import type { RenderOptions, View } from './render.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';
import { tableLines } from './table.js';

type Row = Readonly<Record<string, unknown>>;

const SHOWN_FAILURES = 50;

const words = {
  en: { job: 'job', billed: 'billed calls', more: 'more: fiscal job items' },
  pt: { job: 'lote', billed: 'chamadas cobradas', more: 'mais: fiscal job items' },
} as const;

const stateWords: Readonly<Record<string, Readonly<Record<Language, string>>>> = {
  succeeded: { en: 'succeeded', pt: 'concluídos' },
  pending: { en: 'pending', pt: 'pendentes' },
  prepared: { en: 'not sent yet', pt: 'ainda não enviados' },
  sending: { en: 'being sent', pt: 'em envio' },
  skipped: { en: 'skipped', pt: 'pulados' },
  rejected: { en: 'rejected', pt: 'rejeitados' },
  failed: { en: 'failed', pt: 'com falha' },
  uncertain: { en: 'uncertain', pt: 'sem confirmação' },
  cancelled: { en: 'cancelled', pt: 'cancelados' },
  invalid: { en: 'invalid, left out', pt: 'inválidos, fora do envio' },
  changed: { en: 'changed since the plan, not sent', pt: 'alterados desde o plano, não enviados' },
  leftOut: { en: 'there already, left out', pt: 'já existentes, fora do envio' },
};

const bad = new Set(['rejected', 'failed', 'uncertain']);

/** Problems first, then the counts. The other formats contain every item. */
export const batchView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  const summary = rows.find((row) => row['type'] === 'summary');
  if (summary === undefined) return defaultView(data, options);
  const troubles = rows.filter((row) => row['type'] === 'item' && isTrouble(row));
  return [...troubleLines(troubles, scalarText(summary['jobId']), options), ...summaryLines(summary, options)];
};

function isTrouble(row: Row): boolean {
  return bad.has(scalarText(row['state'])) || row['errorCode'] !== undefined;
}

function troubleLines(rows: readonly Row[], jobId: string, options: RenderOptions): readonly string[] {
  if (rows.length === 0) return [];
  const shown = rows.slice(0, SHOWN_FAILURES);
  const columns = ['line', 'label', 'state', 'error'].map((title) => ({
    title,
    cells: shown.map((row) => row[title]),
    isRequired: true,
    isBelow: title === 'error',
  }));
  const hidden = rows.length - shown.length;
  const more = hidden > 0 ? [options.paint.dim(`… ${hidden} ${words[options.language].more} ${jobId}`)] : [];
  return [...tableLines(columns, options, { record: options.described?.records['item'] }), ...more, ''];
}

function summaryLines(summary: Row, options: RenderOptions): readonly string[] {
  const word = words[options.language];
  const items = counted(Number(summary['total']), nouns.item)[options.language];
  const { jobId, elapsedSeconds } = summary;
  // Without rows there is no job.
  const head =
    jobId === undefined ? items : `${word.job} ${scalarText(jobId)}: ${items}, ${secondsText(elapsedSeconds, options)}`;
  const states = Object.entries(stateWords).flatMap(([state, names]) => {
    const count = summary[state];
    return typeof count === 'number' && count > 0
      ? [`  ${paintOf(state, options)(names[options.language])}: ${count}`]
      : [];
  });
  const billed = scalarText(summary['billedCalls']);
  return [
    options.paint.strong(head),
    ...states,
    ...(billed === '0' || billed === '' ? [] : [`  ${word.billed}: ${billed}`]),
  ];
}

function secondsText(seconds: unknown, { language }: RenderOptions): string {
  const locale = language === 'pt' ? 'pt-BR' : 'en';
  return `${Number(seconds).toLocaleString(locale, { maximumFractionDigits: 1 })} s`;
}

function paintOf(state: string, { paint }: RenderOptions): (text: string) => string {
  if (state === 'succeeded') return paint.good;
  return bad.has(state) ? paint.bad : paint.dim;
}
