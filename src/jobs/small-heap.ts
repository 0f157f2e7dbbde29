import { setFlagsFromString } from 'node:v8';

/**
 * Limits the heap. V8 lets the young generation grow to 48 MB, and the old one as it sees fit, which is a lot on a busy
 * machine. The objects of a walk over documents live only briefly, so little memory is enough: 50 MB less for a tenth
 * more time. V8 reads both limits when it is about to grow the heap, so they can be set late.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  keepOldHeapSmall();
}

/** Limits only the old generation: hundreds of requests in flight do not fit into a small young generation. */
export function keepOldHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
}
