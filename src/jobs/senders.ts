import type { JobRow, Store } from '../store/store.js';

/** The row of a profile that has sent for an account; its id is that of the account, empty where a job names none. */
const sender = { kind: 'sender', scope: '' } as const;

/** A profile that is about to send, and what its store knows of sends for the same account. */
export interface Sender {
  /** Nothing was ever sent under this profile: it does not know what others have sent. */
  readonly isNew: boolean;
  /** Other profiles that have sent for an account for which this one has not. */
  readonly others: readonly string[];
}

export async function senderOf(store: Store, { profile, scope }: Pick<JobRow, 'profile' | 'scope'>): Promise<Sender> {
  const { known, identity } = store;
  const own = await known.list({ profile, ...sender });
  const unsent = accountsIn(scope).filter((id) => own.every((row) => row.id !== id));
  const found = unsent.length === 0 ? [] : await known.profilesWith({ ...sender, ids: unsent });
  return { isNew: identity.isNew || own.length === 0, others: found.filter((other) => other !== profile) };
}

/** From now on the profile knows what is sent for these accounts. */
export async function noteSender(
  store: Store,
  { profile, scope, at }: Pick<JobRow, 'profile' | 'scope'> & { readonly at: number },
): Promise<void> {
  // Also ends the notice of rows that were lost.
  await store.identity.sentAt(at);
  const ids = accountsIn(scope);
  const rows = (ids.length === 0 ? [''] : ids).map((id) => ({ profile, ...sender, id, data: {}, seenAt: at }));
  await store.known.putAll(rows);
}

/** The tenant and the company that the job names. */
function accountsIn(scope: JobRow['scope']): readonly string[] {
  const { tenantId, companyId } = scope;
  return [tenantId, companyId].flatMap((id) => (id === undefined || id === '' ? [] : [id.toLowerCase()]));
}
