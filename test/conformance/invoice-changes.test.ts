import { beforeEach, describe, expect, it } from 'vitest';
import { badRequest, conflict, unprocessable } from '../facts/errors.js';
import { consumerInvoicesPath, merchandise, productInvoicesPath } from '../facts/invoice.js';
import { verifySignature } from '../sandbox/inbound/verify-signature.js';
import { sendTo, testService } from './service.js';

const service = testService();
const products = (tail = '') => productInvoicesPath(service.ready().companyId) + tail;
const consumers = (tail = '') => consumerInvoicesPath(service.ready().companyId) + tail;
const advance = (time = '2m') => service.control('POST', 'clock', { advance: time });

async function issued(path = products()): Promise<string> {
  const answer = await service.send('POST', path, { body: merchandise });
  await advance();
  return answer.json.id;
}

const statusOf = async (id: string, path = products()) => (await service.send('GET', `${path}/${id}`)).json.status;
type Row = Readonly<Record<string, unknown>>;
/** Published: an event has its fields in `data`. */
const eventsAt = async (path: string): Promise<readonly Row[]> =>
  (await service.send('GET', path)).json.events.map(({ data, ...event }: { data: Row }) => ({ ...data, ...event }));
const eventsOf = (id: string) => eventsAt(products(`/${id}/events`));
const cancel = (id: string, query = '') => service.send('DELETE', products(`/${id}${query}`));
const correct = (id: string, reason: unknown) =>
  service.send('PUT', products(`/${id}/correctionletter`), { body: { reason } });

const letter = 'Onde se lê Café, leia-se Café torrado';

beforeEach(() => service.control('POST', 'reset'));

describe('cancellation', () => {
  it('is accepted, shows as a pending event and ends in Cancelled', async () => {
    const id = await issued();
    const answer = await cancel(id, '?reason=Venda%20desfeita%20pelo%20cliente');
    // Published: 204. The events show the reason.
    expect([answer.status, answer.text]).toEqual([204, '']);
    expect([await statusOf(id), (await eventsOf(id))[0]?.['status']]).toEqual(['Issued', 'Pending']);
    await advance();
    expect(await statusOf(id)).toBe('Cancelled');
    expect(await eventsOf(id)).toMatchObject([
      { type: 'Cancellation', sequence: 1, status: 'Accepted', reason: 'Venda desfeita pelo cliente' },
    ]);
  });

  it('requires an issued invoice and no other pending cancellation', async () => {
    const pending = (await service.send('POST', products(), { body: merchandise })).json.id;
    expect((await cancel(pending)).status).toBe(conflict);
    await advance();
    const answers = [await cancel(pending), await cancel(pending)];
    await advance();
    answers.push(await cancel(pending));
    expect(answers.map(({ status }) => status)).toEqual([204, conflict, conflict]);
  });

  it.each(['curto', 'x'.repeat(256)])('answers 400 for the reason %j', async (reason) => {
    const id = await issued();
    expect((await cancel(id, `?reason=${reason}`)).status).toBe(badRequest);
  });

  it.each([
    [products, '25h'],
    [consumers, '31m'],
  ])('is refused by the authority after the deadline, and the invoice stays issued', async (path, time) => {
    const id = await issued(path());
    await advance(time);
    const answer = await service.send('DELETE', path(`/${id}`));
    expect([answer.status, answer.text]).toEqual([204, '']);
    await advance();
    expect([await statusOf(id, path()), await eventsAt(path(`/${id}/events`))]).toMatchObject([
      'Issued',
      [{ type: 'Cancellation', status: 'Rejected', errorCode: '501' }],
    ]);
  });

  it.each([
    ['cancel-failed', 'Issued', 'Rejected'],
    ['cancel-pending', 'Issued', 'Pending'],
    ['cancelled', 'Cancelled', 'Accepted'],
  ])('ends as a test chooses: %s', async (outcome, status, event) => {
    const id = await issued();
    await service.control('POST', 'outcomes', { outcome });
    await cancel(id);
    await advance('30h');
    expect([await statusOf(id), (await eventsOf(id))[0]?.['status']]).toEqual([status, event]);
  });

  it('can be requested again after it failed', async () => {
    const id = await issued();
    await service.control('POST', 'outcomes', { outcome: 'cancel-failed', count: 1 });
    for (let times = 0; times < 2; times += 1) {
      await cancel(id);
      await advance();
    }
    expect((await eventsOf(id)).map((event) => event['status'])).toEqual(['Rejected', 'Accepted']);
  });
});

describe('correction letter', () => {
  it('requires an issued invoice and takes the next sequence', async () => {
    const id = await issued();
    const answers = [await correct(id, letter), await correct(id, letter)];
    // Published: 204. The events show the letters.
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [204, ''],
      [204, ''],
    ]);
    await advance();
    const events = await eventsOf(id);
    expect(events.map((event) => [event['type'], event['sequence'], event['status']])).toEqual([
      ['CorrectionLetter', 1, 'Accepted'],
      ['CorrectionLetter', 2, 'Accepted'],
    ]);
    expect(new Set(events.map((event) => event['protocol'])).size).toBe(2);
  });

  it('has an XML and a PDF of the last accepted one (public)', async () => {
    const id = await issued();
    const read = (form: string) => service.send('GET', products(`/${id}/correctionletter/${form}`));
    expect((await read('xml')).status).toBe(404);
    await correct(id, letter);
    expect((await read('pdf')).status).toBe(202);
    await advance();
    await correct(id, `${letter}, e mais`);
    await advance();
    const [xml, pdf] = [await read('xml'), await read('pdf')].map(({ json }) => json.uri as string);
    const [signed, page] = [await sendTo('')('GET', xml ?? ''), await sendTo('')('GET', pdf ?? '')];
    const { accessKey } = (await service.send('GET', products(`/${id}`))).json.authorization;
    expect(verifySignature(signed.text)).toEqual({ isValid: true, covers: [`#ID110110${accessKey}02`] });
    const [, detail] = /<detEvento versao="1.00">(.*)<\/detEvento>/.exec(signed.text) ?? [];
    const corrected = '<descEvento>Carta de Correção</descEvento><xCorrecao>' + `${letter}, e mais</xCorrecao>`;
    expect(detail?.split('<xCondUso>')[0]).toBe(corrected);
    expect(detail).toMatch(/<xCondUso>A Carta de Correção é disciplinada .* de emissão ou de saída\.<\/xCondUso>$/);
    expect(page.text.startsWith('%PDF-')).toBe(true);
  });

  it('shows ten events on a page, and further ones by the index of the last (public)', async () => {
    const id = await issued();
    for (let number = 1; number <= 11; number += 1) await correct(id, `${letter} ${number}`);
    await advance();
    const first = (await service.send('GET', products(`/${id}/events`))).json;
    expect([first.id, first.events.length, first.hasMore]).toEqual([id, 10, true]);
    const { json } = await service.send('GET', products(`/${id}/events?startingAfter=9`));
    expect([json.events, json.hasMore]).toEqual([
      [
        {
          type: 'CorrectionLetter',
          sequence: 11,
          data: {
            description: 'Carta de Correção',
            status: 'Accepted',
            protocol: expect.stringMatching(/^\d{15}$/),
            reason: `${letter} 11`,
            createdOn: expect.stringMatching(/Z$/),
          },
        },
      ],
      false,
    ]);
    const all = await service.send('GET', products(`/${id}/events?limit=50`));
    expect([all.json.events.length, all.json.hasMore]).toEqual([11, false]);
    for (const wrong of ['startingAfter=x', 'startingAfter=-2', 'limit=0', 'limit=51'])
      expect((await service.send('GET', products(`/${id}/events?${wrong}`))).status).toBe(badRequest);
  });

  it.each([undefined, 'curta demais', 'x'.repeat(1_001), 7])('answers 400 for the reason %j', async (reason) => {
    const id = await issued();
    expect((await correct(id, reason)).status).toBe(badRequest);
  });

  it('answers 409 before the issue and after the cancellation', async () => {
    const id = (await service.send('POST', products(), { body: merchandise })).json.id;
    const before = await correct(id, letter);
    await advance();
    await cancel(id);
    expect([before.status, (await correct(id, letter)).status]).toEqual([conflict, conflict]);
  });

  it('is limited to twenty per invoice', async () => {
    const id = await issued();
    for (let times = 0; times < 20; times += 1) await correct(id, letter);
    expect((await correct(id, letter)).status).toBe(unprocessable);
  });
});

describe('the XML of a rejection (public)', () => {
  it.each([
    ['nfe', products, '/xml-rejection'],
    ['nfce', consumers, '/xml/rejection'],
  ] as const)('of an %s is what the authority answered; an issued one has none', async (family, at, tail) => {
    const fine = await issued(at());
    await service.control('POST', 'outcomes', { family, outcome: 'failed', code: '204', count: 1 });
    const refused = await issued(at());
    const { status, json } = await service.send('GET', at(`/${refused}${tail}`));
    expect([status, await (await fetch(json.uri)).text()]).toEqual([
      200,
      expect.stringContaining('<cStat>204</cStat>'),
    ]);
    expect((await service.send('GET', at(`/${fine}${tail}`))).status).toBe(404);
  });
});
