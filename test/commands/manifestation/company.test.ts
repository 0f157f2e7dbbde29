import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';
import { nfeKeyOf } from './keys.js';

const service = testService({ validationDelayMs: 50 });
let machine: Machine;
/** The company of the account that captures the notes, and another one of the same account. */
let ours = '';
let other = '';

beforeAll(async () => {
  await service.control('POST', 'seed', { companies: 2 });
  ours = service.ready().companyId;
  const listed = await machineBefore(service.ready()).fiscal('company', 'list', '--all', '-o', 'id');
  other = listed.stdout.split('\n').find((id) => id !== '' && id !== ours) ?? '';
  for (const companyId of [ours, other]) {
    for (const family of ['nfe', 'nfse']) {
      await service.control('POST', 'captures', { companyId, family, active: true });
    }
  }
});

beforeEach(async () => {
  machine = machineBefore(service.ready());
  await service.control('DELETE', 'ledger');
});

let number = 500;

/** A note that a company has captured; its key. */
async function capture(companyId: string, fields: object = {}): Promise<string> {
  const document: { accessKey: string } = await service.control('POST', 'documents', {
    ...{ companyId, family: 'nfe', accessKey: nfeKeyOf((number += 1)) },
    ...fields,
  });
  return document.accessKey;
}

async function sent(operation = 'nfe.manifestation.submit'): Promise<readonly string[]> {
  const ledger: { entries: readonly { path: string }[] } = await service.control(
    'GET',
    `ledger?operation=${operation}&limit=1000`,
  );
  return ledger.entries.map(({ path }) => path);
}

const submit = async (...argv: string[]): Promise<Run> => await machine.fiscal('manifestation', 'submit', ...argv);

const told = (run: Run) => ({ exitCode: run.exitCode, ...pick(errorOf(run)) });
const pick = ({ code, sent: isSent }: { code: string; sent?: string }) => ({ code, sent: isSent });

describe('a company that did not capture the note', () => {
  test('is refused before anything is sent, and the company that did is named', async () => {
    const key = await capture(ours);
    await machine.fiscal('inbound', 'sync', '--company', ours, '--type', 'nfe');
    const run = await submit(key, '--event', 'awareness', '--company', other);
    expect({ ...told(run), sent: await sent() }).toEqual({
      exitCode: 10,
      code: 'manifestation.captured_by_other',
      sent: [],
    });
    expect(errorOf(run).message).toContain(`${key} was captured for ${ours}, not for company ${other}`);
  });

  test('is refused without a sync too, by the read by key', async () => {
    const key = await capture(ours);
    const run = await submit(key, '--event', 'awareness', '--company', other);
    expect({ exitCode: run.exitCode, code: errorOf(run).code, sent: await sent() }).toEqual({
      exitCode: 9,
      code: 'manifestation.not_captured',
      sent: [],
    });
  });

  test('is refused if it is unknown, and nothing is recorded', async () => {
    const key = await capture(ours);
    const run = await submit(key, '--event', 'awareness', '--company', 'nope');
    expect([run.exitCode, errorOf(run).code, await sent()]).toEqual([9, 'company.unknown', []]);
    const jobs = await machine.fiscal('job', 'list', '-o', 'json');
    expect(JSON.parse(jobs.stdout)).toEqual([]);
  });

  test('is refused for an NFS-e', async () => {
    const service203202 = await capture(ours, { family: 'nfse', accessKey: undefined });
    const nfse = await submit(service203202, '--event', 'confirm', '--company', other);
    expect([nfse.exitCode, await sent('nfse.manifestation.submit')]).toEqual([9, []]);
  });

  test('is reported in Portuguese with both companies', async () => {
    const key = await capture(ours);
    await machine.fiscal('inbound', 'sync', '--company', ours, '--type', 'nfe');
    const run = await submit(
      key,
      '--event',
      'ciencia',
      '--company',
      other,
      '--lang',
      'pt-BR',
      '--error-format',
      'text',
    );
    expect(run.stderr).toContain(`${key} foi capturada para ${ours}, não para a empresa ${other}`);
  });
});

test('the company of a note is determined by one read by key, which is stored', async () => {
  const key = await capture(ours);
  const first = await submit(key, '--event', 'awareness', '--company', ours);
  const second = await submit(key, '--event', 'confirmation', '--company', ours);
  expect([first.exitCode, second.exitCode, (await sent()).length]).toEqual([0, 0, 2]);
  expect(await sent('nfe.inbound.get')).toHaveLength(1);
});

describe('--company-unchecked', () => {
  test('sends anyway and records the company that the answer names', async () => {
    const key = await capture(ours);
    const run = await submit(key, '--event', 'awareness', '--company-unchecked', '--wait', '--interval', '50ms');
    expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([0, { companyId: ours, status: 'Accepted' }]);
    expect(await sent('nfe.inbound.get')).toEqual([]);
  });
});

describe('without --company', () => {
  const env = { FISCAL_COMPANY: '' };

  test('the company is that for which a sync has listed the note', async () => {
    machine = machineBefore(service.ready(), { env });
    const key = await capture(other);
    await machine.fiscal('inbound', 'sync', '--company', other, '--type', 'nfe');
    const run = await submit(key, '--event', 'awareness');
    expect([run.exitCode, JSON.parse(run.stdout)]).toMatchObject([0, { companyId: other }]);
  });

  test('is refused if the account has several and no sync shows which', async () => {
    machine = machineBefore(service.ready(), { env });
    const run = await submit(await capture(other), '--event', 'awareness');
    expect([run.exitCode, errorOf(run).code, await sent()]).toEqual([2, 'usage.missing', []]);
    expect(errorOf(run).message).toContain('--company');
  });
});

describe('a file of events', () => {
  test('fails the rows of another company with the reason, and sends the others', async () => {
    const [mine, theirs] = [await capture(ours), await capture(other)];
    const file = machine.put('e.csv', `accessKey,event\n${mine},awareness\n${theirs},awareness\n`);
    const words = ['manifestation', 'apply', file, '--company', ours, '--yes', '-o', 'json'];
    const run = await machine.fiscal(...words);
    const [first, second, summary] = JSON.parse(run.stdout) as readonly object[];
    expect(run.exitCode).toBe(3);
    expect(first).toMatchObject({ accessKey: mine, companyId: ours, state: 'pending' });
    expect(second).toMatchObject({ accessKey: theirs, state: 'failed', errorCode: 'manifestation.not_captured' });
    expect(summary).toMatchObject({ pending: 1, failed: 1 });
    expect(await sent()).toEqual([`/productinvoices/by-access-key/${mine}/manifestation-events`]);
  });

  test('postpones the row instead of failing it if the read fails temporarily', async () => {
    const key = await capture(ours);
    await service.control('POST', 'faults', { kind: '503', operation: 'nfe.inbound.get', count: 1 });
    const file = machine.put('e.csv', `accessKey,event\n${key},awareness\n`);
    const run = await machine.fiscal('manifestation', 'apply', file, '--yes', '-o', 'json');
    expect([run.exitCode, (await sent()).length]).toEqual([0, 1]);
  });
});

test('the path that names the company can be chosen', async () => {
  const path = '/v2/companies/{companyId}/inbound/productinvoices/by-access-key/{accessKey}/manifestation-events';
  const { url, invoiceKey } = service.ready();
  const first = machineBefore(service.ready(), { stdin: invoiceKey });
  await first.fiscal('auth', 'login', '--profile', 'p', '--stdin', '--no-check', '--product-url', url);
  const { FISCAL_CONFIG_DIR = '' } = first.host.env;
  machine = machineBefore(service.ready(), { env: { FISCAL_CONFIG_DIR, FISCAL_PROFILE: 'p' } });
  await machine.fiscal('config', 'set', 'paths.nfe.manifestation.submit', path);
  const key = await capture(ours);
  await capture(other, { accessKey: key });
  for (const company of [ours, other]) {
    await machine.fiscal('inbound', 'sync', '--company', company, '--type', 'nfe');
  }
  const run = await submit(key, '--event', 'awareness', '--company', ours);
  expect([run.exitCode, await sent()]).toEqual([0, [path.replace('{companyId}', ours).replace('{accessKey}', key)]]);
});

test('a note that two companies captured is not sent if the path names neither', async () => {
  const key = await capture(ours);
  await capture(other, { accessKey: key });
  for (const company of [ours, other]) {
    await machine.fiscal('inbound', 'sync', '--company', company, '--type', 'nfe');
  }
  const run = await submit(key, '--event', 'awareness', '--company', other);
  expect([run.exitCode, errorOf(run).code, await sent()]).toEqual([10, 'manifestation.several_captured', []]);
});

test('a company for which the XML of a note is no longer available still counts as having captured it', async () => {
  const key = await capture(ours);
  await service.control('POST', 'faults', { kind: '404', operation: 'nfe.inbound.xml' });
  await machine.fiscal('inbound', 'sync', '--company', ours, '--type', 'nfe');
  await service.control('DELETE', 'faults');
  await capture(other, { accessKey: key });
  await machine.fiscal('inbound', 'sync', '--company', other, '--type', 'nfe');
  const run = await submit(key, '--event', 'awareness', '--company', other);
  expect([run.exitCode, errorOf(run).code, await sent()]).toEqual([10, 'manifestation.several_captured', []]);
});
