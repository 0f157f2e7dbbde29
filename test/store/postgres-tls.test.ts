import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStoreAddress } from '../../src/config/store-address.js';
import type { FiscalError } from '../../src/errors/fiscal-error.js';
import { openPostgresStore } from '../../src/store/postgres/open.js';
import { certificateAuthority, type IssuedCertificate } from '../support/certificate-authority.js';
import { realClock } from '../support/clock.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { temporaryFolder } from '../support/temporary-folder.js';

let server: PostgresServer;
let url: string;
let sslrootcert: string;
const authority = certificateAuthority('The authority of a company');
const another = certificateAuthority('Another authority');

/** A name of this machine that is not one of loopback. */
const away = '0.0.0.0';

beforeAll(async () => {
  // A server of its own, never that of `npm run test:postgres`.
  server = await startPostgres(['-c', 'max_connections=20']);
  url = await server.newDatabase();
  sslrootcert = join(temporaryFolder(), 'roots.pem');
  writeFileSync(sslrootcert, authority.certificate);
});

afterAll(async () => {
  await server.stop();
});

/** The server writes the files itself, because it may run as another user. */
async function serve({ certificate, key }: IssuedCertificate): Promise<void> {
  const before = await loadedAt();
  const files = { 'server.crt': certificate, 'server.key': key };
  for (const [name, text] of Object.entries(files))
    await server.query(
      `COPY (SELECT unnest(string_to_array('${text}', E'\\r\\n'))) TO PROGRAM 'umask 077; cat > ${name}'`,
    );
  await server.query('ALTER SYSTEM SET ssl = on');
  await server.query('SELECT pg_reload_conf()');
  await expect.poll(loadedAt, { timeout: 10_000 }).not.toBe(before);
}

async function loadedAt(): Promise<string> {
  const [row] = await server.query('SELECT pg_conf_load_time()::text AS at');
  return String(row?.['at']);
}

interface Way {
  readonly host?: string;
  readonly user?: string;
  readonly sslmode?: string;
  readonly sslrootcert?: string;
}

/** What a connection came to: `open`, or the code of the error with its exit code and its reason. */
async function ended({ host = away, user, ...parameters }: Way): Promise<unknown> {
  const at = Object.assign(new URL(url), { hostname: host }, user === undefined ? {} : { username: user });
  for (const [name, value] of Object.entries(parameters)) at.searchParams.set(name, value);
  const address = await readStoreAddress({ secret: at.href, source: 'test' }, {});
  try {
    await (await openPostgresStore({ server: address, clock: realClock })).close();
    return 'open';
  } catch (error) {
    // Anything else would fail the comparison.
    const { code, exitCode, message } = error as FiscalError;
    expect(message).not.toContain('pw-of-owner');
    return [code, exitCode, message.split(': ').slice(1).join(': ')];
  }
}

const refused = (reason: string) => ['store.tls_refused', 2, expect.stringContaining(reason)];

test('beyond loopback TLS is required, and the certificate is that of the host, of a known authority, and valid', async () => {
  expect(await ended({})).toEqual(refused('the server offers no TLS'));
  expect(await ended({ sslmode: 'disable' })).toBe('open');

  await serve(authority.issue([away, 'localhost']));
  expect(await ended({ sslrootcert })).toBe('open');
  expect(await ended({ host: 'localhost', sslmode: 'verify-full', sslrootcert })).toBe('open');
  expect(await ended({})).toEqual(refused('unable to verify'));

  await serve(authority.issue(['db.example.com']));
  expect(await ended({ sslrootcert })).toEqual(refused('does not match'));
  expect(await ended({ sslmode: 'verify-ca', sslrootcert })).toBe('open');

  await serve(another.issue([away]));
  expect(await ended({ sslrootcert })).toEqual(refused('unable to verify'));
  expect(await ended({ sslmode: 'verify-ca', sslrootcert })).toEqual(refused('unable to verify'));
  expect(await ended({ sslmode: 'require', sslrootcert })).toEqual(refused('unable to verify'));
  expect(await ended({ sslmode: 'require' })).toBe('open');

  await serve(authority.issue([away], -1));
  expect(await ended({ sslrootcert })).toEqual(refused('expired'));
});

test('a server that asks for a certificate of the client refuses the login', async () => {
  await server.query('CREATE ROLE by_certificate LOGIN');
  await serve(authority.issue([away]));
  await server.query("ALTER SYSTEM SET ssl_ca_file = 'server.crt'");
  const line = 'hostssl all by_certificate all cert';
  await server.query(
    `COPY (SELECT * FROM (VALUES ('${line}'), ('host all all all password')) AS l) TO PROGRAM 'cat > pg_hba.conf'`,
  );
  await server.query('SELECT pg_reload_conf()');
  await expect
    .poll(() => ended({ user: 'by_certificate', sslrootcert }), { timeout: 10_000 })
    .toEqual(['store.login_refused', 4, expect.stringContaining('certificate')]);
});
