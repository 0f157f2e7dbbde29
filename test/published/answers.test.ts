import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { CallInput } from '../../src/client/client.js';
import { rowsOf } from '../../src/client/read-answer.js';
import { MemorySink } from '../../src/client/receive.js';
import { answerShapes, type ListOperationId } from '../../src/contract/answers.js';
import { type OperationId, operations } from '../../src/contract/operations.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import { bench } from '../client/support/client.js';
import { serve } from '../client/support/server.js';
import { path, publishedAnswers, type PublishedAnswer } from './answers.js';

const input = { path } as unknown as CallInput<'company.list'>;

function replyOf({ status, json, text, headers = {} }: PublishedAnswer): RequestListener {
  return (request, response) => {
    const here = (value: string): string => value.replaceAll('{service}', `http://${request.headers.host}`);
    const type = json === undefined ? 'application/octet-stream' : 'application/json';
    const own = Object.entries(headers).map(([name, value]) => [name, here(value)]);
    response.writeHead(status, { 'content-type': type, ...Object.fromEntries(own) });
    const body = json === undefined ? text : JSON.stringify(json);
    response.end(body === undefined ? undefined : here(body));
  };
}

async function clientOf(answer: PublishedAnswer) {
  const { leadsTo } = answer;
  const { url } = await serve(replyOf(answer), ...(leadsTo === undefined ? [] : [{ status: 200, body: leadsTo }]));
  return bench(url, { settings: { hosts: { product: url, query: url, service: url } } }).client;
}

/** What the client makes of the answer, in the words of the table. */
async function readingOf(id: OperationId, answer: PublishedAnswer): Promise<PublishedAnswer['reads']> {
  const client = await clientOf(answer);
  try {
    if (answerShapes[id].is === 'bytes') {
      const sink = new MemorySink();
      const { status } = await client.download(id, input, { sink });
      return status === 200 ? { bytes: Buffer.from(sink.bytes()).toString() } : { bytesStatus: status as 202 };
    }
    const { body, said } = await client.call(id, input, { attempts: 'once' });
    if (said !== undefined && answer.reads !== 'accepted') return { said };
    if (answer.reads === 'accepted') return 'accepted';
    return answerShapes[id].is === 'list'
      ? { rows: rowsOf(id as ListOperationId, body) as readonly object[] }
      : { body: body as object };
  } catch (error) {
    if (error instanceof FiscalError) return { code: error.code };
    throw error;
  }
}

test('every operation has its published answers', () => {
  expect(Object.keys(publishedAnswers).toSorted()).toEqual(Object.keys(operations).toSorted());
});

describe.each(Object.entries(publishedAnswers))('%s', (id, answers) => {
  test.each(
    answers.map(
      (answer) =>
        [`${answer.status} ${JSON.stringify(answer.json ?? answer.text ?? '')}`.slice(0, 90), answer] as const,
    ),
  )('reads %s', async (_name, answer) => {
    const reading = await readingOf(id as OperationId, answer);
    if (typeof answer.reads === 'object' && 'rows' in answer.reads) {
      expect(reading).toEqual({ rows: answer.reads.rows.map((each) => expect.objectContaining(each)) });
    } else expect(reading).toMatchObject(answer.reads as object);
  });
});
