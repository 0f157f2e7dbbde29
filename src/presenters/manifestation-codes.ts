import type { RenderOptions, View } from './render.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';

const reasonWord = { en: 'reason', pt: 'motivo' } as const;

/** The events: number and name, official name, meaning and detail. */
export const manifestationCodesView: View = (data, options) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  return rows.flatMap((row) => eventLines(row, options));
};

function eventLines(row: Readonly<Record<string, unknown>>, options: RenderOptions): readonly string[] {
  const { paint } = options;
  const aliases = Array.isArray(row['aliases']) ? row['aliases'].map(scalarText).join(', ') : '';
  const head = `${paint.strong(`${scalarText(row['code'])} ${scalarText(row['name'])}`)}  ${paint.dim(aliases)}`;
  const detail = row['detail'] === undefined ? [] : [`  detail: ${scalarText(row['detail'])}`];
  return [
    head,
    `  ${scalarText(row['document'])}: ${scalarText(row['officialName'])}`,
    `  ${inLanguage(row['label'], options)}`,
    ...detail,
    ...reasonLines(row['reasons'], options),
  ];
}

function reasonLines(reasons: unknown, options: RenderOptions): readonly string[] {
  if (!Array.isArray(reasons)) return [];
  return reasons
    .filter(isRecord)
    .map(
      (reason) =>
        `  ${reasonWord[options.language]} ${scalarText(reason['code'])}: ${inLanguage(reason['label'], options)}`,
    );
}

function inLanguage(label: unknown, { language }: RenderOptions): string {
  return isRecord(label) ? scalarText(label[language]) : scalarText(label);
}
