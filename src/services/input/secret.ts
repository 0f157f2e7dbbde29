import { type InputContext, openSource } from './source.js';

const MAX_SECRET_BYTES = 4096;

/** The first line of a file, or of stdin for `-`; it may be empty. `undefined`: it is too long for a secret. */
export async function readSecretLine(context: InputContext, path: string): Promise<string | undefined> {
  const bytes = await readUpTo(context, path, MAX_SECRET_BYTES);
  if (bytes === undefined) return undefined;
  const [line = ''] = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/);
  return line;
}

/** The bytes of a file, or of stdin for `-`. `undefined`: there are more than `most`. */
export async function readUpTo(context: InputContext, path: string, most: number): Promise<Uint8Array | undefined> {
  const source = await openSource(context, path, { again: false });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source.bytes()) {
    length += chunk.length;
    if (length > most) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
