import type { Text } from '../../contract/text.js';

/** Where JSON is broken, without repeating the content: it may be long, or nobody's business. */
export function syntaxReason(error: unknown, text: string): Text {
  if (!(error instanceof SyntaxError)) throw error;
  const position = positionOf(error.message);
  if (position === undefined) return unplaced(error.message, text);
  if (position >= text.length) return endsTooEarly;
  const before = text.slice(0, position);
  const line = before.split('\n').length;
  const column = position - before.lastIndexOf('\n');
  return line === 1 && !text.includes('\n')
    ? { en: `column ${column}`, pt: `coluna ${column}` }
    : { en: `line ${line}, column ${column}`, pt: `linha ${line}, coluna ${column}` };
}

const endsTooEarly: Text = { en: 'it ends too early', pt: 'termina antes do fim' };

function positionOf(message: string): number | undefined {
  const found = /at position (\d+)/.exec(message)?.[1];
  return found === undefined ? undefined : Number(found);
}

function unplaced(message: string, text: string): Text {
  if (message.includes('levels')) return { en: 'more than 64 levels', pt: 'mais de 64 níveis' };
  if (/end of JSON|Unterminated/.test(message) || text.trim() === '') {
    return endsTooEarly;
  }
  const token = /^Unexpected token (?:'(.)'|(.)),/u.exec(message);
  const shown = token?.[1] ?? token?.[2];
  return shown === undefined
    ? { en: 'broken syntax', pt: 'sintaxe quebrada' }
    : { en: `unexpected ${JSON.stringify(shown)}`, pt: `${JSON.stringify(shown)} inesperado` };
}
