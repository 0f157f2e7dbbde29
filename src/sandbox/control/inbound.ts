import { byteModes } from '../../contract/sandbox.js';
import { stages } from '../document/documents.js';
import type { Core } from '../core/core.js';
import { parseDuration } from '../core/duration.js';
import { invalid } from '../core/refusal.js';
import type { ControlRequest } from './control.js';
import { booleanField, choiceField, fieldsOf, numberField, textField } from './fields.js';

const most = 1_000_000_000;

/** How the inbound routes behave now. */
export function showBehaviour(core: Core): object {
  const { behaviour } = core;
  return {
    bytes: behaviour.bytes(),
    arrivals: behaviour.arrivals() ?? null,
    pages: behaviour.pageFaults(),
    hostile: behaviour.listHostility() ?? null,
  };
}

/** `{mode: 'bytes' | 'redirect' | 'json'}`: how XML and PDF are answered. */
export function setBytes(core: Core, request: ControlRequest): object {
  const mode = choiceField(fieldsOf(request.body, ['mode']), 'mode', byteModes);
  if (mode === undefined) throw invalid('mode', `Is required: one of ${byteModes.join(', ')}.`);
  core.behaviour.setBytes(mode);
  return { mode };
}

/**
 * `{everyRequests, count?, lateBy?, stage?}`: before every n-th request of a list a document arrives, `count` of them at most;
 * its time of capture lies `lateBy` behind the moment in which it appears. An NF-e is a summary with `stage: 'summary'`.
 */
export function setArrivals(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['everyRequests', 'count', 'lateBy', 'stage']);
  const everyRequests = numberField(fields, 'everyRequests', { from: 1, to: most, whole: true });
  if (everyRequests === undefined) throw invalid('everyRequests', 'Is required.');
  const left = numberField(fields, 'count', { from: 0, to: most, whole: true }) ?? null;
  const lateByMs = parseDuration(textField(fields, 'lateBy') ?? '0s');
  if (lateByMs === undefined) throw invalid('lateBy', 'Must be a duration such as 30s.');
  const stage = choiceField(fields, 'stage', stages);
  const arrivals = { everyRequests, left, lateByMs, ...(stage === undefined ? {} : { stage }) };
  core.behaviour.setArrivals(arrivals);
  return arrivals;
}

export function stopArrivals(core: Core): object {
  core.behaviour.setArrivals(undefined);
  return { stopped: true };
}

/** `{doubled?, reordered?, short?}`: how the pages of lists are spoiled. */
export function setPages(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['doubled', 'reordered', 'short']);
  const faults = {
    doubled: booleanField(fields, 'doubled') ?? false,
    reordered: booleanField(fields, 'reordered') ?? false,
    short: booleanField(fields, 'short') ?? false,
  };
  core.behaviour.setPageFaults(faults);
  return faults;
}
