import { describe, expect, test } from 'vitest';
import { byField, ofType, serveCase } from './served-case.js';

describe('a national NFS-e that is signed over exclusive canonical XML', () => {
  test('is valid', async () => {
    const machine = await serveCase('nfse-exc-c14n', { replaced: { 'tampered.xml': 'exc.xml' } });
    const { exitCode } = await machine.fiscal('inbound', 'sync', '--require-signature');
    expect(exitCode).toBe(0);
    const [row] = await machine.records('inbound', 'list', '--local');
    expect(row?.['archive']).toMatchObject({ state: 'archived', signature: 'valid' });
  });

  test('is invalid once its value was changed', async () => {
    const machine = await serveCase('nfse-exc-c14n');
    const synced = await machine.records('inbound', 'sync');
    expect(ofType(synced, 'summary')).toMatchObject([{ archived: 1 }]);
    const [row] = await machine.records('inbound', 'list', '--local');
    expect(row?.['archive']).toMatchObject({ signature: 'invalid' });
    const gaps = ofType(await machine.records('inbound', 'close', '2026-10'), 'gap');
    expect(gaps).toMatchObject([{ kind: 'signature-invalid' }]);
  });
});

/** By the number of the note: the forms that XML allows for one document, each signed as it is written. */
const valid = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 16, 20, 22, 24];
/** UTF-16, Windows-1252 twice (once in a file that says UTF-8), and ISO-8859-15. */
const otherEncodings = [13, 14, 15, 19];
const changed = 23;

test('every form of the same XML is archived as it came, and its signature is told', async () => {
  const machine = await serveCase('xmlforms');
  await machine.fiscal('inbound', 'sync');
  const archives = byField(await machine.records('inbound', 'list', '--local', '--all'), 'accessKey', 'archive');
  const told = new Map(
    Object.entries(archives).map(([key, archive]) => [
      Number(key.slice(25, 34)),
      archive as Readonly<Record<string, unknown>>,
    ]),
  );
  const signatureOf = (number: number): unknown => told.get(number)?.['signature'];
  expect(valid.filter((number) => signatureOf(number) !== 'valid')).toEqual([]);
  expect(signatureOf(changed)).toBe('invalid');
  for (const number of otherEncodings) {
    expect(told.get(number)).toMatchObject({ state: 'archived', xmlKind: 'full' });
    expect(['valid', 'unverifiable']).toContain(signatureOf(number));
  }
});
