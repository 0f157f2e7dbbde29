import type { Meta, SandboxDatabase } from '../core/database.js';

/** An event registered by the tax authority. */
export interface Registration extends EventName {
  readonly protocol: string;
  readonly cancelled: boolean;
}

/** The identity of an event at the authority. */
export interface EventName {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  /** CNPJ of the sender. */
  readonly author: string;
}

/** The events registered by the tax authority, from any sender. */
export interface Registry {
  of(accessKey: string, author: string): readonly Registration[];
  /** Counts an incoming event. Returns the protocol that it gets if it is registered. */
  receive(at: number): string;
  /** Returns the protocol; for an event that is already registered, its first protocol. */
  register(event: EventName, protocol: string): string;
  cancel(accessKey: string, author: string, protocol: string): void;
  sendings(): number;
  count(): number;
}

interface RegistrationRow {
  access_key: string;
  event_code: number;
  sequence: number;
  author: string;
  protocol: string;
  cancelled: number;
}

const sendings = 'authority.sendings';
export const registryNames = [sendings];

export function openRegistry(database: SandboxDatabase, meta: Meta): Registry {
  const insert = database.prepare<[object], { protocol: string }>(
    `INSERT INTO registrations (access_key, event_code, sequence, author, protocol, cancelled)
     VALUES (@accessKey, @eventCode, @sequence, @author, @protocol, 0)
     ON CONFLICT DO UPDATE SET protocol = protocol RETURNING protocol`,
  );
  const ofKey = database.prepare<[string, string], RegistrationRow>(
    'SELECT * FROM registrations WHERE access_key = ? AND author = ?',
  );
  const cancel = database.prepare(
    'UPDATE registrations SET cancelled = 1 WHERE access_key = ? AND author = ? AND protocol = ?',
  );
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM registrations');
  return {
    of: (accessKey, author) => ofKey.all(accessKey, author).map(toRegistration),
    receive: (at) => protocolOf(meta.next(sendings), at),
    register: (event, protocol) => insert.get({ ...event, protocol })?.protocol ?? protocol,
    cancel: (accessKey, author, protocol) => void cancel.run(accessKey, author, protocol),
    sendings: () => Number(meta.get(sendings) ?? 0),
    count: () => count.get()?.count ?? 0,
  };
}

/** 15 digits: the national environment (891), the year, a number. */
function protocolOf(ordinal: number, at: number): string {
  const year = String(new Date(at).getUTCFullYear() % 100).padStart(2, '0');
  return `891${year}${String(ordinal).padStart(10, '0')}`;
}

function toRegistration(row: RegistrationRow): Registration {
  return {
    accessKey: row.access_key,
    eventCode: row.event_code,
    sequence: row.sequence,
    author: row.author,
    protocol: row.protocol,
    cancelled: row.cancelled === 1,
  };
}
