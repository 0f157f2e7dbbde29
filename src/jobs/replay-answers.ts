import type { ItemStep } from '../domain/item-step.js';
import { stepText } from '../store/item-history.js';
import type { ItemRow, ItemState, Store } from '../store/store.js';
import type { AnswerJournal, KeptAnswer } from './answer-journal.js';
import { openStates } from './decide.js';
import { holdsKey } from './claimed-item.js';
import { finishJobIfDone } from './manage.js';
import { kindOf } from './kinds/registry.js';

export interface Replayed {
  readonly written: number;
  /** Another machine is at work on their items. */
  readonly waiting: number;
  /** The item ended in another way: a person must look. */
  readonly contradicted: readonly KeptAnswer[];
  /** The store does not have their items. */
  readonly orphaned: readonly KeptAnswer[];
  /** Files that are kept, and of which nothing is guessed. */
  readonly damaged: readonly string[];
}

/** Writes the answers that were kept on this machine into the store, each once, whoever wrote some of them meanwhile. */
export async function replayAnswers(store: Store, journal: AnswerJournal): Promise<Replayed> {
  const { answers, damaged } = await journal.list();
  const contradicted: KeptAnswer[] = [];
  const orphaned: KeptAnswer[] = [];
  let written = 0;
  let waiting = 0;
  for (const { path, answer } of answers) {
    const result = await replay(store, answer);
    if (result === 'waits') {
      waiting += 1;
      continue;
    }
    if (result === 'written') written += 1;
    else if (result === 'orphaned') orphaned.push(answer);
    else contradicted.push(answer);
    await journal.remove(path);
  }
  const jobIds = new Set(answers.map(({ answer }) => answer.jobId));
  for (const jobId of jobIds) await finishJobIfDone({ store, clock: store.clock }, jobId);
  return { written, waiting, contradicted, orphaned, damaged };
}

type Result = 'written' | 'waits' | 'contradicted' | 'orphaned';

async function replay(store: Store, answer: KeptAnswer): Promise<Result> {
  const { itemId, workerId, epoch, patch, at, step } = answer;
  if (await store.items.transition({ id: itemId, workerId, epoch }, patch, { at, step })) return 'written';
  const item = await store.items.get(itemId);
  if (item === undefined) return 'orphaned';
  const late: ItemStep = { ...step, keptSince: at };
  const events = await store.items.events(itemId);
  if (events.some((event) => (event.at === at && isSame(event.step, step)) || isSame(event.step, late)))
    return 'written';
  if (decides(answer, item)) {
    const isWritten = await store.items.decide(itemId, item, patch, { at: store.clock.now(), step: late });
    return isWritten ? 'written' : 'waits';
  }
  if (agrees(answer, item)) return 'written';
  await sayIn(store, item, answer);
  return 'contradicted';
}

const isSame = (one: ItemStep, other: ItemStep): boolean => stepText(one) === stepText(other);

/** Says nothing about what the send created, or that it created nothing. */
const saysLittle: readonly ItemState[] = ['sending', 'uncertain'];
const tookEffect: readonly ItemState[] = ['pending', 'succeeded'];

/** The item waits for just this: what became of its last send. */
function decides({ attempts, patch }: KeptAnswer, item: ItemRow): boolean {
  // The server of the store has lost the row of this send.
  if (item.attempts < attempts) return !saysLittle.includes(patch.state) && !isSettled(item);
  if (item.attempts !== attempts) return false;
  if (item.state === 'sending') return true;
  if (saysLittle.includes(patch.state)) return false;
  const isUnnamed = item.state === 'pending' && item.resourceId === undefined;
  return item.state === 'uncertain' || item.state === 'prepared' || isUnnamed;
}

const isSettled = ({ state }: ItemRow): boolean => state !== 'prepared' && !openStates.includes(state);

/** Nothing that the answer proves is missing in the item or differs from it. */
function agrees({ attempts, patch }: KeptAnswer, item: ItemRow): boolean {
  if (!tookEffect.includes(patch.state))
    return saysLittle.includes(patch.state) || item.attempts !== attempts || item.state === patch.state;
  const created = patch.resourceId ?? undefined;
  if (created !== undefined && item.resourceId !== undefined) return created === item.resourceId;
  return item.attempts === attempts && [...tookEffect, 'skipped'].includes(item.state);
}

/** Only the history of the item changes. */
async function sayIn(store: Store, item: ItemRow, { patch, at }: KeptAnswer): Promise<void> {
  const job = await store.jobs.get(item.jobId);
  const kind = job === undefined ? undefined : kindOf(job.kind);
  if (kind === undefined) return;
  const holds = item.state === 'skipped' ? item.lookup === 'found' : holdsKey(item.state, kind);
  const created = patch.resourceId ?? undefined;
  const named = created === undefined ? {} : { resourceId: created };
  const step = { is: 'contradicted', at, state: patch.state, ...named } as const;
  const stays = { state: item.state, holdsKey: holds, keep: false };
  // Where another one works on the item or holds its key, the notice of the run is what says it.
  await store.items.decide(item.id, item, stays, { at: store.clock.now(), step }).catch(() => false);
}
