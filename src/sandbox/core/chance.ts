import { createHash } from 'node:crypto';
import type { Meta } from './database.js';

/** Pseudo-random values: the same seed and the same order of requests give the same values. */
export interface Chance {
  seed(): number;
  reseed(seed: number): void;
  /** The next identifier, a UUID. */
  uuid(): string;
  /** A number in [0, 1) that depends on the seed and `label` only. */
  unit(label: string): number;
}

export function openChance(meta: Meta): Chance {
  const seed = () => Number(meta.get('seed') ?? 1);
  return {
    seed,
    reseed: (value) => meta.set('seed', String(value)),
    uuid: () => uuidOf(`${seed()}:id:${meta.next('ids')}`),
    unit: (label) => unitOf(`${seed()}:${label}`),
  };
}

export function unitOf(text: string): number {
  return createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/** Formats a hash as a version 4 UUID, which clients accept. */
export function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  const variant = '89ab'.charAt(Number.parseInt(hex.charAt(16), 16) % 4);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}
