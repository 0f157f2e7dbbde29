import type { StoredOutcome } from '../core/rules.js';
import type { EventName, EventResult, Registration } from '../core/records.js';
import type { Core } from '../core/core.js';
import type { StoredDocument } from '../document/documents.js';
import { distributeEvent } from '../inbound/distribution.js';

/** The outcome of an event at the authority; `undefined`: no answer. */
type Answer = EventResult | undefined;

interface Sending extends EventName {
  readonly companyId: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly sentAt: number;
  /** The outcome that a test configured for this event. */
  readonly outcome: StoredOutcome | undefined;
}

/** Receives the recipient's event: applies the rules of the authority unless a test configured an outcome. */
export function receiveNfeEvent(core: Core, sending: Sending): Answer {
  const registered = core.registry.of(sending.accessKey, sending.author);
  const document = core.documents.get(sending.accessKey, sending.companyId);
  const submission = { ...sending, document, registered };
  return receive(core, sending, {
    family: 'nfe',
    findRejection: () => findNfeRejection(submission),
    afterwards() {
      const target = cancelledBy(submission);
      if (target !== undefined) core.registry.cancel(target);
    },
  });
}

/** Receives the taker's event. One manifestation per taker and note, whatever its code (facts §2, E1833). */
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
  /** Applies the effects of a registration. */
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

export const failed: EventResult = {
  status: 'Failed',
  protocol: null,
  errorCode: null,
  errorMessage: 'O ambiente nacional não respondeu ao envio do evento.',
};

function accepted(protocol: string): EventResult {
  return { status: 'Accepted', protocol, errorCode: null, errorMessage: null };
}

function rejected({ code, message }: Rejection): EventResult {
  return { status: 'Rejected', protocol: null, errorCode: code, errorMessage: message };
}

/** An event of the recipient with the context of the rules. */
interface NfeSubmission extends EventName {
  readonly detail: Readonly<Record<string, unknown>>;
  readonly sentAt: number;
  /** `undefined`: the sandbox has not captured this note, and the rules about the note pass. */
  readonly document: StoredDocument | undefined;
  /** The registered events of this note and this author. */
  readonly registered: readonly Registration[];
}

const confirmation = 210200;
const awareness = 210210;
const unknown = 210220;
const notPerformed = 210240;
const cancellation = 110001;
const conclusive: readonly number[] = [confirmation, unknown, notPerformed];

type Rule = (submission: NfeSubmission) => boolean;

/** facts §3 and §4; the first broken rule decides. 222 for a cancellation is assumed: no source names its number. */
const rules: readonly (readonly [code: string, isBroken: Rule])[] = [
  ['575', isNotRecipient],
  ['573', isDuplicate],
  ['594', isSequenceTooHigh],
  ['595', isJustificationMissing],
  ['596', isLate],
  ['650', ({ eventCode, document }) => eventCode === awareness && document?.cancelled === true],
  ['651', ({ eventCode, document }) => eventCode === unknown && document?.cancelled === true],
  ['655', isAwarenessAfterConclusion],
  ['222', isCancellationOfNothing],
];

function findNfeRejection(submission: NfeSubmission): Rejection | null {
  const broken = rules.find(([, isBroken]) => isBroken(submission));
  return broken === undefined ? null : rejection(broken[0]);
}

/** The registered event that a cancellation names. */
function cancelledBy({ eventCode, detail, registered }: NfeSubmission): Registration | undefined {
  if (eventCode !== cancellation) return undefined;
  const { nProtEvento, tpEventoAut } = detail;
  return registered.find((each) => each.protocol === nProtEvento && each.eventCode === Number(tpEventoAut));
}

/** For a note that is not captured, the key still shows whether the company issued it. */
function isNotRecipient({ accessKey, author, document }: NfeSubmission): boolean {
  return document === undefined ? accessKey.slice(6, 20) === author : document.direction === 'outgoing';
}

function isDuplicate({ eventCode, sequence, registered }: NfeSubmission): boolean {
  return registered.some((each) => each.eventCode === eventCode && each.sequence === sequence);
}

function isSequenceTooHigh({ eventCode, sequence }: NfeSubmission): boolean {
  if (eventCode === awareness) return sequence > 1;
  return conclusive.includes(eventCode) && sequence > 2;
}

/** The service checks this earlier; the replaced route does not. */
function isJustificationMissing({ eventCode, detail }: NfeSubmission): boolean {
  return eventCode === notPerformed && typeof detail['justification'] !== 'string';
}

function isLate({ eventCode, document, sentAt }: NfeSubmission): boolean {
  if (document === undefined) return false;
  if (eventCode === awareness) return isAwarenessLate(document.authorizedOn, sentAt);
  return conclusive.includes(eventCode) && isConclusiveLate(document.authorizedOn, sentAt);
}

function isAwarenessAfterConclusion({ eventCode, registered }: NfeSubmission): boolean {
  return eventCode === awareness && registered.some((each) => conclusive.includes(each.eventCode));
}

function isCancellationOfNothing(submission: NfeSubmission): boolean {
  if (submission.eventCode !== cancellation) return false;
  const target = cancelledBy(submission);
  return target === undefined || target.cancelled;
}

const dayMs = 86_400_000;

/** facts §4: the deadline of Ciência is ten days, in every period. */
const awarenessDays = 10;

/**
 * facts §4: days for a conclusive event, by the day from which the rule applies. No rule covers notes authorised
 * before a change, so the rule of the day of sending applies: the strictest reading.
 */
const conclusiveTerms: readonly { readonly from: number; readonly days: number }[] = [
  { from: Date.UTC(2026, 5, 1), days: 90 },
  { from: Date.UTC(2021, 0, 1), days: 180 },
  { from: 0, days: 90 },
];

function isAwarenessLate(authorizedOn: number, sentAt: number): boolean {
  return sentAt > authorizedOn + awarenessDays * dayMs;
}

function isConclusiveLate(authorizedOn: number, sentAt: number): boolean {
  const term = conclusiveTerms.find((each) => each.from <= sentAt);
  return sentAt > authorizedOn + (term?.days ?? 0) * dayMs;
}

/** A rejection by the authority: its code and its text, which is in Portuguese. */
interface Rejection {
  readonly code: string;
  readonly message: string;
}

const texts: Readonly<Record<string, string>> = {
  '222': 'Rejeição: Protocolo do evento difere do cadastrado ou o evento não pode ser cancelado',
  '573': 'Rejeição: Duplicidade de evento',
  '575': 'Rejeição: O autor do evento não é o destinatário da NF-e',
  '594': 'Rejeição: O número de sequência do evento informado é maior que o permitido',
  '595': 'Rejeição: Obrigatória a informação da justificativa do evento',
  '596': 'Rejeição: Evento apresentado fora do prazo',
  '650': 'Rejeição: Evento de Ciência da Operação para NF-e cancelada ou denegada',
  '651': 'Rejeição: Evento de Desconhecimento da Operação para NF-e cancelada ou denegada',
  '655': 'Rejeição: Evento de Ciência da Operação informado após a manifestação conclusiva do destinatário',
  '999': 'Rejeição: Erro não catalogado',
  E1833: 'Já existe manifestação do tomador registrada para esta NFS-e',
};

function rejection(code: string, message?: string): Rejection {
  return { code, message: message ?? texts[code] ?? `Rejeição ${code}` };
}
