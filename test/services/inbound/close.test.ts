import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { records } from '../../commands/seed.js';
import { ArchivedMonth, CTE, NFE, NFSE } from './archived-month.js';

let month: ArchivedMonth;
const proof = 'proofs/2026-10/c1';

beforeEach(async () => {
  month = await ArchivedMonth.open();
});

async function close(...more: string[]) {
  const { exitCode, stdout, stderr } = await month.fiscal(
    'inbound',
    'close',
    '2026-10',
    '-o',
    'ndjson',
    ...more,
  );
  return { exitCode, stderr, records: records(stdout) };
}

/** The gaps alone. */
async function gaps(...more: string[]) {
  const closed = await close(...more);
  const found = closed.records.filter(
    (record) => typeof record === 'object' && record !== null && 'kind' in record,
  );
  return { exitCode: closed.exitCode, gaps: found };
}

const gap = (family: string, kind: string, more: object) => ({
  type: 'gap',
  company: 'c1',
  family,
  kind,
  ...more,
});
const sha = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');

test('a complete month is exit 0, with a sorted manifest and a verdict that names its hash', async () => {
  const second = await month.add('nfe', NFE[1]);
  const first = await month.add('nfe', NFE[0]);
  const event = await month.addEvent('nfe', NFE[0]);
  const nfse = await month.add('nfse', NFSE);
  const { exitCode, records: found } = await close();
  const manifest = readFileSync(month.path(`${proof}/manifest.jsonl`));
  const line = (key: string, path: string, events: unknown[] = []) => {
    const text = `<xml>${key}</xml>`;
    const type = path.split('/')[2];
    return { key, type, status: 'Processed', path, sha256: sha(text), bytes: text.length, events };
  };
  expect(records(manifest.toString())).toEqual([
    line(NFE[0], first, [{ key: '110111-1', path: event, sha256: sha('110111-1'), bytes: 8 }]),
    line(NFE[1], second),
    line(NFSE, nfse),
  ]);
  const verdict: unknown = JSON.parse(readFileSync(month.path(`${proof}/close.json`), 'utf8'));
  const counts = {
    ...{ listed: 3, archived: 3, events: 1, bytes: 171, unlisted: 0, problems: 0 },
    signatures: { valid: 3, invalid: 0, absent: 0, unverifiable: 0 },
  };
  expect(verdict).toEqual({
    ...{ month: '2026-10', company: 'c1', families: ['cte', 'nfe', 'nfse'], complete: true, counts },
    ...{ closedAt: expect.stringMatching(/^2\d{3}-.*Z$/), version: '0.1.0' },
    manifest: { file: 'manifest.jsonl', sha256: sha(manifest), entries: 3 },
  });
  expect(exitCode).toBe(0);
  expect(found.at(-1)).toEqual({
    ...{ type: 'summary', month: '2026-10', companies: 1, complete: 1, listed: 3, archived: 3, problems: 0 },
    exitCode: 0,
  });
});

test('a document that the service lists no more stays in the manifest, and many stand in the order of their keys', async () => {
  const key = (n: number) => NFE[0].slice(0, -4) + String(n).padStart(4, '0');
  for (const n of [7, 19, 3, 12, 1, 16, 5, 10, 2, 18, 4, 8]) await month.add('nfe', key(n));
  month.lists.nfe.splice(0, 2);
  const { exitCode, records: found } = await close('--type', 'nfe');
  const manifest = records(readFileSync(month.path(`${proof}/nfe/manifest.jsonl`), 'utf8'));
  expect(manifest).toMatchObject(
    [1, 2, 3, 4, 5, 7, 8, 10, 12, 16, 18, 19].map((n) => ({ key: key(n), bytes: 55 })),
  );
  expect(found.at(-2)).toMatchObject({ listed: 10, archived: 12, unlisted: 2, bytes: 660, problems: 0 });
  expect(exitCode).toBe(0);
});

test('a close that ends midway leaves the proof of before, and nothing half written', async () => {
  await month.add('nfe', NFE[0]);
  await close();
  const before = readFileSync(month.path(`${proof}/close.json`), 'utf8');
  await month.add('nfe', NFE[1]);
  month.refusesKey = true;
  expect((await close()).exitCode).toBe(4);
  expect(readFileSync(month.path(`${proof}/close.json`), 'utf8')).toBe(before);
  expect(records(readFileSync(month.path(`${proof}/manifest.jsonl`), 'utf8'))).toHaveLength(1);
  expect(readdirSync(month.archive).toSorted()).toEqual(['11222333000181', 'proofs']);
});

test('a document that the service lists and this machine never saw is missing', async () => {
  await month.add('nfe', NFE[0]);
  month.lists.cte.push({ accessKey: CTE, status: 'Processed' });
  expect(await gaps()).toEqual({ exitCode: 3, gaps: [gap('cte', 'not-synced', { key: CTE })] });
});

test('a file that is gone or changed since it was archived is not counted as there', async () => {
  const gone = await month.add('nfe', NFE[0]);
  const changed = await month.add('nfe', NFE[1]);
  const event = await month.addEvent('nfe', NFE[1]);
  rmSync(month.path(gone));
  writeFileSync(month.path(changed), `<xml>${NFE[0]}</xml>`);
  expect(await gaps()).toEqual({
    exitCode: 3,
    gaps: [
      gap('nfe', 'file-missing', { key: NFE[0], path: gone }),
      gap('nfe', 'file-changed', { key: NFE[1], path: changed }),
    ],
  });
  writeFileSync(month.path(changed), `<xml>${NFE[1]}</xml>`);
  rmSync(month.path(event));
  expect((await gaps()).gaps).toEqual([
    gap('nfe', 'file-missing', { key: NFE[0], path: gone }),
    gap('nfe', 'event-file-missing', { key: NFE[1], event: '110111-1', path: event }),
  ]);
});

test('a document that was quarantined, or that the service changed since, keeps the month open', async () => {
  await month.add('nfe', NFE[0]);
  await month.add('nfe', NFE[1]);
  await month.store(async ({ documents }) => {
    const row = await documents.get({ profile: 'environment', companyId: 'c1', family: 'nfe' }, NFE[0]);
    const patch = { state: 'quarantined', due: false, reason: 'broken' } as const;
    if (row !== undefined) await documents.settle([{ row, patch, at: 1 }]);
  });
  month.lists.nfe.splice(1, 1, { accessKey: NFE[1], status: 'Reprocessed' });
  expect(await gaps()).toEqual({
    exitCode: 3,
    gaps: [
      gap('nfe', 'not-archived', { key: NFE[0], reason: 'broken' }),
      gap('nfe', 'outdated', { key: NFE[1], reason: 'Processed → Reprocessed' }),
    ],
  });
});

test('a capture that is held back keeps the month open: the service itself may not have all', async () => {
  await month.add('nfe', NFE[0]);
  month.spacedUntil = '2999-01-01T00:00:00Z';
  expect(await gaps('--type', 'nfe')).toEqual({
    exitCode: 3,
    gaps: [gap('nfe', 'capture-spaced', { reason: '2999-01-01T00:00:00.000Z' })],
  });
});

test('a type that is not captured has nothing to miss', async () => {
  await month.add('nfe', NFE[0]);
  month.captures.delete('cte');
  month.captures.delete('nfse');
  expect((await close()).exitCode).toBe(0);
  expect(JSON.parse(readFileSync(month.path(`${proof}/close.json`), 'utf8'))).toMatchObject({
    families: ['nfe'],
  });
});

test('what is no month and what is no type is refused before anything is asked', async () => {
  for (const words of [['2026-13'], ['october'], ['2026-10', '--type', 'nfce']]) {
    const { exitCode, stdout } = await month.fiscal('inbound', 'close', ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  }
  expect(month.seen).toEqual([]);
});
