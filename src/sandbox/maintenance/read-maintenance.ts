import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import { isRecord } from '../product/read-product.js';
import { readStartFromDate } from '../inbound/read-settings.js';

/** A date that exists and has come already; the second rule is assumed. */
export function readCutOff(core: Core, body: unknown): string {
  const startFromDate = readStartFromDate(body);
  const day = startFromDate.slice(0, 10);
  const at = Date.parse(`${day}T00:00:00Z`);
  if (!Number.isFinite(at) || new Date(at).toISOString().slice(0, 10) !== day) {
    throw invalid('startFromDate', 'Must be a day of the calendar.');
  }
  if (Date.parse(startFromDate) > core.clock.now()) {
    throw invalid('startFromDate', 'Must not lie in the future.');
  }
  return startFromDate;
}

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
