import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { environmentIn } from '../running-sandbox.js';
import { chance } from './life.js';
import { Listener } from './webhook-listener.js';
import { planLanes } from './webhook-plan.js';
import { Sender } from './webhook-sender.js';
import { storedEvents, type StoredEvents } from './webhook-stored.js';
import { ForwardTarget } from './webhook-target.js';

export interface WebhookSizes {
  readonly events: number;
  readonly resources: number;
  readonly kills: number;
  readonly seed: number;
}

export interface WebhookFindings {
  /** What must be exactly so. */
  readonly right: {
    readonly kills: number;
    readonly acknowledged: number;
    readonly forgedTaken: number;
    readonly forwarded: number;
    /** Acknowledged and never forwarded. */
    readonly lost: number;
    /** Resources whose events were forwarded in another order than they were acknowledged. */
    readonly outOfOrder: number;
    readonly stored: StoredEvents;
    readonly exitCode: number | null;
  };
  readonly lives: number;
  readonly copies: number;
  readonly forgedRefused: number;
  readonly unanswered: number;
  /** Forwarded more than once: only what was under way at a kill. */
  readonly repeats: number;
  readonly refusedWhileDown: number;
  readonly seconds: number;
}

const doubled = 0.05;
const forgedShare = 0.01;
const lanes = 32;
const inFlight = 16;
const secret = 'drill-secret-drill-secret-drill-0';

/** Events under forgery, repetition and disorder, while the receiver is killed and the target of its forwards comes and goes. */
export async function drillWebhook(sizes: WebhookSizes): Promise<WebhookFindings> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-webhook-'));
  const target = new ForwardTarget();
  const port = await freePort();
  const sender = new Sender(port);
  const env = environmentIn(folder);
  try {
    await writeFile(join(folder, 'secret'), secret);
    const words = ['webhook', 'listen', '--port', String(port), '--secret-file', join(folder, 'secret')];
    const forwarding = ['--forward', await target.listen(), '--in-flight', String(inFlight), '-o', 'ndjson'];
    const listener = new Listener(env, [...words, ...forwarding]);
    const startedAt = Date.now();
    const kills = await sendAndKill(sizes, { sender, target, listener });
    await until(() => target.distinct >= sizes.events);
    const seconds = Math.round((Date.now() - startedAt) / 100) / 10;
    await settled(env, sender);
    const exitCode = await listener.stop();
    const stored = await storedEvents(env, sender.digests);
    return findings({ sender, target, seconds, right: { kills, stored, exitCode }, lives: listener.lives });
  } finally {
    sender.close();
    target.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const mostLooks = 60;

/** What the target took just before a kill is forwarded again before it counts as delivered. */
async function settled(env: NodeJS.ProcessEnv, { digests }: Sender): Promise<void> {
  for (let looks = 0; looks < mostLooks; looks += 1) {
    if ((await storedEvents(env, digests)).others === 0) return;
    await pause(500);
  }
}

interface Stage {
  readonly sender: Sender;
  readonly target: ForwardTarget;
  readonly listener: Listener;
}

/** The kills are spread over all of the work, the sending and the forwarding. Gives how many there were. */
async function sendAndKill(
  { events, resources, kills, seed }: WebhookSizes,
  { sender, target, listener }: Stage,
): Promise<number> {
  const next = chance(seed);
  const plan = planLanes(
    { events, resources, doubled, forged: forgedShare },
    { lanes: Math.min(lanes, resources), secret, next },
  );
  await listener.start();
  const failed: unknown[] = [];
  const sending = Promise.all(plan.map((lane) => sender.send(lane))).catch((error: unknown) => {
    failed.push(error);
  });
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const moment = ((kill + next()) / kills) * events * 2;
      // The last kills find nothing left to do when the work was quicker: they happen all the same.
      await until(
        () => failed.length > 0 || sender.genuine + target.distinct >= Math.min(moment, events * 2),
      );
      await listener.kill();
      await listener.start();
    }
    await sending;
    if (failed.length > 0) throw failed[0];
    return kills;
  } catch (error) {
    await listener.kill();
    throw error;
  }
}

interface Ended extends Pick<Stage, 'sender' | 'target'> {
  readonly right: Pick<WebhookFindings['right'], 'kills' | 'stored' | 'exitCode'>;
  readonly lives: number;
  readonly seconds: number;
}

function findings({ sender, target, right, lives, seconds }: Ended): WebhookFindings {
  const orders = [...sender.acknowledged];
  const firsts = orders.map(([resource]) => [...new Set(target.taken.get(resource) ?? [])]);
  const lost = orders.flatMap(([, order], index) =>
    order.filter((number) => !firsts[index]?.includes(number)),
  );
  const disordered = orders.filter(([, order], index) => order.join() !== firsts[index]?.join());
  const { forgedTaken, genuine, copies, forgedRefused, unanswered } = sender;
  return {
    right: {
      ...{ kills: right.kills, acknowledged: genuine, forgedTaken, forwarded: target.distinct },
      ...{ lost: lost.length, outOfOrder: disordered.length, stored: right.stored, exitCode: right.exitCode },
    },
    ...{ lives, copies, forgedRefused, unanswered, seconds },
    repeats: target.taking - target.distinct,
    refusedWhileDown: target.refusedWhileDown,
  };
}

/** Waits for what must come; only a defect makes it wait for ever, which the caller's own limit ends. */
async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await pause(5);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
