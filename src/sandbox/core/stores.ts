import type { CaptureNotification } from '../../contract/maintenance.js';
import { uuidOf } from './chance.js';
import type { Meta } from './database.js';
import {
  type EventName,
  type EventResult,
  type Family,
  type KnownCreation,
  type Notice,
  type NoticeType,
  type NumberSpace,
  type Registration,
  type RegistrationKind,
  type StoredDisablement,
  type StoredIssuedEvent,
  type StoredNfeEvent,
  type StoredNfseManifestation,
  type StoredProduct,
  type StoredRegistration,
  type StoredWebhook,
} from './records.js';
import type { Collection, OpenCollection } from './resources.js';

/** What is stored as JSON, and the questions that the rules ask of it. */

export function openWebhooks(open: OpenCollection): Collection<StoredWebhook> {
  return open({ kind: 'webhook', idOf: ({ id }) => id, ownerOf: ({ tenantId }) => tenantId });
}

/** The owner of the registrations of a kind. */
export function registrationsOf(companyId: string, kind: RegistrationKind): string {
  return `${companyId}:${kind}`;
}

export function openTaxRegistrations(open: OpenCollection): Collection<StoredRegistration> {
  return open({
    kind: 'registration',
    idOf: ({ id }) => id,
    ownerOf: ({ companyId, kind }) => registrationsOf(companyId, kind),
  });
}

export interface Products extends Collection<StoredProduct> {
  /** The active products with this SKU. §4 promises no uniqueness: the one with the most changes comes first. */
  active(tenantId: string, sku: string): readonly StoredProduct[];
}

export function openProducts(open: OpenCollection): Products {
  const ownerOf = (tenantId: string, sku: unknown) => `${tenantId}:${String(sku)}`;
  const products = open<StoredProduct>({
    kind: 'product',
    idOf: ({ id }) => id,
    ownerOf: ({ tenantId, content }) => ownerOf(tenantId, content['sku']),
  });
  return {
    ...products,
    active: (tenantId, sku) =>
      products
        .of(ownerOf(tenantId, sku))
        .filter(({ status }) => status === 'Active')
        .toSorted((one, other) => other.revision - one.revision || (one.id < other.id ? -1 : 1)),
  };
}

export interface NfeEvents extends Collection<StoredNfeEvent> {
  /** The event in `Pending` or `Accepted`: there is at most one per key, code and sequence. */
  live(accessKey: string, eventCode: number, sequence: number): StoredNfeEvent | undefined;
  /** The accepted events of a note, in order of time. */
  accepted(accessKey: string): readonly StoredNfeEvent[];
  end(id: string, ending: EventResult, at: number): void;
}

export function openNfeEvents(open: OpenCollection): NfeEvents {
  const events = open<StoredNfeEvent>({
    kind: 'nfeEvent',
    idOf: ({ id }) => id,
    ownerOf: ({ accessKey }) => accessKey,
  });
  return {
    ...events,
    live: (accessKey, eventCode, sequence) =>
      events.of(accessKey).find((each) => isLive(each) && each.eventCode === eventCode && each.sequence === sequence),
    accepted: (accessKey) =>
      events
        .of(accessKey)
        .filter(({ status }) => status === 'Accepted')
        .toSorted(
          (one, other) =>
            one.modifiedAt - other.modifiedAt || one.eventCode - other.eventCode || one.sequence - other.sequence,
        ),
    end(id, ending, at) {
      const event = events.get(id);
      if (event?.status === 'Pending') events.put({ ...event, ...ending, modifiedAt: at });
    },
  };
}

function isLive({ status }: { readonly status: string }): boolean {
  return status === 'Pending' || status === 'Accepted';
}

export interface NfseManifestations extends Collection<StoredNfseManifestation> {
  /** At most one per company, key and event is `Pending` or `Accepted` (assumed, as for NF-e). */
  live(companyId: string, accessKey: string, eventCode: number): StoredNfseManifestation | undefined;
  /** Oldest first. */
  ofKey(companyId: string, accessKey: string): readonly StoredNfseManifestation[];
  end(id: string, ending: EventResult, at: number): void;
}

export function openNfseManifestations(open: OpenCollection): NfseManifestations {
  const ownerOf = (companyId: string, accessKey: string) => `${companyId}:${accessKey}`;
  const manifestations = open<StoredNfseManifestation>({
    kind: 'nfseManifestation',
    idOf: ({ id }) => id,
    ownerOf: ({ companyId, accessKey }) => ownerOf(companyId, accessKey),
  });
  const ofKey = (companyId: string, accessKey: string) => manifestations.of(ownerOf(companyId, accessKey));
  return {
    ...manifestations,
    ofKey,
    live: (companyId, accessKey, eventCode) =>
      ofKey(companyId, accessKey).find((each) => isLive(each) && each.eventCode === eventCode),
    end(id, { status, errorCode, errorMessage }, at) {
      const before = manifestations.get(id);
      if (before?.status !== 'Pending') return;
      const submittedAt = status === 'Failed' ? null : at;
      const acceptedAt = status === 'Accepted' ? at : null;
      manifestations.put({ ...before, status, errorCode, errorMessage, submittedAt, acceptedAt });
    },
  };
}

/** The events registered by the tax authority, from any sender. */
export interface Registry {
  of(accessKey: string, author: string): readonly Registration[];
  /** Counts an incoming event. Returns the protocol that it gets if it is registered. */
  receive(at: number): string;
  /** Returns the protocol; for an event that is already registered, its first protocol. */
  register(event: EventName, protocol: string): string;
  cancel(registration: Registration): void;
  sendings(): number;
  count(): number;
}

const sendings = 'authority.sendings';

export function openRegistry(open: OpenCollection, meta: Meta): Registry {
  const idOf = ({ accessKey, author, eventCode, sequence }: EventName) =>
    [accessKey, author, eventCode, sequence].join(':');
  const ownerOf = (accessKey: string, author: string) => `${accessKey}:${author}`;
  const registrations = open<Registration>({
    kind: 'registered',
    idOf,
    ownerOf: ({ accessKey, author }) => ownerOf(accessKey, author),
  });
  return {
    of: (accessKey, author) => registrations.of(ownerOf(accessKey, author)),
    receive: (at) => protocolOf(meta.next(sendings), at),
    register(event, protocol) {
      const standing = registrations.get(idOf(event));
      if (standing !== undefined) return standing.protocol;
      registrations.put({ ...event, protocol, cancelled: false });
      return protocol;
    },
    cancel: (registration) => registrations.put({ ...registration, cancelled: true }),
    sendings: () => Number(meta.get(sendings) ?? 0),
    count: registrations.count,
  };
}

/** 15 digits: the national environment (891), the year, a number. */
function protocolOf(ordinal: number, at: number): string {
  const year = String(new Date(at).getUTCFullYear() % 100).padStart(2, '0');
  return `891${year}${String(ordinal).padStart(10, '0')}`;
}

export interface IssuedEvents {
  /** Stores the event as `Pending`, after the others. */
  add(event: Pick<StoredIssuedEvent, 'invoiceId' | 'type' | 'sequence' | 'reason' | 'createdAt'>): StoredIssuedEvent;
  of(invoiceId: string): readonly StoredIssuedEvent[];
  end(
    event: StoredIssuedEvent,
    ending: Pick<StoredIssuedEvent, 'status' | 'protocol' | 'errorCode' | 'errorMessage'>,
  ): void;
}

export function openInvoiceEvents(open: OpenCollection): IssuedEvents {
  const events = open<StoredIssuedEvent>({
    kind: 'issuedEvent',
    idOf: ({ invoiceId, ordinal }) => `${invoiceId}:${ordinal}`,
    ownerOf: ({ invoiceId }) => invoiceId,
  });
  return {
    of: events.of,
    add(event) {
      const fresh = { status: 'Pending', protocol: null, errorCode: null, errorMessage: null } as const;
      const added = { ...event, ...fresh, ordinal: events.of(event.invoiceId).length + 1 };
      events.put(added);
      return added;
    },
    end: (event, ending) => events.put({ ...event, ...ending }),
  };
}

export interface Disablements {
  add(disablement: StoredDisablement): void;
  /** The first range that overlaps. */
  overlapping(space: NumberSpace, from: number, to: number): StoredDisablement | undefined;
}

export function openDisablements(open: OpenCollection): Disablements {
  const spaceOf = ({ companyId, kind, environment, serie }: NumberSpace) =>
    [companyId, kind, environment, serie].join(':');
  const disablements = open<StoredDisablement>({
    kind: 'disablement',
    idOf: (each) => `${spaceOf(each)}:${each.beginNumber}`,
    ownerOf: spaceOf,
  });
  return {
    add: disablements.put,
    overlapping: (space, from, to) =>
      disablements
        .of(spaceOf(space))
        .filter(({ beginNumber, lastNumber }) => beginNumber <= to && lastNumber >= from)
        .toSorted((one, other) => one.beginNumber - other.beginNumber)[0],
  };
}

export function openIdempotencyKeys(open: OpenCollection): Collection<KnownCreation> {
  return open({
    kind: 'idempotencyKey',
    idOf: ({ tenantId, key }) => `${tenantId}:${key}`,
    ownerOf: ({ tenantId }) => tenantId,
  });
}

export interface Notices {
  add(notice: Notice): void;
  /** Newest first. */
  list(companyId: string, family: Family): readonly CaptureNotification[];
  /** True if the same notice exists with the same time. */
  has(notice: Pick<Notice, 'companyId' | 'family' | 'type' | 'at'>): boolean;
}

/** How the sandbox rates and names its own types (assumed). */
const noticeKinds: Readonly<
  Record<NoticeType, { readonly severity: 'Info' | 'Warning' | 'Critical'; readonly title: string }>
> = {
  RateLimited: { severity: 'Warning', title: 'The capture is limited' },
  CertificateMissing: { severity: 'Critical', title: 'No usable certificate' },
  CertificateExpired: { severity: 'Critical', title: 'The certificate has expired' },
  CaptureReactivated: { severity: 'Info', title: 'The capture is active again' },
  NsuReset: { severity: 'Info', title: 'The capture restarts' },
  CutOffChanged: { severity: 'Info', title: 'The cut-off has changed' },
  BackfillReleased: { severity: 'Info', title: 'The history is released' },
  BackfillRevoked: { severity: 'Info', title: 'The history is hidden again' },
  BackfillReplaced: { severity: 'Info', title: 'A change of the history was replaced' },
};

export function openNotices(open: OpenCollection, meta: Meta): Notices {
  const ownerOf = (companyId: string, family: Family) => `${companyId}:${family}`;
  const notices = open<Notice & { readonly id: string }>({
    kind: 'notice',
    idOf: ({ id }) => id,
    ownerOf: ({ companyId, family }) => ownerOf(companyId, family),
  });
  return {
    add: (notice) => notices.put({ ...notice, id: uuidOf(`notice:${notice.companyId}:${meta.next('notices')}`) }),
    has: ({ companyId, family, type, at }) =>
      notices.of(ownerOf(companyId, family)).some((each) => each.type === type && each.at === at),
    list: (companyId, family) =>
      notices
        .of(ownerOf(companyId, family))
        .toReversed()
        .toSorted((one, other) => other.at - one.at)
        .map(({ id, type, message: description, at }) => {
          const createdAt = new Date(at).toISOString();
          return { id, companyId, type, ...noticeKinds[type], description, createdAt };
        }),
  };
}
