import { Refusal } from '../core/refusal.js';

/** 409 while the same event is `Pending` or `Accepted` (§4). The details name the one that stands (assumed). */
export function liveAlready(event: { readonly id: string; readonly status: string }): Refusal {
  return new Refusal('conflict', `The same event is ${event.status} already.`, {
    details: [
      { field: 'id', message: event.id },
      { field: 'status', message: event.status },
    ],
  });
}
