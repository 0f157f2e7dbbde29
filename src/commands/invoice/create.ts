import type { InvoiceInput } from '../../contract/invoice.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { generalInvoice, type GeneralInvoiceItem } from '../../jobs/kinds/invoice-issue.js';
import type { ItemRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { runSingle, unknownOutcome } from '../../services/batch/single-job.js';
import type { Given } from '../../cli/command.js';
import type { issue } from './issue-commands.js';
import { concludeIssue, type Earlier, otherContent, repeatEarlier } from './issue-result.js';
import { generalDigest, idempotencyKeyOf } from './identity.js';
import { confirmIssue, environmentOf } from './issue-words.js';
import { checkedInvoice, type InvoiceFields } from './written-invoice.js';

/**
 * Issues by the short way (§4) as a job of one item. The `Idempotency-Key` is made of the invoice, or the user's own, and
 * stored before the send; a send whose outcome is unknown is made again with that key only. The same content again follows the same job.
 * Errors: `input.*`, `usage.*`, `outcome.*`, and those of the client.
 */
export async function createInvoice(context: Context, content: unknown, typed: Given<typeof issue>): Promise<Outcome> {
  const { dryRun, sends: forms, storeNamespace: profile } = await context.settings();
  const given = { ...typed, externalId: undefined, environment: undefined, retryBillable: false };
  const rules = { model: 'general', isInBody: true, forms } as const;
  const invoice = checkedInvoice(content, { ...given, ...rules });
  // Its rules were checked, or the user asked for `--unchecked`: the service is the one to judge the rest.
  const body = invoice as InvoiceInput;
  const { idempotencyKey, dedupeKey } = identityOf(invoice, given, () => context.random.uuid());
  if (dryRun) {
    return { data: await previewOne(context, 'invoice.create', { path: {}, body, idempotencyKey }) };
  }
  if (given.again) context.goOn.byJobOnly();
  const { items } = await context.store();
  const holder = await items.holder({ profile, kind: generalInvoice.name, dedupeKey });
  const earlier = holder === undefined ? undefined : earlierOf(holder, invoice, idempotencyKey);
  if (earlier !== undefined) return await repeatEarlier(context, earlier, given);
  await confirmIssue(context, { model: 'general', invoice, environment: environmentOf(invoice) });
  const single = await runSingle(
    context,
    {
      kind: generalInvoice,
      profile,
      inputDigest: `create ${dedupeKey} ${generalDigest(invoice)}`,
      scope: {},
      items: [{ ordinal: 1, label: labelOf(body), dedupeKey, idempotencyKey, input: { invoice: body } }],
    },
    given,
  );
  const notices = caution(single.item.attempts);
  return await concludeIssue(context, {
    single,
    item: { model: 'general', companyId: '', invoice: body },
    given,
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
  { again, idempotencyKey: own }: Given<typeof issue>,
  uuid: () => string,
): Identity {
  if (own !== undefined) {
    if (again) throw anotherKeyNeeded();
    if (!/^[\x21-\x7e]{1,255}$/.test(own)) throw invalidValue('--idempotency-key', own.slice(0, 20), aKey);
    return { idempotencyKey: own, dedupeKey: `key ${own}` };
  }
  if (again) {
    const idempotencyKey = uuid();
    return { idempotencyKey, dedupeKey: `content ${generalDigest(invoice)} again ${idempotencyKey}` };
  }
  const digest = generalDigest(invoice);
  const idempotencyKey = idempotencyKeyOf(invoice, digest);
  return { idempotencyKey, dedupeKey: nameOf(invoice) !== undefined ? `key ${idempotencyKey}` : `content ${digest}` };
}

/** The user's own id. */
function nameOf({ externalId }: InvoiceFields): string | undefined {
  return typeof externalId === 'string' && externalId !== '' ? externalId : undefined;
}

/**
 * The invoice that stands at the service under this key, if any. Errors: `outcome.unknown`; `invoice.other_content` where the
 * key was used for another content.
 */
function earlierOf(item: ItemRow, invoice: InvoiceFields, idempotencyKey: string): Earlier | undefined {
  // The row was written by the kind `invoice`, whose input has this type.
  const { invoice: written } = item.input as GeneralInvoiceItem;
  if (generalDigest({ ...written }) !== generalDigest(invoice))
    throw otherContent({ model: 'general', externalId: nameOf(invoice) ?? idempotencyKey }, item);
  if (item.state === 'uncertain') throw unknownOutcome(item);
  if (item.resourceId === undefined) return undefined;
  return { target: { model: 'general', companyId: '', id: item.resourceId }, item };
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

function labelOf({ cliente }: InvoiceInput): string {
  const name: unknown = cliente?.nome;
  return typeof name === 'string' && name !== '' ? name.slice(0, 60) : 'invoice';
}
