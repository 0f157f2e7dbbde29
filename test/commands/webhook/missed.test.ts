import { describe, expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { imitate, type Answers } from '../inbound/service.js';
import { FakeClock } from '../../support/clock.js';
import { runFiscal } from '../../support/host.js';
import { profileHost } from './profile-host.js';
import { noon, storeEvents } from './stored.js';

const inbound = '/v2/companies/c1/inbound';
const nfe = (digit: string) => digit.repeat(44);
const nfse = (digit: string) => digit.repeat(50);
const createdOn = '2026-10-20T12:00:00.000Z';

const lists: Answers = {
  [`GET ${inbound}/nfe`]: json(200, {
    value: [
      { accessKey: nfe('1'), webhookStatus: 'DefinitivelyFailed', createdOn },
      { accessKey: nfe('2'), webhookStatus: 'Retrying', createdOn },
      { accessKey: nfe('3'), webhookStatus: 'delivered', createdOn },
    ],
  }),
  [`GET ${inbound}/odata/TransportationInvoices`]: json(200, {
    value: [{ accessKey: nfe('4'), webhookStatus: 'Skipped', createdOn }],
  }),
  [`GET ${inbound}/nfse`]: json(200, {
    page: 1,
    totalPages: 1,
    documents: [
      { id: 'n5', accessKey: nfse('5'), webhookStatus: 'NewWord', createdOn },
      { id: 'n6', accessKey: nfse('6'), webhookStatus: 'Pending', createdOn },
      { id: 'n7', accessKey: nfse('7') },
    ],
  }),
};

function row(...[family, id, accessKey, webhookStatus]: readonly [string, string, string, string]) {
  return { type: 'missed-webhook', family, companyId: 'c1', id, accessKey, webhookStatus, createdOn };
}

const one = row('nfe', nfe('1'), nfe('1'), 'DefinitivelyFailed');
const two = row('nfe', nfe('2'), nfe('2'), 'Retrying');
const four = row('cte', nfe('4'), nfe('4'), 'Skipped');
const five = row('nfse', 'n5', nfse('5'), 'NewWord');
const six = row('nfse', 'n6', nfse('6'), 'Pending');

async function setUp(answers: Answers) {
  const service = await imitate(answers);
  const host = profileHost(service.url, 'k', { clock: new FakeClock(noon + 1_000) });
  await storeEvents(host, [
    { id: 'e2', state: 'delivered', resource: nfe('2') },
    { id: 'e6', state: 'kept', resource: 'n6' },
  ]);
  const missed = async (...words: string[]) => {
    const argv = ['webhook', 'missed', '--since', '1d', '-o', 'json', ...words];
    const result = await runFiscal(argv, host);
    const data: unknown = result.stdout === '' ? undefined : JSON.parse(result.stdout);
    return { ...result, data };
  };
  return { service, missed };
}

describe('webhook missed', () => {
  test('lists what the service did not deliver and this machine does not have', async () => {
    const { missed } = await setUp(lists);
    const { exitCode, data, stderr } = await missed();
    const arrived = false;
    // Of one document the service does not say whether its webhook was delivered.
    expect([exitCode, data]).toEqual([3, [one, four, five].map((each) => ({ ...each, arrived }))]);
    expect(stderr).toContain('2 that the service counts as not delivered arrived here');
    expect(stderr).toContain(
      'of 1 document the service does not say whether its webhook was delivered (no webhookStatus)',
    );
    const all = await missed('--all');
    const flags = new Map([two, six].map(({ id }) => [id, true]));
    expect(all.data).toEqual([one, two, four, five, six].map((each) => ({ ...each, arrived: flags.has(each.id) })));
  });

  test('omits and reports a family that is not captured, unless it was named', async () => {
    const { [`GET ${inbound}/nfse`]: _left, ...without } = lists;
    const { missed } = await setUp(without);
    const { exitCode, data, stderr } = await missed();
    expect([exitCode, data]).toMatchObject([0, [{ family: 'nfe' }, { family: 'cte' }]]);
    expect(stderr).toContain('nfse was not read');
    expect((await missed('--type', 'nfse')).exitCode).toBe(9);
  });

  test('requests nothing without consent or with --dry-run', async () => {
    const { service, missed } = await setUp(lists);
    const refused = await missed('--resend');
    expect([refused.exitCode, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('2 documents of company c1');
    const dry = await missed('--resend', '--dry-run');
    expect(dry.data).toMatchObject([
      { resend: 'not-sent' },
      { family: 'cte', resend: 'not-offered' },
      { resend: 'not-sent' },
    ]);
    expect(service.asked().filter((words) => words.startsWith('POST'))).toEqual([]);
  });

  test('requests each missing event once, and one refusal does not stop the others', async () => {
    const resendNfse = `POST ${inbound}/nfse/n5/resend-webhook`;
    const { service, missed } = await setUp({
      ...lists,
      [resendNfse]: json(202, { documentId: 'n5', companyId: 'c1' }),
    });
    const { exitCode, data } = await missed('--resend', '--yes');
    expect([exitCode, data]).toMatchObject([
      3,
      [
        { id: nfe('1'), resend: 'failed', error: { code: 'service.not_found' } },
        { family: 'cte', resend: 'not-offered' },
        { id: 'n5', resend: 'accepted' },
      ],
    ]);
    const sent = service.asked().filter((words) => words.startsWith('POST'));
    const reprocessNfe = `POST ${inbound}/productinvoices/${nfe('1')}/processwebhook`;
    expect(sent.toSorted()).toEqual([resendNfse, reprocessNfe].toSorted());
  });

  describe('an event of an NFS-e', () => {
    const ofNote = { id: 'v1', accessKey: nfse('5'), type: 'serviceInvoiceEvent', eventCode: '105102' };
    const untied = { id: 'v2', type: 'serviceInvoiceEvent', eventCode: '101101' };
    const rows = (...webhookStatus: (string | undefined)[]) => ({
      ...lists,
      [`GET ${inbound}/nfse`]: json(200, {
        ...{ page: 1, totalPages: 1 },
        documents: [ofNote, untied].map((event, index) => ({
          ...event,
          webhookStatus: webhookStatus[index],
          createdOn,
        })),
      }),
    });
    const shown = { type: 'missed-webhook', family: 'nfse', companyId: 'c1', createdOn, arrived: false };

    test('is shown and counted as an event, also where its own id alone names it', async () => {
      const { missed } = await setUp(rows('Retrying', 'Pending'));
      const { exitCode, data } = await missed('--type', 'nfse');
      expect([exitCode, data]).toEqual([
        0,
        [
          { ...shown, id: 'v1', accessKey: nfse('5'), eventKey: 'v1', webhookStatus: 'Retrying' },
          { ...shown, id: 'v2', eventKey: 'v2', webhookStatus: 'Pending' },
        ],
      ]);
      expect((await missed('--type', 'nfse', '--resend')).stderr).toContain('the webhooks of 2 events of');
    });

    test('without a webhookStatus is named as an event', async () => {
      const { missed } = await setUp(rows('Delivered', undefined));
      const { exitCode, data, stderr } = await missed('--type', 'nfse');
      expect([exitCode, data]).toEqual([3, []]);
      expect(stderr).toContain('of 1 event the service does not say whether its webhook was delivered');
    });
  });

  test('ends with a refused key', async () => {
    const { missed } = await setUp({
      ...lists,
      [`POST ${inbound}/nfse/n5/resend-webhook`]: json(401, { error: { code: 'unauthorized', message: 'no' } }),
    });
    expect((await missed('--resend', '--type', 'nfse', '--yes')).exitCode).toBe(4);
  });
});
