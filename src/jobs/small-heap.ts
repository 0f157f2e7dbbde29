import { setFlagsFromString } from 'node:v8';

/**
 * V8 lets its heap grow as long as that saves it work: the room for young objects up to 48 MB, the other by what it thinks
 * best, which is much on a busy machine. What a walk over documents makes is gone with each of them, so little of both is enough:
 * 50 MB less, for a tenth of the time. Both are looked at when the heap would grow, so that they can be set late.
 */
export function keepHeapSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  keepOldHeapSmall();
}

/** Only the room for old objects: hundreds of requests under way at once do not fit into little room for young ones. */
export function keepOldHeapSmall(): void {
  setFlagsFromString('--heap-growing-percent=60');
}
