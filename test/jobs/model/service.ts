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
  /** What it shows names nothing: only contents can be compared, and nobody can tell what another machine has sent. */
  readonly namesNothing?: boolean;
}

export interface Effect {
  readonly id: string;
  readonly key: string;
  /** The store, in its generation, whose item sent it. */
  readonly store: string;
  readonly at: number;
  readonly endsAt: number;
  readonly ending: 'Accepted' | 'Rejected';
  /** Whose the one before it was, if there was one. */
  readonly earlier: 'none' | 'own' | 'others';
  /** The service could have told of the earlier one when this was sent. */
  readonly wasVisible: boolean;
}

export interface ServiceParts {
  readonly clock: VirtualClock;
  readonly rules: ServiceRules;
  readonly lagMs: number;
  readonly lateMs: number;
  /** How long an effect stays pending. */
  readonly processingMs: number;
  readonly settleMs: number;
  /** Numbers that decide what happens; when they are used up everything goes well. */
  readonly fates: number[];
  trace(line: string): void;
}

const HELD_UP_MS = 5 * 60_000;

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
  readonly #heldUp = new Set<string>();
  /** When the last send of unknown outcome was made. */
  readonly #doubts = new Map<string, number>();
  readonly tooEarly: string[] = [];

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

  /** How long the pace holds a request up before it leaves; once for each item of a store, as that is what is promised. */
  holdUpMs(key: string, store: string): number {
    const name = `${store} ${key}`;
    if (this.#heldUp.has(name) || this.#number() % 6 !== 5) return 0;
    this.#heldUp.add(name);
    this.#parts.trace(`${store} holds ${key} up`);
    return HELD_UP_MS;
  }

  submit(key: string, store: string): Observation {
    const { clock, lateMs, rules, trace } = this.#parts;
    this.#catchUp();
    const fate = this.#next(sendFates);
    trace(`${store} sends ${key}: ${fate}`);
    const now = clock.uptime();
    this.#noteSend(`${store} ${key}`, fate);
    const lookedAt = this.#looked.get(`${store} ${key}`) ?? now;
    const knownUntil = lookedAt === Number.NEGATIVE_INFINITY ? lookedAt : Math.max(lookedAt, now - LOOK_AGE_MS);
    const request = { key, store, arrivesAt: now, knownUntil };
    switch (fate) {
      case 'refused-connection':
        throw new FiscalError('network.unreachable', {}, { sent: 'no', retryable: true });
      case '429':
        throw failure(429, this.#retryAfter());
      case 'refused':
        throw new FiscalError('service.refused', { message: 'no' }, facts(400, false, this.#retryAfter()));
      case '503-before':
        throw failure(503, this.#retryAfter());
      case '500-before':
        throw failure(500, this.#retryAfter());
      case 'cut-before':
        throw cut();
      case '503-late':
      case '500-late':
      case 'cut-late':
        this.#late.push({ ...request, arrivesAt: request.arrivesAt + lateMs });
        throw fate === 'cut-late' ? cut() : failure(fate === '503-late' ? 503 : 500, this.#retryAfter());
      default:
        break;
    }
    const effect = this.#take(request);
    if (effect === 'conflict') {
      if (fate === '503-after') throw failure(503, this.#retryAfter());
      if (fate === '500-after') throw failure(500, this.#retryAfter());
      if (fate === 'cut-after') throw cut();
      throw new FiscalError('service.conflict', { message: 'there already' }, facts(409, false, this.#retryAfter()));
    }
    switch (fate) {
      case '503-after':
        throw failure(503, this.#retryAfter());
      case '500-after':
        throw failure(500, this.#retryAfter());
      case 'cut-after':
        throw cut();
      case 'empty-body':
        return { state: 'uncertain', reason: { is: 'nameless' } };
      default:
        return rules.endsAtOnce
          ? { state: 'succeeded', resourceId: effect.id }
          : { state: 'pending', resourceId: effect.id, remoteStatus: 'Pending' };
    }
  }

  /** A send whose outcome is unknown is not followed by another one before its absence has settled. */
  #noteSend(name: string, fate: (typeof sendFates)[number]): void {
    const { clock, settleMs } = this.#parts;
    const now = clock.uptime();
    const doubtAt = this.#doubts.get(name);
    if (doubtAt !== undefined && now - doubtAt < settleMs)
      this.tooEarly.push(`${name} is sent ${(now - doubtAt) / 1000} s after a send of unknown outcome`);
    const isUnknown = /^(?:503|500|cut|empty)/.test(fate);
    if (isUnknown) this.#doubts.set(name, now);
    if (fate === 'ok') this.#doubts.delete(name);
  }

  /** A person has looked, and may have things sent again. */
  forgetDoubts(): void {
    this.#doubts.clear();
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

  /** The list, as far as it is visible; whoever has read it could have seen every key. */
  list(keys: readonly string[], store: string): readonly Effect[] {
    for (const key of keys) this.#looked.set(`${store} ${key}`, Number.NEGATIVE_INFINITY);
    this.#spoilRead();
    for (const key of keys) this.#looked.set(`${store} ${key}`, this.#parts.clock.uptime());
    return this.effects.filter((effect) => this.#isVisible(effect));
  }

  /** Work that was put off is done at its own time, by the rules of that time. */
  #catchUp(): void {
    const now = this.#parts.clock.uptime();
    const due = this.#late.filter(({ arrivesAt }) => arrivesAt <= now);
    this.#late = this.#late.filter(({ arrivesAt }) => arrivesAt > now);
    for (const request of due.toSorted((one, other) => one.arrivesAt - other.arrivesAt)) {
      const taken = this.#take(request);
      this.#parts.trace(`late: ${request.key} of ${request.store}: ${taken === 'conflict' ? '409' : taken.id}`);
    }
  }

  #take({ key, store, arrivesAt, knownUntil }: Request): Effect | 'conflict' {
    const before = this.effects.filter((effect) => effect.key === key);
    if (this.#parts.rules.refusesLive && before.some((each) => this.#isLive(each, arrivesAt))) return 'conflict';
    const second = before.some((each) => each.store === store) ? 'own' : 'others';
    const effect: Effect = {
      ...{ key, store, at: arrivesAt, endsAt: arrivesAt + this.#parts.processingMs },
      id: `${key}#${before.length + 1}`,
      ending: this.#number() % 4 === 3 ? 'Rejected' : 'Accepted',
      earlier: before.length === 0 ? 'none' : second,
      wasVisible: before.some((each) => each.at < knownUntil - this.#parts.lagMs),
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

  /** The status of an issued invoice, as a list shows it. */
  statusOf(id: string): string {
    const effect = this.effects.find((each) => each.id === id);
    if (effect === undefined || this.#parts.clock.uptime() < effect.endsAt) return 'Processing';
    return effect.ending === 'Accepted' ? 'Issued' : 'IssueDenied';
  }

  #shown({ endsAt, ending }: Effect): Observation {
    if (this.#parts.clock.uptime() < endsAt) return { state: 'pending', remoteStatus: 'Pending' };
    return { state: ending === 'Accepted' ? 'succeeded' : 'rejected', remoteStatus: ending };
  }

  #spoilRead(): void {
    this.#catchUp();
    const fate = this.#next(readFates);
    if (fate === 'cut') throw cut();
    if (fate === '503') throw failure(503, this.#retryAfter());
    if (fate === 'other-shape') {
      throw new FiscalError('service.unreadable', {}, { sent: 'yes', httpStatus: 200, retryable: false });
    }
  }

  /** §8 ties it to 429; a service may send it with anything. */
  #retryAfter(): RetryAfter {
    const seconds = [1, undefined, 2, 90][this.#number() % 4];
    return seconds === undefined ? {} : { retryAfterSeconds: seconds };
  }

  #number(): number {
    return this.#parts.fates.shift() ?? 0;
  }

  #next<Fate extends string>(fates: readonly Fate[]): Fate {
    return fates[this.#number() % fates.length] ?? (fates[0] as Fate);
  }
}

interface RetryAfter {
  readonly retryAfterSeconds?: number;
}

function failure(status: number, more: RetryAfter): FiscalError {
  const code = status === 429 ? 'service.rate_limited' : 'service.unavailable';
  return new FiscalError(code, { seconds: 1 }, facts(status, status !== 500, more));
}

function facts(httpStatus: number, retryable: boolean, more: RetryAfter = {}) {
  return { sent: 'yes', httpStatus, retryable, ...more } as const;
}

function cut(): FiscalError {
  return new FiscalError('network.timeout', {}, { sent: 'unknown', retryable: true });
}
