/** Whether a path stays inside the archive and has no control characters. Manifests and the names of objects are not trusted. */
export function isInsidePath(path: string): boolean {
  const parts = path.split('/');
  return !/[\\\p{Cc}]/u.test(path) && parts.every((part) => part !== '' && part !== '.' && part !== '..');
}
