import { invalid } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';

export function readReleased(body: unknown): boolean {
  const released = isRecord(body) ? body['released'] : undefined;
  if (typeof released !== 'boolean') throw invalid('released', 'Is required: true or false.');
  return released;
}

export function readNsu(body: unknown): number {
  const nsu = isRecord(body) ? body['nsu'] : undefined;
  const isText = typeof nsu === 'string' || typeof nsu === 'number';
  if (!isText || !/^\d{1,15}$/.test(String(nsu))) throw invalid('nsu', 'Is required, with up to 15 digits.');
  return Number(nsu);
}
