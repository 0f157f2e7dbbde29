import { FiscalError } from '../../../src/errors/fiscal-error.js';
import type { LookupResult, Observation } from '../../../src/jobs/kind.js';
import type { VirtualClock } from '../virtual-clock.js';

/** What happens to a request that sends. `-late`: the effect comes by itself, long after the answer. */
export const sendFates = [
  'ok',
  'ok',
  'refused-connection',
  '429',
  '503-before',
  '503-after',
  '503-late',
  '500-before',
  '500-after',
  '500-late',
  'cut-before',
  'cut-after',
  'cut-late',
  'empty-body',
  'refused',
] as const;
/** What happens to a read. */
export const readFates = ['ok', 'ok', 'ok', 'cut', '503', 'other-shape'] as const;

export interface ServiceRules {
  /** A repeat while the first one is alive answers a bare 409 (§4). */
  readonly refusesLive: boolean;
  /** A look-up by name exists. */
  readonly canLookUp: boolean;
  /** The look-up shows only what is alive or accepted. */
  readonly listsLiveOnly: boolean;
  /** There is no state to follow: the answer is the end. */
  readonly endsAtOnce: boolean;
}

export interface Effect {
  readonly id: string;
  readonly key: string;
  /** The store, in its generation, whose item sent it. */
  readonly store: string;
  readonly at: number;
  readonly endsAt: number;
  readonly ending: 'Accepted' | 'Rejected';
  /** Whether the service could have told of an earlier one when this was sent. */
  readonly earlier: 'none' | 'own' | 'visible' | 'hidden';
}

export interface ServiceParts {
  readonly clock: VirtualClock;
  readonly rules: ServiceRules;
  readonly lagMs: number;
  readonly lateMs: number;
  /** Numbers that decide what happens; when they are used up everything goes well. */
  readonly fates: number[];
  trace(line: string): void;
}

const PROCESSING_MS = 3_000;

/** A look may be so much older than the send that follows it; what came between, nobody could see. */
const LOOK_AGE_MS = 2 * 60_000;

interface Request {
  /** What stood there before this was seen by its sender, or could have been. */
  readonly knownUntil: number;
  readonly key: string;
  readonly store: string;
  readonly arrivesAt: number;
}

/** A service that promises what the document promises, and nothing else. */
export class ModelService {
  readonly effects: Effect[] = [];
  readonly #parts: ServiceParts;
  #late: Request[] = [];
  readonly #looked = new Map<string, number>();

  constructor(parts: ServiceParts) {
    this.#parts = parts;
  }

  /** Effects of this name, with those that are still to come. */
  of(key: string): readonly Effect[] {
    this.#catchUp();
    return this.effects.filter((effect) => effect.key === key);
  }

  isQuiet(): boolean {
    this.#catchUp();
    const now = this.#parts.clock.uptime();
    return this.#late.length === 0 && this.effects.every(({ endsAt }) => endsAt <= now);
  }

  submit(key: string, store: string): Observation {
    const { clock, lateMs, rules, trace } = this.#parts;
    this.#catchUp();
    const fate = this.#next(sendFates);
    trace(`${store} sends ${key}: ${fate}`);
    const now = clock.uptime();
    const lookedAt = this.#looked.get(`${store} ${key}`) ?? now;
    const knownUntil =
      lookedAt === Number.NEGATIVE_INFINITY ? lookedAt : Math.max(lookedAt, now - LOOK_AGE_MS);
    const request = { key, store, arrivesAt: now, knownUntil };
    switch (fate) {
      case 'refused-connection':
        throw new FiscalError('network.unreachable', {}, { sent: 'no', retryable: true });
      case '429':
        throw failure(429, { retryAfterSeconds: 1 });
      case 'refused':
        throw new FiscalError('service.refused', { message: 'no' }, facts(400, false));
      case '503-before':
        throw failure(503, { retryAfterSeconds: 1 });
      case '500-before':
        throw failure(500);
      case 'cut-before':
        throw cut();
      case '503-late':
      case '500-late':
      case 'cut-late':
        this.#late.push({ ...request, arrivesAt: request.arrivesAt + lateMs });
        throw fate === 'cut-late' ? cut() : failure(fate === '503-late' ? 503 : 500);
      default:
        break;
    }
    const effect = this.#take(request);
    if (effect === 'conflict') {
      if (fate === '503-after') throw failure(503, { retryAfterSeconds: 1 });
      if (fate === '500-after') throw failure(500);
      if (fate === 'cut-after') throw cut();
      throw new FiscalError('service.conflict', { message: 'there already' }, facts(409, false));
    }
    switch (fate) {
      case '503-after':
        throw failure(503, { retryAfterSeconds: 1 });
      case '500-after':
        throw failure(500);
      case 'cut-after':
        throw cut();
      case 'empty-body':
        return { state: 'uncertain', errorMessage: 'the answer names nothing' };
      default:
        return rules.endsAtOnce
          ? { state: 'succeeded', resourceId: effect.id }
          : { state: 'pending', resourceId: effect.id, remoteStatus: 'Pending' };
    }
  }

  read(id: string): Observation {
    this.#spoilRead();
    const effect = this.effects.find((each) => each.id === id);
    if (effect === undefined || !this.#isVisible(effect)) {
      throw new FiscalError('service.not_found', { message: 'not there' }, facts(404, false));
    }
    return this.#shown(effect);
  }

  lookUp(key: string, store: string): LookupResult {
    this.#looked.set(`${store} ${key}`, Number.NEGATIVE_INFINITY);
    this.#spoilRead();
    this.#looked.set(`${store} ${key}`, this.#parts.clock.uptime());
    const visible = this.effects.filter((effect) => effect.key === key && this.#isVisible(effect));
    const listed = this.#parts.rules.listsLiveOnly ? visible.filter((each) => this.#isLive(each)) : visible;
    const last = listed.at(-1);
    return last === undefined ? 'absent' : { ...this.#shown(last), resourceId: last.id };
  }

  /** Work that was put off is done at its own time, by the rules of that time. */
  #catchUp(): void {
    const now = this.#parts.clock.uptime();
    const due = this.#late.filter(({ arrivesAt }) => arrivesAt <= now);
    this.#late = this.#late.filter(({ arrivesAt }) => arrivesAt > now);
    for (const request of due.toSorted((one, other) => one.arrivesAt - other.arrivesAt)) {
      const taken = this.#take(request);
      this.#parts.trace(
        `late: ${request.key} of ${request.store}: ${taken === 'conflict' ? '409' : taken.id}`,
      );
    }
  }

  #take({ key, store, arrivesAt, knownUntil }: Request): Effect | 'conflict' {
    const before = this.effects.filter((effect) => effect.key === key);
    if (this.#parts.rules.refusesLive && before.some((each) => this.#isLive(each, arrivesAt)))
      return 'conflict';
    const wasSent = before.some((each) => each.store === store);
    const isVisible = before.some((each) => each.at < knownUntil - this.#parts.lagMs);
    const others = isVisible ? 'visible' : 'hidden';
    const second = wasSent ? 'own' : others;
    const effect: Effect = {
      ...{ key, store, at: arrivesAt, endsAt: arrivesAt + PROCESSING_MS },
      id: `${key}#${before.length + 1}`,
      ending: this.#number() % 4 === 3 ? 'Rejected' : 'Accepted',
      earlier: before.length === 0 ? 'none' : second,
    };
    this.effects.push(effect);
    return effect;
  }

  #isLive({ endsAt, ending }: Effect, at = this.#parts.clock.uptime()): boolean {
    return ending === 'Accepted' || endsAt > at;
  }

  #isVisible({ at }: Effect): boolean {
    return at <= this.#parts.clock.uptime() - this.#parts.lagMs;
  }

  #shown({ endsAt, ending }: Effect): Observation {
    if (this.#parts.clock.uptime() < endsAt) return { state: 'pending', remoteStatus: 'Pending' };
    return { state: ending === 'Accepted' ? 'succeeded' : 'rejected', remoteStatus: ending };
  }

  #spoilRead(): void {
    this.#catchUp();
    const fate = this.#next(readFates);
    if (fate === 'cut') throw cut();
    if (fate === '503') throw failure(503, { retryAfterSeconds: 2 });
    if (fate === 'other-shape') {
      throw new FiscalError('service.unreadable', {}, { sent: 'yes', httpStatus: 200, retryable: false });
    }
  }

  #number(): number {
    return this.#parts.fates.shift() ?? 0;
  }

  #next<Fate extends string>(fates: readonly Fate[]): Fate {
    return fates[this.#number() % fates.length] ?? (fates[0] as Fate);
  }
}

function failure(status: number, more: { readonly retryAfterSeconds?: number } = {}): FiscalError {
  const code = status === 429 ? 'service.rate_limited' : 'service.unavailable';
  return new FiscalError(code, { seconds: 1 }, { ...facts(status, status !== 500), ...more });
}

function facts(httpStatus: number, retryable: boolean) {
  return { sent: 'yes', httpStatus, retryable } as const;
}

function cut(): FiscalError {
  return new FiscalError('network.timeout', {}, { sent: 'unknown', retryable: true });
}
