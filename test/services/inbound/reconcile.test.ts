import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { records } from '../../commands/seed.js';
import { ArchivedMonth, CTE, NFE, NFSE } from './archived-month.js';

let month: ArchivedMonth;
const UNSEEN = NFSE;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  await month.add('nfe', NFE[0]);
  await month.add('nfe', NFE[1]);
  await month.add('cte', CTE);
});

async function reconcile(text: string | Uint8Array, ...more: string[]) {
  writeFileSync(join(month.host.cwd, 'erp'), text);
  const { exitCode, stdout, stderr } = await month.fiscal(
    ...['inbound', 'reconcile', '--erp', 'erp', '-o', 'ndjson', '--error-format', 'json'],
    ...more,
  );
  return { exitCode, records: records(stdout), stderr };
}

const difference = (...[kind, family, key, more = {}]: [string, string, string, object?]) => ({
  ...{ type: 'difference', kind, family, key },
  ...more,
});
const captured = (family: string, key: string) =>
  difference('only-captured', family, key, { issuedOn: '2026-10-05T12:00:00Z' });

function counts(change: object = {}, exitCode = 3) {
  return {
    ...{ type: 'reconciliation', erp: 0, matched: 0, own: 0, notCaptured: 0, doubled: 0 },
    ...{ 'only-erp': 0, 'only-captured': 0, 'cancelled-since': 0, 'invalid-key': 0, exitCode },
    ...change,
  };
}

/** A SPED Fiscal file as a program of the tax office writes it: latin-1, and a signature behind the last register. */
function sped(...registers: string[]): Buffer {
  const header = '|0000|019|0|01102026|31102026|PADARIA SÃO JOÃO|11222333000181||SP|';
  return Buffer.from([header, ...registers, '|9999|9|', 'SBRCAAEPDR0\u00ff|C100|'].join('\r\n'), 'latin1');
}

const c100 = (own: string, situation: string, key: string) =>
  `|C100|0|${own}|F1|55|${situation}|1|1|${key}|05102026|06102026|10,00|`;
const d100 = (key: string) => `|D100|0|1|F1|57|00|1||1|${key}|05102026|06102026|`;

test('books that agree with the captured documents end 0', async () => {
  const keys = ['chave;valor', `${NFE[0]};1`, `${NFE[1]};2`, `${CTE};3`].join('\n');
  expect(await reconcile(keys, '--month', '2026-10')).toMatchObject({
    exitCode: 0,
    records: [counts({ erp: 3, matched: 3 }, 0)],
  });
});

test('only in the ERP, only captured, twice and wrong are told apart, with the line', async () => {
  const keys = ['accessKey', NFE[0], NFE[0], UNSEEN, '123'].join('\n');
  const { exitCode, records: found } = await reconcile(keys, '--month', '2026-10');
  expect(found).toEqual([
    difference('only-erp', 'nfse', UNSEEN, { line: 4 }),
    { type: 'difference', kind: 'invalid-key', key: '123', line: 5 },
    captured('cte', CTE),
    captured('nfe', NFE[1]),
    counts({ erp: 2, matched: 1, doubled: 1, 'only-erp': 1, 'only-captured': 2, 'invalid-key': 1 }),
  ]);
  expect(exitCode).toBe(3);
});

test('a note that was cancelled after it was booked is told', async () => {
  await month.addEvent('nfe', NFE[0]);
  const keys = `${NFE.join('\n')}\n${CTE}`;
  expect((await reconcile(keys, '--month', '2026-10')).records).toEqual([
    difference('cancelled-since', 'nfe', NFE[0], { line: 1 }),
    counts({ erp: 3, matched: 2, 'cancelled-since': 1 }),
  ]);
});

test('a cancelled note that the ERP does not have is no difference', async () => {
  await month.addEvent('nfe', NFE[0]);
  expect((await reconcile(`${NFE[1]}\n${CTE}`, '--month', '2026-10')).exitCode).toBe(0);
});

test('a SPED Fiscal file gives its keys and its period; own issues and paper are left out', async () => {
  const own = '35261011222333000181550010000000051000000052';
  const paper = '|C100|0|1|F1|01|00|1|77||05102026|06102026|10,00|';
  const file = sped(c100('1', '00', NFE[0]), c100('0', '00', own), paper, d100(CTE));
  expect((await reconcile(file)).records).toEqual([
    captured('nfe', NFE[1]),
    counts({ erp: 2, matched: 2, own: 1, notCaptured: 1, 'only-captured': 1 }),
  ]);
});

test('a note that the SPED file itself calls cancelled is no news', async () => {
  await month.addEvent('nfe', NFE[0]);
  const file = sped(c100('1', '02', NFE[0]), c100('1', '00', NFE[1]), d100(CTE));
  expect(await reconcile(file)).toMatchObject({ exitCode: 0, records: [counts({ erp: 3, matched: 3 }, 0)] });
});

test('a SPED file that was cut is refused', async () => {
  const file = sped(c100('1', '00', NFE[0])).subarray(0, 120);
  const { exitCode, stderr } = await reconcile(file);
  expect({ exitCode, error: JSON.parse(stderr) }).toMatchObject({
    exitCode: 2,
    error: { error: { code: 'input.syntax' } },
  });
});

test.each([
  ['nothing', '', ['--month', '2026-10'], 'input.empty'],
  ['no column of keys', 'a,b\n1,2\n', ['--month', '2026-10'], 'input.missing_column'],
  ['a list without a period', `chave\n${NFE[0]}\n`, [], 'usage.missing'],
])('%s is refused', async (...[, text, words, code]) => {
  const { exitCode, stderr } = await reconcile(text, ...words);
  expect({ exitCode, error: JSON.parse(stderr) }).toMatchObject({ exitCode: 2, error: { error: { code } } });
});

test('--fetch captures the missing NFS-e by key and asks for consent first', async () => {
  const keys = [...NFE, CTE, UNSEEN].join('\n');
  const words = ['--month', '2026-10', '--fetch'];
  const asked = await reconcile(keys, ...words);
  expect({ exitCode: asked.exitCode, fetched: month.fetched }).toEqual({ exitCode: 2, fetched: [] });
  const { exitCode, records: found } = await reconcile(keys, ...words, '--yes', '--max-billable', '1');
  expect({ exitCode, fetched: month.fetched }).toEqual({ exitCode: 0, fetched: [UNSEEN] });
  expect(found[0]).toEqual(difference('only-erp', 'nfse', UNSEEN, { line: 4 }));
  expect(found.at(-1)).toMatchObject({ type: 'summary', exitCode: 0 });
});
