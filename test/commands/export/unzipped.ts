import { buffer } from 'node:stream/consumers';
import { openPromise } from 'yauzl';

/** The entries of a zip in their order, by name. */
export async function unzipped(path: string): Promise<ReadonlyMap<string, Buffer>> {
  const zip = await openPromise(path);
  const entries = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    entries.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return entries;
}
