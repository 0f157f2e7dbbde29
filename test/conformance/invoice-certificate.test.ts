import { beforeEach, describe, expect, it } from 'vitest';
import { newCompany } from '../facts/company.js';
import {
  acceptedStatus,
  consumerInvoicesPath,
  general,
  generalPath,
  merchandise,
  productInvoicesPath,
  queuedStatus,
  serviceInvoicesPath,
  services,
} from '../facts/invoice.js';
import { testService } from './service.js';

const service = testService({ validationDelayMs: 1_000 });
const companyId = () => service.ready().companyId;
const wait = (time = '1m') => service.control('POST', 'clock', { advance: time });
const setCertificate = (state: string) => service.control('POST', 'certificates', { state });

beforeEach(() => service.control('POST', 'reset'));

/** §1: "Digital certificates, which are required for NF-e, NFC-e and NFS-e." */
describe.each([
  {
    what: 'an NF-e',
    pathOf: productInvoicesPath,
    ...{ body: merchandise, taken: acceptedStatus, field: 'status', refused: 'Error' },
  },
  {
    what: 'an NFC-e',
    pathOf: consumerInvoicesPath,
    ...{ body: merchandise, taken: queuedStatus, field: 'status', refused: 'Error' },
  },
  {
    what: 'an NFS-e',
    pathOf: serviceInvoicesPath,
    ...{ body: services, taken: acceptedStatus, field: 'flowStatus', refused: 'IssueFailed' },
  },
  {
    what: 'an invoice by the short way',
    pathOf: () => generalPath,
    ...{ body: general, taken: acceptedStatus, field: 'status', refused: 'Error' },
  },
])('$what of a company', ({ pathOf, body, taken, field, refused }) => {
  async function issue() {
    const { status, json } = await service.send('POST', pathOf(companyId()), { body });
    expect(status).toBe(taken);
    await wait();
    return (await service.send('GET', `${pathOf(companyId())}/${json.id}`)).json;
  }

  it.each(['missing', 'pending', 'inactive', 'expired'])(
    'is accepted and fails with a reason if its certificate is %s',
    async (state) => {
      await setCertificate(state);
      const { [field]: status, errorMessage, flowMessage } = await issue();
      expect([status, errorMessage ?? flowMessage]).toEqual([refused, expect.stringContaining('Certificado')]);
    },
  );

  it('is issued with a valid certificate, and again once there is one', async () => {
    expect((await issue())[field]).toBe('Issued');
    await setCertificate('missing');
    expect((await issue())[field]).toBe(refused);
    await setCertificate('valid');
    expect((await issue())[field]).toBe('Issued');
  });
});

describe('the validity of a certificate', () => {
  it('ends by the clock of the service', async () => {
    const path = productInvoicesPath(companyId());
    await wait('400d');
    const { json } = await service.send('POST', path, { body: merchandise });
    await wait();
    const { status, errorCode, authorization } = (await service.send('GET', `${path}/${json.id}`)).json;
    expect([status, errorCode, authorization]).toEqual(['Error', '281', undefined]);
  });

  it('is checked at the time of the issue, not of a later read', async () => {
    const path = productInvoicesPath(companyId());
    const { json } = await service.send('POST', path, { body: merchandise });
    await wait('400d');
    expect((await service.send('GET', `${path}/${json.id}`)).json.status).toBe('Issued');
  });

  it('is required of a new company, which has no certificate yet', async () => {
    const created = await service.send('POST', '/v2/companies', { body: { company: newCompany } });
    const path = productInvoicesPath(created.json.company.id);
    const { status, json } = await service.send('POST', path, { body: merchandise });
    expect(status).toBe(acceptedStatus);
    await wait();
    expect((await service.send('GET', `${path}/${json.id}`)).json.status).toBe('Error');
  });
});
