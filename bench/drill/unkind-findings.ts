import { ledger } from './ledger.js';
import { rowsOf } from './unkind.js';
import { pathOf, type UnkindKind } from './unkind-kinds.js';
import { CONCURRENCY, killsOf, type Life, type Machine, SETTLE_MS } from './unkind-imports.js';
import type { Send } from './wire.js';

/** What stands at the service in the end, and what the two machines say of it. */
export interface UnkindFindings {
  readonly kills: number;
  readonly lives: number;
  /** How many items of both machines are in each state. */
  readonly states: Readonly<Record<string, number>>;
  /** Things that came into being, and those of them that ended badly. */
  readonly things: number;
  readonly endedBadly: number;
  /** Names of which more than one thing lives. */
  readonly doubled: number;
  /** Names of which no thing lives, and of which no machine says that it failed or is uncertain. */
  readonly lost: number;
  readonly falselyDone: number;
  readonly falselyFailed: number;
  readonly unfinished: number;
  /** Why an answer never reached the machine that calls its item uncertain, and that nothing else could tell it. */
  readonly unknowable: { readonly hidden: number; readonly killed: number; readonly unsent: number };
  /** Called uncertain, though the machine had its answer or could have found it. */
  readonly knowable: readonly string[];
  /** Called done or failed, though the machine could not know. */
  readonly guessed: readonly string[];
}

export interface Thing {
  readonly id: string;
  readonly by: string;
  readonly state: 'done' | 'ended' | 'open';
}

export interface Item {
  readonly name: string;
  readonly state: string;
  readonly attempts: number;
  readonly resourceId: string | undefined;
}

interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  readonly machines: readonly Machine[];
  readonly items: number;
}

export async function findingsOf(kind: UnkindKind, world: World): Promise<Omit<UnkindFindings, 'lives'>> {
  const things = await thingsOf(kind, world);
  const claims: Claim[] = [];
  for (const machine of world.machines)
    claims.push(...(await claimsOf(kind, machine, { things, machines: world.machines })));
  const names = Array.from({ length: world.items }, (_, index) => kind.name(index));
  const living = (name: string): readonly Thing[] => (things.get(name) ?? []).filter(({ state }) => state !== 'ended');
  const said = new Set(claims.filter(({ item }) => owned.has(item.state)).map(({ item }) => item.name));
  const all = [...things.values()].flat();
  const count = (holds: (claim: Claim) => boolean): number => claims.filter(holds).length;
  const uncertain = claims.filter(({ item }) => item.state === 'uncertain');
  const because = (doubt: Doubt): number => uncertain.filter((claim) => claim.doubt === doubt).length;
  return {
    kills: killsOf(world.machines),
    states: Object.fromEntries(
      [...new Set(claims.map(({ item }) => item.state))].map((state) => [
        state,
        count(({ item }) => item.state === state),
      ]),
    ),
    things: all.length,
    endedBadly: all.filter(({ state }) => state === 'ended').length,
    doubled: names.filter((name) => living(name).length > 1).length,
    lost: names.filter((name) => living(name).length === 0 && !said.has(name)).length,
    falselyDone: count((claim) => claim.says === 'done' && !claim.isTrue),
    falselyFailed: count((claim) => claim.says === 'failed' && !claim.isTrue),
    unfinished: count(({ says }) => says === 'nothing'),
    unknowable: { hidden: because('hidden'), killed: because('killed'), unsent: because('unsent') },
    knowable: [...uncertain.filter(({ doubt }) => doubt === undefined), ...tooManyUnread(uncertain)].map(
      ({ item }) => item.name,
    ),
    guessed: claims
      .filter(({ says, doubt }) => (says === 'done' || says === 'failed') && doubt === 'hidden')
      // What the other machine has issued is found there too.
      .filter(({ item }) => kind.shows !== 'all' || !things.has(item.name))
      .map(({ item }) => item.name),
  };
}

/** By these words a machine keeps an item of which nothing lives for its owner to see. */
export const owned = new Set(['uncertain', 'rejected', 'failed']);

interface Claim {
  readonly item: Item;
  readonly says: 'done' | 'failed' | 'uncertain' | 'nothing';
  readonly isTrue: boolean;
  readonly doubt: Doubt | undefined;
  /** The one that made the send in doubt. */
  readonly life: Life | undefined;
}

/**
 * Why a machine cannot know: the service or the wire kept the answer back, a kill came before it was written down, or before the
 * request left.
 */
type Doubt = 'hidden' | 'killed' | 'unsent';

export type Things = ReadonlyMap<string, readonly Thing[]>;

async function claimsOf(
  kind: UnkindKind,
  machine: Machine,
  { things, machines }: { readonly things: Things; readonly machines: readonly Machine[] },
): Promise<readonly Claim[]> {
  const sentAt = new Map(machines.flatMap(({ wire }) => wire.sends.map(({ mark, endedAt }) => [mark, endedAt])));
  return (await itemsOf(machine)).map((item) => {
    const says = saysOf(item.state);
    const there = things.get(item.name) ?? [];
    const sends = machine.wire.sends.filter(({ name }) => name === item.name);
    const last = lastInDoubt(sends);
    const life = last && machine.lives.findLast(({ earlierSends }) => earlierSends <= indexOf(machine, last));
    const doubt = doubtOf(kind, { item, there, sends, last, life, sentAt });
    return { item, says, isTrue: isTrue(says, item, there), doubt, life };
  });
}

export function saysOf(state: string): Claim['says'] {
  if (state === 'succeeded' || state === 'skipped') return 'done';
  if (state === 'rejected' || state === 'failed') return 'failed';
  return state === 'uncertain' ? 'uncertain' : 'nothing';
}

/** A claim that names a thing is about that one, else about all of this name. */
export function isTrue(says: Claim['says'], { resourceId }: Item, there: readonly Thing[]): boolean {
  const meant = resourceId === undefined ? there : there.filter(({ id }) => id === resourceId);
  if (says === 'done') return meant.some(({ state }) => state === 'done');
  if (says !== 'failed') return true;
  return resourceId === undefined
    ? !there.some(({ state }) => state === 'done')
    : meant.some(({ state }) => state === 'ended');
}

/** A repeat that is refused (409) says nothing of the send before it. */
function lastInDoubt(sends: readonly Send[]): Send | undefined {
  const last = sends.at(-1);
  const unanswered = last?.answer === 'refused' ? sends.findLast(({ answer }) => answer === 'nothing') : last;
  return unanswered ?? last;
}

function indexOf({ wire }: Machine, send: Send): number {
  return wire.sends.indexOf(send);
}

interface Case {
  readonly item: Item;
  readonly there: readonly Thing[];
  readonly sends: readonly Send[];
  readonly last: Send | undefined;
  readonly life: Life | undefined;
  /** When each send of any machine ended, by its mark. */
  readonly sentAt: ReadonlyMap<string, number>;
}

/** Whether the machine, which looks once the effect of its own send would be there, may have looked before another one sent. */
function cameLater({ by }: Thing, { last, sentAt }: Pick<Case, 'last' | 'sentAt'>): boolean {
  return last !== undefined && (sentAt.get(by) ?? 0) > last.endedAt + SETTLE_MS;
}

function doubtOf(kind: UnkindKind, about: Case): Doubt | undefined {
  const { item, there, sends, last, life } = about;
  const own = new Set(sends.map(({ mark }) => mark));
  // Who looks finds it.
  if (kind.shows === 'all' && there.some(({ by }) => own.has(by))) return undefined;
  if (kind.shows === 'done' && there.some((thing) => thing.state === 'done' && !cameLater(thing, about)))
    return undefined;
  if (item.attempts > sends.length) return 'unsent';
  if (last === undefined) return undefined;
  const killedAt = life?.killedAt;
  if (last.answer !== 'nothing') {
    return killedAt !== undefined && item.state === 'uncertain' ? 'killed' : undefined;
  }
  // A connection that was closed before the kill had brought all that it would.
  return killedAt !== undefined && last.endedAt >= killedAt ? 'killed' : 'hidden';
}

/** A machine writes an answer down before it sends the next request: a kill leaves no more of them unread than were under way. */
function tooManyUnread(uncertain: readonly Claim[]): readonly Claim[] {
  const killed = uncertain.filter(({ doubt }) => doubt === 'killed');
  return [...new Set(killed.map(({ life }) => life))].flatMap((life) =>
    killed.filter((claim) => claim.life === life).slice(CONCURRENCY),
  );
}

export async function thingsOf(kind: UnkindKind, { env, url }: Pick<World, 'env' | 'url'>): Promise<Things> {
  const things = new Map<string, Thing[]>();
  for await (const { effect, idempotencyKey } of ledger(url)) {
    const name = effect === null ? undefined : kind.nameOf(effect);
    if (name === undefined) continue;
    const id = String(effect?.['id']);
    const thing = { id, by: String(idempotencyKey), state: await stateOf(kind, { env, url, id }) };
    things.set(name, [...(things.get(name) ?? []), thing]);
  }
  return things;
}

async function stateOf(
  kind: UnkindKind,
  { env, url, id }: { readonly env: NodeJS.ProcessEnv; readonly url: string; readonly id: string },
): Promise<Thing['state']> {
  const headers = { authorization: String(env['FISCAL_INVOICE_KEY']) };
  const answer = await fetch(url + pathOf(kind, env, id), { headers });
  const body = (await answer.json()) as Readonly<Record<string, unknown>>;
  const status = String(body['flowStatus'] ?? body['status']);
  if (kind.done.includes(status)) return 'done';
  return kind.ended.includes(status) ? 'ended' : 'open';
}

export async function itemsOf({ env }: Pick<Machine, 'env'>): Promise<readonly Item[]> {
  const jobs = await rowsOf(env, ['job', 'list', '--all']);
  const lists = await Promise.all(jobs.map((job) => rowsOf(env, ['job', 'items', String(job['id'])])));
  return lists.flat().map(({ state, label, attempts, resourceId }) => ({
    // The label of an event begins with its access key.
    name: String(label).split(' ')[0] ?? '',
    state: String(state),
    attempts: Number(attempts),
    resourceId: resourceId === undefined ? undefined : String(resourceId),
  }));
}
