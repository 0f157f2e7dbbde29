// @ts-check
/**
 * Loaded before a life of the program: its wall clock is ahead, or behind, by `DRILL_SHIFT_MS`, and its machine has been running
 * for `DRILL_LATER_MS` more than it has. `DRILL_HOST` names the machine: no process of another machine can be seen.
 */
import os from 'node:os';
import { syncBuiltinESMExports } from 'node:module';

const shiftMs = Number(process.env['DRILL_SHIFT_MS'] ?? 0);
const laterMs = Number(process.env['DRILL_LATER_MS'] ?? 0);
const RealDate = Date;
const realUptime = os.uptime;

globalThis.Date = /** @type {DateConstructor} */ (
  new Proxy(RealDate, {
    construct: (target, words) =>
      words.length === 0 ? new RealDate(RealDate.now() + shiftMs) : Reflect.construct(target, words),
    get: (target, name) => (name === 'now' ? () => RealDate.now() + shiftMs : Reflect.get(target, name, target)),
  })
);
os.uptime = () => realUptime() + laterMs / 1000;
const host = process.env['DRILL_HOST'];
if (host !== undefined) os.hostname = () => host;
syncBuiltinESMExports();
