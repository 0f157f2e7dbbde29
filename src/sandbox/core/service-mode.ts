import {
  type ExternalIdMode,
  externalIdModes,
  type IdempotencyMode,
  idempotencyModes,
} from '../../contract/sandbox.js';
import type { Meta } from './database.js';

/** Behaviour that the service document leaves open. */
export interface ServiceModes {
  /** The delay after which reads show a new resource. */
  readonly lagMs: number;
  /** §4 requires an `Idempotency-Key` and does not define a repeat. */
  readonly idempotencyKeys: IdempotencyMode;
  /** Whether the service rejects a second NFS-e with the same `externalId` (public) or issues it again. */
  readonly externalIds: ExternalIdMode;
  /** Bodies with unknown fields and other types are not refused for that. */
  readonly lenient: boolean;
}

export interface ServiceMode {
  get(): ServiceModes;
  set(modes: Partial<ServiceModes>): void;
  /** Restores the modes of the start options. */
  clear(): void;
}

const names = {
  lag: 'mode.lag',
  keys: 'mode.idempotencyKeys',
  ids: 'mode.externalIds',
  lenient: 'mode.lenient',
};
const modeNames = Object.values(names);

/** Stored in the file, so that all processes agree; `usual` applies until a mode is set. */
export function openServiceMode(meta: Meta, usual: ServiceModes): ServiceMode {
  return {
    get: () => ({
      lagMs: Number(meta.get(names.lag) ?? usual.lagMs),
      idempotencyKeys:
        idempotencyModes.find((mode) => mode === meta.get(names.keys)) ?? usual.idempotencyKeys,
      externalIds: externalIdModes.find((mode) => mode === meta.get(names.ids)) ?? usual.externalIds,
      lenient: (meta.get(names.lenient) ?? String(usual.lenient)) === 'true',
    }),
    set({ lagMs, idempotencyKeys, externalIds, lenient }) {
      if (lagMs !== undefined) meta.set(names.lag, String(lagMs));
      if (idempotencyKeys !== undefined) meta.set(names.keys, idempotencyKeys);
      if (externalIds !== undefined) meta.set(names.ids, externalIds);
      if (lenient !== undefined) meta.set(names.lenient, String(lenient));
    },
    clear: () => meta.clear(modeNames),
  };
}

/** A token bucket in real time, shared by all processes of the file. */
export interface RateLimit {
  /** 0 if the request may pass, else the seconds to wait (§8: `Retry-After` in seconds). */
  enter(): number;
}

export function openRateLimit(meta: Meta, perSecond: number | undefined): RateLimit {
  if (perSecond === undefined) return { enter: () => 0 };
  const capacity = Math.max(1, perSecond);
  return {
    enter() {
      const now = Date.now();
      const [tokens = capacity, at = now] = (meta.get('rate.bucket') ?? '')
        .split(' ')
        .filter(Boolean)
        .map(Number);
      const filled = Math.min(capacity, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      const passes = filled >= 1;
      meta.set('rate.bucket', `${passes ? filled - 1 : filled} ${now}`);
      return passes ? 0 : Math.max(1, Math.ceil((1 - filled) / perSecond));
    },
  };
}
