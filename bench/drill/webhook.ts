import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '../../test/support/free-port.js';
import { environmentIn } from '../running-sandbox.js';
import { DurablePostgres } from './durable-postgres.js';
import { chance } from './life.js';
import { Listener } from './webhook-listener.js';
import { planLanes, type Scheme } from './webhook-plan.js';
import { Sender } from './webhook-sender.js';
import { storedEvents, type StoredEvents } from './webhook-stored.js';
import { ForwardTarget } from './webhook-target.js';

export interface WebhookSizes {
  readonly scheme: Scheme;
  readonly events: number;
  readonly resources: number;
  /** Of the listeners, in turn. */
  readonly kills: number;
  readonly seed: number;
  /** So many replicas share one store behind a balancer; absent: two machines with stores of their own. */
  readonly replicas?: number;
}

export interface WebhookFindings {
  /** What must be exactly so. */
  readonly right: {
    readonly kills: number;
    readonly acknowledged: number;
    readonly forgedTaken: number;
    /** Acknowledged by a machine and never forwarded by it. */
    readonly lost: number;
    /** Resources whose events a machine forwarded in another order than it acknowledged them. */
    readonly outOfOrder: number;
    /** Events of which a machine keeps two rows. */
    readonly doubled: number;
    /** Acknowledged deliveries that the stores have not counted. */
    readonly uncounted: number;
    /** Rows that say delivered, of events that the target never took. */
    readonly falselyDone: number;
    /** Rows of all machines that are not delivered, and those of forged events. */
    readonly undelivered: number;
    readonly forgedStored: number;
    readonly exitCodes: readonly (number | null)[];
  };
  readonly lives: number;
  readonly copies: number;
  readonly forgedRefused: number;
  readonly unanswered: number;
  /** Tries that were put off, such as those with a time that the listener's clock does not fit. */
  readonly askedLater: number;
  /** Forwarded more than once by one machine: only what was under way at a kill. */
  readonly repeats: number;
  readonly refusedWhileDown: number;
  readonly seconds: number;
}

const machinesAlone = 2;
/** The first machine begins an hour ahead, the second an hour behind. */
const firstClock = 3;
const doubled = 0.05;
const forgedShare = 0.01;
const queues = 32;
const inFlight = 16;
const secret = 'drill-secret-drill-secret-drill-0';

interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly listener: Listener;
}

/**
 * Events under forgery, repetition and disorder, to machines of which each takes its share and copies of the others', while the
 * receivers are killed, live with wrong clocks, and the target of their forwards comes and goes. A book is what one store answers
 * for: of one machine, or of all replicas.
 */
export async function drillWebhook(sizes: WebhookSizes): Promise<WebhookFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-webhook-'));
  const { replicas } = sizes;
  const postgres = replicas === undefined ? undefined : await DurablePostgres.start(folder);
  const ports = await Promise.all(Array.from({ length: replicas ?? machinesAlone }, freePort));
  const bookOf = (machine: number): number => (replicas === undefined ? machine : 0);
  const target = new ForwardTarget(replicas === undefined ? machinesAlone : 1);
  const sender = new Sender(ports, bookOf);
  try {
    const secretFile = join(folder, 'secret');
    await writeFile(secretFile, secret);
    const addresses = await target.listen();
    const all: Machine[] = [];
    for (const [nth, port] of ports.entries()) {
      const home = join(folder, `machine-${nth}`);
      await mkdir(home);
      const words = ['webhook', 'listen', '--port', String(port), '--secret-file', secretFile];
      const to = addresses[bookOf(nth)] ?? '';
      const forward = ['--forward', to, '--in-flight', String(inFlight), '-o', 'ndjson'];
      const shared = postgres && { FISCAL_STORE_URL: postgres.url(), DRILL_HOST: `replica-${nth}` };
      const env = { ...environmentIn(home), ...shared };
      all.push({
        env,
        listener: new Listener(env, [...words, '--scheme', sizes.scheme, ...forward], firstClock + nth),
      });
    }
    const books = all.slice(0, target.machines.length);
    const startedAt = Date.now();
    const stage = { sender, target, listeners: all.map(({ listener }) => listener) };
    const kills = await sendAndKill(sizes, stage);
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    // An event that met the target away many times in a row would wait for minutes before its next try.
    target.isAlwaysUp = true;
    await allDelivered(books, sender);
    const exitCodes = await Promise.all(all.map(({ listener }) => listener.stop()));
    const stored = await Promise.all(books.map(({ env }) => storedEvents(env, sender.digests)));
    const lives = all.reduce((sum, { listener }) => sum + listener.lives, 0);
    return findings({ ...stage, stored, exitCodes, kills, lives, seconds });
  } finally {
    sender.close();
    target.close();
    await postgres?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

const mostLooks = 240;

/** What the target took just before a kill is forwarded again before it counts as delivered. */
async function allDelivered(all: readonly Machine[], { digests }: Sender): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    const stored = await Promise.all(all.map(({ env }) => storedEvents(env, digests)));
    if (stored.every(({ others }) => others === 0)) return;
    await pause(500);
  }
}

interface Stage {
  readonly sender: Sender;
  readonly target: ForwardTarget;
  readonly listeners: readonly Listener[];
}

/** A life whose clock lets nothing pass ends all the same. */
const longestLifeMs = 2_000;

/** The kills are spread over all of the work, the sending and the forwarding. Gives how many there were. */
async function sendAndKill(
  { events, resources, kills, seed, scheme, replicas }: WebhookSizes,
  { sender, target, listeners }: Stage,
): Promise<number> {
  const next = chance(seed);
  const plan = planLanes(
    { events, resources, doubled, forged: forgedShare },
    {
      ...{ queues: Math.min(queues, resources), machines: listeners.length, scheme, secret, next },
      anyMachine: replicas !== undefined,
    },
  );
  await Promise.all(listeners.map((listener) => listener.start()));
  const failed: unknown[] = [];
  const sending = Promise.all(plan.map((lane) => sender.send(lane))).catch((error: unknown) => {
    failed.push(error);
  });
  const ended = { sending: false };
  void sending.then(() => (ended.sending = true));
  const restart = async (nth: number): Promise<void> => {
    const listener = listeners[nth % listeners.length];
    await listener?.kill();
    await listener?.start();
  };
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = ((kill + next()) / kills) * events * 2;
      const latest = Date.now() + longestLifeMs;
      // The last kills find nothing left to do when the work was quicker: they happen all the same.
      await until(
        () =>
          failed.length > 0 || Date.now() > latest || sender.genuine + target.distinct >= Math.min(moment, events * 2),
      );
      await restart(kill);
    }
    // The clocks of the lives to come differ until all is sent; none of them is right for ever.
    for (let kill = kills; !ended.sending; kill += 1) {
      const latest = Date.now() + longestLifeMs;
      await until(() => failed.length > 0 || ended.sending || Date.now() > latest);
      if (!ended.sending) await restart(kill);
    }
    await sending;
    if (failed.length > 0) throw failed[0];
    return kills;
  } catch (error) {
    await Promise.all(listeners.map((listener) => listener.kill()));
    throw error;
  }
}

interface Ended extends Stage {
  readonly stored: readonly StoredEvents[];
  readonly exitCodes: readonly (number | null)[];
  readonly kills: number;
  readonly lives: number;
  readonly seconds: number;
}

function findings(ended: Ended): WebhookFindings {
  const { sender, target, stored, exitCodes, kills, lives, seconds } = ended;
  const sums = {
    ...{ lost: 0, outOfOrder: 0, doubled: 0, uncounted: 0 },
    ...{ falselyDone: 0, undelivered: 0, forgedStored: 0 },
  };
  let repeats = 0;
  for (const [machine, acknowledged] of sender.acknowledged.entries()) {
    const taken = target.machines[machine];
    const rows = stored[machine];
    if (taken === undefined || rows === undefined) throw new Error('no machine');
    const orders = [...acknowledged.orders];
    for (const [resource, order] of orders) {
      const firsts = [...new Set(taken.orders.get(resource) ?? [])];
      sums.lost += order.filter((number) => !firsts.includes(number)).length;
      if (order.join() !== firsts.join()) sums.outOfOrder += 1;
    }
    const events = orders.reduce((sum, [, order]) => sum + order.length, 0);
    sums.doubled += Math.max(0, rows.delivered + rows.others - events);
    sums.uncounted += Math.max(0, acknowledged.deliveries - rows.deliveries);
    sums.falselyDone += Math.max(0, rows.delivered - taken.distinct);
    sums.undelivered += rows.others;
    sums.forgedStored += rows.forged;
    repeats += taken.taking - taken.distinct;
  }
  const { forgedTaken, genuine, copies, forgedRefused, unanswered, askedLater } = sender;
  return {
    right: { kills, acknowledged: genuine, forgedTaken, ...sums, exitCodes },
    ...{ lives, copies, forgedRefused, unanswered, askedLater, seconds, repeats },
    refusedWhileDown: target.refusedWhileDown,
  };
}

/** Waits for what must come; only a defect makes it wait for ever, which the caller's own limit ends. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}
