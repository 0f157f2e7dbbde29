import { beforeEach, describe, expect, it } from 'vitest';
import { badRequest, conflict, validationCode } from '../facts/errors.js';
import {
  acceptedStatus,
  cpf,
  flowEnds,
  flowWaits,
  mostOnPage,
  services,
  serviceInvoicesPath,
} from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService();
const path = (tail = '') => serviceInvoicesPath(service.ready().companyId) + tail;
const advance = (time = '2m') => service.control('POST', 'clock', { advance: time });
const issue = (more: object = {}) => service.send('POST', path(), { body: { ...services, ...more } });
const read = async (id: string) => (await service.send('GET', path(`/${id}`))).json;

async function issued(more: object = {}): Promise<string> {
  const { json } = await issue(more);
  await advance();
  return json.id;
}

const fieldsOf = (json: { error: { details: { field: string }[] } }) => json.error.details.map(({ field }) => field);

beforeEach(() => service.control('POST', 'reset'));

describe('issue of an NFS-e', () => {
  it('is accepted with a Location, passes through the statuses of its flow and ends in Issued', async () => {
    const answer = await issue({ externalId: 's-1', borrower: { name: 'Maria', federalTaxNumber: Number(cpf) } });
    const { id } = answer.json;
    expect([answer.status, answer.headers.get('location')]).toEqual([
      acceptedStatus,
      expect.stringContaining(path(`/${id}`)),
    ]);
    const seen: string[] = [];
    for (let step = 0; step < 5; step += 1) {
      seen.push((await read(id)).flowStatus);
      await advance('15s');
    }
    expect(seen).toEqual([...flowWaits, 'Issued']);
    expect(await read(id)).toMatchObject({
      ...services,
      externalId: 's-1',
      status: 'Issued',
      number: 1,
      rpsSerialNumber: '1',
      rpsNumber: 1,
      accessKey: expect.stringMatching(/^\d{50}$/),
    });
  });

  it('accepts an externalId a second time: the document has no rule against it', async () => {
    const id = await issued({ externalId: 's-2' });
    const other = await issued({ externalId: 's-2' });
    expect(other).not.toBe(id);
  });

  it('answers 400 for a repeated externalId if a test chooses so, however the first issue ended', async () => {
    await service.control('POST', 'mode', { externalIds: 'unique' });
    await service.control('POST', 'outcomes', { outcome: 'failed' });
    const id = await issued({ externalId: 's-2' });
    const again = await issue({ externalId: 's-2' });
    expect([(await read(id)).flowStatus, again.status, fieldsOf(again.json)]).toEqual([
      'IssueFailed',
      badRequest,
      ['externalId'],
    ]);
    const { entries } = await service.control('GET', 'ledger?effects=true');
    expect(entries.map(({ effect }: { effect: object }) => effect)).toEqual([
      { issued: 'nfse', id, externalId: 's-2' },
    ]);
  });

  it('is found by its externalId, even if the issue was answered with 500', async () => {
    await service.control('POST', 'faults', { operation: 'nfse.issue', kind: '500-after', count: 1 });
    expect((await issue({ externalId: 's/3 é' })).status).toBe(500);
    const found = await service.send('GET', path(`/external/${encodeURIComponent('s/3 é')}`));
    // Seen live: a list, and an empty one instead of 404. The published description shows the bare invoice.
    expect([found.status, found.json]).toEqual([
      200,
      { serviceInvoices: [expect.objectContaining({ ...services, externalId: 's/3 é' })], page: 1 },
    ]);
    const missed = await service.send('GET', path('/external/none'));
    expect([missed.status, missed.json]).toEqual([200, { serviceInvoices: [], page: 1 }]);
  });

  it('refuses an RPS that was already issued', async () => {
    await issued({ rpsSerialNumber: 'A', rpsNumber: 7 });
    const again = await read(await issued({ rpsSerialNumber: 'A', rpsNumber: 7 }));
    const other = await read(await issued({ rpsSerialNumber: 'B', rpsNumber: 7 }));
    expect([again.flowStatus, again.flowMessage, other.flowStatus]).toEqual([
      'IssueFailed',
      'E10: RPS já informado',
      'Issued',
    ]);
  });

  it.each([
    ['issued', 'Issued'],
    ['failed', 'IssueFailed'],
    ['denied', 'IssueFailed'],
    ['pending', 'WaitingReturn'],
    ['unlisted', 'Quarantined'],
  ])('ends as chosen by a test: %s', async (outcome, flowStatus) => {
    await service.control('POST', 'outcomes', { outcome, family: 'nfse' });
    expect((await read(await issued())).flowStatus).toBe(flowStatus);
  });

  it.each([
    ['description', { description: undefined }],
    ['servicesAmount', { servicesAmount: -1 }],
    ['servicesAmount', { servicesAmount: 0 }],
    ['servicesAmount', { servicesAmount: 1.999 }],
    ['deductionsAmount', { deductionsAmount: 1.999 }],
    ['cityServiceCode', { cityServiceCode: undefined }],
    ['rpsNumber', { rpsNumber: 0 }],
    ['borrower.federalTaxNumber', { borrower: { federalTaxNumber: 11111111111 } }],
    ['borrower.email', { borrower: { email: 'nobody' } }],
  ])('answers 400 that names %s', async (field, change) => {
    const answer = await issue(change);
    expect([answer.status, answer.json.error.code, fieldsOf(answer.json)]).toEqual([
      badRequest,
      validationCode,
      [field],
    ]);
  });

  it('keeps additional fields of the national and municipal layouts', async () => {
    const more = { federalServiceCode: '01.07', taxationType: 'WithinCity', dps: { ibs: { cst: '000' } } };
    expect(await read(await issued(more))).toMatchObject(more);
  });
});

describe('the 202 of an issue', () => {
  it('has a Location and the whole invoice in its body: published clients need one or the other', async () => {
    const answer = await issue({ externalId: 's-9' });
    expect(answer.json).toMatchObject({
      ...services,
      id: expect.any(String),
      externalId: 's-9',
      flowStatus: 'WaitingCalculateTaxes',
    });
    const { pathname } = new URL(answer.headers.get('location') ?? '');
    expect(pathname).toBe(`/v1/companies/${service.ready().companyId}/serviceinvoices/${answer.json.id}`);
    expect((await service.send('GET', pathname)).json.id).toBe(answer.json.id);
  });
});

describe('cancellation of an NFS-e', () => {
  it.each([
    [undefined, 'Cancelled'],
    ['cancel-failed', 'CancelFailed'],
    ['cancel-pending', 'WaitingSendCancel'],
  ])('passes through WaitingSendCancel; with the outcome %s it ends in %s', async (outcome, ending) => {
    const id = await issued();
    if (outcome !== undefined) await service.control('POST', 'outcomes', { outcome });
    const answer = await service.send('DELETE', path(`/${id}`));
    expect([answer.status, answer.json.flowStatus]).toEqual([acceptedStatus, 'WaitingSendCancel']);
    // Seen live: the cancellation is asynchronous, and its 202 names the invoice.
    expect(answer.headers.get('location')).toMatch(
      new RegExp(`^http://[^/]+/v1/companies/${service.ready().companyId}/serviceinvoices/${id}$`),
    );
    await advance('3d');
    expect((await read(id)).flowStatus).toBe(ending);
    if (ending !== 'WaitingSendCancel') expect(flowEnds).toContain(ending);
  });

  it('answers 409 before the issue, during a cancellation and after one', async () => {
    const { id } = (await issue()).json;
    const answers = [await service.send('DELETE', path(`/${id}`))];
    await advance();
    await service.send('DELETE', path(`/${id}`));
    answers.push(await service.send('DELETE', path(`/${id}`)));
    await advance();
    answers.push(await service.send('DELETE', path(`/${id}`)));
    expect(answers.map(({ status }) => status)).toEqual([conflict, conflict, conflict]);
  });
});

describe('e-mail of an NFS-e', () => {
  it('is sent to the taker of an issued NFS-e, and the ledger does not record the address', async () => {
    const borrower = { name: 'Maria', email: 'maria@example.com' };
    const id = await issued({ borrower });
    const answer = await service.send('PUT', path(`/${id}/sendemail`));
    // Published: 200 with a JSON string.
    expect([answer.status, answer.json]).toEqual([200, expect.stringMatching(/./)]);
    const { entries } = await service.control('GET', 'ledger?operation=nfse.email');
    expect([entries[0].effect, JSON.stringify(entries).includes('example')]).toEqual([
      { sent: 'nfse-email', id },
      false,
    ]);
  });

  it('answers 409 before the issue and 400 without an address', async () => {
    const { id } = (await issue()).json;
    const before = await service.send('PUT', path(`/${id}/sendemail`));
    await advance();
    const without = await service.send('PUT', path(`/${id}/sendemail`));
    expect([before.status, without.status, fieldsOf(without.json)]).toEqual([conflict, badRequest, ['borrower.email']]);
  });
});

describe('list of NFS-e', () => {
  it('is paged, newest first, with totals on request', async () => {
    for (let made = 1; made <= 5; made += 1) await issue({ externalId: `p-${made}` });
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => service.send('GET', path(`?pageIndex=${page}&pageCount=2`))),
    );
    const shown = pages.map(({ json }) => json.serviceInvoices.map((each: { externalId: string }) => each.externalId));
    expect(shown).toEqual([['p-5', 'p-4'], ['p-3', 'p-2'], ['p-1'], []]);
    const { json } = await service.send('GET', path('?pageCount=2&hasTotals=true'));
    expect([json.totalResults, json.totalPages, json.page]).toEqual([5, 3, 1]);
  });

  it('can be limited by time of creation and of issue', async () => {
    await issued({ externalId: 't-1' });
    await advance('1d');
    const { now } = await service.control('GET', 'clock');
    await advance('1s');
    await issue({ externalId: 't-2' });
    const idsOf = async (query: string) =>
      (await service.send('GET', path(query))).json.serviceInvoices.map(
        (each: { externalId: string }) => each.externalId,
      );
    expect(await idsOf(`?createdBegin=${now}`)).toEqual(['t-2']);
    expect(await idsOf(`?createdEnd=${now}`)).toEqual(['t-1']);
    expect(await idsOf(`?issuedEnd=${now}`)).toEqual(['t-1']);
  });

  it.each(['pageIndex=0', 'pageCount=0', `pageCount=${mostOnPage + 1}`, 'issuedBegin=today'])(
    'answers 400 for %s',
    async (query) => {
      expect((await service.send('GET', path(`?${query}`))).status).toBe(badRequest);
    },
  );
});
