import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { keepAnswer } from '../../../src/jobs/authority-answer.js';
import { operations } from '../../../src/contract/operations.js';
import type { SeenDocument } from '../../../src/store/documents.js';
import { ArchivedMonth, CTE, NFE, NFSE } from '../inbound/archived-month.js';
import { records } from '../seed.js';
import { addUsage } from '../../support/usage.js';

let month: ArchivedMonth;
const FILE = '11222333000181-2026-10.html';

/** After the month was added. */
const later = Date.UTC(2026, 10, 3);

beforeEach(async () => {
  month = await ArchivedMonth.open();
});

const out = (...names: string[]) => join(month.host.root, 'out', ...names);

async function report(...more: string[]) {
  const words = ['report', 'month', '2026-10', '--out', out(), '--archive', month.archive, '-o', 'ndjson'];
  const { exitCode, stdout, stderr } = await month.fiscal(...words, ...more);
  return { exitCode, stderr, records: records(stdout) };
}

async function close(...more: string[]) {
  return await month.fiscal('inbound', 'close', '2026-10', '--archive', month.archive, '-o', 'ndjson', ...more);
}

/** The account's list names the company, so that the store knows its CNPJ. */
async function know(): Promise<void> {
  await month.fiscal('company', 'list', '-o', 'json');
}

function page(name = FILE): string {
  return readFileSync(out(name), 'utf8');
}

/** Those of the texts that the page does not have. */
function lacking(texts: readonly string[], name = FILE): readonly string[] {
  return texts.filter((text) => !page(name).includes(text));
}

async function see(family: 'nfe' | 'cte' | 'nfse', seen: Partial<SeenDocument> & { readonly id: string }) {
  const group = { profile: 'environment', companyId: 'c1', family };
  const issued = { accessKey: seen.id, issuedOn: '2026-10-07T12:00:00Z', data: seen };
  await month.store(({ documents }) => documents.see(group, [{ ...issued, ...seen }], later));
}

/** State, file, manifestation and term of each document, by key, in the words of the page. */
function rows(): Readonly<Record<string, readonly unknown[]>> {
  const json = /id="rows">([^<]*)</.exec(page())?.[1] ?? '';
  const { rows: all, words } = JSON.parse(json) as { rows: (string | number)[][]; words: Record<string, string[]> };
  const word = (list: string, at: unknown) => words[list]?.[Number(at)];
  return Object.fromEntries(
    all.map((row) => [row[0], [word('states', row[5]), word('files', row[6]), word('manifestations', row[7]), row[8]]]),
  );
}

test('a closed month is reported as complete, with its hash and time', async () => {
  await know();
  await month.add('nfe', NFE[0]);
  const closed = records((await close()).stdout)[0] as { sha256: string; closedAt: string };
  const { exitCode, records: found, stderr } = await report();
  expect(exitCode).toBe(0);
  expect(found).toEqual([
    {
      ...{
        type: 'report',
        month: '2026-10',
        direction: 'received',
        companyId: 'c1',
        companyTaxNumber: '11222333000181',
      },
      ...{ verdict: 'complete', closedAt: closed.closedAt, gaps: 0, documents: 1 },
      ...{ file: out(FILE), bytes: readFileSync(out(FILE)).length },
    },
    {
      ...{ type: 'summary', month: '2026-10', companies: 1, complete: 1, incomplete: 0 },
      ...{ notProvable: 0, notClosed: 0, unproven: 0, folder: out(), exitCode: 0 },
    },
  ]);
  expect(lacking([closed.sha256])).toEqual([]);
  expect(lacking(['fiscal inbound verify --manifest proofs/2026-10/c1/manifest.jsonl'])).toEqual([]);
  expect(lacking([month.host.root])).toHaveLength(1);
  expect(stderr).toContain(`1 report is written: ${out(FILE)}`);
  expect(stderr).not.toContain('not proven');
});

test('a report asks the service for nothing', async () => {
  await know();
  await month.add('nfe', NFE[0]);
  const before = month.seen.length;
  await report();
  expect(month.seen.length).toBe(before);
});

test('without a close, nothing is claimed', async () => {
  await know();
  await month.add('nfe', NFE[0]);
  const { exitCode, records: found, stderr } = await report();
  expect([exitCode, found[0]]).toMatchObject([0, { verdict: 'not-closed', closedAt: null, gaps: null }]);
  expect(lacking(['Not closed'])).toEqual([]);
  expect(stderr).toContain('the month is not proven complete for 1 company');
});

test('gaps and doubts of the close stand in the report', async () => {
  await know();
  await month.add('nfe', NFE[0]);
  month.lists.nfe.push({ accessKey: NFE[1], status: 'Processed', issuedOn: '2026-10-06T12:00:00Z' });
  await close();
  expect((await report()).records[0]).toMatchObject({ verdict: 'incomplete', gaps: 1 });
  expect(lacking(['Listed by the service, never synced'])).toEqual([]);
  expect(lacking(['fiscal inbound sync --since 2026-10-01 --company c1'])).toEqual([]);
  month.lists.nfe.pop();
  month.settings.nfe = { createdOn: '2026-10-09T00:00:00Z' };
  await close();
  expect((await report()).records[0]).toMatchObject({ verdict: 'not-provable', gaps: 0 });
  expect(lacking(['the capture of NF-e was enabled on 2026-10-08 21:00, after'])).toEqual([]);
});

test.each([
  ['a changed manifest', 'manifest.jsonl', (text: string) => text.replace('Processed', 'Cancelled')],
  ['a changed verdict', 'close.json', (text: string) => text.replace('"listed": 1', '"listed": 9')],
  ['a verdict of another company', 'close.json', (text: string) => text.replace('"c1"', '"c2"')],
  ['a verdict that is no JSON', 'close.json', () => '{'],
])('%s proves nothing', async (_name, file, change) => {
  await month.add('nfe', NFE[0]);
  await close();
  const path = month.path(`proofs/2026-10/c1/${file}`);
  const text = readFileSync(path, 'utf8');
  expect(change(text)).not.toBe(text);
  writeFileSync(path, change(text));
  expect((await report()).records[0]).toMatchObject({ verdict: 'contradictory', gaps: null });
});

test('a verdict by the rules of another version is not repeated', async () => {
  await month.add('nfe', NFE[0]);
  await close();
  const path = month.path('proofs/2026-10/c1/close.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace(/"version": \d+/, '"version": 1'));
  expect((await report()).records[0]).toMatchObject({ verdict: 'older' });
});

test('what came after the close is said beside the verdict', async () => {
  await know();
  await month.add('nfe', NFE[0]);
  await month.add('nfe', NFE[1]);
  await close();
  await see('nfse', { id: NFSE });
  await see('nfe', { id: NFE[0], status: 'Cancelled' });
  expect((await report()).records[0]).toMatchObject({ verdict: 'complete', documents: 3 });
  expect(lacking(['<li>1 document of the month is not in the proof</li>'])).toEqual([]);
  expect(lacking(['<li>1 document has another status than in the proof</li>'])).toEqual([]);
});

test('documents have their state, file, manifestation and deadline', async () => {
  await know();
  const nfe = { issuer: '30057049000141', recipient: '11222333000181', status: 'Processed' };
  await see('nfe', { id: NFE[0], ...nfe, authorizedOn: '2026-10-07T12:00:00Z' });
  await see('nfe', { id: NFE[1], ...nfe, status: 'Cancelled' });
  await see('cte', { id: CTE, issuer: '30057049000141', status: 'Processed' });
  await see('nfse', { id: NFSE, issuer: '30057049000141', status: 'Substituted' });
  await report();
  const first = rows();
  expect(first[NFE[0]]?.slice(0, 3)).toEqual(['Standing', 'No file', 'Not known']);
  expect(first[NFE[0]]?.[3]).toMatch(/^202[67]-\d\d-\d\d$/);
  expect(first[NFE[1]]).toEqual(['Cancelled', 'No file', 'Not due', 0]);
  expect(first[CTE]).toEqual(['Standing', 'No file', 'Not due', 0]);
  expect(first[NFSE]).toEqual(['Substituted', 'No file', 'Not due', 0]);
  await month.addEvent('nfe', NFE[0], 'c1', { type: '210200' });
  await month.addEvent('cte', CTE);
  await month.read(['nfe', 'cte'], { documents: Date.UTC(2026, 10, 2), events: Date.UTC(2026, 10, 2) });
  await report();
  const then = rows();
  expect(then[NFE[0]]).toEqual(['Standing', 'No file', 'Confirmed', 0]);
  expect(then[CTE]?.[0]).toBe('Cancelled');
});

test('the billed calls are those of the month', async () => {
  const call = { profile: 'environment', companyId: 'c1', billed: 'doc-by-key', outcome: 'billed' } as const;
  const at = (day: number, month_ = 9) => Date.UTC(2026, month_, day, 12);
  await month.store(async ({ usage }) => {
    for (const day of [1, 2, 31]) await addUsage(usage, { ...call, operation: 'nfse.fetchByKey', at: at(day) });
    await addUsage(usage, { ...call, operation: 'nfse.fetchByKey', at: at(1, 10) });
    await addUsage(usage, { ...call, operation: 'nfse.fetchByKey', at: at(30, 8) });
  });
  await report();
  const cells = [3, 0, 0].map((count) => `<td class="number">${count}</td>`).join('');
  expect(lacking([`${operations['nfse.fetchByKey'].summary.en}</th>${cells}`], 'company-c1-2026-10.html')).toEqual([]);
});

test('several companies have an index, and their files are named by CNPJ and month', async () => {
  month.companies = [
    { id: 'c1', name: 'Acme', federalTaxNumber: '11222333000181' },
    { id: 'c2', name: '../../Beta', federalTaxNumber: '11222333000181' },
    { id: 'c3', name: 'Gama' },
  ];
  await month.add('nfe', NFE[0]);
  const { exitCode, records: found } = await report('--all-companies');
  expect(exitCode).toBe(0);
  const files = ['11222333000181-c1-2026-10.html', '11222333000181-c2-2026-10.html', 'company-c3-2026-10.html'];
  expect(readdirSync(out()).toSorted()).toEqual([...files, 'index.html'].toSorted());
  expect(found.at(-1)).toMatchObject({ companies: 3, notClosed: 3, index: out('index.html') });
  expect(
    lacking(
      files.map((file) => `href="${file}"`),
      'index.html',
    ),
  ).toEqual([]);
});

test('reports of the month are replaced, and no other file', async () => {
  await know();
  await report();
  expect((await report()).exitCode).toBe(0);
  writeFileSync(out(FILE), 'mine');
  const refused = await report();
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain(`${out(FILE)} exists and is not the report of this company in 2026-10`);
  expect(page()).toBe('mine');
  expect((await report('--overwrite')).exitCode).toBe(0);
  expect(lacking(['<!doctype html>'])).toEqual([]);
});

test('a link in the place of a report is replaced, and its target stays', async () => {
  await know();
  await report();
  const text = page();
  mkdirSync(join(month.host.root, 'other'));
  const target = join(month.host.root, 'other', 'kept.html');
  writeFileSync(target, text);
  rmSync(out(FILE));
  symlinkSync(target, out(FILE));
  month.lists.nfe.push({ accessKey: NFE[1], status: 'Processed' });
  await see('nfe', { id: NFE[0] });
  expect((await report()).exitCode).toBe(0);
  expect(readFileSync(target, 'utf8')).toBe(text);
  expect(page()).not.toBe(text);
});

test('bad words write nothing and end 2', async () => {
  const ended = async (...words: string[]) => {
    const { exitCode, stderr } = await month.fiscal('report', 'month', ...words);
    return [exitCode, stderr];
  };
  expect(await ended('2026-13', '--out', out())).toEqual([2, expect.stringContaining('2026-13')]);
  expect(await ended('2026-10')).toEqual([2, expect.stringContaining('--out')]);
  expect(await ended('2026-10', '--out', out(), '--open')).toEqual([2, expect.stringContaining('--open')]);
  expect(existsSync(out())).toBe(false);
  writeFileSync(join(month.host.root, 'file'), '');
  const [code, text] = await ended('2026-10', '--out', join(month.host.root, 'file'));
  expect([code === 0, String(text).includes('file')]).toEqual([false, true]);
});

test('the page speaks the language of the program', async () => {
  await know();
  await report('--lang', 'pt-BR');
  expect(lacking(['<html lang="pt-BR">'])).toEqual([]);
  expect(lacking(['Não fechado'])).toEqual([]);
});

test('a dry run writes nothing, and says what it would write', async () => {
  await know();
  await month.add('nfe', NFE[0]);
  const { exitCode, records: found, stderr } = await report('--dry-run');
  expect([exitCode, existsSync(out())]).toEqual([0, false]);
  expect(stderr).toContain('dry run: no report is written');
  expect(found[0]).toMatchObject({ type: 'report', verdict: 'not-closed', documents: 1, file: out(FILE) });
});

test('what the authority answered to an event that was sent from here stands in the report', async () => {
  await month.add('nfe', NFE[0]);
  const event = {
    family: 'nfe',
    accessKey: NFE[0],
    eventCode: 210200,
    nSequencia: 1,
    id: 'e-1',
    status: 'Rejected',
  } as const;
  await month.store(async (store) => {
    const row = { profile: 'environment', kind: 'nfe-manifestation', scope: 'c1', id: 'k', label: NFE[0] };
    await store.known.put({ ...row, status: 'Rejected', data: { ...event, companyId: 'c1' }, seenAt: later });
    const answer = { code: '596', text: 'Evento fora do prazo' };
    await keepAnswer(store, { profile: 'environment', id: 'e-1', at: later }, answer);
  });
  await know();
  await report();
  expect(lacking(['596', 'Evento fora do prazo', 'Answers of the authority (1)'])).toEqual([]);
});
