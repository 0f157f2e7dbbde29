import type { Client } from '../../src/client/client.js';
import { FiscalError } from '../../src/errors/fiscal-error.js';
import type { Observation, RunnableKind } from '../../src/jobs/kind.js';
import type { ItemRow } from '../../src/store/store.js';

/** What happens to one request. `crash-…`: the client's process dies at that moment. */
export const happenings = [
  'ok',
  'refused-connection',
  '429',
  '503-with-time',
  '503-bare',
  '500-before',
  '500-after',
  'cut-before',
  'cut-after',
  'unreadable-201',
  'crash-before',
  'crash-after',
] as const;
export type Happening = (typeof happenings)[number];

export interface FakeService {
  readonly effects: Map<string, number>;
  readonly sends: Map<string, number>;
  /** Decides the fate of the next request. */
  next(): Happening;
  /** Called at a crash; must not return normally. */
  crash(): Promise<never>;
}

interface Traits {
  readonly replay: RunnableKind['replay'];
  readonly canLookUp: boolean;
}

/** A kind whose sends go to the fake service; polls need two looks before the end. */
export function fakeKind(service: FakeService, traits: Traits): RunnableKind {
  const looks = new Map<string, number>();
  return {
    name: 'fake',
    replay: traits.replay,
    onceOnly: true,
    rejectedStays: false,
    polls: true,
    canLookUp: traits.canLookUp,
    async send(_client, item) {
      service.sends.set(item.id, (service.sends.get(item.id) ?? 0) + 1);
      return { ...(await sendTo(service, traits, item)), status: 201 };
    },
    async read(_client, item): Promise<Observation> {
      if (service.next() === 'cut-before') throw cut();
      const seen = (looks.get(item.dedupeKey) ?? 0) + 1;
      looks.set(item.dedupeKey, seen);
      return seen < 2
        ? { state: 'pending', remoteStatus: 'Pending' }
        : { state: 'succeeded', remoteStatus: 'Done' };
    },
    async lookUp(_client, item) {
      return service.effects.has(item.dedupeKey)
        ? { state: 'pending', resourceId: item.dedupeKey }
        : 'absent';
    },
  };
}

async function sendTo(service: FakeService, traits: Traits, item: ItemRow): Promise<Observation> {
  const happening = service.next();
  switch (happening) {
    case 'refused-connection':
      throw new FiscalError('network.unreachable', {}, { sent: 'no', retryable: true });
    case '429':
      throw new FiscalError('service.rate_limited', {}, facts(429, { retryAfterSeconds: 1 }));
    case '503-with-time':
      throw new FiscalError('service.unavailable', {}, facts(503, { retryAfterSeconds: 1 }));
    case '503-bare':
      throw new FiscalError('service.unavailable', {}, facts(503));
    case '500-before':
      throw new FiscalError('service.unavailable', {}, { sent: 'yes', httpStatus: 500, retryable: false });
    case 'cut-before':
      throw cut();
    case 'crash-before':
      return await service.crash();
    default:
      break;
  }
  if (traits.replay === 'natural' && service.effects.has(item.dedupeKey)) {
    throw new FiscalError('service.conflict', {}, { sent: 'yes', httpStatus: 409, retryable: false });
  }
  const repeated = traits.replay === 'keyed' || traits.replay === 'safe';
  if (!(repeated && service.effects.has(item.dedupeKey))) {
    service.effects.set(item.dedupeKey, (service.effects.get(item.dedupeKey) ?? 0) + 1);
  }
  if (happening === '500-after') {
    throw new FiscalError('service.unavailable', {}, { sent: 'yes', httpStatus: 500, retryable: false });
  }
  if (happening === 'unreadable-201') {
    throw new FiscalError('service.unreadable', {}, { sent: 'yes', httpStatus: 201, retryable: false });
  }
  if (happening === 'cut-after') throw cut();
  if (happening === 'crash-after') return await service.crash();
  return { state: 'pending', resourceId: item.dedupeKey, remoteStatus: 'Pending' };
}

function cut(): FiscalError {
  return new FiscalError('network.cut', {}, { sent: 'unknown', retryable: true });
}

function facts(httpStatus: number, more: { retryAfterSeconds?: number } = {}) {
  return { sent: 'yes', httpStatus, retryable: true, ...more } as const;
}

/** The fake kind never touches the client. */
export const noClient: Client = {
  call: () => Promise.reject(new Error('not used')),
  raw: () => Promise.reject(new Error('not used')),
  preview: () => Promise.reject(new Error('not used')),
  download: () => Promise.reject(new Error('not used')),
  previewRaw: () => Promise.reject(new Error('not used')),
  close: () => Promise.resolve(),
};
