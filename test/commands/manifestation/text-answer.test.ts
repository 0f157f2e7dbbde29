import { expect, test } from 'vitest';
import { json } from '../../client/support/server.js';
import { runFiscal } from '../../support/host.js';
import { imitate } from '../inbound/service.js';
import { nfeKey } from './keys.js';

const unknown = 'accepted by the service; the decision of the tax authority is not known';

async function submit(answer: unknown) {
  const inbound = '/v2/companies/c1/inbound';
  const service = await imitate({
    [`GET ${inbound}/nfe/${nfeKey}`]: json(200, { accessKey: nfeKey, companyId: 'c1' }),
    [`POST ${inbound}/${nfeKey}/manifest`]: json(200, answer),
  });
  const words = ['manifestation', 'submit', nfeKey, '--event', 'awareness', '--legacy', '-o', 'json', '--yes'];
  const { exitCode, stdout, stderr } = await runFiscal(words, service.host);
  return { exitCode, shown: JSON.parse(stdout), stderr };
}

test('an answer of the replaced route that is a text claims no decision of the tax authority', async () => {
  const { exitCode, shown, stderr } = await submit('Evento enviado');
  expect([exitCode, shown]).toMatchObject([0, { eventCode: 210210, status: 'unknown', message: 'Evento enviado' }]);
  expect(stderr).toContain(unknown);
});

test('an answer that contains the decision is shown as such', async () => {
  const { shown, stderr } = await submit({ accessKey: nfeKey, eventCode: 210210, status: 'Accepted' });
  expect([shown.status, stderr.includes(unknown)]).toEqual(['Accepted', false]);
});
