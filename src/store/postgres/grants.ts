/** Why a role cannot have the name; `undefined`: it can. A name in quotes may contain anything else. */
export function roleFault(role: string): 'empty' | 'long' | 'control' | 'reserved' | undefined {
  if (role === '') return 'empty';
  if (Buffer.byteLength(role) > MOST_BYTES) return 'long';
  if (/\p{Cc}/u.test(role)) return 'control';
  // PostgreSQL reads these two as "everyone" and "nobody" in quotes as well.
  return /^(?:public|none|pg_.*)$/s.test(role) ? 'reserved' : undefined;
}

/** PostgreSQL cuts off the rest of a longer name, which may be that of another role. */
const MOST_BYTES = 63;

/**
 * The rights with which a login does everything but create and change tables: the identity of the store and the version of
 * its schema stay as the owner made them. May be run again, and covers the tables of later versions.
 */
export function grantsFor(role: string): string {
  const name = `"${role.replaceAll('"', '""')}"`;
  const rows = 'SELECT, INSERT, UPDATE, DELETE';
  return [
    'BEGIN;',
    `GRANT USAGE ON SCHEMA fiscal TO ${name};`,
    `GRANT ${rows} ON ALL TABLES IN SCHEMA fiscal TO ${name};`,
    `REVOKE INSERT, UPDATE, DELETE ON fiscal.version, fiscal.identity FROM ${name};`,
    `GRANT UPDATE (first_send_at, went_back_to, may_lack_until) ON fiscal.identity TO ${name};`,
    `REVOKE DELETE ON fiscal.timeline FROM ${name};`,
    `ALTER DEFAULT PRIVILEGES IN SCHEMA fiscal GRANT ${rows} ON TABLES TO ${name};`,
    'COMMIT;',
  ].join('\n');
}
