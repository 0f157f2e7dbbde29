import type { Outcome } from '../../domain/outcome.js';
import { eventTypes, rejectionReasons, type EventType } from '../../domain/event-codes.js';
import { describeDetail } from '../../domain/event-detail.js';

/** The events of the service, with their names for `--event` and their details. */
export function listCodes(): Promise<Outcome> {
  return Promise.resolve({ data: eventTypes.map(shown) });
}

function shown(event: EventType) {
  const { code, name, aliases, family, author, officialName, label } = event;
  const detail = family === 'nfe' ? describeDetail(code) : '';
  return {
    code,
    name,
    aliases,
    document: family === 'nfe' ? 'NF-e' : 'NFS-e',
    author,
    officialName,
    label,
    ...(detail === '' ? {} : { detail }),
    ...(code === 203206 ? { reasons: rejectionReasons } : {}),
  };
}
