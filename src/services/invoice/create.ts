import type { InvoiceInput } from '../../contract/invoice.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { generalInvoice } from '../../jobs/kinds/invoice-general.js';
import type { Context } from '../context.js';
import { previewOne } from '../preview.js';
import { runSingle, unknownOutcome, type FollowOptions } from '../single-job.js';
import { concludeIssue } from './conclude.js';
import { repeatEarlier, type Earlier } from './earlier.js';
import { contentDigest } from './identity.js';
import { samples } from './samples.js';
import { readInvoice, type InvoiceFields } from './written-invoice.js';

export interface CreateRequest extends FollowOptions {
  readonly file: string | undefined;
  readonly set: readonly string[];
  readonly again: boolean;
  /** Never repeated under its key: a person is asked. */
  readonly once: boolean;
  readonly sample: boolean;
  readonly unchecked: boolean;
}

/**
 * Issues by the short way (§4) as a job of one item. The `Idempotency-Key` is made once and stored before the send; a send
 * whose outcome is unknown is made again with that key only. The same content again follows the same job.
 * Errors: `input.*`, `usage.*`, `outcome.*`, and those of the client.
 */
export async function createInvoice(context: Context, request: CreateRequest): Promise<Outcome> {
  if (request.sample) return { data: samples.general };
  const written = { ...request, model: 'general', externalId: undefined, environment: undefined } as const;
  const invoice = await readInvoice(context, written);
  const settings = await context.settings();
  const body = bodyOf(invoice);
  if (settings.dryRun) {
    const input = { path: {}, body, idempotencyKey: '(made once, stored before the send)' };
    return { data: await previewOne(context, 'invoice.create', input) };
  }
  if (request.again) context.goOn.byJobOnly();
  const suffix = request.again ? ` again ${context.random.uuid()}` : '';
  const key = `content ${contentDigest(invoice)}${suffix}`;
  const earlier = await findEarlier(context, key);
  if (earlier !== undefined) return await repeatEarlier(context, { earlier, request });
  const single = await runSingle(
    context,
    {
      kind: generalInvoice,
      profile: settings.space,
      inputDigest: `create ${key}`,
      scope: {},
      items: [
        { ordinal: 1, label: labelOf(body), dedupeKey: key, input: { invoice: body, once: request.once } },
      ],
    },
    request,
  );
  const notices = caution(single.item.attempts);
  return await concludeIssue(context, {
    single,
    item: { model: 'general', companyId: '' },
    request,
    notices,
  });
}

/** The item that stands at the service for this content, if any. Error: `outcome.unknown`. */
async function findEarlier(context: Context, dedupeKey: string): Promise<Earlier | undefined> {
  const { space } = await context.settings();
  const store = await context.store();
  const item = await store.items.holder({ profile: space, kind: generalInvoice.name, dedupeKey });
  if (item?.state === 'uncertain') throw unknownOutcome(item);
  if (item?.resourceId === undefined) return undefined;
  return { target: { model: 'general', companyId: '', id: item.resourceId }, item };
}

/** A deployment may ignore the key (operations.md), so a repeat under it is told. */
function caution(attempts: number): readonly Text[] {
  if (attempts < 2) return [];
  return [
    {
      en: `it was sent ${attempts} times under one Idempotency-Key, because an outcome was unknown; look whether the service has it once`,
      pt: `foi enviada ${attempts} vezes com a mesma Idempotency-Key, porque um resultado era desconhecido; verifique se o serviço a tem uma só vez`,
    },
  ];
}

function bodyOf(invoice: InvoiceFields): InvoiceInput {
  // Its rules were checked, or the user asked for `--unchecked`: the service is the one to judge the rest.
  return invoice as InvoiceInput;
}

function labelOf({ cliente }: InvoiceInput): string {
  const name: unknown = cliente?.nome;
  return typeof name === 'string' && name !== '' ? name.slice(0, 60) : 'invoice';
}
