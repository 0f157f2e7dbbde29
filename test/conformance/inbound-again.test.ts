import { expect, it } from 'vitest';
import { nfsePath } from '../facts/inbound.js';
import { testService } from './service.js';

const service = testService();

it('a resend of the webhook of an NFS-e is accepted (public), and skipped if no webhook wants it (assumed)', async () => {
  const { companyId } = service.ready();
  const { accessKey } = await service.control('POST', 'documents', { family: 'nfse' });
  const path = nfsePath(companyId, accessKey);
  const { id } = (await service.send('GET', path)).json;
  const answer = await service.send('POST', `${nfsePath(companyId, id)}/resend-webhook`);
  const after = (await service.send('GET', path)).json;
  expect([answer.status, answer.json, after.webhookStatus]).toEqual([
    202,
    { documentId: id, companyId, message: expect.any(String) },
    'Skipped',
  ]);
});
