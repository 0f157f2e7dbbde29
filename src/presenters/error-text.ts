import { terminalLine } from '../domain/terminal-text.js';
import { placeText, type ErrorDetail, type FiscalError } from '../errors/fiscal-error.js';
import type { Language } from '../contract/text.js';
import type { RenderOptions } from './render.js';
import { displayWidth, wrapWords } from './width.js';

const words = {
  en: { hint: 'hint', requestId: 'request id', resume: 'to continue' },
  pt: { hint: 'dica', requestId: 'id da requisição', resume: 'para continuar' },
} as const;

/**
 * One sentence, then what helps: fields, the next command, the id for support. Sentences are wrapped at the columns of
 * `options` (`Infinity`: never); commands and ids are not, so that they can be copied.
 */
export function errorLines(error: FiscalError, { language, paint, columns }: RenderOptions): readonly string[] {
  const { details = [], hint, requestId, resume } = error.facts;
  const label = words[language];
  const [first = '', ...more] = paragraph('fiscal: ', error.text[language], columns);
  const lines = [first.replace('fiscal:', paint.bad('fiscal:')), ...more];
  for (const detail of details) lines.push(...detailLines(detail, language, columns));
  if (hint !== undefined) lines.push(...paragraph(`  ${label.hint}: `, hint[language], columns));
  if (resume !== undefined) lines.push(`  ${label.resume}: ${terminalLine(resume)}`);
  if (requestId !== undefined) lines.push(`  ${label.requestId}: ${terminalLine(requestId)}`);
  return lines;
}

/** Further lines of a detail are indented, so that each field starts its own line. */
function detailLines(detail: ErrorDetail, language: Language, columns: number): readonly string[] {
  const message = typeof detail.message === 'string' ? detail.message : detail.message[language];
  const text = detail.field === '' ? message : `${placeText(detail.field)[language]}: ${message}`;
  const [first = '', ...more] = paragraph('    ', text, columns);
  return [first.slice(2), ...more];
}

/** A label and a sentence; further lines are aligned with the first word. */
function paragraph(label: string, sentence: string, columns: number): readonly string[] {
  const text = terminalLine(sentence);
  if (columns === Number.POSITIVE_INFINITY) return [label + text];
  const lines = wrapWords(piecesOf(text), columns - label.length, displayWidth);
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(label.length)) + line);
}

/** The lines of a notice on a terminal, wrapped at spaces; further lines are indented. */
export function noticeLines(sentence: string, columns: number): readonly string[] {
  const text = terminalLine(sentence);
  if (displayWidth(text) <= columns) return [text];
  const [first = '', ...more] = wrapWords(piecesOf(text), columns - 2, displayWidth);
  return [first, ...more.map((line) => `  ${line}`)];
}

/** The words of a sentence, with each command kept in one piece. */
function piecesOf(text: string): readonly string[] {
  return text.match(/(?:(?<=: |")fiscal [a-z][^;,("]*[^;,(" ]|[^ ])+/g) ?? [];
}
