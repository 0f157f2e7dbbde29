import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../context.js';
import { openSource } from './source.js';
import { textBytes } from './text-bytes.js';
import { brokenYaml, parseYaml } from './yaml.js';

const MAX_KIB = 512;

/**
 * A small YAML file that a person writes. Every scalar stays the text that was written, so that a CNPJ keeps its zeros
 * and a value its decimals. No aliases, one document, bounded size and depth.
 * Errors: `input.syntax`, `input.empty`, and those of the source.
 */
export async function readYamlFile(context: Context, path: string): Promise<unknown> {
  const source = await openSource(context, path, { again: false });
  try {
    const text = await readText(textBytes(source.bytes(), source.name), source.name);
    if (text.trim() === '') throw new FiscalError('input.empty', { path: source.name });
    return parseYaml(text, { name: source.name });
  } finally {
    await source.close();
  }
}

async function readText(bytes: AsyncIterable<Uint8Array>, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > MAX_KIB * 1024) throw brokenYaml(name, tooLarge);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}

const tooLarge: Text = {
  en: `it is larger than the ${MAX_KIB} KiB that a file of rules may have`,
  pt: `é maior que os ${MAX_KIB} KiB permitidos para um arquivo de regras`,
};
