/**
 * An address for display: `http://user:password@proxy` without user and password. They end at the last `@`, since a password
 * that is not escaped may itself hold an `@`, a `/` or a line break.
 */
export function maskUser(address: string): string {
  return address.replace(/^(\w+:\/\/)?.*@/s, '$1***@');
}
