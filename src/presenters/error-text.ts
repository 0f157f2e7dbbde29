import { terminalLine } from '../domain/terminal-text.js';
import type { ErrorDetail, FiscalError } from '../errors/fiscal-error.js';
import type { Language } from '../contract/text.js';
import type { Look } from './look.js';

const words = {
  en: { hint: 'hint', requestId: 'request id', resume: 'to go on' },
  pt: { hint: 'dica', requestId: 'id da requisição', resume: 'para continuar' },
} as const;

/** One sentence, then what helps: the fields, the next command, the id for support. */
export function errorLines(error: FiscalError, look: Look): readonly string[] {
  const { language, paint } = look;
  const { details = [], hint, requestId, resume } = error.facts;
  const label = words[language];
  const lines = [`${paint.bad('fiscal:')} ${terminalLine(error.text[language])}`];
  for (const detail of details) lines.push(`  ${detailLine(detail, language)}`);
  if (hint !== undefined) lines.push(`  ${label.hint}: ${terminalLine(hint[language])}`);
  if (resume !== undefined) lines.push(`  ${label.resume}: ${terminalLine(resume)}`);
  if (requestId !== undefined) lines.push(`  ${label.requestId}: ${terminalLine(requestId)}`);
  return lines;
}

function detailLine(detail: ErrorDetail, language: Language): string {
  const message = typeof detail.message === 'string' ? detail.message : detail.message[language];
  return terminalLine(detail.field === '' ? message : `${detail.field}: ${message}`);
}
