import { unseen } from './terminal-text.js';

/** Whether a path stays inside the archive and has no characters that nobody sees. Manifests and the names of objects are not trusted. */
export function isInsidePath(path: string): boolean {
  const parts = path.split('/');
  return (
    !/[\\\p{Cc}]/u.test(path) &&
    path.search(unseen()) === -1 &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
