import { afterEach, describe, expect, it } from 'vitest';
import { legacyPath, nfeEventPath, nfeKey, nfeSubmitPath } from '../../facts/manifestation.js';
import { testService } from '../../conformance/service.js';

const service = testService();
const text = { justification: 'Mercadoria devolvida' };

/** Submits an event, lets it be sent, and gives what became of it. */
async function manifest(eventCode: number, { key = nfeKey, sequence = 1, detail = {} } = {}) {
  const body = { eventCode, nSequencia: sequence, detail };
  const { json } = await service.send('POST', nfeSubmitPath(key), { body });
  await service.control('POST', 'clock', { advance: '1m' });
  const { json: event } = await service.send('GET', nfeEventPath(json.id));
  return event;
}

const outcomeOf = async (...input: Parameters<typeof manifest>) => {
  const { status, errorCode } = await manifest(...input);
  return errorCode ?? status;
};
const capture = (document: object = {}) => service.control('POST', 'documents', document);
const setClock = (set: string) => service.control('POST', 'clock', { set });

afterEach(() => service.control('POST', 'reset'));

describe('the rules of the authority (facts §3)', () => {
  it('573: the same event was sent by the other route', async () => {
    const path = `${legacyPath(service.ready().companyId, nfeKey)}?tpEvent=210200`;
    await service.send('POST', path);
    expect(await manifest(210200)).toMatchObject({
      status: 'Rejected',
      errorCode: '573',
      errorMessage: 'Rejeição: Duplicidade de evento',
    });
  });

  it.each([
    [210210, 1],
    [210200, 2],
    [210220, 2],
    [210240, 2],
  ])('594: the sequence of event %i is at most %i', async (eventCode, highest) => {
    const detail = eventCode === 210240 ? text : {};
    expect(await outcomeOf(eventCode, { sequence: highest, detail })).toBe('Accepted');
    expect(await outcomeOf(eventCode, { sequence: highest + 1, detail })).toBe('594');
  });

  it('the sequence of an RTC event has no limit', async () => {
    expect(await outcomeOf(211128, { sequence: 3, detail: { indAceitacao: 1 } })).toBe('Accepted');
  });

  it('650 and 651: Ciência or Desconhecimento for a cancelled note', async () => {
    await capture({ accessKey: nfeKey, cancelled: true });
    expect([await outcomeOf(210210), await outcomeOf(210220), await outcomeOf(210200)]).toEqual([
      '650',
      '651',
      'Accepted',
    ]);
  });

  it.each([210200, 210220, 210240])('655: Ciência after %i', async (conclusive) => {
    expect(await outcomeOf(conclusive, { detail: conclusive === 210240 ? text : {} })).toBe('Accepted');
    expect(await outcomeOf(210210)).toBe('655');
  });

  it('a conclusive event may follow Ciência', async () => {
    expect([await outcomeOf(210210), await outcomeOf(210200)]).toEqual(['Accepted', 'Accepted']);
  });

  it('575: the company issued the note itself, captured or not', async () => {
    const { accessKey } = await capture({ direction: 'outgoing' });
    expect(await outcomeOf(210200, { key: accessKey })).toBe('575');
    await service.control('POST', 'reset');
    expect(await outcomeOf(210200, { key: accessKey })).toBe('575');
  });
});

describe('596: the deadlines (facts §4), counted from the authorisation', () => {
  const authorized = (authorizedOn: string) => capture({ accessKey: nfeKey, authorizedOn });

  it.each([
    {
      what: 'Ciência on the tenth day',
      eventCode: 210210,
      from: '2026-07-01T00:00:00Z',
      at: '2026-07-10T23:00:00Z',
      outcome: 'Accepted',
    },
    {
      what: 'Ciência on the eleventh',
      eventCode: 210210,
      from: '2026-07-01T00:00:00Z',
      at: '2026-07-11T00:00:01Z',
      outcome: '596',
    },
    {
      what: '90 days from June 2026',
      eventCode: 210200,
      from: '2026-07-01T00:00:00Z',
      at: '2026-09-28T23:00:00Z',
      outcome: 'Accepted',
    },
    {
      what: 'more than 90 from June 2026',
      eventCode: 210200,
      from: '2026-07-01T00:00:00Z',
      at: '2026-09-29T00:00:01Z',
      outcome: '596',
    },
    {
      what: '180 days before',
      eventCode: 210220,
      from: '2025-06-01T00:00:00Z',
      at: '2025-11-27T00:00:00Z',
      outcome: 'Accepted',
    },
    {
      what: 'more than 180 before',
      eventCode: 210220,
      from: '2025-06-01T00:00:00Z',
      at: '2025-11-28T01:00:00Z',
      outcome: '596',
    },
    {
      what: '90 days before 2021',
      eventCode: 210200,
      from: '2020-01-01T00:00:00Z',
      at: '2020-06-01T00:00:00Z',
      outcome: '596',
    },
    {
      what: 'an old note under the new term',
      eventCode: 210200,
      from: '2026-01-10T00:00:00Z',
      at: '2026-06-02T00:00:00Z',
      outcome: '596',
    },
    {
      what: 'an RTC event, which has no term here',
      eventCode: 211128,
      from: '2025-01-01T00:00:00Z',
      at: '2026-10-01T00:00:00Z',
      outcome: 'Accepted',
    },
  ])('$what', async ({ eventCode, from, at, outcome }) => {
    await authorized(from);
    await setClock(at);
    const detail = eventCode === 211128 ? { indAceitacao: 1 } : {};
    expect(await outcomeOf(eventCode, { detail })).toBe(outcome);
  });

  it('depends only on the time that has passed', async () => {
    const { accessKey } = await capture();
    await service.control('POST', 'clock', { advance: '9d' });
    expect(await outcomeOf(210210, { key: accessKey })).toBe('Accepted');
    await service.control('POST', 'clock', { advance: '82d' });
    expect(await outcomeOf(210200, { key: accessKey })).toBe('596');
  });

  it('does not apply to a note that was not captured', async () => {
    await setClock('2030-01-01T00:00:00Z');
    expect(await outcomeOf(210210)).toBe('Accepted');
  });
});

describe('110001 cancels an event by its protocol', () => {
  const cancel = (nProtEvento: string, tpEventoAut = 211128, sequence = 1) =>
    manifest(110001, { sequence, detail: { tpEventoAut, nProtEvento } });

  it('once, if its kind and its protocol match', async () => {
    const { protocol } = await manifest(211128, { detail: { indAceitacao: 1 } });
    expect((await cancel('1'.repeat(15))).errorCode).toBe('222');
    expect((await cancel(protocol, 211130)).errorCode).toBe('222');
    expect((await cancel(protocol)).status).toBe('Accepted');
    expect((await cancel(protocol, 211128, 2)).errorCode).toBe('222');
  });

  it('but not an event of another note', async () => {
    const { accessKey } = await capture();
    const { protocol } = await manifest(211128, { key: accessKey, detail: { indAceitacao: 1 } });
    expect((await cancel(protocol)).errorCode).toBe('222');
  });
});
