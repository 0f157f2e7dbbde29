import { appendFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { folderStorage } from '../../../src/archive/folder/folder-storage.js';
import { type MonthState, monthState, wholeMonths } from '../../../src/services/closing/closed-months.js';
import { monthOf } from '../../../src/services/closing/month.js';
import { ArchivedMonth, NFE } from '../../commands/inbound/archived-month.js';

let month: ArchivedMonth;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  await month.add('nfe', NFE[0]);
});

async function stateOf(name = '2026-10'): Promise<MonthState | undefined> {
  const states: (MonthState | undefined)[] = [];
  const storage = folderStorage(month.archive, false);
  await month.store(async ({ documents }) => {
    states.push(await monthState({ storage, documents, profile: 'environment', companyId: 'c1' }, monthOf(name)));
  });
  return states[0];
}

const close = async () => (await month.fiscal('inbound', 'close', '2026-10', '--archive', month.archive)).exitCode;

test('a month is open until it is closed, and nothing is said of one without documents', async () => {
  expect([await stateOf(), await stateOf('2026-09')]).toEqual(['open', undefined]);
  expect(await close()).toBe(0);
  expect([await stateOf(), await stateOf('2026-09')]).toEqual(['closed', undefined]);
});

test('a document that came after the close breaks it', async () => {
  await close();
  await month.store(async ({ documents }) => {
    const issuedOn = '2026-10-09T12:00:00Z';
    const late = { id: NFE[1], accessKey: NFE[1], status: 'Processed', issuedOn, data: {} };
    await documents.see({ profile: 'environment', companyId: 'c1', family: 'nfe' }, [late], Date.now() + 1_000);
  });
  expect(await stateOf()).toBe('broken');
});

test('a close whose manifest was changed is broken', async () => {
  await close();
  appendFileSync(month.path('proofs/2026-10/c1/close.json'), ' ');
  appendFileSync(month.path('proofs/2026-10/c1/manifest.jsonl'), '{}\n');
  expect(await stateOf()).toBe('broken');
});

test('the last three whole months are looked at, newest first, also over the end of a year', () => {
  expect(wholeMonths('2027-01-31').map(({ name }) => name)).toEqual(['2026-12', '2026-11', '2026-10']);
});
