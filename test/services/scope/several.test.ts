import { expect, test } from 'vitest';
import { json, type Reply } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate, type Answers } from '../inbound/service.js';

const sol = { id: 'c1', name: 'Padaria Sol', federalTaxNumber: '33000167000101' };
const lua = { id: 'c2', name: 'Padaria Lua', federalTaxNumber: '33000167000292' };
const label = ({ name, federalTaxNumber }: typeof sol) => ({
  companyName: name,
  companyTaxNumber: federalTaxNumber,
});
const both = { 'GET /v2/companies': json(200, { companies: [sol, lua], hasMore: false }) };
const nfeKey = '35250530057049000141550010000280181030656857';
const forbidden = json(403, { error: { code: 'forbidden', message: 'no' } });

function nfe(companyId: string, webhookStatus = 'Retrying') {
  const at = '2026-11-20T10:00:00Z';
  return {
    accessKey: nfeKey,
    companyId,
    status: 'Received',
    webhookStatus,
    createdOn: at,
    modifiedOn: at,
    issuedOn: at,
  };
}

/** The lists of NF-e of both companies; other families are not captured. */
function lists(of: Readonly<Record<string, Reply>>): Answers {
  return Object.fromEntries(
    Object.entries(of).map(([id, reply]) => [`GET /v2/companies/${id}/inbound/nfe`, reply]),
  );
}

async function fiscal(answers: Answers, ...words: string[]) {
  const service = await imitate({ ...both, ...answers });
  const { exitCode, stdout, stderr } = await runFiscal([...words, '-o', 'json'], service.host);
  return {
    exitCode,
    stderr,
    data: (stdout === '' ? [] : JSON.parse(stdout)) as readonly Record<string, unknown>[],
  };
}

const filled = lists({ c1: json(200, { value: [nfe('c1')] }), c2: json(200, { value: [nfe('c2')] }) });

test.each([
  ['--company', 'padaria sol,33.000.167/0002-92'],
  ['--all-companies', '--quiet'],
])('inbound list reads one company after the other (%s)', async (...choice) => {
  const { exitCode, data } = await fiscal(filled, 'inbound', 'list', '--type', 'nfe', ...choice);
  expect({ exitCode, data }).toEqual({
    exitCode: 0,
    data: [
      { ...nfe('c1'), ...label(sol) },
      { ...nfe('c2'), ...label(lua) },
    ],
  });
});

test('webhook missed looks at each company, and names it', async () => {
  const { exitCode, data, stderr } = await fiscal(
    filled,
    'webhook',
    'missed',
    '--since',
    '2026-11-01',
    '--all-companies',
  );
  expect([exitCode, data.map(({ companyId, companyName }) => [companyId, companyName])]).toEqual([
    0,
    [
      ['c1', 'Padaria Sol'],
      ['c2', 'Padaria Lua'],
    ],
  ]);
  expect(stderr).toContain('cte of Padaria Lua, 33.000.167/0002-92 (c2) was not read');
});

test.each([
  ['nothing of a company could be read', { c1: json(200, { value: [] }) }],
  ['the key may not read a family', { c1: json(200, { value: [] }), c2: forbidden }],
])('webhook missed ends 3 when %s', async (_what, answers) => {
  const all = ['webhook', 'missed', '--since', '2026-11-01', '--all-companies'];
  const read = await fiscal(lists(answers), ...all);
  const resent = await fiscal(lists(answers), ...all, '--resend', '--yes');
  expect([read.exitCode, resent.exitCode, resent.stderr.includes('nothing is missing')]).toEqual([
    3,
    3,
    false,
  ]);
});

test('inbound settings show gives each company a row, also one that has not enabled the family', async () => {
  const answers = {
    'GET /v2/companies/c1/inbound/productinvoices': json(200, { companyId: 'c1', status: 'Active' }),
  };
  const words = ['inbound', 'settings', 'show', '--type', 'nfe'];
  const shown = await fiscal(answers, ...words, '--all-companies');
  expect({ exitCode: shown.exitCode, data: shown.data }).toEqual({
    exitCode: 0,
    data: [
      { family: 'nfe', companyId: 'c1', ...label(sol), status: 'Active' },
      { family: 'nfe', companyId: 'c2', ...label(lua), enabled: false },
    ],
  });
  const hidden = { ...answers, 'GET /v2/companies/c2/inbound/productinvoices': forbidden };
  const partly = await fiscal(hidden, ...words, '--all-companies');
  expect([partly.exitCode, partly.data[1]?.['errorCode']]).toEqual([3, 'service.forbidden']);
});
