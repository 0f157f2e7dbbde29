import { Refusal } from '../core/refusal.js';

/** 409 while the same event is `Pending` or `Accepted` (§4). The document promises neither its id nor which of the two it is. */
export function liveAlready(): Refusal {
  return new Refusal('conflict', 'The same event is Pending or Accepted already.');
}
