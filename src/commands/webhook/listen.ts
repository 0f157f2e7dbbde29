import { createForwarder, forwardAddress } from '../../client/forward.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { thisMachine } from '../../jobs/lease.js';
import { schemes, type SchemeName } from '../../receiver/schemes.js';
import { startReceiver } from '../../receiver/start.js';
import type { Context } from '../../services/context.js';
import { keepOldHeapSmall } from '../../services/small-heap.js';
import { acceptInto } from './listen-accept.js';
import { isLoopbackHost, readAddress, type ListenAddress, type TypedAddress } from './listen-address.js';
import { forwardTarget } from './listen-forward.js';
import { DeliveryQueue } from './listen-queue.js';
import { recordTarget, type ListenRecord, type ListenSummary } from './listen-record.js';
import { ListenLog } from './listen-tell.js';
import type { Reactions } from './react.js';
import { liveSecrets, type LiveSecrets } from './live-secrets.js';
import { TargetWatch } from './target-watch.js';
import type { Target } from './target.js';
import { runTogether } from './together.js';

export interface ListenInput extends TypedAddress {
  readonly scheme: SchemeName;
  readonly secretFile: string | undefined;
  /** Addresses that get the events. */
  readonly forward: readonly string[];
  /** What is printed and forwarded; empty: all. Everything genuine is stored. */
  readonly events: readonly string[];
  readonly maxBody: number;
  readonly inFlight: number;
  readonly maxAttempts: number;
}

/** The line that a listener prints when it answers. */
export interface ListenReady {
  readonly type: 'ready';
  readonly url: string;
  readonly scheme: SchemeName;
  readonly events: readonly string[];
}

export interface ListenPorts {
  ready(line: ListenReady): Promise<void>;
  event(record: ListenRecord): Promise<void>;
  summary(record: ListenSummary): Promise<void>;
  /** What else is done about the events. */
  readonly reactions?: Reactions;
}

/** How long requests under way may take at the end. */
const graceMs = 5_000;

/**
 * Receives webhooks until the run is interrupted: checks origin, size and form, stores, answers, and gives what was stored to
 * the targets. Errors: `webhook.no_secret`, `webhook.cannot_listen`, `usage.invalid_value`, and those of the store.
 */
export async function listenToWebhooks(
  context: Context,
  input: ListenInput,
  ports: ListenPorts,
): Promise<Outcome> {
  const settings = await context.settings();
  if (settings.dryRun) throw new FiscalError('usage.dry_run', { operation: 'webhook listen' });
  const { readOnly } = await context.store();
  if (readOnly !== undefined) throw readOnly;
  const urls = input.forward.map(forwardAddress);
  const address = await readAddress(context, input);
  const proof = await liveSecrets(context, input.secretFile);
  if (!isLoopbackHost(address.host)) await warnOfOpenHost(context, address);
  const forwarder = await createForwarder({ ...settings, timeoutMs: settings.readTimeoutMs }, context.env);
  const scheme = schemes[input.scheme];
  const signing = { forwarder, scheme, secrets: proof.secrets, now: () => context.clock.now() };
  const forwards = urls.map((url) => forwardTarget(url, signing));
  const targets = [
    recordTarget((record) => ports.event(record)),
    ...(ports.reactions?.targets ?? []),
    ...forwards,
  ];
  try {
    return await serve(context, { input, address, proof, targets, ports });
  } finally {
    forwarder.close();
  }
}

interface Serving {
  readonly input: ListenInput;
  readonly address: ListenAddress;
  readonly proof: LiveSecrets;
  readonly targets: readonly Target[];
  readonly ports: Pick<ListenPorts, 'ready' | 'summary' | 'reactions'>;
}

async function serve(context: Context, serving: Serving): Promise<Outcome> {
  const { input, address, proof, ports } = serving;
  const { clock, interruption } = context;
  keepOldHeapSmall();
  const log = new ListenLog((text) => context.notice(text));
  const { queue, accepting } = await createFlow(context, serving, log);
  const receiver = await startReceiver({
    ...address,
    ...proof,
    scheme: schemes[input.scheme],
    maxBodyBytes: input.maxBody,
    now: () => clock.now(),
    accept: (delivery) => accepting.accept(delivery),
    refused: (refusal, why) => log.refused(refusal, why),
  });
  // Both stop at once: nothing new is taken while what is under way comes to its end.
  const closing = aborted(interruption).then(() => receiver.close(graceMs));
  try {
    const { scheme, events } = input;
    await ports.ready({ type: 'ready', url: receiver.url, scheme, events });
    await runTogether(interruption, [
      (signal) => queue.run(signal),
      async (signal) => await ports.reactions?.run(signal),
    ]);
    await closing;
  } catch (error) {
    await receiver.close(graceMs);
    throw error;
  }
  await ports.summary(log.summary);
  return { data: undefined, written: true, notices: log.ending() };
}

/** The way in, to the store, and the way out of it. */
async function createFlow(context: Context, { input, targets, ports }: Serving, log: ListenLog) {
  const { random, program } = context;
  const store = await context.store();
  const { clock } = store;
  const profile = (await context.settings()).space;
  const { events, inFlight, maxAttempts } = input;
  const accepting = acceptInto(random, {
    ...{ store, profile, events },
    heard: async (delivery) => await ports.reactions?.heard(delivery),
    stored: (isNew) => {
      log.arrived(isNew);
      if (isNew) queue.notify();
    },
  });
  const watch = new TargetWatch({
    now: () => clock.now(),
    waiting: async () => {
      const { received, forwarding } = await store.deliveries.counts(profile);
      return received + forwarding;
    },
    say: (text) => log.say(text),
  });
  const queue = new DeliveryQueue({
    ...{ store, random, profile, targets, inFlight, maxAttempts },
    machine: thisMachine(program.pid),
    isBusy: () => accepting.isBusy(),
    concluded: (event, patch) => log.concluded(event, patch),
    heard: (answers) => watch.heard(answers),
  });
  return { queue, accepting };
}

async function warnOfOpenHost(context: Context, { host, tls }: ListenAddress): Promise<void> {
  await context.notice({
    en: `listening on ${host}: other machines can reach this port`,
    pt: `escutando em ${host}: outras máquinas alcançam esta porta`,
  });
  if (tls !== undefined) return;
  await context.notice({
    en: 'events come in without encryption: give --cert and --key, or put a proxy with TLS in front',
    pt: 'os eventos chegam sem criptografia: informe --cert e --key, ou ponha um proxy com TLS na frente',
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
