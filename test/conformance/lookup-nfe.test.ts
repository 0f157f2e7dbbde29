import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { nfePath } from '../facts/inbound.js';
import { authorityEventsPath, authorityKey, authorityPath, consumerKey, wrongKey } from '../facts/lookup.js';
import { nfeSubmitPath } from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService();
const read = (path: string) => service.send('GET', path, { key: service.ready().dataKey });
const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

async function captured(more: object = {}): Promise<string> {
  return (await service.control('POST', 'documents', { totalAmount: '1250.40', ...more })).accessKey;
}

afterEach(() => service.control('POST', 'reset'));

describe('an NF-e at the state tax authority (§1; public)', () => {
  it('matches its key and never changes', async () => {
    const { status, text, json } = await read(authorityPath(authorityKey));
    expect([status, json]).toEqual([
      200,
      {
        accessKey: authorityKey,
        currentStatus: json.currentStatus,
        stateCode: 35,
        codeModel: 55,
        serie: 1,
        number: 28018,
        issuedOn: json.issuedOn,
        operationNature: 'VENDA DE MERCADORIA',
        operationType: 'outgoing',
        environmentType: 'test',
        issuer: json.issuer,
        buyer: json.buyer,
        totals: json.totals,
        protocol: json.protocol,
      },
    ]);
    expect([json.issuer.federalTaxNumber, json.issuedOn.slice(0, 7), json.protocol.accessKey]).toEqual([
      30057049000141,
      '2025-05',
      authorityKey,
    ]);
    expect((await read(authorityPath(authorityKey))).text).toBe(text);
  });

  it('is the captured document if a company has captured it', async () => {
    const key = await captured({ cancelled: true, issuerName: 'Fornecedora Ltda' });
    const { json } = await read(authorityPath(key));
    expect([json.currentStatus, json.issuer.name, json.totals]).toEqual([
      'canceled',
      'Fornecedora Ltda',
      { icms: { baseTax: 1250.4, productAmount: 1250.4, invoiceAmount: 1250.4 } },
    ]);
    const mine = await service.send('GET', `${nfePath(service.ready().companyId, key)}/xml`);
    const theirs = await read(`${authorityPath(key)}.xml`);
    expect(digestOf(theirs.text)).toBe(digestOf(mine.text));
  });

  it('is available as XML and as PDF', async () => {
    const xml = await read(`${authorityPath(authorityKey)}.xml`);
    expect([xml.status, xml.headers.get('content-type'), xml.text.startsWith('<?xml')]).toEqual([
      200,
      'application/xml',
      true,
    ]);
    expect(xml.text).toContain(`<chNFe>${authorityKey}</chNFe>`);
    const pdf = await read(`${authorityPath(authorityKey)}.pdf`);
    expect([pdf.status, pdf.headers.get('content-type'), pdf.text.slice(0, 5)]).toEqual([
      200,
      'application/pdf',
      '%PDF-',
    ]);
  });

  it.each(['redirect', 'json'])('delivers its bytes by %s if a test chooses so', async (mode) => {
    await service.control('POST', 'bytes', { mode });
    const answer = await read(`${authorityPath(authorityKey)}.xml`);
    const address = mode === 'json' ? answer.json.uri : answer.headers.get('location');
    expect(answer.status).toBe(mode === 'json' ? 200 : 302);
    const bytes = await fetch(address);
    expect([bytes.status, (await bytes.text()).startsWith('<?xml')]).toEqual([200, true]);
    const forged = await fetch(address.replace('lookup.nfe.xml', 'lookup.nfe'));
    expect(forged.status).toBe(403);
  });

  it.each([
    ['a wrong digit', wrongKey, 400],
    ['another model', consumerKey, 400],
    ['43 digits', authorityKey.slice(1), 400],
    ['a month that does not exist', withDigit('3525133005704900014155001000028018103065685'), 400],
  ])('answers 400 for %s', async (_what, key, status) => {
    for (const path of [authorityPath(key), `${authorityPath(key)}.pdf`, authorityEventsPath(key)]) {
      const answer = await read(path);
      expect([answer.status, answer.json.error.details[0].field]).toEqual([status, 'accessKey']);
    }
  });

  it('distinguishes an unknown number from a source that does not answer', async () => {
    const answers = await Promise.all([
      read(authorityPath(withDigit('3525059999999900019155001000028018103065685'))),
      read(authorityPath(withDigit('3525058888888800018855001000028018103065685'))),
      read(authorityPath(withDigit('3599053005704900014155001000028018103065685'))),
    ]);
    expect(answers.map(({ status, json }) => [status, json.error.code])).toEqual([
      [404, 'not_found'],
      [503, 'source_unavailable'],
      [404, 'not_found'],
    ]);
  });
});

describe('the events of an NF-e at the state tax authority (public)', () => {
  it('are the cancellation by the issuer and the events of the recipient', async () => {
    const key = await captured({ cancelled: true });
    await service.send('POST', nfeSubmitPath(key), {
      body: { eventCode: 211128, nSequencia: 1, detail: { indAceitacao: 1 } },
    });
    await service.control('POST', 'authority', { outcome: 'accept' });
    await service.control('POST', 'clock', { advance: '5m' });
    const { status, json } = await read(authorityEventsPath(key));
    const shown = json.events.map((event: { readonly stateCode: number; readonly type: number }) => [
      event.stateCode,
      event.type,
    ]);
    expect([status, shown]).toEqual([
      200,
      [
        [Number(key.slice(0, 2)), 110111],
        [91, 211128],
      ],
    ]);
    expect(json.events[0]).toEqual({
      stateCode: Number(key.slice(0, 2)),
      type: 110111,
      sequence: 1,
      authorFederalTaxNumber: key.slice(6, 20),
      id: `ID110111${key}01`,
      protocol: json.events[0].protocol,
      authorizedOn: json.events[0].authorizedOn,
      description: 'Cancelamento',
    });
  });

  it('are none where nothing happened', async () => {
    const key = await captured();
    expect((await read(authorityEventsPath(key))).json.events).toEqual([]);
  });
});

/** facts §1: weights 2 to 9 from the right; a remainder below 2 gives 0. */
function withDigit(base: string): string {
  const sum = [...base].toReversed().reduce((total, digit, place) => total + Number(digit) * (2 + (place % 8)), 0);
  return base + (sum % 11 < 2 ? 0 : 11 - (sum % 11));
}
