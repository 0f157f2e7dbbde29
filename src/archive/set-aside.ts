import { posix } from 'node:path';

/** Where changed or foreign bytes are kept, within the archive, beside the folders of the documents. */
const SET_ASIDE = 'set-aside';

/** `a/b/KEY.xml` becomes `set-aside/a/b/KEY.changed-1a2b3c4d5e6f.xml`. */
export function asidePath(path: string, sha256: string): string {
  const { dir, name, ext } = posix.parse(path);
  return posix.join(SET_ASIDE, dir, `${name}.changed-${sha256.slice(0, 12)}${ext}`);
}
