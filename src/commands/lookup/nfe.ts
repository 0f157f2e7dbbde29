import { rowsOf } from '../../client/read-answer.js';
import type { Outcome } from '../../domain/outcome.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { readBytes, type BytesOutcome } from '../../services/calls/read-bytes.js';
import { requireSubject } from './lookup.js';

export interface NfeBytesRequest {
  readonly number: string;
  readonly form: 'xml' | 'pdf';
  readonly out: string | undefined;
  readonly timeoutMs: number;
}

/** The XML or PDF of an NF-e at the state tax authority, byte for byte. */
export async function lookUpBytes(context: Context, request: NfeBytesRequest): Promise<BytesOutcome> {
  const { form, out, timeoutMs } = request;
  const { number } = await requireSubject(context, {
    name: 'nfe',
    number: request.number,
    birthDate: undefined,
  });
  const name = form.toUpperCase();
  return await readBytes(context, {
    operation: `lookup.nfe.${form}`,
    input: { path: { accessKey: number } },
    what: { en: `the ${name}`, pt: `o ${name}` },
    key: number,
    out,
    timeoutMs,
    ...(form === 'xml' ? { expected: { family: 'nfe', part: 'document', accessKey: number } as const } : {}),
  });
}

/** The events that the authority knows of an NF-e. */
export async function lookUpEvents(context: Context, text: string): Promise<Outcome> {
  const subject = await requireSubject(context, { name: 'nfe', number: text, birthDate: undefined });
  const input = { path: { accessKey: subject.number } };
  if ((await context.settings()).dryRun)
    return { data: await previewOne(context, 'lookup.nfe.events', input) };
  const client = await context.client();
  const { body } = await client.call('lookup.nfe.events', input, { signal: context.interruption });
  return { data: rowsOf('lookup.nfe.events', body) };
}
