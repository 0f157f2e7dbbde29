import { afterEach, describe, expect, it } from 'vitest';
import { badRequest, forbidden, notFound, validationCode } from '../facts/errors.js';
import {
  accepted,
  acceptedStatus,
  alphanumericKey,
  conflict,
  failed,
  inboundPrefix,
  legacyPath,
  longest,
  nfeEventPath,
  nfeEvents,
  nfeKey,
  nfeRole,
  nfeSubmitPath,
  nfseRole,
  pending,
  refusedCodes,
  rejected,
  shortest,
} from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService();
const lettered = testService({ alphanumericKeys: true });
const submit = (body: object, key = nfeKey) => service.send('POST', nfeSubmitPath(key), { body });
const confirm = { eventCode: 210200, nSequencia: 1, detail: {} };
const read = async (id: string) => (await service.send('GET', nfeEventPath(id))).json;
const wait = () => service.control('POST', 'clock', { advance: '1m' });

afterEach(() => service.control('POST', 'reset'));

describe('§4 submission', () => {
  it('answers 202 with the event in Pending and the URL of the detail', async () => {
    const { status, headers, json } = await submit(confirm);
    const { url, companyId } = service.ready();
    expect([status, headers.get('location')]).toEqual([acceptedStatus, url + nfeEventPath(json.id)]);
    expect(json).toEqual({
      id: json.id,
      // §2: AsyncAcceptedResource carries these.
      documentId: json.id,
      companyId,
      message: expect.any(String),
      accessKey: nfeKey,
      ...confirm,
      status: pending,
      createdOn: json.createdOn,
      modifiedOn: json.createdOn,
    });
  });

  it.each(nfeEvents)('accepts the event %i with its detail', async (eventCode, detail) => {
    const { status, json } = await submit({ eventCode, nSequencia: 1, detail });
    expect([status, json.eventCode, json.detail]).toEqual([acceptedStatus, eventCode, detail]);
  });

  it.each([{}, { detail: null }])('accepts an event without its detail: %j', async (rest) => {
    const { status, json } = await submit({ eventCode: 210200, nSequencia: 1, ...rest });
    expect([status, json.detail]).toEqual([acceptedStatus, {}]);
  });

  it('serves the event at its Location', async () => {
    const { headers, json } = await submit(confirm);
    const { pathname } = new URL(headers.get('location') ?? '');
    const { documentId: _documentId, message: _message, ...event } = json;
    expect(await service.send('GET', pathname)).toMatchObject({ status: 200, json: event });
  });

  it('answers 404 for an unknown event', async () => {
    const id = '00000000-0000-4000-8000-000000000000';
    expect((await service.send('GET', nfeEventPath(id))).status).toBe(notFound);
  });
});

describe('§4 synchronous validation', () => {
  it.each([
    ['accessKey', nfeKey.slice(1), confirm],
    ['accessKey', `${nfeKey}0`, confirm],
    ['accessKey', alphanumericKey, confirm],
    ['nSequencia', nfeKey, { ...confirm, nSequencia: 0 }],
    ['nSequencia', nfeKey, { ...confirm, nSequencia: -1 }],
    ['nSequencia', nfeKey, { ...confirm, nSequencia: 1.5 }],
    ['nSequencia', nfeKey, { ...confirm, nSequencia: '1' }],
    ['nSequencia', nfeKey, { eventCode: 210200 }],
    ['eventCode', nfeKey, { ...confirm, eventCode: 203202 }],
    ['eventCode', nfeKey, { ...confirm, eventCode: '210200' }],
    ['detail', nfeKey, { ...confirm, detail: [] }],
    ['detail.justification', nfeKey, { ...confirm, detail: { justification: 'x'.repeat(20) } }],
    ['detail.indAceitacao', nfeKey, { ...confirm, eventCode: 211128 }],
    ['detail.indAceitacao', nfeKey, { ...confirm, eventCode: 212110, detail: { indAceitacao: 2 } }],
    ['detail.gCredito', nfeKey, { ...confirm, eventCode: 211150, detail: { gCredito: [] } }],
    ['detail.nProtEvento', nfeKey, { ...confirm, eventCode: 110001, detail: { tpEventoAut: 211110 } }],
    [
      'detail.tpEventoAut',
      nfeKey,
      { ...confirm, eventCode: 110001, detail: { tpEventoAut: 210200, nProtEvento: '1'.repeat(15) } },
    ],
    ['', nfeKey, []],
  ])('answers 400 that names %s', async (field, key, body) => {
    const { status, json } = await submit(body, key);
    expect([status, json.error.code, json.error.details[0].field]).toEqual([badRequest, validationCode, field]);
  });

  it.each(refusedCodes)('refuses %i with the reason', async (eventCode) => {
    const { status, json } = await submit({ ...confirm, eventCode });
    expect([status, json.error.details[0].field]).toEqual([badRequest, 'eventCode']);
    expect(json.error.details[0].message).toMatch(/removed|read-only/);
  });

  it.each([
    ['two groups of one item', [{ nItem: 1 }, { nItem: 1 }], 'detail.gCredito[1].nItem'],
    ['the item 991', [{ nItem: 991 }], 'detail.gCredito[0].nItem'],
    ['an amount as a number', [{ nItem: 1, vCredIBS: 1 }], 'detail.gCredito[0].vCredIBS'],
    ['an amount with three decimals', [{ nItem: 1, vCredIBS: '1.000' }], 'detail.gCredito[0].vCredIBS'],
    ['a field of another event', [{ nItem: 1, vIBS: '1.00' }], 'detail.gCredito[0].vIBS'],
  ])('refuses a group with %s', async (_what, groups, field) => {
    const gCredito = groups.map((group) => ({ vCredIBS: '1.00', vCredCBS: '1.00', ...group }));
    const { status, json } = await submit({ ...confirm, eventCode: 211150, detail: { gCredito } });
    expect([status, json.error.details[0].field]).toEqual([badRequest, field]);
  });

  it.each([
    ['none', {}, badRequest],
    ['one too short', { justification: 'x'.repeat(shortest - 1) }, badRequest],
    ['the shortest', { justification: 'x'.repeat(shortest) }, acceptedStatus],
    ['the longest', { justification: 'ç'.repeat(longest) }, acceptedStatus],
    ['one too long', { justification: 'x'.repeat(longest + 1) }, badRequest],
    ['a leading space', { justification: ` ${'x'.repeat(shortest)}` }, badRequest],
    ['a trailing space', { justification: `${'x'.repeat(shortest)} ` }, badRequest],
    ['a line break', { justification: `${'x'.repeat(shortest)}\ny` }, badRequest],
    ['a character beyond U+00FF', { justification: `${'x'.repeat(shortest)}€` }, badRequest],
    ['a number', { justification: 123_456_789_012_345 }, badRequest],
  ])('accepts the justification of 210240: %s', async (_what, detail, expected) => {
    expect((await submit({ ...confirm, eventCode: 210240, detail })).status).toBe(expected);
  });

  it('runs its checks in the order of the document', async () => {
    await service.control('POST', 'captures', { family: 'nfe', active: false });
    const fieldOf = async (body: object, key = nfeKey) => (await submit(body, key)).json.error.details[0].field;
    expect([
      await fieldOf({ nSequencia: 0 }, '1'),
      await fieldOf({ nSequencia: 0, eventCode: 1 }),
      await fieldOf({ nSequencia: 1, eventCode: 1, detail: { x: 1 } }),
      await fieldOf({ ...confirm, eventCode: 210240, detail: { x: 1 } }),
      await fieldOf({ ...confirm, eventCode: 210240 }),
    ]).toEqual(['accessKey', 'nSequencia', 'eventCode', 'detail.x', 'accessKey']);
    await service.control('POST', 'captures', { family: 'nfe', active: true });
    expect(await fieldOf({ ...confirm, eventCode: 210240 })).toBe('detail.justification');
  });

  it('stores nothing when it refuses', async () => {
    await submit({ ...confirm, nSequencia: 0 });
    await wait();
    const { entries } = await service.control('GET', 'ledger');
    expect(entries.map(({ status, effect }: Record<string, unknown>) => [status, effect])).toEqual([
      [badRequest, null],
    ]);
    expect(await service.control('GET', 'authority')).toEqual({ rules: [], sendings: 0, registered: 0 });
  });

  it('accepts letters in the key only if a test enables them', async () => {
    const path = nfeSubmitPath(alphanumericKey);
    expect((await lettered.send('POST', path, { body: confirm })).status).toBe(acceptedStatus);
  });
});

describe('§3 states', () => {
  it('goes from Pending to Accepted, with a protocol of 15 digits', async () => {
    const { json } = await submit(confirm);
    expect(await read(json.id)).toMatchObject({ status: pending });
    await wait();
    const event = await read(json.id);
    expect([event.status, event.errorCode, event.errorMessage]).toEqual([accepted, undefined, undefined]);
    expect(event.protocol).toMatch(/^\d{15}$/);
    expect(Date.parse(event.modifiedOn)).toBeGreaterThan(Date.parse(event.createdOn));
  });

  it.each([
    ['reject', rejected, '999'],
    ['fail', failed, undefined],
  ])('ends as expected if the authority is set to %s', async (outcome, status, errorCode) => {
    await service.control('POST', 'authority', { outcome });
    const { json } = await submit(confirm);
    await wait();
    const event = await read(json.id);
    expect([event.status, event.errorCode, typeof event.errorMessage]).toEqual([status, errorCode, 'string']);
  });

  it.each([pending, accepted])('answers 409 while the same event is %s, and sends nothing', async (status) => {
    const { json: first } = await submit(confirm);
    if (status === accepted) await wait();
    const before = await service.control('GET', 'authority');
    const again = await submit(confirm);
    expect([again.status, again.json.error.code]).toEqual([conflict, 'conflict']);
    // §4 and §7 promise no id: a program that finds one here would not find it elsewhere.
    expect(JSON.stringify(again.json)).not.toContain(first.id);
    expect(await service.control('GET', 'authority')).toEqual(before);
  });

  it.each([
    ['reject', rejected],
    ['fail', failed],
  ])('accepts the event again after one that was set to %s', async (outcome, status) => {
    await service.control('POST', 'authority', { outcome, count: 1 });
    const first = (await submit(confirm)).json;
    await wait();
    const second = await submit(confirm);
    await wait();
    expect([second.status, second.json.id === first.id]).toEqual([acceptedStatus, false]);
    expect([(await read(first.id)).status, (await read(second.json.id)).status]).toEqual([status, accepted]);
  });

  it('accepts another code and another sequence at the same time', async () => {
    await submit(confirm);
    expect((await submit({ ...confirm, nSequencia: 2 })).status).toBe(acceptedStatus);
    expect((await submit({ ...confirm, eventCode: 210210 })).status).toBe(acceptedStatus);
  });
});

describe('the company of a submission (operations.md)', () => {
  it('is the company that captured the note', async () => {
    await service.control('POST', 'seed', { companies: 1 });
    const { json } = await service.send('GET', '/v2/companies');
    const other = json.companies[1].id;
    await service.control('POST', 'documents', { accessKey: nfeKey, companyId: other });
    expect((await submit(confirm)).json.error.details[0].field).toBe('companyId');
    await service.control('POST', 'captures', { companyId: other, family: 'nfe', active: true });
    expect((await submit(confirm)).json.companyId).toBe(other);
  });

  it('is required if several are possible, and may be in the path', async () => {
    await service.control('POST', 'seed', { companies: 1 });
    const { json } = await service.send('GET', '/v2/companies');
    const other = json.companies[1].id;
    await service.control('POST', 'captures', { companyId: other, family: 'nfe', active: true });
    expect((await submit(confirm)).status).toBe(badRequest);
    const path = inboundPrefix(other) + nfeSubmitPath(nfeKey);
    const answer = await service.send('POST', path, { body: confirm });
    expect([answer.status, answer.json.companyId]).toEqual([acceptedStatus, other]);
    const reads = [inboundPrefix(other), '', inboundPrefix(service.ready().companyId)].map(
      async (prefix) => (await service.send('GET', prefix + nfeEventPath(answer.json.id))).status,
    );
    expect(await Promise.all(reads)).toEqual([200, 200, notFound]);
  });

  it('must be one of the account, with NF-e inbound active', async () => {
    const nobody = inboundPrefix('nobody') + nfeSubmitPath(nfeKey);
    expect((await service.send('POST', nobody, { body: confirm })).status).toBe(notFound);
    await service.control('POST', 'captures', { family: 'nfe', active: false });
    const path = inboundPrefix(service.ready().companyId) + nfeSubmitPath(nfeKey);
    const answer = await service.send('POST', path, { body: confirm });
    expect([answer.status, answer.json.error.details[0].field]).toEqual([badRequest, 'companyId']);
  });
});

describe('§5 role', () => {
  it('answers 403 to a key without NFeDist, on every operation', async () => {
    const { companyId } = service.ready();
    const { key } = await service.control('POST', 'keys', { roles: [nfseRole, 'CTeDist', 'Management'] });
    const answers = [
      await service.send('POST', nfeSubmitPath(nfeKey), { key, body: confirm }),
      await service.send('GET', nfeEventPath('x'), { key }),
      await service.send('POST', `${legacyPath(companyId, nfeKey)}?tpEvent=210200`, { key }),
      await service.send('POST', inboundPrefix(companyId) + nfeSubmitPath(nfeKey), { key, body: confirm }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => forbidden));
  });

  it('needs no other role than NFeDist', async () => {
    const { key } = await service.control('POST', 'keys', { roles: [nfeRole] });
    const { status } = await service.send('POST', nfeSubmitPath(nfeKey), { key, body: confirm });
    expect(status).toBe(acceptedStatus);
  });
});

describe('the replaced route (§9)', () => {
  const legacy = (query: string, sending = {}) =>
    service.send('POST', legacyPath(service.ready().companyId, nfeKey) + query, sending);

  /** What the authority decided, which the answer does not tell. */
  const decisions = async () =>
    (await service.control('GET', 'ledger?operation=nfe.manifestation.legacy')).entries.map(
      ({ effect }: { effect: object }) => effect,
    );

  it('sends synchronously, announces its deprecation and stores no event', async () => {
    const { status, headers, json } = await legacy('?tpEvent=210200');
    expect([status, headers.get('deprecation'), headers.get('link')]).toEqual([
      200,
      expect.stringMatching(/^@\d+$/),
      expect.stringContaining('manifestation-events'),
    ]);
    // Published: a JSON string.
    expect(json).toEqual(expect.any(String));
    expect(await decisions()).toMatchObject([{ accessKey: nfeKey, eventCode: '210200', status: accepted }]);
    expect(await service.control('GET', 'authority')).toMatchObject({ sendings: 1, registered: 1 });
  });

  it('sends again when repeated, and the authority reports the duplicate', async () => {
    await legacy('?tpEvent=210200');
    await legacy('?tpEvent=210200');
    expect(await decisions()).toMatchObject([{ status: accepted }, { status: rejected, errorCode: '573' }]);
    expect(await service.control('GET', 'authority')).toMatchObject({ sendings: 2, registered: 1 });
  });

  it('leaves the check of the justification to the authority', async () => {
    await legacy('?tpEvent=210240');
    const body = { justification: 'Mercadoria devolvida' };
    await legacy('?tpEvent=210240', { body });
    expect(await decisions()).toMatchObject([{ errorCode: '595' }, { status: accepted }]);
  });

  it.each(['?tpEvent=', '?tpEvent=211110', '?tpEvent=x'])('refuses the event "%s"', async (query) => {
    const { status, json } = await legacy(query);
    expect([status, json.error.details[0].field]).toEqual([badRequest, 'tpEvent']);
  });

  it('does not tell that the authority did not answer', async () => {
    await service.control('POST', 'authority', { outcome: 'never' });
    expect((await legacy('?tpEvent=210200')).status).toBe(200);
    expect(await decisions()).toMatchObject([{ status: failed }]);
  });
});
