import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { runFiscal, testHost } from '../../support/host.js';

/** The embedded sandbox: the service's own rules, behind the program's own words. */
const host = testHost();

let nfeKeys: readonly string[] = [];
let nfseKeys: readonly string[] = [];
beforeAll(async () => {
  nfeKeys = await captured('nfe', 5);
  nfseKeys = await captured('nfse', 2);
});

/** The keys of so many notes that the sandbox's company has captured. */
async function captured(family: string, count: number): Promise<readonly string[]> {
  const words = ['sandbox', 'seed', '--family', family, '--documents', String(count), '-o', 'id'];
  return (await runFiscal(words, host)).stdout.trim().split('\n');
}

async function manifestation(...argv: string[]) {
  return runFiscal(['--profile', 'sandbox', 'manifestation', ...argv], host);
}

const wait = ['--wait', '--interval', '300ms'];
const consent = '--yes';

test('an NF-e event is accepted with a protocol, and the same command sends nothing more', async () => {
  const first = await manifestation('submit', nfeKeys[0] ?? '', '--event', 'confirmation', ...wait);
  expect({ exitCode: first.exitCode, shown: JSON.parse(first.stdout) }).toMatchObject({
    exitCode: 0,
    shown: { status: 'Accepted', protocol: expect.stringMatching(/^\d{15}$/) },
  });
  const again = await manifestation('submit', nfeKeys[0] ?? '', '--event', 'confirmation');
  expect({ exitCode: again.exitCode, stderr: again.stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('nothing was sent'),
  });
});

test('awareness after the conclusive event is rejected with rule 655', async () => {
  const { exitCode, stderr } = await manifestation('submit', nfeKeys[0] ?? '', '--event', 'awareness', ...wait);
  expect({ exitCode, stderr }).toEqual({ exitCode: 13, stderr: expect.stringContaining('ended as Rejected: 655') });
});

test('a credit event is cancelled by 110001', async () => {
  const gCredito = [{ nItem: 1, vCredIBS: '1.00', vCredCBS: '0.50' }];
  const detail = ['--detail', JSON.stringify({ gCredito })];
  const credit = await manifestation('submit', nfeKeys[1] ?? '', '--event', 'activity-credit', ...detail, ...wait);
  const cancel = await manifestation('submit', nfeKeys[1] ?? '', '--cancels', 'activity-credit', consent, ...wait);
  expect([credit.exitCode, cancel.exitCode]).toEqual([0, 0]);
});

test('a file of both families is completed, and the second time sends nothing', async () => {
  const rows = nfeKeys
    .slice(2)
    .map((key) => `${key},ciencia`)
    .join('\n');
  writeFileSync(join(host.cwd, 'e.csv'), `chave,evento\n${rows}\n${nfseKeys[0]},confirmar\n`);
  const words = ['apply', 'e.csv', '--yes', ...wait, '-o', 'json'];
  const first = await manifestation(...words);
  const summary = (JSON.parse(first.stdout) as object[]).at(-1);
  expect({ exitCode: first.exitCode, summary }).toMatchObject({ exitCode: 0, summary: { succeeded: 4, total: 4 } });
  const again = await manifestation(...words);
  expect({ exitCode: again.exitCode, stderr: again.stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringContaining('had the same input and is done; nothing was sent'),
  });
});

test('an NFS-e is rejected by its taker, and only once', async () => {
  const key = nfseKeys[1] ?? '';
  const first = await manifestation('submit', key, '--event', 'reject', '--reason', '3', consent, ...wait);
  const second = await manifestation('submit', key, '--event', 'confirm', ...wait);
  expect({ codes: [first.exitCode, second.exitCode], stderr: second.stderr }).toEqual({
    codes: [0, 13],
    stderr: expect.stringContaining('E1833'),
  });
});

test('the deprecation that an answer announces is shown once and kept in the history', async () => {
  const key = (await captured('nfe', 6)).at(-1) ?? '';
  const said =
    'nfe.manifestation.legacy: the service marks this operation as deprecated as of 2025-12-31; see /productinvoices/by-access-key/{accessKey}/manifestation-events';
  const listed = await runFiscal(['--profile', 'sandbox', 'company', 'list', '-o', 'id'], host);
  const path = `/v2/companies/${listed.stdout.trim()}/inbound/${key}/manifest?tpEvent=210210`;
  const { exitCode, stderr } = await runFiscal(
    ['--profile', 'sandbox', 'api', 'POST', path, '--host', 'service', '--yes'],
    host,
  );
  expect([exitCode, stderr.split('\n').filter((line) => line === said)]).toEqual([0, [said]]);
  const words = ['history', '--operation', 'nfe.manifestation.legacy', '-o', 'json'];
  const { stdout } = await runFiscal(['--profile', 'sandbox', ...words], host);
  expect(JSON.parse(stdout)).toMatchObject([
    {
      deprecation: {
        deprecated: true,
        since: '2026-01-01T00:00:00.000Z',
        link: '/productinvoices/by-access-key/{accessKey}/manifestation-events',
      },
    },
  ]);
});
