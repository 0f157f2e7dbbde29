import type { Text } from '../contract/text.js';
import { isRecord } from '../domain/record.js';
import { actorColumns, type ActorRecord } from './actor-columns.js';
import { reasonIn, reasonText, stepIn } from './item-history.js';
import { damagedField } from './item-inputs.js';
import { present } from '../domain/record.js';
import { DamagedRow, fromJson, wholeMs } from './row.js';
import { nothing, Sql, sql } from './sql.js';
import type { FirstLook, ItemEvent, ItemPatch, ItemRow, ItemState } from './store.js';

/** An item as stored in its columns. */
export interface ItemRecord {
  readonly id: string;
  readonly jobId: string;
  readonly kind: string;
  readonly ordinal: number;
  readonly label: string;
  readonly dedupeKey: string;
  readonly input: string;
  readonly billed: number;
  readonly state: ItemState;
  readonly idempotencyKey: string;
  readonly attempts: number;
  readonly resourceId: string | null;
  readonly location: string | null;
  readonly remoteStatus: string | null;
  readonly requestId: string | null;
  readonly httpStatus: number | null;
  readonly answeredCompany: string | null;
  readonly errorCode: string | null;
  readonly reason: string | null;
  readonly lookup: FirstLook | null;
  readonly previousId: string | null;
  readonly duplicateOf: string | null;
  readonly dueAt: number;
  readonly sentAt: number | null;
  readonly settledAt: number | null;
  readonly updatedAt: number;
  readonly epoch: number;
  readonly workerId: string | null;
}

/** A step of an item as stored in its columns. */
export interface ItemEventRecord extends ActorRecord {
  readonly at: number;
  readonly from: ItemState;
  readonly to: ItemState;
  readonly step: string;
}

export const itemEventColumns = `at, from_state AS "from", to_state AS "to", step, ${actorColumns}`;

export function toItemEvent(row: ItemEventRecord): ItemEvent {
  return { ...present(row), step: stepIn(row.step) };
}

export const itemColumns = `id, job_id AS "jobId", kind, ordinal, label, dedupe_key AS "dedupeKey", input, billed, state,
  idempotency_key AS "idempotencyKey", attempts, resource_id AS "resourceId", location, remote_status AS "remoteStatus",
  request_id AS "requestId", http_status AS "httpStatus", answered_company AS "answeredCompany", error_code AS "errorCode", reason,
  lookup, previous_id AS "previousId", duplicate_of AS "duplicateOf", due_at AS "dueAt", sent_at AS "sentAt",
  settled_at AS "settledAt", updated_at AS "updatedAt", epoch, worker_id AS "workerId"`;

export function toItem(record: ItemRecord): ItemRow {
  const { kind: _kind, ...columns } = record;
  return present({ ...columns, reason: reasonIn(columns.reason), input: toInput(record), billed: record.billed === 1 });
}

/** The input of an item, which is an object that its kind allows. Throws `DamagedRow`. */
export function toInput({ id, kind, input: json }: Pick<ItemRecord, 'id' | 'kind' | 'input'>): object {
  const input = fromJson(json);
  if (!isRecord(input)) throw new DamagedRow(noObject(id));
  const field = damagedField(kind, input);
  if (field !== undefined) throw new DamagedRow(noInputOf(kind, id, field));
  return input;
}

function noObject(id: string): Text {
  return { en: `the input of item ${id} is not a JSON object`, pt: `a entrada do item ${id} não é um objeto JSON` };
}

function noInputOf(kind: string, id: string, field: string): Text {
  return {
    en: `the input of item ${id} is not one of ${kind}: ${field} is missing or of another type`,
    pt: `a entrada do item ${id} não é uma de ${kind}: ${field} falta ou é de outro tipo`,
  };
}

/**
 * Items that the service sent away before they had any effect: it asked for a wait (429), or could not be asked.
 * `job resume --end-waits` makes them due at once; what was sent and is followed or looked up keeps its time.
 */
export const sentAway = `state = 'prepared' AND replaced = 0
  AND error_code IN ('service.busy', 'service.rate_limited', 'service.unavailable') AND due_at > updated_at`;

/** Orders what was claimed in several states. */
export function byUrgency(left: ItemRecord, right: ItemRecord): number {
  return rank(left) - rank(right) || left.dueAt - right.dueAt || left.ordinal - right.ordinal;
}

function rank(item: ItemRecord): number {
  return item.state === 'sending' ? 0 : 1;
}

/** An item with what only a change of it needs. */
export type Place = ItemRecord & { readonly seq: number; readonly replaced: number };
/** The states after which an item may be sent again as a new one: finished, without effect. */
const endedBadly: readonly ItemState[] = ['rejected', 'failed', 'cancelled'];

/** Whether a decision about the item, as it was read, still meets it so. */
export function isFrom(item: Place, from: ItemState | Pick<ItemRow, 'state' | 'epoch'>): boolean {
  return typeof from === 'string' ? item.state === from : item.state === from.state && item.epoch === from.epoch;
}

/** True also for an item that was skipped in favour of another one with the same key. */
export function isReplaceable({ state, duplicateOf }: Place): boolean {
  return endedBadly.includes(state) || (state === 'skipped' && duplicateOf !== null);
}

/** The item's columns after the patch: fields not named stay, `null` clears. */
export function patched(item: ItemRecord, patch: ItemPatch) {
  return {
    state: patch.state,
    holdsKey: patch.holdsKey ? 1 : 0,
    dueAt: wholeMs(patch.dueAt ?? item.dueAt),
    attempts: patch.attempts ?? item.attempts,
    resourceId: changed(patch.resourceId, item.resourceId),
    location: changed(patch.location, item.location),
    remoteStatus: changed(patch.remoteStatus, item.remoteStatus),
    requestId: changed(patch.requestId, item.requestId),
    httpStatus: changed(patch.httpStatus, item.httpStatus),
    answeredCompany: changed(patch.answeredCompany, item.answeredCompany),
    errorCode: changed(patch.errorCode, item.errorCode),
    reason: changed(reasonText(patch.reason), item.reason),
    lookup: changed(patch.lookup, item.lookup),
    sentAt: patch.sentAt ?? item.sentAt,
    settledAt: patch.settledAt ?? item.settledAt,
  };
}

/** The columns of what a patch may leave as it is. */
const columnOf = {
  dueAt: 'due_at',
  attempts: 'attempts',
  resourceId: 'resource_id',
  location: 'location',
  remoteStatus: 'remote_status',
  requestId: 'request_id',
  httpStatus: 'http_status',
  answeredCompany: 'answered_company',
  errorCode: 'error_code',
  reason: 'reason',
  lookup: 'lookup',
  sentAt: 'sent_at',
  settledAt: 'settled_at',
} as const satisfies Readonly<Record<Exclude<keyof ItemPatch, 'state' | 'holdsKey' | 'keep'>, string>>;

const assignments = Object.entries(columnOf).map(([field, column]) => ({
  // An object literal has no other names than these.
  field: field as keyof typeof columnOf,
  column,
  strings: [`${column} = `, ', '],
}));

/** `column = value, ` for what a patch names. */
export function assignmentsIn(patch: ItemPatch): Sql {
  return assignments.reduce((before, { field, strings }) => {
    const value = columnValue(patch, field);
    return value === undefined ? before : sql`${before}${new Sql(strings, [value])}`;
  }, nothing);
}

/** The columns and values of what a patch names. */
export function namedIn(patch: ItemPatch): [column: string, value: string | number | null][] {
  const named: [column: string, value: string | number | null][] = [];
  for (const { field, column } of assignments) {
    const value = columnValue(patch, field);
    if (value !== undefined) named.push([column, value]);
  }
  return named;
}

function columnValue(patch: ItemPatch, field: keyof typeof columnOf) {
  if (field === 'dueAt') return patch.dueAt && wholeMs(patch.dueAt);
  return field === 'reason' ? reasonText(patch.reason) : patch[field];
}

function changed<Value>(next: Value | null | undefined, current: Value | null): Value | null {
  return next === undefined ? current : next;
}
