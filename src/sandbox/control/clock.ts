import { runDueWork } from '../core/background.js';
import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest, WaitingControl } from './control.js';
import { type Fields, fieldsOf, textField } from './fields.js';

export function showClock(core: Core): object {
  return core.clock.state();
}

/**
 * `{advance: "10d"}`, `{set: ISO 8601}`, `{freeze: true}`. What is due by the new time is done before the answer. Deliveries
 * of webhooks are sent, again at the times that would have been theirs, for as long as a person waits.
 */
export const changeClock: WaitingControl = {
  begin: change,
  waitMs: 10_000,
  pace: 'from-due',
  finish: (_core, begun) => begun,
};

function change(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['advance', 'set', 'freeze']);
  if (Object.keys(fields).length !== 1) throw invalid('', 'Give one of: advance, set, freeze.');
  apply(core, fields);
  const workDone = runDueWork(core);
  return { ...core.clock.state(), workDone };
}

function apply(core: Core, fields: Fields): void {
  const advance = textField(fields, 'advance');
  if (advance !== undefined) {
    const ms = parseDuration(advance);
    if (ms === undefined) throw invalid('advance', 'Must be a duration such as 90s, 1h30m or 10d.');
    return core.clock.set(checked(core.clock.now() + ms, 'advance'));
  }
  const set = textField(fields, 'set');
  if (set !== undefined) {
    // A date without a zone would mean another time on another machine.
    if (!/^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:\d\d))?$/.test(set)) throw invalid('set', 'Must be ISO 8601.');
    return core.clock.set(checked(Date.parse(set), 'set'));
  }
  const freeze = fields['freeze'];
  if (typeof freeze !== 'boolean') throw invalid('freeze', 'Must be true or false.');
  core.clock.freeze(freeze);
}

/** Years of four digits only: what the answers can show. */
function checked(at: number, field: string): number {
  if (at >= 0 && at < Date.UTC(10_000, 0)) return at;
  throw invalid(field, 'Must lead to a date from 1970 to 9999.');
}
