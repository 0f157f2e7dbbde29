import type { Meta } from '../core/meta.js';
import type { SandboxDatabase } from '../core/open-database.js';

/** An event as the tax authority knows it. */
export interface Registration extends EventName {
  readonly protocol: string;
  readonly cancelled: boolean;
}

/** What makes an event one and the same for the authority. */
export interface EventName {
  readonly accessKey: string;
  readonly eventCode: number;
  readonly sequence: number;
  /** CNPJ of who sends it. */
  readonly author: string;
}

/** The events that the tax authority has registered, by whatever way they came. */
export interface Registry {
  of(accessKey: string, author: string): readonly Registration[];
  /** Gives the protocol; of an event that is registered already, the one that it has. */
  register(event: EventName, at: number): string;
  cancel(accessKey: string, author: string, protocol: string): void;
  /** One more event has come to the authority. */
  countSending(): void;
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

const names = { protocols: 'authority.protocols', sendings: 'authority.sendings' };
export const registryNames = Object.values(names);

export function openRegistry(database: SandboxDatabase, meta: Meta): Registry {
  const insert = database.prepare(
    `INSERT INTO registrations (access_key, event_code, sequence, author, protocol, cancelled)
     VALUES (@accessKey, @eventCode, @sequence, @author, @protocol, 0)`,
  );
  const ofKey = database.prepare<[string, string], RegistrationRow>(
    'SELECT * FROM registrations WHERE access_key = ? AND author = ?',
  );
  const find = database.prepare<[EventName], RegistrationRow>(
    `SELECT * FROM registrations WHERE access_key = @accessKey AND author = @author AND event_code = @eventCode
       AND sequence = @sequence`,
  );
  const cancel = database.prepare(
    'UPDATE registrations SET cancelled = 1 WHERE access_key = ? AND author = ? AND protocol = ?',
  );
  const count = database.prepare<[], { count: number }>('SELECT count(*) AS count FROM registrations');
  return {
    of: (accessKey, author) => ofKey.all(accessKey, author).map(toRegistration),
    register(event, at) {
      const known = find.get(event);
      if (known !== undefined) return known.protocol;
      const protocol = protocolOf(meta.next(names.protocols), at);
      insert.run({ ...event, protocol });
      return protocol;
    },
    cancel: (accessKey, author, protocol) => void cancel.run(accessKey, author, protocol),
    countSending: () => void meta.next(names.sendings),
    sendings: () => Number(meta.get(names.sendings) ?? 0),
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
