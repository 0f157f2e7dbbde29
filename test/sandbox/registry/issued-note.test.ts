import { beforeAll, describe, expect, it } from 'vitest';
import { testService } from '../../conformance/service.js';
import { cpf, merchandise, productInvoicesPath } from '../../facts/invoice.js';
import { authorityEventsPath, authorityPath } from '../../facts/lookup.js';

const service = testService();
const issuedPath = (tail: string): string => productInvoicesPath(service.ready().companyId) + tail;
const read = (path: string) => service.send('GET', path, { key: service.ready().dataKey });

describe('an NF-e that was issued here', () => {
  let id = '';
  let key = '';
  beforeAll(async () => {
    id = (await service.send('POST', issuedPath(''), { body: merchandise })).json.id;
    await service.control('POST', 'clock', { advance: '5m' });
    key = (await service.send('GET', issuedPath(`/${id}`))).json.authorization.accessKey;
  });

  it('is available at the authority with its buyer, value and XML', async () => {
    const { json } = await read(authorityPath(key));
    expect([json.currentStatus, json.number, json.buyer, json.totals.icms.invoiceAmount]).toEqual([
      'authorized',
      1,
      { federalTaxNumber: Number(cpf), name: 'Maria da Silva' },
      21,
    ]);
    await service.control('POST', 'bytes', { mode: 'bytes' });
    const [issued, looked] = [
      await service.send('GET', issuedPath(`/${id}/xml`)),
      await read(`${authorityPath(key)}.xml`),
    ];
    expect(looked.text === issued.text && looked.text.includes(`NFe${key}`)).toBe(true);
    expect((await read(`${authorityPath(key)}.pdf`)).headers.get('content-type')).toBe('application/pdf');
  });

  it('shows its cancellation', async () => {
    expect((await read(authorityEventsPath(key))).json.events).toEqual([]);
    await service.send('DELETE', issuedPath(`/${id}?reason=Pedido%20desfeito%20pelo%20cliente`));
    await service.control('POST', 'clock', { advance: '5m' });
    expect((await read(authorityPath(key))).json.currentStatus).toBe('canceled');
    const { events } = (await read(authorityEventsPath(key))).json;
    expect(events.map(({ type, id: name }: { type: number; id: string }) => [type, name])).toEqual([
      [110111, `ID110111${key}01`],
    ]);
  });
});
