import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { json, type Reply } from '../../client/support/server.js';
import { NFE_KEY, nfe } from '../../archive/signed-xml.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from '../inbound/service.js';
import { recordsOf } from './sandbox.js';

const issuer = '30057049000141';
const invoices = '/v2/companies/c1/productinvoices';
const row = (more: object = {}) => ({
  id: 'i1',
  status: 'Issued',
  environment: 'Production',
  createdOn: '2026-01-01T00:00:00Z',
  authorization: { accessKey: NFE_KEY },
  ...more,
});
const xml = (body: string): Reply => ({ status: 200, headers: { 'content-type': 'application/xml' }, body });

interface Attack {
  readonly rows: readonly unknown[];
  readonly body?: string;
  readonly taxNumber?: string;
  readonly list?: string;
}

async function attacked({ rows, body = nfe(), taxNumber = issuer, list }: Attack) {
  const company = { id: 'c1', name: 'Um', federalTaxNumber: taxNumber };
  const listed = json(200, { productInvoices: rows, hasMore: false });
  const service = await imitate({
    'GET /v2/companies': json(200, { companies: [company], hasMore: false }),
    [`GET ${invoices}`]: list === undefined ? listed : { ...listed, body: list },
    [`GET ${invoices}/i1/events`]: json(200, { events: [], hasMore: false }),
    [`GET ${invoices}/i1/xml`]: xml(body),
    [`GET ${invoices}/i2/events`]: json(200, { events: [], hasMore: false }),
    [`GET ${invoices}/i2/xml`]: xml(body),
  });
  const { root } = service.host;
  const before = readdirSync(root).toSorted();
  const archive = join(root, 'a');
  const argv = ['invoice', 'sync', '--type', 'nfe', '--archive', archive, '-o', 'ndjson'];
  const { exitCode, stdout } = await runFiscal(argv, service.host);
  const records = recordsOf(stdout);
  const files = existsSync(archive) ? readdirSync(archive, { recursive: true, encoding: 'utf8' }) : [];
  return {
    exitCode,
    stdout,
    records,
    sides: readdirSync(root).filter((name) => name !== 'a' && !before.includes(name)),
    problems: records.filter(({ type }) => type === 'problem').map(({ code }) => code),
    files: files.filter((name) => name.endsWith('.xml')),
  };
}

const deep = '['.repeat(200_000) + ']'.repeat(200_000);
const doctype = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY e SYSTEM "file:///etc/passwd">]>${nfe()}`;
const otherKey = NFE_KEY.replace(/030656857$/, '030656865');

test('an invoice with a name of ten million characters and text that no terminal may see is archived', async () => {
  const buyer = { name: 'x'.repeat(10_000_000), email: 'a\u0000\u001b[2J\u202e' };
  const { exitCode, files } = await attacked({ rows: [row({ buyer })] });
  expect([exitCode, files]).toEqual([0, [`30057049000141/2026-10/issued-nfe/${NFE_KEY}.xml`]]);
});

test.each<[string, string, Attack]>([
  ['an id that is a path', 'no-key', { rows: [row({ id: '../../../../x' })] }],
  ['an id of control characters', 'no-key', { rows: [row({ id: 'i1\u001b[2J\u202e\n' })] }],
  ['an id of ten million characters', 'no-key', { rows: [row({ id: 'x'.repeat(10_000_000) })] }],
  ['an access key that is a path', 'no-key', { rows: [row({ authorization: { accessKey: '../../x' } })] }],
  ['no access key', 'no-key', { rows: [row({ authorization: {} })] }],
  ['the XML of another key', 'other-key', { rows: [row({ authorization: { accessKey: otherKey } })] }],
  ['an XML with entities', 'doctype', { rows: [row()], body: doctype }],
  ['the XML of a stranger', 'other-company', { rows: [row()], taxNumber: '11444777000161' }],
  ['the XML of a note that the company received', 'other-company', { rows: [row()], taxNumber: '33000167000101' }],
])('%s is quarantined as %s, and nothing is written', async (_name, code, attack) => {
  const { exitCode, problems, files, sides, stdout } = await attacked(attack);
  expect([exitCode, problems, files, sides]).toEqual([3, [code], [], ['cache', 'state']]);
  expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  expect(stdout.length).toBeLessThan(10_000);
});

test('an invoice of the other environment is left out, also when the list has it', async () => {
  const rows = [row({ environment: 'Test' }), row({ id: 'i2', environment: undefined, environmentType: 'Test' })];
  const { exitCode, files, records } = await attacked({ rows });
  expect([exitCode, files, records.at(-1)]).toMatchObject([0, [], { added: 0, archived: 0 }]);
});

test.each<[string, Attack]>([
  ['nested too deeply', { rows: [], list: `{"productInvoices":[{"id":"i1","x":${deep}}],"hasMore":false}` }],
  ['row 1: it is not an object', { rows: [null, 3, 'x', [], {}] }],
])('a list that is %s fails the company with one sentence', async (reason, attack) => {
  const { exitCode, records, files } = await attacked(attack);
  expect([exitCode, files]).toEqual([3, []]);
  expect(records[0]).toMatchObject({ state: 'failed', errorCode: 'service.unreadable' });
  expect(records[0]?.['error']).toContain(reason);
});

test('of two invoices with one access key one is archived, and no run is complete', async () => {
  const { exitCode, problems, files, records } = await attacked({ rows: [row(), row({ id: 'i2' })] });
  expect([exitCode, problems, files.length]).toEqual([3, ['same-key'], 1]);
  expect(records[0]).toMatchObject({ added: 1, archived: 1, quarantined: 1 });
});

test('an invoice has the access key of one that was refused before it', async () => {
  const rows = [row({ id: 'i2', status: 'Error' }), row()];
  const { exitCode, problems, files } = await attacked({ rows });
  expect([exitCode, problems, files.length]).toEqual([0, [], 1]);
});
