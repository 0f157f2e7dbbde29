import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { readLines } from '../../services/input/lines.js';
import { openSource } from '../../services/input/source.js';

export type HeaderValues = Readonly<Record<string, string>>;

const mostHeaders = 20;

/**
 * `Name: value` lines. They come from a file, because a value often proves to the receiver who calls. The errors name the
 * line, never its text. Errors: `input.*`, `usage.invalid`.
 */
export async function readHeaders(context: Context, path: string): Promise<HeaderValues> {
  const source = await openSource(context, path, { again: false });
  const headers = new Map<string, string>();
  for await (const { line, text } of readLines(source.bytes(), { name: path, limitMib: 1 })) {
    if (text.trim() === '' || text.startsWith('#')) continue;
    const [, name, value] = /^([^:\s]+)\s*:\s*(.*?)\s*$/.exec(text) ?? [];
    if (name === undefined || value === undefined) throw noHeader(path, line);
    headers.set(name, value);
    if (headers.size > mostHeaders) throw invalid(tooMany);
  }
  return Object.fromEntries(headers);
}

/** RFC 9110: a token, and what may stand in a value. The names of the delivery itself are the service's. */
export function assertHeaders(headers: HeaderValues): void {
  const entries = Object.entries(headers);
  if (entries.length > mostHeaders) throw invalid(tooMany);
  for (const [name, value] of entries) {
    const isHeader =
      /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}$/.test(name) && /^[\t\x20-\x7e]{0,1000}$/.test(value);
    if (!isHeader) throw invalid(unsendable(name.slice(0, 100)));
    if (/^(x-hub-.*|x-hook-.*|webhook-.*|host|content-.*|connection|transfer-encoding)$/i.test(name)) {
      throw invalid(reserved(name));
    }
  }
}

function invalid(message: Text): FiscalError {
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

function noHeader(path: string, line: number): FiscalError {
  return invalid({
    en: `line ${line} of ${path} is no "Name: value"`,
    pt: `a linha ${line} de ${path} não é "Nome: valor"`,
  });
}

function unsendable(name: string): Text {
  return {
    en: `the header ${name} has characters that no header can hold`,
    pt: `o cabeçalho ${name} tem caracteres que um cabeçalho não pode conter`,
  };
}

function reserved(name: string): Text {
  return {
    en: `the header ${name} is set by the service itself`,
    pt: `o cabeçalho ${name} é definido pelo próprio serviço`,
  };
}

const tooMany: Text = {
  en: `at most ${mostHeaders} headers are expected`,
  pt: `esperam-se no máximo ${mostHeaders} cabeçalhos`,
};
