import { isTrue, itemsOf, owned, saysOf, type Thing, thingsOf } from './unkind-findings.js';
import { unkindKinds } from './unkind-kinds.js';

/** What stands at the service in the end, and what the one store of all runners says of it. */
export interface FleetClaims {
  readonly kind: string;
  /** How many items are in each state. */
  readonly states: Readonly<Record<string, number>>;
  readonly things: number;
  /** Names of which more than one thing lives. */
  readonly doubled: number;
  /** Names of which no thing lives, and of which the store does not say that they failed or are uncertain. */
  readonly lost: number;
  /** Names that the store holds as more than one item, or as none. */
  readonly miscounted: number;
  readonly falselyDone: number;
  readonly falselyFailed: number;
  readonly unfinished: number;
}

interface World {
  readonly env: NodeJS.ProcessEnv;
  readonly url: string;
  readonly items: number;
}

export async function claimsOfFleet(name: keyof typeof unkindKinds, world: World): Promise<FleetClaims> {
  const kind = unkindKinds[name];
  const things = await thingsOf(kind, world);
  const names = Array.from({ length: world.items }, (_, index) => kind.name(index));
  const wanted = new Set(names);
  const items = (await itemsOf(world)).filter((item) => wanted.has(item.name));
  const living = (of: string): readonly Thing[] => (things.get(of) ?? []).filter(({ state }) => state !== 'ended');
  const said = new Set(items.filter(({ state }) => owned.has(state)).map((item) => item.name));
  const claims = items.map((item) => {
    const says = saysOf(item.state);
    return { says, isTrue: isTrue(says, item, things.get(item.name) ?? []) };
  });
  const wrong = (which: string): number => claims.filter((claim) => claim.says === which && !claim.isTrue).length;
  const states = new Map<string, number>();
  for (const { state } of items) states.set(state, (states.get(state) ?? 0) + 1);
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item.name, (counts.get(item.name) ?? 0) + 1);
  return {
    kind: name,
    states: Object.fromEntries(states),
    things: [...things.values()].flat().length,
    doubled: names.filter((each) => living(each).length > 1).length,
    lost: names.filter((each) => living(each).length === 0 && !said.has(each)).length,
    miscounted: names.filter((each) => counts.get(each) !== 1).length,
    falselyDone: wrong('done'),
    falselyFailed: wrong('failed'),
    unfinished: claims.filter(({ says }) => says === 'nothing').length,
  };
}
