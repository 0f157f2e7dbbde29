import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { holdsKey } from '../../jobs/claimed-item.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { observeInvoice, readByExternalId } from '../../jobs/kinds/invoice-answer.js';
import type { Context } from '../../services/context.js';
import { type DryRun, previewOne } from '../../services/calls/one-call.js';
import { companyOf } from '../../services/scope/companies.js';
import { type FollowTimes, followUntil } from '../../services/batch/follow.js';
import { invoiceStillPending, issueEndedBadly } from './outcome.js';
import { type InvoiceTarget, standingOf } from './invoice.js';
import { invoiceOf } from './model.js';
import { everyModel } from './options.js';
import type { Given } from '../../cli/command.js';
import type { get } from './read-commands.js';

/** Reads one invoice; with `wait`, waits until it is issued or rejected. Errors: `usage.missing`, those of `invoiceOf`, `outcome.*`. */
export async function getInvoice(context: Context, given: Given<typeof get>): Promise<Outcome> {
  const { model, id, externalId } = given;
  const { dryRun } = await context.settings();
  let target: InvoiceTarget;
  if (id !== undefined) {
    target = await invoiceOf(context, { command: 'invoice get', models: everyModel, model, id });
    if (dryRun) return { data: await previewRead(context, target) };
  } else {
    if (externalId === undefined)
      throw new FiscalError('usage.missing', { names: '<id> / --external-id' }, { sent: 'no' });
    context.goOn.found({ model: 'nfse' });
    const path = { companyId: await companyOf(context), externalId };
    if (dryRun) return { data: await previewOne(context, 'nfse.getByExternalId', { path }) };
    target = { model: 'nfse', companyId: path.companyId, id: await idByExternalId(context, path) };
  }
  const { body } = given.wait ? await followInvoice(context, target, given) : await fetchInvoice(context, target);
  if (!given.exitStatus) return { data: body };
  const standing = standingOf(body);
  if (standing.is === 'refused') throw issueEndedBadly(target, standing);
  return standing.is === 'issued' ? { data: body } : { data: body, exitCode: ExitCode.pending };
}

/**
 * Reads an invoice until it is issued or rejected. An unknown status counts as pending, never as success.
 * Errors: `outcome.ended_badly`, `outcome.still_pending`.
 */
export async function followInvoice(
  context: Context,
  target: InvoiceTarget,
  { timeout, interval }: FollowTimes,
): Promise<ReadInvoice> {
  const { read, pending, elapsedMs } = await followUntil(context, {
    ...{ resource: target.id, timeout, interval },
    label: { en: 'issue', pt: 'emissão' },
    read: () => fetchInvoice(context, target),
    pendingStatus: ({ body }) => {
      const standing = standingOf(body);
      if (standing.is === 'refused') throw issueEndedBadly(target, standing);
      return standing.is === 'issued' ? undefined : standing.status;
    },
  });
  if (pending === undefined) return read;
  throw invoiceStillPending(target, { status: pending, seconds: Math.round(elapsedMs / 1000) });
}

export interface ReadInvoice {
  /** As it came. */
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * Reads an invoice once, and finishes the item of this machine that waits for it. Error: `service.unreadable` for an answer that is
 * not an object.
 */
export async function fetchInvoice(context: Context, target: InvoiceTarget): Promise<ReadInvoice> {
  const read = await readOnce(context, target);
  await finishItem(context, target, read.body);
  return read;
}

async function readOnce(context: Context, { model, companyId, id }: InvoiceTarget): Promise<ReadInvoice> {
  const client = await context.client();
  const how = { signal: context.interruption };
  switch (model) {
    case 'general':
      return readable(`invoice.get`, await client.call('invoice.get', { path: { id } }, how));
    case 'nfse':
      return readable('nfse.get', await client.call('nfse.get', { path: { companyId, id } }, how));
    case 'nfe':
    case 'nfce': {
      const path = { companyId, invoiceId: id };
      return readable(`${model}.get`, await client.call(`${model}.get`, { path }, how));
    }
  }
}

/**
 * Finds the id of an NFS-e by its externalId. Errors: `service.not_found`, `invoice.not_found`,
 * `service.unreadable`.
 */
export async function idByExternalId(
  context: Context,
  path: { readonly companyId: string; readonly externalId: string },
): Promise<string> {
  const operation = 'nfse.getByExternalId';
  const client = await context.client();
  const { body, status } = await client.call(operation, { path }, { signal: context.interruption });
  const found = readByExternalId(body, path.externalId);
  if (typeof found === 'object') return found.resourceId;
  if (found === 'absent') throw new FiscalError('invoice.not_found', { externalId: path.externalId }, { sent: 'yes' });
  throw new FiscalError('service.unreadable', { operation, status, reason: unnamed[found] });
}

const unnamed = {
  another: { en: 'it shows only invoices of other externalIds', pt: 'só mostra notas de outros externalIds' },
  unclear: {
    en: 'it shows several invoices of this externalId, or one without an id',
    pt: 'mostra várias notas com este externalId, ou uma sem id',
  },
} as const satisfies Readonly<Record<string, Text>>;

export async function previewRead(context: Context, { model, companyId, id }: InvoiceTarget): Promise<DryRun> {
  if (model === 'general') return await previewOne(context, 'invoice.get', { path: { id } });
  if (model === 'nfse') return await previewOne(context, 'nfse.get', { path: { companyId, id } });
  return await previewOne(context, `${model}.get`, { path: { companyId, invoiceId: id } });
}

function readable(
  operation: string,
  { body, status }: { readonly body: unknown; readonly status: number },
): ReadInvoice {
  if (isRecord(body)) return { body };
  const reason: Text = { en: 'it is not an invoice', pt: 'não é uma nota fiscal' };
  throw new FiscalError('service.unreadable', { operation, status, reason });
}

/** The rules that every kind of issue shares. */
const issueRules = { onceOnly: true, rejectedStays: true } as const;

/** Finishes the item of this machine that still waits for this invoice, if the read shows its result. */
export async function finishItem(context: Context, target: InvoiceTarget, body: unknown): Promise<void> {
  const { model, companyId, id } = target;
  const seen = observeInvoice(body);
  if (seen.state === 'pending') return;
  const store = await context.store();
  const { storeNamespace } = await context.settings();
  const items = await store.items.claimants({ kind: `${model}-issue`, resourceIds: [id] });
  const item = items.find(({ state, resourceId }) => state === 'pending' && resourceId === id);
  const job = item === undefined ? undefined : await store.jobs.get(item.jobId);
  if (item === undefined || job?.profile !== storeNamespace) return;
  if (textField(item.input, 'companyId') !== companyId) return;
  const at = context.clock.now();
  const patch = {
    state: seen.state,
    remoteStatus: seen.remoteStatus ?? null,
    errorCode: seen.errorCode ?? null,
    reason: seen.reason ?? null,
    settledAt: at,
    holdsKey: holdsKey(seen.state, issueRules),
    keep: false,
  };
  await store.items.decide(item.id, 'pending', patch, {
    at,
    step: { is: 'read', by: 'person', status: seen.remoteStatus ?? '?' },
  });
}
