import { describe, expect, test } from 'vitest';
import { rows } from '../../support/rows.js';
import type { Client } from '../../../src/client/client.js';
import { FiscalError } from '../../../src/errors/fiscal-error.js';
import { sweepKinds } from '../../../src/jobs/kinds/backfill-release.js';
import { startFrom } from '../../../src/jobs/kinds/backfill-start-from.js';
import type { ItemRow } from '../../../src/store/store.js';
import { noClient } from '../no-client.js';

type Answer = object | FiscalError;

/** Answers the summary by turns and accepts every write; tells what was asked. */
function service(summaries: readonly Answer[], write: Answer = {}) {
  const asked: string[] = [];
  let read = 0;
  const answer = (operation: string): object => {
    asked.push(operation);
    const body = operation === 'nfse.backfill.summary' ? (summaries[read++] ?? {}) : write;
    if (body instanceof FiscalError) throw body;
    return { status: 202, body, attempts: 1 };
  };
  // A stand-in for the wire: the shapes are those of the contract.
  const call: Client['call'] = (operation) =>
    new Promise((resolve) => {
      resolve(answer(operation) as never);
    });
  return { client: { ...noClient, call }, asked };
}

function item(input: object, more: Partial<ItemRow> = {}): ItemRow {
  const row = { id: 'i', jobId: 'j', ordinal: 1, label: 'c1', dedupeKey: 'c1', input, billed: false };
  const times = { attempts: 1, dueAt: 0, updatedAt: 0, epoch: 1 };
  return { ...row, ...times, state: 'sending', idempotencyKey: 'k', ...more };
}

const release = { companyId: 'c1', released: true };
const revoke = { companyId: 'c1', released: false };
const summary = (released: boolean, hiddenDocumentsCount: number) => ({ released, hiddenDocumentsCount });
const read = 'nfse.backfill.summary';
const send = 'nfse.backfill.release';

function refusal(status: 403 | 404, operation: string): FiscalError {
  const code = status === 403 ? 'service.forbidden' : 'service.not_found';
  return new FiscalError(code, { message: 'no' }, { httpStatus: status, operation, sent: 'yes' });
}

describe('a release or a revoke', () => {
  test.each(
    rows([
      ['is sent, and read at once', release, [summary(false, 4), summary(true, 3)], 1, 'pending', [read, send, read]],
      ['that holds already is skipped', release, [summary(true, 0)], 1, 'skipped', [read]],
      ['that runs already is followed, not sent', release, [summary(true, 2)], 1, 'pending', [read]],
      ['found done after a crash has succeeded', release, [summary(true, 0)], 2, 'succeeded', [read]],
      ['found running after a crash is followed', release, [summary(true, 2)], 2, 'pending', [read]],
      [
        'not found after a crash is sent again',
        release,
        [summary(false, 4), summary(true, 4)],
        2,
        'pending',
        [read, send, read],
      ],
      ['of what was never released is skipped', revoke, [summary(false, 4)], 1, 'skipped', [read]],
      ['taken back after a crash is followed', revoke, [summary(false, 4)], 2, 'pending', [read]],
    ] as const),
  )('%s', async (_words, [input, summaries, attempts, state, requests]) => {
    const { client, asked } = service(summaries);
    const seen = await sweepKinds[0].send(client, item(input, { attempts }), {});
    expect([seen.state, asked]).toEqual([state, requests]);
  });

  test('is accepted even if the read after it fails', async () => {
    const cut = new FiscalError('network.cut', { host: 'h' }, { sent: 'unknown', retryable: true });
    const { client } = service([summary(false, 4), cut]);
    expect(await sweepKinds[0].send(client, item(release), {})).toEqual({
      state: 'pending',
      resourceId: 'c1',
      remoteStatus: 'released=false hidden=4 steady=0 before=4',
      status: 202,
    });
  });

  test.each(
    rows([
      [403, [summary(false, 1)], refusal(403, send), 'backfill.forbidden', 'the role Management'],
      [403, [refusal(403, read)], {}, 'backfill.forbidden', 'the role NFSeDist'],
      [404, [refusal(404, read)], {}, 'backfill.no_capture', 'inbound capture enable'],
    ] as const),
  )('refused with %i names what is missing', async (status, [summaries, write, code, words]) => {
    const { client } = service(summaries, write);
    const error: unknown = await sweepKinds[0].send(client, item(release), {}).catch((it: unknown) => it);
    expect(error).toMatchObject({ code, facts: { httpStatus: status, sent: 'yes' } });
    expect(String(error)).toContain(words);
  });

  test('is read until it has settled', async () => {
    const { client } = service([summary(true, 0)]);
    const before = item(release, { state: 'pending', remoteStatus: 'released=true hidden=9 steady=1' });
    expect(await sweepKinds[0].read(client, before, {})).toEqual({
      state: 'succeeded',
      remoteStatus: 'released=true hidden=0 steady=1',
    });
  });
});

describe('a new cut-off', () => {
  const input = { companyId: 'c1', startFromDate: '2026-01-01T00:00:00Z' };
  const set = 'nfse.startFromDate.set';
  test.each(
    rows([
      ['is sent', '2026-10-01T00:00:00Z', 1, 'succeeded', [read, set]],
      ['that holds already is skipped, however it is written', '2026-01-01T00:00:00.000Z', 1, 'skipped', [read]],
      ['found set after a crash has succeeded', '2026-01-01', 2, 'succeeded', [read]],
      ['is sent where none was set', undefined, 1, 'succeeded', [read, set]],
    ] as const),
  )('%s', async (_words, [startFromDate, attempts, state, requests]) => {
    const { client, asked } = service([{ ...summary(false, 0), startFromDate }]);
    const seen = await startFrom.send(client, item(input, { attempts }), {});
    expect([seen.state, seen.resourceId, asked]).toEqual([state, 'c1', requests]);
  });
});
