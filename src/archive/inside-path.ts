/** Whether a path stays inside the archive. Manifests and the names of objects are not trusted. */
export function isInsidePath(path: string): boolean {
  const parts = path.split('/');
  return (
    !path.includes('\\') &&
    !path.includes('\0') &&
    parts.every((part) => part !== '' && part !== '.' && part !== '..')
  );
}
