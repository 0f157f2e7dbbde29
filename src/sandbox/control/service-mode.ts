import { externalIdModes, idempotencyModes } from '../../contract/sandbox.js';
import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { choiceField, fieldsOf, textField } from './fields.js';

export function showMode(core: Core): object {
  return core.mode.get();
}

/** `{lag?: "3s", idempotencyKeys?, externalIds?}`; what is not named stays. */
export function setMode(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['lag', 'idempotencyKeys', 'externalIds']);
  const lag = textField(fields, 'lag');
  const lagMs = lag === undefined ? undefined : parseDuration(lag);
  if (lag !== undefined && lagMs === undefined) throw invalid('lag', 'Must be a duration such as 3s.');
  const idempotencyKeys = choiceField(fields, 'idempotencyKeys', idempotencyModes);
  const externalIds = choiceField(fields, 'externalIds', externalIdModes);
  core.mode.set({
    ...(lagMs === undefined ? {} : { lagMs }),
    ...(idempotencyKeys === undefined ? {} : { idempotencyKeys }),
    ...(externalIds === undefined ? {} : { externalIds }),
  });
  return core.mode.get();
}

export function usualMode(core: Core): object {
  core.mode.clear();
  return core.mode.get();
}
