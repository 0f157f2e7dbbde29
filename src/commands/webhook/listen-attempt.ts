import type { DeliveryPatch, HeldDelivery } from '../../store/deliveries.js';
import type { Clock, Random } from '../../domain/world.js';
import { retryPauseMs } from './listen-pauses.js';
import type { TargetAnswer } from './target-watch.js';
import type { Target, TargetFailure } from './target.js';

export interface AttemptParts {
  readonly targets: readonly Target[];
  readonly maxAttempts: number;
  readonly clock: Clock;
  readonly random: Random;
}

export interface Attempted {
  readonly patch: DeliveryPatch;
  /** Every target that was asked refused: perhaps they are down. */
  readonly allFailed: boolean;
  /** How each target that was asked answered, local ones left out. */
  readonly answers: readonly TargetAnswer[];
}

const maxErrorLength = 300;

/** One try at every target that has not taken the event yet, all at once, and what follows from it. */
export async function attempt(
  event: HeldDelivery,
  parts: AttemptParts,
  signal: AbortSignal,
): Promise<Attempted> {
  const since = parts.clock.now();
  const open = parts.targets.filter(({ name }) => !event.doneBy.includes(name));
  const results = await Promise.all(
    open.map(async (target) => ({ target, failure: await target.deliver(event, signal) })),
  );
  const failures = results.flatMap(({ target, failure }) =>
    failure === undefined ? [] : [{ target, failure }],
  );
  const taken = results.filter(({ failure }) => failure === undefined).map(({ target }) => target.name);
  const at = parts.clock.now();
  const attempts = event.attempts + 1;
  const tried = { attempts, doneBy: [...event.doneBy, ...taken], at };
  const allFailed = results.every(({ target, failure }) => target.isLocal === true || failure !== undefined);
  const heard = { allFailed, answers: answersOf(results, since) };
  if (failures.length === 0) return { ...heard, patch: { ...tried, state: 'delivered' }, allFailed: false };
  const lastError = failures
    .map(({ target, failure }) => `${target.name}: ${failure.reason}`)
    .join('; ')
    .slice(0, maxErrorLength);
  if (attempts >= parts.maxAttempts) return { ...heard, patch: { ...tried, state: 'dead', lastError } };
  const wish = longestWish(failures.map(({ failure }) => failure));
  const dueAt = at + retryPauseMs(attempts, parts.random, wish);
  return { ...heard, patch: { ...tried, state: 'received', dueAt, lastError } };
}

interface Result {
  readonly target: Target;
  readonly failure: TargetFailure | undefined;
}

function answersOf(results: readonly Result[], since: number): readonly TargetAnswer[] {
  return results
    .filter(({ target }) => target.isLocal !== true)
    .map(({ target: { name: target }, failure }) =>
      failure === undefined ? { target, since } : { target, since, refusal: failure.reason },
    );
}

function longestWish(failures: readonly TargetFailure[]): number {
  return Math.max(0, ...failures.map(({ retryAfterMs }) => retryAfterMs ?? 0));
}
