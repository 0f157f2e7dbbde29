import type { EventFamily } from '../../domain/event-codes.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { eventStatus } from '../../jobs/kinds/manifestation-answer.js';
import { eventKey, type Submission } from '../../jobs/kinds/manifestation.js';
import type { ItemRow, KnownRow, Store } from '../../store/store.js';
import { knownKinds, knownOf, type KnownEvent } from '../../services/documents/known-events.js';
import type { EventScope } from './company.js';

type Triple = Pick<KnownEvent, 'family' | 'accessKey' | 'eventCode' | 'nSequencia'>;

/** Stores the event of an item. Keeps a protocol that was read before. */
export async function rememberItem(store: Store, given: EventScope, item: ItemRow): Promise<void> {
  if (item.resourceId === undefined && !isOfOther(item)) return;
  // The row was written by the kind `manifestation`, whose input has this type.
  const submission = item.input as Submission;
  const { resourceId: id, errorCode, errorMessage, jobId, answeredCompany } = item;
  const triple = tripleOf(submission);
  const company = companyFields(item, given);
  const scope = { ...given, company: company.companyId ?? given.company };
  const before = await rowOf(store, scope, triple);
  if (before !== undefined && before.seenAt > item.updatedAt) return;
  const known = before === undefined ? undefined : knownOf(before);
  const protocol = id !== undefined && known?.id === id ? known.protocol : undefined;
  const event: KnownEvent = {
    ...triple,
    ...(id === undefined ? {} : { id }),
    status: statusOf(item),
    ...company,
    ...(isOfOther(item) && answeredCompany !== undefined ? { answeredCompany } : {}),
    ...(protocol === undefined ? {} : { protocol }),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(errorMessage === undefined ? {} : { errorMessage }),
    jobId,
    itemId: item.id,
  };
  await put(store, scope, { event, seenAt: item.updatedAt });
}

/**
 * The company of the event. When the user took responsibility for it, the company in the response counts; without one, the
 * company is marked as unproven.
 */
export function companyFields(
  item: Pick<ItemRow, 'input' | 'answeredCompany'>,
  scope?: EventScope,
): Pick<KnownEvent, 'companyId' | 'companyUnproven'> {
  // The row was written by the kind `manifestation`, whose input has this type.
  const { companyId = scope?.company, companyUnchecked } = item.input as Submission;
  const isVouched = companyUnchecked === true;
  const whose = (isVouched ? item.answeredCompany : undefined) ?? companyId;
  return {
    ...(whose === undefined || whose === '' ? {} : { companyId: whose }),
    ...(isVouched && item.answeredCompany === undefined ? { companyUnproven: true } : {}),
  };
}

/** Stores an event that was read. Skips one without key and code whose id is unknown. */
export async function rememberRead(
  store: Store,
  given: EventScope,
  seen: { readonly family: EventFamily; readonly id: string; readonly body: unknown; readonly at: number },
): Promise<KnownEvent | undefined> {
  const { family, id, body, at } = seen;
  const accessKey = textField(body, 'accessKey');
  const code = Number(textField(body, 'eventCode'));
  const sequence = Number(textField(body, 'nSequencia') ?? '1');
  if (accessKey === undefined || !Number.isSafeInteger(code) || !Number.isSafeInteger(sequence))
    return undefined;
  const triple: Triple = { family, accessKey, eventCode: code, nSequencia: sequence };
  const answered = textField(body, 'companyId');
  const scope = { ...given, company: answered ?? given.company };
  const before = await findKnown(store, scope, triple);
  const link = before?.id === id ? { jobId: before.jobId, itemId: before.itemId } : {};
  const texts = { protocol: undefined, errorCode: undefined, errorMessage: undefined };
  const found = Object.keys(texts).flatMap((name) => {
    const text = textField(body, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  const event: KnownEvent = {
    ...triple,
    id,
    status: eventStatus(body) ?? 'unknown',
    ...(scope.company === '' ? {} : { companyId: scope.company }),
    ...(before?.companyUnproven === true && answered === undefined ? { companyUnproven: true } : {}),
    ...Object.fromEntries(found),
    ...Object.fromEntries(Object.entries(link).filter(([, value]) => value !== undefined)),
  };
  await put(store, scope, { event, seenAt: at });
  return event;
}

export async function findKnown(
  store: Store,
  scope: EventScope,
  triple: Triple,
): Promise<KnownEvent | undefined> {
  const row = await rowOf(store, scope, triple);
  return row === undefined ? undefined : knownOf(row);
}

/** The status of the service; an active event that was not read yet is Pending (§3). */
export function statusOf({ state, remoteStatus, errorCode }: ItemRow): string {
  if (isOfOther({ errorCode })) return state;
  return remoteStatus ?? (state === 'pending' ? 'Pending' : state);
}

/** The service answered about another company: the outcome for the requested one is unknown. */
function isOfOther({ errorCode }: { readonly errorCode?: string | undefined }): boolean {
  return errorCode === 'service.other_company';
}

export function tripleOf(submission: Submission): Triple {
  const { family, accessKey, eventCode } = submission;
  return { family, accessKey, eventCode, nSequencia: family === 'nfe' ? submission.nSequencia : 1 };
}

async function rowOf(store: Store, scope: EventScope, triple: Triple): Promise<KnownRow | undefined> {
  const { family, accessKey, eventCode, nSequencia } = triple;
  return store.known.get({
    profile: scope.storeNamespace,
    kind: knownKinds[family],
    scope: scope.company,
    id: eventKey(accessKey, eventCode, nSequencia),
  });
}

async function put(
  store: Store,
  scope: EventScope,
  { event, seenAt }: { readonly event: KnownEvent; readonly seenAt: number },
): Promise<void> {
  const { family, accessKey, eventCode, nSequencia, status } = event;
  await store.known.put({
    profile: scope.storeNamespace,
    kind: knownKinds[family],
    scope: scope.company,
    id: eventKey(accessKey, eventCode, nSequencia),
    label: accessKey,
    status,
    data: event,
    seenAt,
  });
}
