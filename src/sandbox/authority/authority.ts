import type { Core } from '../core/core.js';
import { distributeEvent } from '../inbound/distribution.js';
import type { Ending } from '../manifestation/nfe-events.js';
import { cancelledBy, findNfeRejection } from './nfe-rules.js';
import type { StoredOutcome } from './outcomes.js';
import { type Rejection, rejection } from './rejections.js';
import type { EventName } from './registry.js';

/** How an event ends at the authority; `undefined`: it never answers. */
export type Answer = Ending | undefined;

export interface Sending extends EventName {
  readonly companyId: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly sentAt: number;
  /** What a test has chosen for this event. */
  readonly outcome: StoredOutcome | undefined;
}

/** The recipient's event: by the rules of the authority, unless a test has chosen. */
export function receiveNfeEvent(core: Core, sending: Sending): Answer {
  const registered = core.registry.of(sending.accessKey, sending.author);
  const document = core.documents.get(sending.accessKey, sending.companyId);
  const submission = { ...sending, document, registered };
  return receive(core, sending, {
    family: 'nfe',
    findRejection: () => findNfeRejection(submission),
    afterwards() {
      const target = cancelledBy(submission);
      if (target !== undefined) core.registry.cancel(target.accessKey, target.author, target.protocol);
    },
  });
}

/** The taker's event. facts §2, E1833: one manifestation per taker and note, whichever it is. */
export function receiveNfseManifestation(core: Core, sending: Sending): Answer {
  return receive(core, sending, {
    family: 'nfse',
    findRejection() {
      const registered = core.registry.of(sending.accessKey, sending.author);
      return registered.length > 0 ? rejection('E1833') : null;
    },
    afterwards: () => undefined,
  });
}

interface Judge {
  readonly family: 'nfe' | 'nfse';
  findRejection(): Rejection | null;
  /** What a registration causes. */
  afterwards(): void;
}

function receive(core: Core, sending: Sending, judge: Judge): Answer {
  const { outcome } = sending;
  const protocol = core.registry.receive(sending.sentAt);
  const register = (): string => {
    judge.afterwards();
    const name = nameOf(sending);
    const registered = core.registry.register(name, protocol);
    const { companyId, detail, sentAt: at } = sending;
    const event = { family: judge.family, ...name, protocol: registered, detail, at };
    distributeEvent(core, event, companyId);
    return registered;
  };
  switch (outcome?.outcome) {
    case 'never':
      return undefined;
    case 'fail':
      return failed;
    case 'fail-after':
      if (judge.findRejection() === null) register();
      return failed;
    case 'reject':
      return rejected(rejection(outcome.code ?? '999', outcome.message));
    case 'accept':
      return accepted(register());
    case undefined: {
      const reason = judge.findRejection();
      return reason === null ? accepted(register()) : rejected(reason);
    }
  }
}

function nameOf({ accessKey, eventCode, sequence, author }: Sending): EventName {
  return { accessKey, eventCode, sequence, author };
}

export const failed: Ending = {
  status: 'Failed',
  protocol: null,
  errorCode: null,
  errorMessage: 'O ambiente nacional não respondeu ao envio do evento.',
};

function accepted(protocol: string): Ending {
  return { status: 'Accepted', protocol, errorCode: null, errorMessage: null };
}

function rejected({ code, message }: Rejection): Ending {
  return { status: 'Rejected', protocol: null, errorCode: code, errorMessage: message };
}
