import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { fieldsOf, numberField, textField } from './fields.js';

const most = 1_000_000;

/** How fast the history is released and revoked. */
export function showSweep(core: Core): object {
  return core.behaviour.sweepPace();
}

/** `{documents?, every?}`: so many documents in one batch, and the time from one to the next. */
export function setSweep(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['documents', 'every']);
  const documents = numberField(fields, 'documents', { from: 1, to: most, whole: true });
  const every = textField(fields, 'every');
  const everyMs = every === undefined ? undefined : parseDuration(every);
  // Without any time between batches, a batch would be due again within itself, which is no sweep in parts.
  if (every !== undefined && (everyMs === undefined || everyMs === 0)) {
    throw invalid('every', 'Must be a duration such as 200ms.');
  }
  const before = core.behaviour.sweepPace();
  const pace = { documents: documents ?? before.documents, everyMs: everyMs ?? before.everyMs };
  core.behaviour.setSweepPace(pace);
  return pace;
}

/** Back to the usual pace. */
export function usualSweep(core: Core): object {
  core.behaviour.setSweepPace(undefined);
  return core.behaviour.sweepPace();
}
