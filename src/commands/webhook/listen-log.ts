import type { Text } from '../../contract/text.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { DataRecord } from '../../domain/outcome.js';
import { formatUtc } from '../../domain/dates.js';
import { readWebhookEvent } from '../../domain/webhook-event.js';
import type { Refusal } from '../../receiver/delivery.js';
import type { RefusalFacts } from '../../receiver/serve.js';
import type { HeldDelivery, DeliveryPatch } from '../../store/deliveries.js';
import { failureWords, type Target } from './targets.js';

/** The last line of a listener: counts of what arrived and what was done with it. */
export interface ListenSummary extends DataRecord {
  readonly type: 'summary';
  readonly stored: number;
  /** Deliveries of events that were stored before. */
  readonly copies: number;
  readonly refused: number;
  /** Of these, the genuine ones that were signed at another time: a replay, or a wrong clock. */
  readonly stale?: number;
  readonly delivered: number;
  readonly givenUp: number;
}

/** One line of the output of `webhook listen`. Fields are only ever added. */
export interface ListenRecord extends DataRecord {
  readonly type: 'event';
  readonly id: string;
  readonly event: string;
  readonly resource: string;
  readonly hookId: string;
  /** Of the raw body: with `hookId` the same for every copy of a delivery. */
  readonly sha256: string;
  readonly scheme: string;
  /** ISO 8601, UTC. */
  readonly receivedAt: string;
  /** The resource, unchanged. */
  readonly payload: unknown;
}

function recordOf(event: HeldDelivery): ListenRecord {
  return {
    type: 'event',
    id: event.id,
    event: event.event,
    resource: event.resource,
    hookId: event.hookId,
    sha256: event.digest,
    scheme: event.scheme,
    receivedAt: formatUtc(event.receivedAt),
    payload: readWebhookEvent(event.body, event.event)?.payload ?? null,
  };
}

/** The records are a target like any other: after a crash the next process prints the missing ones. */
export function recordTarget(write: (record: ListenRecord) => Promise<void>): Target {
  return {
    name: 'stdout',
    isLocal: true,
    async deliver(event) {
      await write(recordOf(event));
      return undefined;
    },
  };
}

/** Reports on stderr: each kind of problem when it first happens, then less and less often, so that no sender fills a log. */
export class ListenLog {
  readonly #notice: (text: Text) => Promise<void>;
  readonly #counts = new Map<string, number>();
  #stored = 0;
  #copies = 0;
  #delivered = 0;
  #dead = 0;

  constructor(notice: (text: Text) => Promise<void>) {
    this.#notice = notice;
  }

  arrived(isNew: boolean): void {
    if (isNew) this.#stored += 1;
    else this.#copies += 1;
  }

  refused(refusal: Refusal, { fault, ageMs }: RefusalFacts): void {
    const count = this.#count(refusal);
    if (!isRound(count)) return;
    const reason = refusals[refusal];
    const detail = ageMs === undefined ? failure(fault) : distance(ageMs);
    this.say({
      en: `refused (${String(count)} so far): ${reason.en}${detail.en}`,
      pt: `recusado (${String(count)} até agora): ${reason.pt}${detail.pt}`,
    });
  }

  concluded(event: HeldDelivery, patch: DeliveryPatch): void {
    if (patch.state === 'delivered') this.#delivered += 1;
    if (patch.state !== 'dead') return;
    this.#dead += 1;
    if (!isRound(this.#dead)) return;
    const { id } = event;
    const reason = failureWords(patch.failures ?? []);
    const line = fiscalLine({ command: 'webhook resend', positionals: [id] });
    this.say({
      en: `gave up on event ${id} (attempts: ${String(patch.attempts)}): ${reason.en}; to send it again: ${line}`,
      pt: `evento ${id} abandonado (tentativas: ${String(patch.attempts)}): ${reason.pt}; para reenviar: ${line}`,
    });
  }

  get summary(): ListenSummary {
    return {
      type: 'summary',
      stored: this.#stored,
      copies: this.#copies,
      refused: [...this.#counts.values()].reduce((sum, count) => sum + count, 0),
      ...(this.#stale === 0 ? {} : { stale: this.#stale }),
      delivered: this.#delivered,
      givenUp: this.#dead,
    };
  }

  /** A summary of the run, and a warning about deliveries that may never come again. */
  ending(): readonly Text[] {
    const { stored, copies, refused, delivered, givenUp } = this.summary;
    const sums = {
      en: `stored ${stored}, copies ${copies}, refused ${refused}; delivered ${delivered}, given up ${givenUp}`,
      pt: `guardados ${stored}, cópias ${copies}, recusados ${refused}; entregues ${delivered}, abandonados ${givenUp}`,
    };
    return this.#stale === 0 ? [sums] : [sums, staleNotice(this.#stale)];
  }

  get #stale(): number {
    return this.#counts.get('stale') ?? 0;
  }

  #count(refusal: Refusal): number {
    const count = (this.#counts.get(refusal) ?? 0) + 1;
    this.#counts.set(refusal, count);
    return count;
  }

  /** One line; a closed stderr does not end the listener. */
  say(text: Text): void {
    this.#notice(text).catch(() => undefined);
  }
}

function failure(fault: unknown): Text {
  const detail = fault instanceof Error ? `: ${fault.message}` : '';
  return { en: detail, pt: detail };
}

function distance(ageMs: number): Text {
  const seconds = Math.round(Math.abs(ageMs) / 1000);
  const [en, pt] = ageMs > 0 ? ['before', 'antes'] : ['after', 'depois'];
  return {
    en: `: ${seconds} s ${en} the time of this machine. If its clock is wrong, set it: until then no delivery is accepted`,
    pt: `: ${seconds} s ${pt} da hora desta máquina. Se o relógio dela está errado, acerte-o: até lá nenhuma entrega é aceita`,
  };
}

function staleNotice(count: number): Text {
  return {
    en: `genuine deliveries refused because of the time of their signature: ${count}; "webhook missed" lists the documents that the service did not deliver again`,
    pt: `entregas autênticas recusadas por causa da hora da assinatura: ${count}; "webhook missed" lista os documentos que o serviço não entregou de novo`,
  };
}

/** 1, 10, 100 and so on. */
function isRound(count: number): boolean {
  return /^10*$/.test(String(count));
}

const refusals: Readonly<Record<Refusal, Text>> = {
  path: { en: 'wrong path (404)', pt: 'caminho errado (404)' },
  method: { en: 'not a POST (405)', pt: 'não é POST (405)' },
  type: { en: 'the content type is not JSON (415)', pt: 'o tipo de conteúdo não é JSON (415)' },
  'too-large': { en: 'the body is too large (413)', pt: 'o corpo é grande demais (413)' },
  busy: { en: 'too many requests at once (503)', pt: 'requisições demais ao mesmo tempo (503)' },
  crowded: {
    en: 'too many connections at once: the one that had waited longest was closed',
    pt: 'conexões demais ao mesmo tempo: a que esperava há mais tempo foi fechada',
  },
  cut: { en: 'the connection ended before the body', pt: 'a conexão terminou antes do corpo' },
  slow: { en: 'the request was too slow (408)', pt: 'a requisição foi lenta demais (408)' },
  reset: { en: 'the client reset the connection', pt: 'o cliente interrompeu a conexão' },
  malformed: { en: 'not HTTP (400)', pt: 'não é HTTP (400)' },
  unsigned: { en: 'no signature (401)', pt: 'sem assinatura (401)' },
  forged: { en: 'the signature is wrong (401)', pt: 'a assinatura está errada (401)' },
  stale: { en: 'genuine, but signed at another time (503)', pt: 'autêntico, mas assinado em outra hora (503)' },
  syntax: { en: 'the body is not JSON (400)', pt: 'o corpo não é JSON (400)' },
  unstored: { en: 'the event could not be stored (503)', pt: 'o evento não pôde ser guardado (503)' },
};
