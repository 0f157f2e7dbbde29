import { beforeEach, describe, expect, it } from 'vitest';
import { nfePath, nfseListPath } from '../facts/inbound.js';
import {
  general,
  generalPath,
  merchandise,
  productInvoicesPath,
  serviceInvoicesPath,
  services,
} from '../facts/invoice.js';
import { nfeKey, nfeSubmitPath, nfseSubmitPath } from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService({ validationDelayMs: 1_000 });
const companyId = () => service.ready().companyId;
const nfse = (tail: string) => `${nfseListPath(companyId())}/${tail}`;

async function nfseKey(): Promise<string> {
  return (await service.control('POST', 'seed', { documents: 1, family: 'nfse' })).captured[0].accessKey;
}

async function issued(path: string, body: object): Promise<string> {
  const { json } = await service.send('POST', path, { body });
  await service.control('POST', 'clock', { advance: '1m' });
  return `${path}/${json.id}`;
}

/**
 * Each asks for something that the service accepts for later. The cancellation and the correction of an NF-e (204) and the
 * e-mail of an NFS-e (200) are published with other statuses.
 */
const asks: Readonly<Record<string, () => Promise<Awaited<ReturnType<typeof service.send>>>>> = {
  'an event of an NF-e': () =>
    service.send('POST', nfeSubmitPath(nfeKey), { body: { eventCode: 210210, nSequencia: 1 } }),
  'a manifestation of an NFS-e': async () =>
    await service.send('POST', nfseSubmitPath(companyId(), await nfseKey()), { body: { eventCode: 203202 } }),
  'an NFS-e to be read again': async () => await service.send('POST', nfse(`${await nfseKey()}/reprocess`)),
  'a webhook to be sent again': async () => await service.send('POST', nfse(`${await nfseKey()}/resend-webhook`)),
  'the release of the history': () =>
    service.send('POST', nfse('maintenance/backfill/release'), { body: { released: true } }),
  'a capture now': () => service.send('POST', nfse('maintenance/fetch-now')),
  'an invoice by the short way': () => service.send('POST', generalPath, { body: general }),
  'an NF-e': () => service.send('POST', productInvoicesPath(companyId()), { body: merchandise }),
  'an NFS-e': () => service.send('POST', serviceInvoicesPath(companyId()), { body: services }),
  'the cancellation of an NFS-e': async () =>
    await service.send('DELETE', await issued(serviceInvoicesPath(companyId()), services)),
  'a file of an invoice that is not issued yet': async () => {
    const path = productInvoicesPath(companyId());
    const { json } = await service.send('POST', path, { body: merchandise });
    return await service.send('GET', `${path}/${json.id}/pdf`);
  },
  'the PDF of a captured note that is being made': async () => {
    await service.control('POST', 'seed', { scenario: 'month', documents: 400, companies: 1 });
    const filter = encodeURIComponent("status eq 'PdfPending'");
    const { json } = await service.send('GET', `/v2/companies/${companyId()}/inbound/nfe?$filter=${filter}`);
    return await service.send('GET', `${nfePath(companyId(), json.value[0].accessKey)}/pdf`);
  },
};

beforeEach(() => service.control('POST', 'reset'));

/** Published with 200 and without a body. */
it.each([
  ['the reactivation of the capture', 'maintenance/reactivate', {}],
  ['a capture from an NSU', 'reset-nsu', { body: { nsu: 1 } }],
])('%s is done at once, without a body', async (_name, tail, options) => {
  const { status, text } = await service.send('POST', nfse(tail), options);
  expect([status, text]).toEqual([200, '']);
});

/** §2: the standard body of 202 carries `documentId` and `companyId`; `message` is public. */
describe('every 202', () => {
  it.each(Object.keys(asks))('carries the fields of AsyncAcceptedResource: %s', async (name) => {
    const answer = await asks[name]?.();
    expect([answer?.status, answer?.json]).toEqual([
      202,
      expect.objectContaining({
        documentId: expect.stringMatching(/^[0-9a-f-]{36}$/),
        companyId: companyId(),
        message: expect.stringMatching(/\w/),
      }),
    ]);
  });
});
