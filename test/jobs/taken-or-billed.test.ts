import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import type { RunOptions } from '../../src/jobs/engine.js';
import type { LookupResult, RunnableKind } from '../../src/jobs/kind.js';
import { options, request, scripted, states, workbench, type Workbench } from './workbench.js';
import { reasonWords } from '../../src/errors/reasons.js';

let bench: Workbench;
beforeEach(async () => {
  bench = await workbench();
});
afterEach(async () => {
  await bench.close();
});

interface Service {
  /** Of the send: `unreadable` is a success of which nothing can be read, `nameless` one without an id. */
  readonly answer: 'cut' | 'unreadable' | 'nameless';
  /** How many sends it takes until something is found. */
  readonly thereAfter: number;
  /** The look-up tells nothing. */
  readonly cannotTell?: boolean;
  readonly replay?: RunnableKind['replay'];
}

const never = Number.POSITIVE_INFINITY;

function serviceOf({ answer, thereAfter, cannotTell = false, replay = 'unsafe' }: Service) {
  const kind = scripted(() => Promise.resolve({ state: 'pending' }));
  const looking: RunnableKind = {
    ...kind,
    replay,
    canLookUp: true,
    settleMs: 60_000,
    send: async (client, item, sendOptions) => {
      await kind.send(client, item, sendOptions);
      if (answer === 'nameless') return { state: 'uncertain', reason: { is: 'nameless' }, status: 202 };
      const facts = { sent: 'unknown', retryable: true } as const;
      if (answer === 'cut') throw new FiscalError('network.cut', { host: 'h' }, facts);
      throw new FiscalError('service.unreadable', { reason: 'no JSON' }, { ...facts, httpStatus: 202 });
    },
    lookUp: (): Promise<LookupResult> => {
      if (cannotTell) return Promise.resolve('cannot tell');
      const isThere = kind.sent.length >= thereAfter;
      return Promise.resolve(isThere ? { state: 'succeeded', resourceId: 'i-1' } : 'absent');
    },
  };
  return { looking, sent: kind.sent };
}

async function endOf(service: Service, billed = false, more: Partial<RunOptions> = {}) {
  const { looking, sent } = serviceOf(service);
  const engine = await bench.process(1, looking);
  const kind = { name: 'fake', submit: 'nfe.issue', onceOnly: true, billed: () => billed } as const;
  const { job } = await engine.start(request(1, { kind }));
  await engine.run(job.id, options(more));
  for await (const { state, resourceId, reason } of engine.items(job.id)) {
    return { state, resourceId, reason, sends: sent.length };
  }
  throw new Error('no item');
}

describe.each(['nameless', 'unreadable'] as const)('a success without a usable answer (%s)', (answer) => {
  it('is looked up and followed', async () => {
    expect(await endOf({ answer, thereAfter: 1 })).toEqual({ state: 'succeeded', resourceId: 'i-1', sends: 1 });
  });

  it('is uncertain if it never appears, and not sent again', async () => {
    expect(await endOf({ answer, thereAfter: never })).toEqual({
      state: 'uncertain',
      reason: { is: 'taken-and-gone', looks: 9, seconds: 60 },
      sends: 1,
    });
  });
});

describe.each(['nameless', 'unreadable'] as const)('the same, if a repeat is refused (%s)', (answer) => {
  const service = { answer, replay: 'natural' } as const;

  it('is looked up and followed', async () => {
    const found = await endOf({ ...service, thereAfter: 1 });
    expect([found.state, found.sends]).toEqual(['succeeded', 1]);
  });

  it('is uncertain if it never appears, and not sent again', async () => {
    const found = await endOf({ ...service, thereAfter: never });
    expect([found.state, found.sends]).toEqual(['uncertain', 1]);
  });

  it('is left pending by a run that does not wait, and looked up by one that does', async () => {
    const { looking, sent } = serviceOf({ ...service, thereAfter: never });
    const engine = await bench.process(1, looking);
    const { job } = await engine.start(request(1));
    const startedAt = bench.clock.now();
    const first = await engine.run(job.id, options({ wait: false }));
    expect([first.stopped, await states(engine, job.id)]).toEqual(['sent', ['pending']]);
    expect(bench.clock.now() - startedAt).toBeLessThan(60_000);
    await engine.run(job.id, options());
    expect([await states(engine, job.id), sent.length]).toEqual([['uncertain'], 1]);
  });

  it('is uncertain without a look-up', async () => {
    const found = await endOf({ ...service, thereAfter: never, cannotTell: true });
    expect([found.state, found.sends]).toEqual(['uncertain', 1]);
  });
});

describe('a billed send without an effect', () => {
  it('is uncertain, as it may have been billed', async () => {
    expect(await endOf({ answer: 'cut', thereAfter: never }, true)).toEqual({
      state: 'uncertain',
      reason: { is: 'perhaps-billed', looks: 9, seconds: 60 },
      sends: 1,
    });
  });

  it('is followed if it had an effect', async () => {
    expect(await endOf({ answer: 'cut', thereAfter: 1 }, true)).toMatchObject({ state: 'succeeded', sends: 1 });
  });

  it('is repeated if the user accepted both a second bill and a second send', async () => {
    const end = endOf({ answer: 'cut', thereAfter: 2 }, true, { retryBillable: true, resendAbsent: true });
    expect(await end).toMatchObject({ state: 'succeeded', sends: 2 });
  });
});

describe('a send that took effect for another company', () => {
  const facts = { sent: 'yes', httpStatus: 202, retryable: false } as const;
  const values = { operation: 'nfe.issue', who: { en: 'company', pt: 'a empresa' }, asked: 'a', answered: 'b', id: '' };

  it('is uncertain, with its own code, and is never sent again by the same command', async () => {
    const kind = scripted(() => Promise.reject(new FiscalError('service.other_company', values, facts)));
    const engine = await bench.process(1, kind);
    const { job } = await engine.start(request(1));
    await engine.run(job.id, options());
    await engine.retry(job.id);
    await engine.run(job.id, options());
    const items = [];
    for await (const { state, errorCode, reason } of engine.items(job.id)) {
      items.push({ state, errorCode, words: reason && reasonWords(reason).en });
    }
    const words = 'the answer of nfe.issue is about company b, not about a, which was asked for';
    expect(items).toEqual([{ state: 'uncertain', errorCode: 'service.other_company', words }]);
    expect(kind.sent.length).toBe(1);
  });
});
