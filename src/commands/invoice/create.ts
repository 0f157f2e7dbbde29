import type { InvoiceInput } from '../../contract/invoice.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { generalInvoice, type GeneralInvoiceItem } from '../../jobs/kinds/invoice-general.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import type { FollowOptions } from '../../services/batch/follow.js';
import { runSingle, unknownOutcome } from '../../services/batch/single-job.js';
import { concludeIssue, type Earlier, repeatEarlier } from './issue-result.js';
import { contentDigest, generalDigest, idempotencyKeyOf } from './identity.js';
import { invoiceText } from './invoice.js';
import { readInvoice, sampleInvoice, type InvoiceFields } from './written-invoice.js';

export interface CreateRequest extends FollowOptions {
  readonly file: string | undefined;
  readonly set: readonly string[];
  readonly again: boolean;
  /** The user's own `Idempotency-Key`; absent: it is made of the invoice. */
  readonly idempotencyKey: string | undefined;
  readonly sample: boolean;
  readonly unchecked: boolean;
}

/**
 * Issues by the short way (§4) as a job of one item. The `Idempotency-Key` is made of the invoice, or the user's own, and
 * stored before the send; a send whose outcome is unknown is made again with that key only. The same content again follows the same job.
 * Errors: `input.*`, `usage.*`, `outcome.*`, and those of the client.
 */
export async function createInvoice(context: Context, request: CreateRequest): Promise<Outcome> {
  const settings = await context.settings();
  if (request.sample) return { data: sampleInvoice('general', settings.sends) };
  const unused = { externalId: undefined, environment: undefined, isInBody: true } as const;
  const rules = { model: 'general', ...unused } as const;
  const invoice = await readInvoice(context, { ...request, ...rules, forms: settings.sends });
  const body = bodyOf(invoice);
  const chosen = identityOf(invoice, request, () => context.random.uuid());
  const { item: holder, identity } = settings.dryRun
    ? { item: undefined, identity: chosen }
    : await findHolder(context, invoice, chosen);
  const { idempotencyKey, dedupeKey } = identity;
  if (settings.dryRun) {
    return { data: await previewOne(context, 'invoice.create', { path: {}, body, idempotencyKey }) };
  }
  if (request.again) context.goOn.byJobOnly();
  const earlier = holder === undefined ? undefined : earlierOf(holder, invoice, idempotencyKey);
  if (earlier !== undefined) return await repeatEarlier(context, { earlier, request });
  const single = await runSingle(
    context,
    {
      kind: generalInvoice,
      profile: settings.storeNamespace,
      // The job that holds the key is found by what was written for it.
      inputDigest: `create ${dedupeKey} ${contentDigest({ ...(holder === undefined ? invoice : writtenFor(holder)) })}`,
      scope: {},
      items: [
        {
          ordinal: 1,
          label: labelOf(body),
          dedupeKey,
          idempotencyKey,
          input: { invoice: body },
        },
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

interface Identity {
  readonly idempotencyKey: string;
  /** What this machine issues once. */
  readonly dedupeKey: string;
}

/** One key is one invoice, here and at the service. Errors: `usage.invalid`, `usage.invalid_value`. */
function identityOf(
  invoice: InvoiceFields,
  { again, idempotencyKey: given }: CreateRequest,
  uuid: () => string,
): Identity {
  if (given !== undefined) {
    if (again) throw anotherKeyNeeded();
    if (!/^[\x21-\x7e]{1,255}$/.test(given))
      throw invalidValue('--idempotency-key', given.slice(0, 20), aKey);
    return { idempotencyKey: given, dedupeKey: `key ${given}` };
  }
  if (again) {
    const idempotencyKey = uuid();
    return { idempotencyKey, dedupeKey: `content ${generalDigest(invoice)} again ${idempotencyKey}` };
  }
  return identityBy(generalDigest(invoice), invoice);
}

function identityBy(digest: string, invoice: InvoiceFields): Identity {
  const idempotencyKey = idempotencyKeyOf(invoice, digest);
  const isNamed = typeof invoice['externalId'] === 'string' && invoice['externalId'] !== '';
  return { idempotencyKey, dedupeKey: isNamed ? `key ${idempotencyKey}` : `content ${digest}` };
}

interface Holder {
  readonly item: ItemRow | undefined;
  readonly identity: Identity;
}

/** The item that holds the key. Earlier versions made the key of the content as it was written; theirs counts as well. */
async function findHolder(context: Context, invoice: InvoiceFields, chosen: Identity): Promise<Holder> {
  const { storeNamespace: profile } = await context.settings();
  const { items } = await context.store();
  const holderOf = async ({ dedupeKey }: Identity): Promise<ItemRow | undefined> =>
    await items.holder({ profile, kind: generalInvoice.name, dedupeKey });
  const item = await holderOf(chosen);
  if (item !== undefined || chosen.dedupeKey !== `content ${generalDigest(invoice)}`)
    return { item, identity: chosen };
  const asWritten = identityBy(contentDigest(invoice), invoice);
  const older = await holderOf(asWritten);
  return { item: older, identity: older === undefined ? chosen : asWritten };
}

/** The row was written by the kind `invoice`, whose input has this type. */
function writtenFor({ input }: ItemRow): InvoiceInput {
  return (input as GeneralInvoiceItem).invoice;
}

/**
 * The invoice that stands at the service under this key, if any. Errors: `outcome.unknown`; `invoice.other_content` where the
 * key was used for another content.
 */
function earlierOf(item: ItemRow, invoice: InvoiceFields, idempotencyKey: string): Earlier | undefined {
  if (generalDigest({ ...writtenFor(item) }) !== generalDigest(invoice))
    throw otherContent(invoice, item, idempotencyKey);
  if (item.state === 'uncertain') throw unknownOutcome(item);
  if (item.resourceId === undefined) return undefined;
  return { target: { model: 'general', companyId: '', id: item.resourceId }, item };
}

function otherContent(
  { externalId }: InvoiceFields,
  { resourceId, jobId }: ItemRow,
  key: string,
): FiscalError {
  const what =
    resourceId === undefined ? { en: 'an invoice', pt: 'uma nota' } : invoiceText('general', resourceId);
  const name = typeof externalId === 'string' ? externalId : key;
  return new FiscalError('invoice.other_content', { externalId: name, what }, { jobId, sent: 'no' });
}

function anotherKeyNeeded(): FiscalError {
  const message = {
    en: '--again issues another invoice, which needs another --idempotency-key: leave one of the two out',
    pt: '--again emite outra nota, que precisa de outra --idempotency-key: use só uma das duas opções',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const aKey: Text = {
  en: '1 to 255 visible ASCII characters without spaces are expected',
  pt: 'esperam-se de 1 a 255 caracteres ASCII visíveis, sem espaços',
};

/** A deployment may ignore the key (operations.md), so a repeat under it is announced. */
function caution(attempts: number): readonly Text[] {
  if (attempts < 2) return [];
  return [
    {
      en: `it was sent ${attempts} times under one Idempotency-Key, because an outcome was unknown; check that the service has it only once`,
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
