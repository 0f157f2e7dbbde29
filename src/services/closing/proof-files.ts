import { safeName } from '../../archive/layout.js';
import type { ArchivedType } from '../../archive/manifest.js';
import type { Direction } from '../../domain/direction.js';

/** The folder of manifests and verdicts in the archive. */
export const PROOFS = 'proofs';
export const MANIFEST = 'manifest.jsonl';
export const VERDICT = 'close.json';

export interface ProofName {
  /** `2026-10`. */
  readonly month: string;
  readonly companyId: string;
  readonly direction: Direction;
  /** Empty: all types; a proof of some stands below that of all. */
  readonly narrowedTo?: readonly ArchivedType[];
}

/** The folder of a proof, relative to the archive: `proofs/2026-10/<company>`, below it `issued` and the types. */
export function proofFolder({ month, companyId, direction, narrowedTo = [] }: ProofName): string {
  const parts = [
    ...(direction === 'issued' ? ['issued'] : []),
    ...(narrowedTo.length === 0 ? [] : [[...narrowedTo].sort().join('-')]),
  ];
  return [PROOFS, month, safeName(companyId), ...parts].join('/');
}
