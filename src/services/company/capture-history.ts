import { formatUtc } from '../../domain/dates.js';
import type { DocumentGroup } from '../../store/documents.js';
import type { Store } from '../../store/store.js';
import type { CaptureState } from './capture.js';

/** Settings of a capture as this machine has seen them, from the first time to the last. Times are UTC, ISO 8601. */
export interface SeenCapture {
  readonly state: 'on' | 'inactive' | 'absent';
  readonly createdOn: string | null;
  readonly startFromDate: string | null;
  readonly firstSeenAt: string;
  readonly lastSeenAt: string;
}

const KIND = 'capture';

/** Remembers the settings that were just read: the service tells those of today only. */
export async function noteCapture(
  { known }: Pick<Store, 'known'>,
  { profile, companyId, family }: DocumentGroup,
  seen: { readonly capture: CaptureState; readonly at: number },
): Promise<void> {
  const { capture, at } = seen;
  const on = capture.kind === 'on' ? capture : undefined;
  const facts = {
    state: capture.kind === 'on' ? 'on' : capture.why,
    createdOn: on?.createdOn ?? null,
    startFromDate: on?.startFromDate ?? null,
  };
  const id = [facts.state, facts.createdOn, facts.startFromDate].join(' ');
  const scope = scopeOf({ companyId, family });
  await known.put({ profile, kind: KIND, scope, id, status: facts.state, data: facts, seenAt: at });
}

/** What was seen so far, the oldest first. */
export async function captureHistory(
  { known }: Pick<Store, 'known'>,
  { profile, companyId, family }: DocumentGroup,
): Promise<readonly SeenCapture[]> {
  const rows = await known.list({ profile, kind: KIND, scope: scopeOf({ companyId, family }) });
  return rows.toReversed().map(({ id, firstSeenAt, seenAt }) => {
    const [state = '', createdOn = '', startFromDate = ''] = id.split(' ');
    return {
      state: state === 'on' || state === 'inactive' ? state : 'absent',
      createdOn: createdOn === '' ? null : createdOn,
      startFromDate: startFromDate === '' ? null : startFromDate,
      firstSeenAt: formatUtc(firstSeenAt),
      lastSeenAt: formatUtc(seenAt),
    };
  });
}

function scopeOf({ companyId, family }: Pick<DocumentGroup, 'companyId' | 'family'>): string {
  return `${companyId} ${family}`;
}
