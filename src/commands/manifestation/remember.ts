import type { EventFamily } from '../../domain/event-codes.js';
import { present } from '../../domain/record.js';
import { said } from '../../errors/reasons.js';
import { authorityAnswer, keepAnswer } from '../../jobs/authority-answer.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { eventStatus } from '../../jobs/kinds/manifestation-answer.js';
import { eventKey, type Submission } from '../../jobs/kinds/manifestation.js';
import type { ItemRow, KnownRow, Store } from '../../store/store.js';
import { knownKinds, knownOf, type KnownEvent } from '../../services/documents/known-events.js';
import type { EventScope } from './company.js';

type Triple = Pick<KnownEvent, 'family' | 'accessKey' | 'eventCode' | 'nSequencia'>;

/** Stores the events of items. */
export async function rememberItems(store: Store, given: EventScope, items: readonly ItemRow[]): Promise<void> {
  // The service says its own status of an event, or of one that it refused in the name of the authority.
  const named = items.filter(
    (item) => item.remoteStatus !== undefined || item.resourceId !== undefined || isOfOther(item),
  );
  const latest = new Map<string, KnownInput>();
  for (const row of await rowsBefore(store, given, named)) latest.set(nameOf(row), row);
  const found = new Map<string, KnownInput>();
  for (const item of named) {
    const { companyId = given.company } = companyFields(item, given);
    const scope = { ...given, company: companyId };
    const name = nameOf(keyOf(scope, tripleOfItem(item)));
    const before = latest.get(name);
    if (before !== undefined && before.seenAt > item.updatedAt) continue;
    const row = rowOfEvent(scope, { event: eventOfItem(item, given), seenAt: item.updatedAt });
    latest.set(name, row);
    found.set(name, row);
  }
  if (found.size > 0) await store.known.putAll([...found.values()]);
}

type KnownInput = Omit<KnownRow, 'firstSeenAt'>;

const nameOf = ({ kind, scope, id }: Pick<KnownRow, 'kind' | 'scope' | 'id'>): string => [kind, scope, id].join(' ');

/** The known events of the documents of these items. */
async function rowsBefore(
  store: Store,
  { storeNamespace: profile }: EventScope,
  items: readonly ItemRow[],
): Promise<readonly KnownRow[]> {
  const triples = items.map(tripleOfItem);
  const families = [...new Set(triples.map(({ family }) => family))];
  const found = families.map((family) => {
    const labels = triples.filter((triple) => triple.family === family).map(({ accessKey }) => accessKey);
    return store.known.labelled({ profile, kind: knownKinds[family], labels: [...new Set(labels)] });
  });
  return (await Promise.all(found)).flat();
}

// The row was written by the kind `manifestation`, whose input has this type.
const tripleOfItem = ({ input }: ItemRow): Triple => tripleOf(input as Submission);

function eventOfItem(item: ItemRow, given: EventScope): KnownEvent {
  const { resourceId: id, errorCode, reason, jobId, answeredCompany } = item;
  return {
    ...tripleOfItem(item),
    ...(id === undefined ? {} : { id }),
    status: statusOf(item),
    ...companyFields(item, given),
    ...(isOfOther(item) && answeredCompany !== undefined ? { answeredCompany } : {}),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(reason === undefined ? {} : { reason }),
    jobId,
    itemId: item.id,
  };
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

/** Stores an event that was read, and what the authority answered to it. Skips one without key and code whose id is unknown. */
export async function rememberRead(
  store: Store,
  given: EventScope,
  seen: { readonly family: EventFamily; readonly id: string; readonly body: unknown; readonly at: number },
): Promise<KnownEvent | undefined> {
  const { family, id, body, at } = seen;
  const answer = authorityAnswer(body);
  await keepAnswer(store, { profile: given.storeNamespace, id, at }, answer);
  const accessKey = textField(body, 'accessKey');
  const code = Number(textField(body, 'eventCode'));
  const sequence = Number(textField(body, 'nSequencia') ?? '1');
  if (accessKey === undefined || !Number.isSafeInteger(code) || !Number.isSafeInteger(sequence)) return undefined;
  const triple: Triple = { family, accessKey, eventCode: code, nSequencia: sequence };
  const answered = textField(body, 'companyId');
  const scope = { ...given, company: answered ?? given.company };
  const before = await findKnown(store, scope, triple);
  const link = before?.id === id ? { jobId: before.jobId, itemId: before.itemId } : {};
  const { code: errorCode, text: words } = answer ?? {};
  const event: KnownEvent = {
    ...triple,
    id,
    status: eventStatus(body) ?? 'unknown',
    ...(scope.company === '' ? {} : { companyId: scope.company }),
    ...(before?.companyUnproven === true && answered === undefined ? { companyUnproven: true } : {}),
    ...(errorCode === undefined ? {} : { errorCode }),
    ...(words === undefined ? {} : { reason: said(words) }),
    ...present(link),
  };
  await store.known.put(rowOfEvent(scope, { event, seenAt: at }));
  return event;
}

export async function findKnown(store: Store, scope: EventScope, triple: Triple): Promise<KnownEvent | undefined> {
  const row = await store.known.get(keyOf(scope, triple));
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

function keyOf({ storeNamespace, company }: EventScope, triple: Triple) {
  const { family, accessKey, eventCode, nSequencia } = triple;
  return {
    profile: storeNamespace,
    kind: knownKinds[family],
    scope: company,
    id: eventKey(accessKey, eventCode, nSequencia),
  };
}

function rowOfEvent(
  scope: EventScope,
  { event, seenAt }: { readonly event: KnownEvent; readonly seenAt: number },
): KnownInput {
  const { accessKey: label, status } = event;
  return { ...keyOf(scope, event), label, status, data: event, seenAt };
}
