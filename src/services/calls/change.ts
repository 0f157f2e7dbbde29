import type { CallInput } from '../../client/client.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { isOutcomeUnknown } from '../../domain/call-end.js';
import { type Change, type JsonObject } from '../../domain/field-changes.js';
import { exactJson } from '../../domain/json-numbers.js';
import type { Outcome } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import {
  changedMeanwhile,
  movedSince,
  type Plan,
  planOf,
  type Resource,
  type Written,
  writeOnce,
} from '../../jobs/resources/resource.js';
import type { ConsentRequest, Context } from '../context.js';
import { type DryRun, previewOne } from './one-call.js';

/** One resource that is brought to what somebody wrote. */
export interface Changing {
  readonly resource: Resource;
  readonly written: JsonObject;
  /** Errors: those of what is written over what stands, besides the problems of fields. */
  check?(plan: Plan): void;
  /** Whether it is written although nothing differs. */
  again?(plan: Plan): boolean;
  /** What is asked; `undefined`: nothing is. */
  question(plan: Plan): ConsentRequest | undefined | Promise<ConsentRequest | undefined>;
  /** Further lines of the difference: what is changed and is no field. */
  readonly besides?: readonly Text[];
  readonly hooks?: WriteHooks;
  /** The resource as data. */
  shown(standing: JsonObject, plan: Plan): JsonObject | Promise<JsonObject>;
  /** What is said, and any further notice. */
  done(after: JsonObject, plan: Plan): Said | Promise<Said>;
  /** The file with what was written, for its problems. */
  readonly file?: string | undefined;
  readonly hint?: Text;
}

/** What is said of a change that is done. */
interface Said {
  readonly text: Text;
  readonly notices?: readonly Text[];
}

/** What a resource does around its write. */
interface WriteHooks {
  /** Sends; for what must be kept before, and dropped after a refusal. */
  around?(send: () => Promise<Written>): Promise<Written>;
  /** Keeps what was shown, whatever it shows. */
  note?(after: JsonObject, plan: Plan): Promise<void>;
}

/**
 * Reads, merges (null removes a field), shows the difference, asks, reads again, writes once, and compares. Without a difference nothing
 * is asked and nothing is sent. `company apply` does the same for each step of its plan, with the same resources.
 * Errors: `input.invalid`, `resource.changed`, `outcome.unknown`, those of a call.
 */
export async function changeOne(context: Context, changing: Changing): Promise<Outcome> {
  const { resource, besides = [] } = changing;
  const plan = await planChange(context, changing);
  if (isAsItIs(plan, changing)) return { data: await changing.shown(plan.standing ?? {}, plan), notices: [asItIs] };
  const loss = resource.loss?.(plan);
  if (loss !== undefined) await context.notice(loss);
  if ((await context.settings()).dryRun) return { data: await previewPlan(context, resource, plan) };
  for (const line of [...linesOf(resource, plan), ...besides]) await context.notice(line);
  const asked = await changing.question(plan);
  if (asked === undefined) return await sendPlan(context, changing, plan);
  await context.consent(asked);
  return await sendPlan(context, changing, await readAgain(context, resource, plan));
}

/** What stands, merged and checked. Errors: `input.invalid` with every problem, those of the read. */
export async function planChange(
  context: Context,
  changing: Omit<Changing, 'question' | 'shown' | 'done'>,
): Promise<Plan> {
  const { resource, written } = changing;
  const standing = await resource.read(await context.client(), { signal: context.interruption });
  const plan = planOf(resource, standing, written);
  requireValid(resource, plan, changing);
  changing.check?.(plan);
  const refusal = isAsItIs(plan, changing) ? undefined : resource.refusal?.(plan);
  if (refusal !== undefined) throw refusal;
  return plan;
}

/** Nothing is to be sent. */
export function isAsItIs(plan: Plan, { besides = [], again }: Pick<Changing, 'besides' | 'again'>): boolean {
  return plan.standing !== undefined && plan.changes.length + besides.length === 0 && again?.(plan) !== true;
}

/** Writes a plan that was agreed to, and says what came of it. Errors: those of `writePlan`. */
export async function sendPlan(
  context: Context,
  changing: Changing,
  plan: Plan,
): Promise<Outcome & { readonly data: JsonObject }> {
  const { resource, hooks } = changing;
  const { after, notices } = await writePlan(context, { resource, plan, hooks });
  const { text, notices: more = [] } = await changing.done(after, plan);
  return {
    data: await changing.shown(after, plan),
    sentence: sentenceOf(notices.length === 0 ? 'good' : 'warn', text),
    notices: [...notices, ...more],
  };
}

/** Error: `input.invalid` with every problem of what is to be sent. */
export function requireValid(
  resource: Resource,
  plan: Plan,
  { file, hint }: { readonly file?: string | undefined; readonly hint?: Text | undefined },
): void {
  const details = (resource.problems?.(plan) ?? []).map(({ field, message }) => ({ field, message }));
  if (details.length === 0) return;
  const what = file === undefined || file === '-' ? resource.name : file;
  const hinted = hint === undefined ? {} : { hint };
  throw new FiscalError('input.invalid', { what }, { details, sent: 'no', ...hinted });
}

/** The request as it would be sent, and what it changes. */
export async function previewPlan(
  context: Context,
  resource: Resource,
  plan: Plan,
): Promise<DryRun & { readonly changes: readonly Change[] }> {
  const { operation, input } = await resource.request(plan);
  const preview = await previewOne(context, operation, input as CallInput<typeof operation>);
  return { ...preview, changes: plan.changes.map((change) => resource.masked?.(change) ?? change) };
}

/** The difference as a person reads it, a line for each field. */
export function linesOf(resource: Resource, { changes }: Plan): readonly Text[] {
  return changes.map((change) => changeText(resource.masked?.(change) ?? change));
}

/**
 * The plan over what stands now: a question takes its time, and the service replaces the whole. Error: `resource.changed` where
 * somebody else has changed it.
 */
export async function readAgain(context: Context, resource: Resource, plan: Plan): Promise<Plan> {
  const now = await resource.read(await context.client(), { signal: context.interruption });
  const fields = movedSince(resource, plan, now);
  if (fields.length === 0 && (now === undefined) === (plan.standing === undefined))
    return planOf(resource, now, plan.written);
  throw changedMeanwhile(resource.name, fields);
}

/**
 * Writes once. A replacement of unknown outcome is not repeated by itself: what moved on meanwhile would be put back.
 * Errors: `outcome.unknown`, those of the call.
 */
export async function writePlan(
  context: Context,
  {
    resource,
    plan,
    hooks,
  }: { readonly resource: Resource; readonly plan: Plan; readonly hooks?: WriteHooks | undefined },
): Promise<{ readonly after: JsonObject; readonly notices: readonly Text[] }> {
  const client = await context.client();
  const send = async () => await writeOnce(client, resource, plan, { signal: context.interruption });
  const { after, unread, otherwise, unseen } = await (hooks?.around?.(send) ?? send()).catch((error: unknown) => {
    if (plan.standing === undefined || !isUnknown(error)) throw error;
    throw notProven(resource, error.text, { ...error.facts, sent: isAccepted(error) ? 'yes' : 'unknown' });
  });
  if (after === undefined) throw notProven(resource, unreadText(unread?.text ?? gone), { sent: 'yes' });
  await hooks?.note?.(after, plan);
  if (otherwise.length > 0) {
    const shown = otherwise.map((change) => resource.masked?.(change) ?? change);
    throw notProven(resource, differenceText(shown), { sent: 'yes' });
  }
  const lost = plan.standing === undefined ? [] : (resource.lost?.(plan.standing, after) ?? []);
  return {
    after,
    notices: [...(unseen.length === 0 ? [] : [notShown(unseen)]), ...(lost.length === 0 ? [] : [noLongerShown(lost)])],
  };
}

/** An error without `sent` was raised here, before the request. */
function isUnknown(error: unknown): error is FiscalError {
  if (!(error instanceof FiscalError)) return false;
  const { sent = 'no', httpStatus: status } = error.facts;
  return isOutcomeUnknown({ sent, status });
}

/** The status says so, and what came with it cannot be read. */
function isAccepted({ facts: { httpStatus = 0 } }: FiscalError): boolean {
  return httpStatus >= 200 && httpStatus < 300;
}

/** Nobody but a person may say what became of it: the command that shows it is in the hint. */
function notProven({ see }: Resource, reason: Text, facts: FiscalError['facts']): FiscalError {
  const hint = { en: `check its state: ${see}`, pt: `veja a situação: ${see}` };
  return new FiscalError('outcome.unknown', { reason }, { hint, ...facts, retryable: false });
}

type RemovalId = 'company.delete' | 'certificate.delete' | 'webhook.delete' | `${InboundFamily}.inbound.disable`;

interface Removing<Id extends RemovalId> {
  readonly operation: Id;
  readonly input: CallInput<Id>;
  /** Reads what is to go, and says what is asked. Not called in a dry run. */
  question(): Promise<ConsentRequest>;
  /** False where it was not found before: then a 404 is none of ours. */
  stood?(): boolean;
  /** Gets the body of the answer; `undefined`: a repeat found it gone. */
  done(body: unknown): Outcome | Promise<Outcome>;
}

/**
 * Removes a resource after the question. It stood a moment ago, so that a 404 to a repeated request says that the first one arrived.
 * Errors: those of the question and of the call.
 */
export async function removeOne<Id extends RemovalId>(context: Context, removing: Removing<Id>): Promise<Outcome> {
  const { operation, input } = removing;
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  await context.consent(await removing.question());
  const client = await context.client();
  const answer = await client.call(operation, input, { signal: context.interruption }).catch((error: unknown) => {
    const isGone =
      error instanceof FiscalError && error.code === 'service.not_found' && (error.facts.attempts ?? 1) > 1;
    if (isGone && removing.stood?.() !== false) return undefined;
    throw error;
  });
  return await removing.done(answer?.body);
}

/** A change as a person reads it: `address.street: "Rua A" → "Rua B"`. */
export function changeText({ field, from, to }: Change): Text {
  const text = `${field}: ${shown(from)} → ${shown(to)}`;
  return { en: text, pt: text };
}

function shown(value: unknown): string {
  return value === undefined ? '—' : exactJson(value).slice(0, 200);
}

/** Fields that a read shows with another value. */
function differenceText(otherwise: readonly Change[]): Text {
  const list = otherwise.map(({ field, from, to }) => `${field} ${shown(to)} (${shown(from)})`).join(', ');
  return {
    en: `the service accepted it but shows other values than those written (in brackets): ${list}`,
    pt: `o serviço aceitou, mas mostra valores diferentes dos enviados (entre parênteses): ${list}`,
  };
}

/** An accepted write that reads back differently; `see` shows the current state. */
export function shownOtherwise(otherwise: readonly Change[], see: string): FiscalError {
  const hint = { en: `check its state: ${see}`, pt: `veja a situação: ${see}` };
  const facts = { sent: 'yes', retryable: false, hint } as const;
  return new FiscalError('outcome.unknown', { reason: differenceText(otherwise) }, facts);
}

function unreadText({ en, pt }: Text): Text {
  return {
    en: `the service accepted it, but reading it back failed: ${en}`,
    pt: `o serviço aceitou, e a leitura de conferência falhou: ${pt}`,
  };
}

const gone: Text = { en: 'it is not there', pt: 'não está lá' };

function notShown(fields: readonly string[]): Text {
  const list = fields.join(', ');
  return {
    en: `accepted; the service does not show ${list}, so it cannot be verified`,
    pt: `aceito; o serviço não mostra ${list}, então não é possível confirmar a gravação`,
  };
}

/** Fields that no request carries, and that the service showed before the write. */
function noLongerShown(fields: readonly string[]): Text {
  const list = fields.join(', ');
  return {
    en: `the service no longer shows ${list}: the published body of an update cannot carry it`,
    pt: `o serviço não mostra mais ${list}: o corpo publicado de uma alteração não comporta esse dado`,
  };
}

const asItIs: Text = { en: 'it is already set this way; nothing was sent', pt: 'já está assim; nada foi enviado' };
