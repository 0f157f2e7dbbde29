import {
  type ExternalIdMode,
  externalIdModes,
  type IdempotencyMode,
  idempotencyModes,
} from '../../contract/sandbox.js';
import type { Meta } from './meta.js';

/** How much the service does beyond what the document promises. */
export interface ServiceModes {
  /** Reads show what was created only so much later. */
  readonly lagMs: number;
  /** §4 asks for an `Idempotency-Key` and says nothing of a repeat. */
  readonly idempotencyKeys: IdempotencyMode;
  /** Whether an NFS-e with an `externalId` that was here before is refused (public) or issued again. */
  readonly externalIds: ExternalIdMode;
}

export interface ServiceMode {
  get(): ServiceModes;
  set(modes: Partial<ServiceModes>): void;
  /** Back to the modes of the start. */
  clear(): void;
}

const names = { lag: 'mode.lag', keys: 'mode.idempotencyKeys', ids: 'mode.externalIds' };
export const modeNames = Object.values(names);

/** Kept in the file, so that all processes agree; `usual` holds until something else is set. */
export function openServiceMode(meta: Meta, usual: ServiceModes): ServiceMode {
  return {
    get: () => ({
      lagMs: Number(meta.get(names.lag) ?? usual.lagMs),
      idempotencyKeys:
        idempotencyModes.find((mode) => mode === meta.get(names.keys)) ?? usual.idempotencyKeys,
      externalIds: externalIdModes.find((mode) => mode === meta.get(names.ids)) ?? usual.externalIds,
    }),
    set({ lagMs, idempotencyKeys, externalIds }) {
      if (lagMs !== undefined) meta.set(names.lag, String(lagMs));
      if (idempotencyKeys !== undefined) meta.set(names.keys, idempotencyKeys);
      if (externalIds !== undefined) meta.set(names.ids, externalIds);
    },
    clear: () => meta.clear(modeNames),
  };
}
