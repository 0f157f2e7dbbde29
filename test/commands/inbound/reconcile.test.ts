import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { noteCapture } from '../../../src/services/company/capture.js';
import { errorOf } from '../../support/service-host.js';
import { records } from '../seed.js';
import { ArchivedMonth, CTE, NFE, NFSE } from './archived-month.js';

let month: ArchivedMonth;
const families = ['nfe', 'cte', 'nfse'] as const;
const afterOctober = Date.UTC(2026, 10, 2);
const readAt = { documents: afterOctober, events: afterOctober };
const UNSEEN = NFSE;

beforeEach(async () => {
  month = await ArchivedMonth.open();
  await month.add('nfe', NFE[0]);
  await month.add('nfe', NFE[1]);
  await month.add('cte', CTE);
  await month.read(families, readAt);
});

async function reconcile(text: string | Uint8Array, ...more: string[]) {
  writeFileSync(join(month.host.cwd, 'erp'), text);
  const { exitCode, stdout, stderr } = await month.fiscal(
    ...['inbound', 'reconcile', '--erp', 'erp', '-o', 'ndjson', '--error-format', 'json'],
    ...more,
  );
  return { exitCode, records: records(stdout), stderr };
}

const c1 = { companyId: 'c1' };
const c1Named = { companyId: 'c1', companyTaxNumber: '11222333000181' };
const c2 = { companyId: 'c2', companyName: 'Mercado Lua Ltda', companyTaxNumber: '33000167000101' };

const difference = (...[kind, family, key, more = {}]: [string, string, string, object?]) => ({
  ...{ type: 'difference', kind, family, key },
  ...more,
});
const captured = (family: string, key: string, company: object = c1) =>
  difference('only-captured', family, key, { ...company, issuedOn: '2026-10-05T12:00:00Z' });

function counts(change: object = {}, exitCode = 3) {
  return {
    ...{ type: 'reconciliation', companies: 1, unsynced: 0, erp: 0, matched: 0, own: 0, notCaptured: 0, doubled: 0 },
    ...{ 'only-erp': 0, 'only-captured': 0, 'not-archived': 0, 'cancelled-since': 0, 'invalid-key': 0, exitCode },
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

test('books that match the captured documents exit 0', async () => {
  const keys = ['chave;valor', `${NFE[0]};1`, `${NFE[1]};2`, `${CTE};3`].join('\n');
  expect(await reconcile(keys, '--month', '2026-10')).toMatchObject({
    exitCode: 0,
    records: [counts({ erp: 3, matched: 3 }, 0)],
  });
});

test.each([
  ['a line that names the separator', `sep=;\r\nchave;valor\r\n${NFE[0]};1\r\n${NFE[1]};2\r\n${CTE};3\r\n`],
  [
    'titles above the header',
    `Notas de outubro, 2026\n\nEmpresa:;Padaria\nchave;valor\n${NFE.join(';1\n')};1\n${CTE};3`,
  ],
  ['a title above keys without header', `Notas de outubro\n${[...NFE, CTE].join('\n')}`],
  ['apostrophes', `chave\n'${NFE[0]}\n'${NFE[1]}'\n'${CTE}\n`],
  ['formulas', `"Chave";"V"\r\n="${NFE[0]}";"1"\r\n="${NFE[1]}";"1,50"\r\n="${CTE}";"2"\r\n`],
  [
    'invisible characters',
    `\u200Bchave\u00A0\n\u00A0${NFE[0]}\u200B\n\u2060${NFE[1]}\n${CTE.slice(0, 20)}\u00AD${CTE.slice(20)}\n`,
  ],
  ['another column that a spreadsheet has rounded', `chave;barras\n${NFE[0]};7,89123E+12\n${NFE[1]};1\n${CTE};2`],
])('a list with %s is read', async (_name, text) => {
  expect(await reconcile(text, '--month', '2026-10')).toMatchObject({
    exitCode: 0,
    records: [counts({ erp: 3, matched: 3 }, 0)],
  });
});

test.each([
  ['with a header', 'chave;valor\n3,52610E+43;1\n', 'line 2', 'chave'],
  ['of one column', 'chave\n3,52610E+43\n3,52610E+43\n', 'line 2', 'chave'],
  ['without one', '3,52610E+43\n3,52610E+43\n', 'line 1', 'A'],
])('a list %s whose keys a spreadsheet has rounded is refused', async (_name, text, field, column) => {
  const { exitCode, records: found, stderr } = await reconcile(text, '--month', '2026-10');
  const message = `column ${column}: "3,52610E+43" is a number that a spreadsheet has rounded, and its digits are lost; format the column as text (Excel: Format Cells, Text) and enter the value again`;
  expect({ exitCode, found, error: errorOf({ exitCode, stdout: '', stderr }) }).toMatchObject({
    ...{ exitCode: 2, found: [] },
    error: { code: 'input.invalid', details: expect.arrayContaining([{ field, message }]) },
  });
});

test.each([
  ['3.5E43', 'chave\n3.5E43\n', 'chave'],
  ['3,52E43', 'chave;valor\n3,52E43;1\n', 'chave'],
  ['3.52E+43', 'chave,valor\n3.52E+43,1\n', 'chave'],
  ['3,52E+43', 'chave,valor\n"3,52E+43",1\n', 'chave'],
  ['3E43', 'chave\n3E43\n', 'chave'],
  ['3.5E43', '3.5E43\n3.6E43\n', 'A'],
  ['3.5E49', '{"accessKey":"3.5E49"}\n', 'accessKey'],
  ['3.52e43', '{"accessKey":3.52e43}\n', 'accessKey'],
  [`${NFE[0].slice(0, 15)}${'0'.repeat(29)}`, `chave\n${NFE[0].slice(0, 15)}${'0'.repeat(29)}\n`, 'chave'],
])('a key that a spreadsheet has rounded to %s is said to be one: %j', async (cell, text, column) => {
  const { exitCode, records: found, stderr } = await reconcile(text, '--month', '2026-10');
  const message = expect.stringContaining(`column ${column}: "${cell}" is a number that a spreadsheet has rounded`);
  expect({ exitCode, found, error: errorOf({ exitCode, stdout: '', stderr }) }).toMatchObject({
    ...{ exitCode: 2, found: [] },
    error: { code: 'input.invalid', details: expect.arrayContaining([expect.objectContaining({ message })]) },
  });
});

test('a key that JSON has as a number keeps its digits', async () => {
  const { records: found } = await reconcile(`{"accessKey":${NFE[0]}}\n`, '--month', '2026-10');
  expect(found.at(-1)).toMatchObject({ erp: 1, matched: 1, 'invalid-key': 0 });
});

test('a header with another name for its keys is refused, though keys stand below it', async () => {
  const { exitCode, stderr } = await reconcile(`documento;empresa\n${NFE[0]};c2\n`, '--month', '2026-10');
  expect({ exitCode, error: errorOf({ exitCode, stdout: '', stderr }) }).toMatchObject({
    exitCode: 2,
    error: { message: 'erp is missing the column accessKey (chave); nothing was sent' },
  });
});

test('the kinds of difference are distinguished, with the line: only in the ERP, only captured, duplicate, wrong', async () => {
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

test('a note that was cancelled after it was booked is reported', async () => {
  await month.addEvent('nfe', NFE[0]);
  const keys = `${NFE.join('\n')}\n${CTE}`;
  expect((await reconcile(keys, '--month', '2026-10')).records).toEqual([
    difference('cancelled-since', 'nfe', NFE[0], { ...c1, line: 1 }),
    counts({ erp: 3, matched: 2, 'cancelled-since': 1 }),
  ]);
});

test.each([
  ['its description', { type: 'productInvoiceEvent', description: 'Cancelamento' }],
  [
    'its archived XML',
    {
      type: 'productInvoiceEvent',
      description: 'Evento registrado',
      facts: { code: 110_111, sequence: 1 },
      text: `<procEventoNFe xmlns="http://www.portalfiscal.inf.br/nfe" versao="1.00"><evento versao="1.00"><infEvento Id="ID110111${NFE[0]}01"><cOrgao>35</cOrgao><CNPJ>30057049000141</CNPJ><chNFe>${NFE[0]}</chNFe><dhEvento>2026-10-10T10:00:00-03:00</dhEvento><tpEvento>110111</tpEvento><nSeqEvento>1</nSeqEvento><detEvento><descEvento>Cancelamento</descEvento></detEvento></infEvento></evento></procEventoNFe>`,
    },
  ],
])('a cancellation whose type has no code is recognised by %s', async (_by, said) => {
  await month.addEvent('nfe', NFE[0], 'c1', said);
  expect((await reconcile(`${NFE.join('\n')}\n${CTE}`, '--month', '2026-10')).records).toEqual([
    difference('cancelled-since', 'nfe', NFE[0], { ...c1, line: 1 }),
    counts({ erp: 3, matched: 2, 'cancelled-since': 1 }),
  ]);
});

test('an event of unknown type may be a cancellation: exit 3, with the key', async () => {
  await month.addEvent('nfe', NFE[0], 'c1', { type: 'productInvoiceEvent', description: 'Evento' });
  const run = await reconcile(`${NFE.join('\n')}\n${CTE}`, '--month', '2026-10');
  expect(run).toMatchObject({ exitCode: 3, records: [counts({ erp: 3, matched: 3, eventsUnread: 1 })] });
  expect(run.stderr).toContain(`which may be a cancellation: ${NFE[0]}`);
});

test('a cancelled note that the ERP does not have is not a difference', async () => {
  await month.addEvent('nfe', NFE[0]);
  expect((await reconcile(`${NFE[1]}\n${CTE}`, '--month', '2026-10')).exitCode).toBe(0);
});

test('a SPED Fiscal file provides its keys and its period, without own issues and paper documents', async () => {
  const own = '35261011222333000181550010000000051000000052';
  const paper = '|C100|0|1|F1|01|00|1|77||05102026|06102026|10,00|';
  const file = sped(c100('1', '00', NFE[0]), c100('0', '00', own), paper, d100(CTE));
  expect((await reconcile(file)).records).toEqual([
    captured('nfe', NFE[1]),
    counts({ erp: 2, matched: 2, own: 1, notCaptured: 1, 'only-captured': 1 }),
  ]);
});

test('a note that is cancelled in the SPED file is not a difference', async () => {
  await month.addEvent('nfe', NFE[0]);
  const file = sped(c100('1', '02', NFE[0]), c100('1', '00', NFE[1]), d100(CTE));
  expect(await reconcile(file)).toMatchObject({ exitCode: 0, records: [counts({ erp: 3, matched: 3 }, 0)] });
});

test('a truncated SPED file is refused', async () => {
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

/** A second company with one document of October. */
async function addCompany(family: 'nfe' | 'cte', key: string): Promise<void> {
  month.companies = [...month.companies, { id: 'c2', name: 'Mercado Lua Ltda', federalTaxNumber: '33000167000101' }];
  await month.add(family, key, undefined, 'c2');
  await month.read(families, readAt, 'c2');
  // The machine learns the names.
  await month.fiscal('company', 'list', '--all');
}

const OTHER = '35261030057049000141550010000000041000000047';
const october = ['--month', '2026-10'];

test('a key matches if any of the companies has it, and a difference names the company', async () => {
  await addCompany('nfe', OTHER);
  expect(await reconcile([...NFE, CTE, OTHER].join('\n'), ...both)).toMatchObject({
    exitCode: 0,
    records: [counts({ companies: 2, erp: 4, matched: 4 }, 0)],
  });
  await month.addEvent('nfe', OTHER, 'c2');
  expect((await reconcile([NFE[0], CTE, OTHER].join('\n'), ...both)).records).toEqual([
    difference('cancelled-since', 'nfe', OTHER, { ...c2, line: 3 }),
    captured('nfe', NFE[1], c1Named),
    counts({ companies: 2, erp: 3, matched: 2, 'only-captured': 1, 'cancelled-since': 1 }),
  ]);
});

test('only the named companies are compared', async () => {
  await addCompany('nfe', OTHER);
  expect((await reconcile([...NFE, CTE, OTHER].join('\n'), ...october)).records).toEqual([
    difference('only-erp', 'nfe', OTHER, { line: 4 }),
    counts({ erp: 4, matched: 3, 'only-erp': 1 }),
  ]);
  expect((await reconcile(OTHER, ...october, '--company', 'c2')).exitCode).toBe(0);
});

test('a document of two companies that the ERP does not have is a difference of both', async () => {
  await addCompany('nfe', NFE[1]);
  const { records: found } = await reconcile(`${NFE[0]}\n${CTE}`, ...october, '--company', 'c1,c2');
  expect(found).toEqual([
    captured('nfe', NFE[1], c1Named),
    captured('nfe', NFE[1], c2),
    counts({ companies: 2, erp: 2, matched: 2, 'only-captured': 2 }),
  ]);
});

test('--all-companies compares with every company with known documents', async () => {
  await addCompany('nfe', OTHER);
  const before = month.seen.length;
  const { exitCode, records: found } = await reconcile([...NFE, CTE].join('\n'), ...october, '--all-companies');
  expect({ exitCode, found, sent: month.seen.length - before }).toEqual({
    exitCode: 3,
    found: [captured('nfe', OTHER, c2), counts({ companies: 2, erp: 3, matched: 3, 'only-captured': 1 })],
    sent: 0,
  });
});

test('a company that was never synchronised proves nothing', async () => {
  month.companies = [...month.companies, { id: 'c3', name: 'Nova Ltda', federalTaxNumber: '00000000000191' }];
  const {
    exitCode,
    records: found,
    stderr,
  } = await reconcile([...NFE, CTE].join('\n'), ...october, ...['--company', 'c1,nova']);
  expect({ exitCode, found }).toEqual({
    exitCode: 3,
    found: [counts({ companies: 2, unsynced: 1, erp: 3, matched: 3 })],
  });
  expect(stderr).toContain('Nova Ltda, 00.000.000/0001-91');
});

test.each([
  ['--fetch', 'two companies', ['--company', 'c1,c2', '--fetch', '--yes'], '--fetch captures for one company'],
  ['--fetch', 'all companies', ['--all-companies', '--fetch', '--yes'], '--fetch captures for one company'],
  ['a SPED file', 'two companies', ['--company', 'c1,c2'], 'a SPED file is the ledger of one company'],
  ['a SPED file', 'all companies', ['--all-companies'], 'a SPED file is the ledger of one company'],
])('%s with %s is refused before anything is sent', async (what, _, words, message) => {
  const text = what === 'a SPED file' ? sped(c100('1', '00', NFE[0])) : `${UNSEEN}\n`;
  const { exitCode, stderr, records: found } = await reconcile(text, ...october, ...words);
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
  expect({ exitCode, found, code: error.code, sent: month.seen.length }).toEqual({
    ...{ exitCode: 2, found: [], code: 'usage.invalid', sent: 0 },
  });
  expect(error.message).toContain(message);
});

const both = [...october, '--company', 'c1,c2'];

test('a row that names a company is compared with the documents of that company only', async () => {
  await addCompany('nfe', OTHER);
  const rows = ['empresa;chave', `c1;${NFE[0]}`, `11.222.333/0001-81;${NFE[1]}`, `;${CTE}`, `c1;${OTHER}`];
  const { exitCode, records: found } = await reconcile(rows.join('\n'), ...both);
  expect({ exitCode, found }).toEqual({
    exitCode: 3,
    found: [
      difference('only-erp', 'nfe', OTHER, { line: 5, ...c1Named }),
      captured('nfe', OTHER, c2),
      counts({ companies: 2, erp: 4, matched: 3, 'only-erp': 1, 'only-captured': 1 }),
    ],
  });
  const right = [...rows.slice(0, 4), `Mercado Lua;${OTHER}`];
  expect((await reconcile(right.join('\n'), ...both)).exitCode).toBe(0);
});

test('a document of two companies is matched with the company that its row names', async () => {
  await addCompany('nfe', NFE[1]);
  const row = (company: string, accessKey: string) => JSON.stringify({ accessKey, company });
  const rows = [row('c1', NFE[0]), row('c1', CTE), row('c2', NFE[1]), row('c2', NFE[1])];
  expect((await reconcile(rows.join('\n'), ...both)).records).toEqual([
    captured('nfe', NFE[1], c1Named),
    counts({ companies: 2, erp: 3, matched: 3, doubled: 1, 'only-captured': 1 }),
  ]);
  const more = [...rows, row('33000167000101', NFE[1]), row('c1', NFE[1])];
  expect(await reconcile(more.join('\n'), ...both)).toMatchObject({
    exitCode: 0,
    records: [counts({ companies: 2, erp: 4, matched: 4, doubled: 2 }, 0)],
  });
});

test('a row of an unknown company is a difference with its line and the company as written', async () => {
  await addCompany('nfe', OTHER);
  const rows = ['chave;cnpj_empresa', `${NFE[0]};c1`, `${NFE[1]};Padaria Sol`, `${CTE};`, `${OTHER};c2`];
  const { exitCode, records: found, stderr } = await reconcile(rows.join('\n'), ...both);
  expect({ exitCode, found }).toEqual({
    exitCode: 3,
    found: [
      difference('unknown-company', 'nfe', NFE[1], { line: 3, value: 'Padaria Sol' }),
      captured('nfe', NFE[1], c1Named),
      counts({ companies: 2, erp: 3, matched: 3, 'only-captured': 1, 'unknown-company': 1 }),
    ],
  });
  expect(stderr).toContain('line 3: no company is named "Padaria Sol"');
});

test('an unknown company word is requested once', async () => {
  await addCompany('nfe', OTHER);
  const before = month.seen.length;
  const rows = [NFE[0], NFE[1], CTE].map((key) => JSON.stringify({ chave: key, empresa: '4711' }));
  const { records: found } = await reconcile(rows.join('\n'), ...october);
  expect(found.at(-1)).toMatchObject({ 'unknown-company': 3, erp: 0, exitCode: 3 });
  expect(month.seen.slice(before).map(({ path }) => path)).toEqual(['/v2/companies/4711', '/v2/companies?limit=50']);
});

test('a row of a company that is not compared is a separate difference', async () => {
  await addCompany('nfe', OTHER);
  const rows = ['companyId,key', `c1,${NFE[0]}`, `c1,${NFE[1]}`, `c1,${CTE}`, `c2,${OTHER}`].join('\n');
  const { exitCode, records: found, stderr } = await reconcile(rows, ...october, '--company', 'c1');
  expect({ exitCode, found }).toEqual({
    exitCode: 3,
    found: [
      difference('other-company', 'nfe', OTHER, { line: 5, ...c2 }),
      counts({ erp: 3, matched: 3, 'other-company': 1 }),
    ],
  });
  expect(stderr).toContain('line 5 is of Mercado Lua Ltda, 33.000.167/0001-01');
  expect(await reconcile(rows, ...october, '--all-companies')).toMatchObject({ exitCode: 0 });
});

test('with --all-companies a company named only in a row is compared too', async () => {
  await addCompany('nfe', OTHER);
  month.companies = [...month.companies, { id: 'c3', name: 'Nova Ltda', federalTaxNumber: '00000000000191' }];
  await month.fiscal('company', 'list', '--all');
  const rows = ['company,key', `c1,${NFE[0]}`, `c1,${NFE[1]}`, `c1,${CTE}`, `c2,${OTHER}`, `c3,${OTHER}`];
  const { records: found } = await reconcile(rows.join('\n'), ...october, '--all-companies');
  const c3 = { companyId: 'c3', companyName: 'Nova Ltda', companyTaxNumber: '00000000000191' };
  expect(found).toEqual([
    difference('only-erp', 'nfe', OTHER, { line: 6, ...c3 }),
    counts({ companies: 3, unsynced: 1, erp: 5, matched: 4, 'only-erp': 1 }),
  ]);
});

test('columns of a row that name two companies are a contradiction', async () => {
  await addCompany('nfe', OTHER);
  const columns = 'accessKey,companyId,companyName,companyTaxNumber';
  const rows = [columns, `${NFE[0]},c1,,11222333000181`, `${OTHER},c1,Mercado Lua Ltda,`].join('\n');
  const { records: found, stderr } = await reconcile(rows, ...both, '--type', 'nfe');
  expect(found).toContainEqual(difference('unknown-company', 'nfe', OTHER, { line: 3, value: 'c1, Mercado Lua Ltda' }));
  expect(stderr).toContain('line 3: "c1" and "Mercado Lua Ltda" are two companies');
});

test('a SPED file of another CNPJ than that of the company is refused', async () => {
  await addCompany('nfe', OTHER);
  const file = sped(c100('1', '00', NFE[0]));
  const { exitCode, stderr, records: found } = await reconcile(file, '--company', 'c2');
  const { error } = JSON.parse(stderr) as { error: { code: string; message: string } };
  expect({ exitCode, found, code: error.code }).toEqual({ exitCode: 2, found: [], code: 'usage.invalid' });
  expect(error.message).toContain('11.222.333/0001-81');
  expect(error.message).toContain('Mercado Lua Ltda, 33.000.167/0001-01');
});

const inOctober = Date.UTC(2026, 9, 31);

test.each([
  ['whose documents were never read to the end', {}],
  ['whose events were never read to the end', { documents: afterOctober }],
  ['whose events were read before the month ended', { documents: afterOctober, events: inOctober }],
  ['whose documents were read before the month ended', { documents: inOctober, events: afterOctober }],
])('a list %s proves nothing, even if one of its documents is known', async (_which, read) => {
  await addCompany('nfe', OTHER);
  await month.add('nfe', OTHER, undefined, 'c4');
  month.companies = [...month.companies, { id: 'c4', name: 'Sul Ltda', federalTaxNumber: '00000000000191' }];
  await month.fiscal('company', 'list', '--all');
  await month.read(['cte', 'nfse'], readAt, 'c4');
  await month.read(['nfe'], read, 'c4');
  const words = [...october, '--company', 'c4'];
  const { exitCode, records: found, stderr } = await reconcile(OTHER, ...words);
  expect({ exitCode, found }).toEqual({ exitCode: 3, found: [counts({ unsynced: 1, erp: 1, matched: 1 })] });
  expect(stderr).toContain('Sul Ltda, 00.000.000/0001-91: NF-e; when');
  expect(stderr).toContain('fiscal inbound sync --company 00000000000191');
  expect((await reconcile(`chave\n${CTE}`, ...october, '--type', 'cte')).exitCode).toBe(0);
});

test('a family without capture settings has no list to read', async () => {
  const companyId = 'c5';
  await month.add('nfe', OTHER, undefined, companyId);
  await month.read(['nfe'], readAt, companyId);
  const off = { kind: 'off', why: 'absent' } as const;
  await month.store(async (store) => {
    for (const family of ['cte', 'nfse'] as const)
      await noteCapture(store, { profile: 'environment', companyId, family }, { capture: off, at: afterOctober });
  });
  expect((await reconcile(OTHER, ...october, '--company', companyId)).exitCode).toBe(0);
});

test('a capture in the test environment within the period proves nothing about the books', async () => {
  const group = { profile: 'environment', companyId: 'c1', family: 'nfe' } as const;
  for (const [day, environment] of [
    [5, 'Test'],
    [20, 'Production'],
  ] as const)
    await month.store((store) =>
      noteCapture(store, group, { capture: { kind: 'on', environment }, at: Date.UTC(2026, 9, day) }),
    );
  const run = await reconcile(`${NFE.join('\n')}\n${CTE}`, ...october);
  expect(run).toMatchObject({ exitCode: 3, records: [counts({ erp: 3, matched: 3, otherEnvironment: 1 })] });
  expect(run.stderr).toContain('were captured from the environment \"Test\"');
});

test('a list in UTF-16 or Windows-1252 is read as it is, and --encoding names another one', async () => {
  const list = `chave;observação\n${NFE[0]};não\n`;
  const texts = ['--month', '2026-10', '--error-format', 'text'];
  const windows = await reconcile(Buffer.from(list, 'latin1'), ...texts);
  expect(windows.stderr).toContain('erp: reads the text as Windows-1252 (observação, não)');
  const unicode = await reconcile(Buffer.from(`\uFEFF${list}`, 'utf16le'), ...texts);
  expect(unicode.records).toEqual(windows.records);
  const unmarked = Buffer.from(list, 'utf16le');
  expect((await reconcile(unmarked, ...texts)).exitCode).toBe(2);
  const named = await reconcile(unmarked, ...texts, '--encoding', 'utf-16le');
  expect(named.records).toEqual(windows.records);
});
