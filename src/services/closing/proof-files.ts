/** The folder of manifests and verdicts in the archive. */
export const PROOFS = 'proofs';
export const MANIFEST = 'manifest.jsonl';
export const VERDICT = 'close.json';
