import type { Answer, CallOptions, Client } from '../../client/client.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { type Change, changesBetween, type JsonObject, merge, takenFrom } from '../../domain/field-changes.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { JobRequest } from '../kind.js';

type WriteId =
  | 'company.update'
  | 'stateTax.update'
  | 'municipalTax.update'
  | 'certificate.upload'
  | `${InboundFamily}.inbound.enable`
  | 'nfe.inbound.update'
  | 'nfse.inbound.update'
  | 'webhook.create'
  | 'webhook.update';

/** A write of a resource, as data: only the engine sends it. */
export type Write = { readonly [Id in WriteId]: JobRequest<Id> }[WriteId];

/**
 * One thing of the account: how it is read and written, what of it is secret, moves by itself or is never shown. Everything in which
 * resources differ stands in such a description; reading, merging, comparing and writing are the same for all (decision 42).
 */
export interface Resource {
  /** With its article: `the webhook w1`. */
  readonly name: Text;
  /** The command that shows it. */
  readonly see: string;
  /** What a repeat of the write does. */
  readonly replay: 'natural' | 'unsafe';
  /** What stands; `undefined`: it does not exist. Errors: `service.unreadable` for an answer that is not it; those of a call. */
  read(client: Client, options: CallOptions): Promise<JsonObject | undefined>;
  /** What a write may send of what stands: nothing that only the service sets, and no mask in the place of a secret. */
  sendable(standing: JsonObject): JsonObject;
  /** What was written as the service writes it, with what a new one has besides. */
  inItsWords?(written: JsonObject, standing: JsonObject | undefined): JsonObject;
  /** The form in which two states are compared. */
  comparable?(fields: JsonObject): JsonObject;
  /** Why the result cannot be sent; the problems of fields. */
  problems?(plan: Plan): readonly InvoiceFinding[];
  /** Why nothing can be sent over what stands. */
  refusal?(plan: Plan): FiscalError | undefined;
  /** What a write may drop, because the service does not show it. */
  loss?(plan: Plan): Text | undefined;
  request(plan: Plan): Write | Promise<Write>;
  /** The resource in the answer to a write. */
  answered(body: unknown): JsonObject | undefined;
  /** A field that is a secret, or may be one. */
  isSecret?(field: string): boolean;
  /** A field that the service moves on by itself. */
  moves?(field: string): boolean;
  /** A field that a read never shows as it was written, besides the secrets. */
  isElsewhere?(field: string): boolean;
  /** A change with its secrets masked. */
  masked?(change: Change): Change;
  /** Fields that were there before the write, that no request carries, and that are gone. */
  lost?(standing: JsonObject, after: JsonObject): readonly string[];
  /** Whether it is in force, apart from its fields. */
  isActive?(standing: JsonObject): boolean;
  idOf(standing: JsonObject): string | undefined;
}

/** What a write would make of a resource. */
export interface Plan {
  /** `undefined`: it is created. */
  readonly standing: JsonObject | undefined;
  /** As a person or a file gives it. */
  readonly written: JsonObject;
  /** What is sent. */
  readonly merged: JsonObject;
  /** What is compared: of what stands, and of what is to stand. */
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly changes: readonly Change[];
}

/** Merges what was written into what stands, at every depth; null removes a field. Pure. */
export function planOf(resource: Resource, standing: JsonObject | undefined, written: JsonObject): Plan {
  const own = standing === undefined ? {} : resource.sendable(standing);
  const merged = merge(own, resource.inItsWords?.(written, standing) ?? written);
  const [before, after] = [own, merged].map((fields) => comparable(resource, fields)) as [JsonObject, JsonObject];
  return { standing, written, merged, before, after, changes: changesBetween(before, after) };
}

function comparable(resource: Resource, fields: JsonObject): JsonObject {
  return resource.comparable?.(fields) ?? fields;
}

/** The problems of what a plan changes; what the service holds already is its own affair. */
export function problemsOf({ changes, after }: Plan, problems: readonly InvoiceFinding[]): readonly InvoiceFinding[] {
  const changed = new Set(changes.map(({ field }) => field.split('.')[0] ?? ''));
  return problems.filter(({ field }) => {
    const [first = ''] = field.split('.');
    return changed.has(first) || !(first in after);
  });
}

/** The fields with which a plan can be compared later; no secret is among them. */
export function seenOf(resource: Resource, { before }: Plan): JsonObject {
  return plain(resource, before, '');
}

function plain(resource: Resource, fields: JsonObject, path: string): JsonObject {
  const kept = Object.entries(fields).flatMap(([name, value]): (readonly [string, unknown])[] => {
    const field = `${path}${name}`;
    if (isRecord(value)) return [[name, plain(resource, value, `${field}.`)]];
    return resource.isSecret?.(field) === true ? [] : [[name, value]];
  });
  return Object.fromEntries(kept);
}

/**
 * The fields that somebody else has changed since they were read: what stands now is neither what was seen nor what is to stand. What
 * moves by itself, and what is secret, counts only where it is to be changed.
 */
export function movedSince(
  resource: Resource,
  seen: Pick<Plan, 'before' | 'after'>,
  now: JsonObject | undefined,
): readonly string[] {
  const current = comparable(resource, now === undefined ? {} : resource.sendable(now));
  const named = new Set(changesBetween(seen.before, seen.after).map(({ field }) => field));
  const open = new Set(changesBetween(current, seen.after).map(({ field }) => field));
  return changesBetween(seen.before, current)
    .map(({ field }) => field)
    .filter((field) => open.has(field))
    .filter((field) => named.has(field) || !(resource.moves?.(field) || resource.isSecret?.(field)));
}

/** So many fields are named in a message. */
export const MOST_NAMED = 10;

/** `resource.changed`: somebody else has changed these fields since it was read; none are named where it came or went. */
export function changedMeanwhile({ en, pt }: Text, fields: readonly string[]): FiscalError {
  const list = fields.length === 0 ? '' : ` (${fields.slice(0, MOST_NAMED).join(', ')})`;
  return new FiscalError('resource.changed', { name: { en: `${en}${list}`, pt: `${pt}${list}` } }, { sent: 'no' });
}

/** The plan of an earlier time: from what was seen then. `undefined`: there was nothing. */
export function planSince(
  resource: Resource,
  seen: JsonObject | undefined,
  written: JsonObject,
): Pick<Plan, 'before' | 'after'> {
  if (seen === undefined) return planOf(resource, undefined, written);
  return { before: seen, after: merge(seen, resource.inItsWords?.(written, seen) ?? written) };
}

/** A resource after its write. */
export interface Written {
  /** Absent: it was looked up after a lost answer. */
  readonly answer?: Answer<unknown>;
  /** As the service shows it; `undefined`: it no longer exists. */
  readonly after: JsonObject | undefined;
  /** Why it could not be read back. */
  readonly unread?: FiscalError;
  /** Shown with another value than was sent. */
  readonly otherwise: readonly Change[];
  /** Changed, and not shown at all. */
  readonly unseen: readonly string[];
}

/** Sends a plan once, and compares it with the answer, or with a reading where the answer does not show all of it. Errors: those of the write. */
export async function writeOnce(
  client: Client,
  resource: Resource,
  plan: Plan,
  options: CallOptions,
): Promise<Written> {
  const { operation, input } = await resource.request(plan);
  const answer: Answer<unknown> = await client.call<WriteId>(operation, input, options);
  const isShown = ({ field }: Change): boolean =>
    resource.isSecret?.(field) !== true && resource.isElsewhere?.(field) !== true;
  const changes = plan.changes.filter(isShown);
  const answered = resource.answered(answer.body);
  const isWhole =
    answered !== undefined &&
    takenFrom(changes, comparable(resource, answered)).unseen.length === 0 &&
    (resource.isActive === undefined || saysActivity(answered));
  let after = answered;
  let unread: FiscalError | undefined;
  if (!isWhole) {
    after = undefined;
    try {
      after = await resource.read(client, options);
    } catch (error) {
      if (!(error instanceof FiscalError)) throw error;
      unread = error;
    }
  }
  // A list may lag behind; an answer that names what was created is no less.
  if (after === undefined && plan.standing === undefined && answered !== undefined && resource.idOf(answered))
    after = answered;
  if (after === undefined) return { answer, after, ...(unread && { unread }), otherwise: [], unseen: [] };
  const shown = comparable(resource, after);
  const { otherwise, unseen } = takenFrom(changes, shown);
  const named = new Set(plan.changes.map(({ field }) => field));
  const kept = changesBetween({}, plan.after).filter(
    (change) => isShown(change) && !named.has(change.field) && resource.moves?.(change.field) !== true,
  );
  return { answer, after, otherwise: [...otherwise, ...takenFrom(kept, shown).otherwise], unseen };
}

function saysActivity(answered: JsonObject): boolean {
  return ['isActive', 'status', 'deactivatedAt'].some((name) => (answered[name] ?? undefined) !== undefined);
}
