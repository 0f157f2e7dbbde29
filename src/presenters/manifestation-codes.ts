import type { Look, View } from './look.js';
import { isRecord } from '../domain/record.js';
import { scalarText } from './scalar.js';

const reasonWord = { en: 'reason', pt: 'motivo' } as const;

/** The events for a person: number and name, the official name, what it says, what it carries. */
export const manifestationCodesView: View = (data, look) => {
  const rows = Array.isArray(data) ? data.filter(isRecord) : [];
  return rows.flatMap((row) => eventLines(row, look));
};

function eventLines(row: Readonly<Record<string, unknown>>, look: Look): readonly string[] {
  const { paint } = look;
  const aliases = Array.isArray(row['aliases']) ? row['aliases'].map(scalarText).join(', ') : '';
  const head = `${paint.strong(`${scalarText(row['code'])} ${scalarText(row['name'])}`)}  ${paint.dim(aliases)}`;
  const detail = row['detail'] === undefined ? [] : [`  detail: ${scalarText(row['detail'])}`];
  return [
    head,
    `  ${scalarText(row['document'])}: ${scalarText(row['officialName'])}`,
    `  ${inLanguage(row['label'], look)}`,
    ...detail,
    ...reasonLines(row['reasons'], look),
  ];
}

function reasonLines(reasons: unknown, look: Look): readonly string[] {
  if (!Array.isArray(reasons)) return [];
  return reasons
    .filter(isRecord)
    .map(
      (reason) =>
        `  ${reasonWord[look.language]} ${scalarText(reason['code'])}: ${inLanguage(reason['label'], look)}`,
    );
}

function inLanguage(label: unknown, { language }: Look): string {
  return isRecord(label) ? scalarText(label[language]) : scalarText(label);
}
