import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { fieldOf } from '../../../src/domain/record.js';
import { StandingClock } from '../../support/clock.js';
import { records } from '../seed.js';
import { ArchivedMonth, NFE } from './archived-month.js';

let month: ArchivedMonth;
const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  Object.assign(month.host, { clock: new StandingClock(Date.UTC(2026, 10, 20, 15)) });
  await month.add('nfe', NFE[0], `<resNFe>${NFE[0]}</resNFe>`);
  await month.add('nfe', NFE[1]);
  await month.store(async ({ documents }) => {
    const row = await documents.get(group, NFE[0]);
    const patch = { state: 'archived', due: false, xmlKind: 'summary' } as const;
    if (row !== undefined) await documents.finish([{ row, patch, at: 1 }]);
  });
});

/** The authority has refused an event of this machine about the first document. */
async function refuse(errorCode: string): Promise<void> {
  const event = { family: 'nfe', accessKey: NFE[0], eventCode: 210210, nSequencia: 1 };
  await month.store(async ({ known }) => {
    await known.put({
      ...{ profile: 'environment', kind: 'nfe-manifestation', scope: 'c1', id: `${NFE[0]} 210210 1` },
      ...{ label: NFE[0], status: 'Rejected', seenAt: Date.UTC(2026, 9, 20) },
      data: { ...event, status: 'Rejected', errorCode },
    });
  });
}

async function rows(...argv: string[]): Promise<readonly unknown[]> {
  const { stdout, stderr } = await month.fiscal(...argv, '-o', 'ndjson');
  if (stdout === '') throw new Error(stderr);
  return records(stdout);
}

/** What each command says of the first document, which is in the books too. */
async function said() {
  const about = (list: readonly unknown[], name: string): readonly unknown[] =>
    list
      .filter((row) => [fieldOf(row, 'accessKey'), fieldOf(row, 'key')].includes(NFE[0]))
      .map((row) => fieldOf(row, name));
  const summaryOf = (list: readonly unknown[]): unknown => list.find((row) => fieldOf(row, 'type') === 'summary');
  writeFileSync(join(month.host.cwd, 'erp.csv'), `chave\n${NFE.join('\n')}\n`);
  const nfe = ['--type', 'nfe'];
  const table = [
    'export',
    'table',
    'header',
    '2026-10',
    '--out',
    'header.csv',
    '--overwrite',
    '--archive',
    month.archive,
  ];
  const [status] = await rows('status');
  const [profile] = fieldOf(status, 'profiles') as readonly unknown[];
  return {
    list: about(await rows('inbound', 'list', ...nfe), 'state'),
    local: about(await rows('inbound', 'list', ...nfe, '--local'), 'state'),
    summaries: about(await rows('inbound', 'list', '--summaries'), 'awareness').filter((term) => term !== undefined)
      .length,
    close: about(await rows('inbound', 'close', '2026-10', ...nfe), 'kind'),
    reconcile: about(await rows('inbound', 'reconcile', '--erp', 'erp.csv', '--month', '2026-10'), 'kind'),
    table: fieldOf(summaryOf(await rows(...table)), 'notStanding'),
    due: about(await rows('manifestation', 'due', '--class', 'conclusive', '--within', '90d'), 'state'),
    plan: about(await rows('manifestation', 'plan', '--new', '--event', 'confirmation'), 'event'),
    waiting: fieldOf(fieldOf(profile, 'outstanding'), 'summaries'),
  };
}

test.each(['650', '651'])('every command takes the answer %s for a cancellation', async (code) => {
  expect(await said()).toEqual({
    ...{ list: ['standing'], local: ['standing'], summaries: 1, close: ['summary-only'], reconcile: [] },
    ...{ table: 0, due: ['open'], plan: ['confirmation'], waiting: 1 },
  });
  await refuse(code);
  expect(await said()).toEqual({
    ...{ list: ['cancelled'], local: ['cancelled'], summaries: 0, close: ['summary-not-standing'] },
    ...{ reconcile: ['cancelled-since'], table: 1, due: [], plan: [], waiting: 0 },
  });
});
