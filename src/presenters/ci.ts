import type { Language, Text } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import { markdownRow, markdownText } from './markdown.js';
import { isScalar, scalarText } from './scalar.js';

/** One problem of a run. */
export interface Trouble {
  /** What it concerns: a label, a key or a path. */
  readonly what: string;
  /** Its state, or the kind of the problem, as named in the data. */
  readonly state: string;
  /** As in the data, or in the reader's language. */
  readonly reason: string | Text;
  /** True while nothing has failed yet. */
  readonly isWarning?: boolean;
}

export function reasonText({ reason }: Trouble, language: Language): string {
  return typeof reason === 'string' ? reason : reason[language];
}

/** The content of the step summary for one run. */
export interface StepReport {
  /** The command, without its arguments. */
  readonly command: string;
  readonly exitCode: number;
  readonly meaning: Text;
  /** The closing records: counts and other fields that fit one cell. */
  readonly closings: readonly Readonly<Record<string, unknown>>[];
  readonly troubles: readonly Trouble[];
  /** The number of all problems, including those not shown. */
  readonly troubleCount: number;
  /** What to do next, and other notices. */
  readonly notes: readonly Text[];
}

const words = {
  en: { exit: 'exit code', field: 'field', value: 'value', what: 'what', state: 'state', reason: 'reason' },
  pt: { exit: 'código de saída', field: 'campo', value: 'valor', what: 'o quê', state: 'estado', reason: 'motivo' },
} as const;

const MAX_CELL = 300;
const MAX_FIELDS = 40;
const MAX_NOTES = 20;

/** One Markdown section for `GITHUB_STEP_SUMMARY`, limited in size. */
export function stepMarkdown(report: StepReport, language: Language): string {
  const { command, exitCode, meaning, closings, notes } = report;
  const head = `### ${escaped(command)}: ${escaped(meaning[language])} (${words[language].exit} ${exitCode})`;
  const sections = [
    [head],
    ...closings.map((closing) => closingLines(closing, language)),
    troubleLines(report, language),
    notes.slice(0, MAX_NOTES).map((note) => `- ${escaped(note[language])}`),
  ];
  const filled = sections.filter((lines) => lines.length > 0);
  return `${filled.map((lines) => lines.join('\n')).join('\n\n')}\n\n`;
}

/** Field names are data and never translated. */
function closingLines(closing: StepReport['closings'][number], language: Language): readonly string[] {
  const { field, value } = words[language];
  const cells = Object.entries(closing)
    .filter(([name, cell]) => name !== 'type' && name !== 'exitCode' && cell !== undefined && isScalar(cell))
    .slice(0, MAX_FIELDS)
    .map(([name, cell]) => row([name, scalarText(cell)]));
  return cells.length === 0 ? [] : [row([field, value]), '|---|---|', ...cells];
}

function troubleLines({ troubles, troubleCount }: StepReport, language: Language): readonly string[] {
  if (troubles.length === 0) return [];
  const { what, state, reason } = words[language];
  const rows = troubles.map((trouble) => row([trouble.what, trouble.state, reasonText(trouble, language)]));
  const hidden = troubleCount - troubles.length;
  const more = { en: `… and ${hidden} more`, pt: `… e mais ${hidden}` };
  return [row([what, state, reason]), '|---|---|---|', ...rows, ...(hidden > 0 ? ['', more[language]] : [])];
}

function row(cells: readonly string[]): string {
  return markdownRow(cells.map(short));
}

function escaped(text: string): string {
  return markdownText(short(text));
}

function short(text: string): string {
  const line = terminalLine(text);
  return line.length > MAX_CELL ? `${line.slice(0, MAX_CELL)}…` : line;
}

/** `error` marks the step red, `warning` yellow. */
export type AnnotationLevel = 'error' | 'warning';

export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
}

const MAX_LENGTH = 1000;

/**
 * A workflow command of GitHub Actions, such as `::error title=fiscal inbound sync::acme (nfe)%3A …`, with the escapes
 * that the runner decodes (public). Control characters are made visible first.
 */
export function annotationLine({ level, title, message }: Annotation): string {
  return `::${level} title=${property(title)}::${data(message)}`;
}

function data(text: string): string {
  const shown = terminalLine(text).slice(0, MAX_LENGTH);
  return shown.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
