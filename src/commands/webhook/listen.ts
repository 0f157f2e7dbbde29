import { isLoopback } from '../../domain/loopback.js';
import type { Given } from '../../cli/command.js';
import { resolve } from 'node:path';
import { createForwarder, forwardAddress } from '../../client/forward.js';
import type { Text } from '../../contract/text.js';
import { formatUtc } from '../../domain/dates.js';
import type { Outcome } from '../../domain/outcome.js';
import { matchesEvent } from '../../domain/webhook-event.js';
import type { Random } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { readWholeFile, unreadableFile } from '../../io/input-file.js';
import type { Io } from '../../io/io.js';
import type { LogFile } from '../../io/log-file.js';
import { thisMachine } from '../../jobs/lease.js';
import type { GenuineDelivery } from '../../receiver/delivery.js';
import { schemes } from '../../receiver/schemes.js';
import { startReceiver } from '../../receiver/start.js';
import type { Context } from '../../services/context.js';
import { keepOldHeapSmall } from '../../jobs/small-heap.js';
import type { Store } from '../../store/store.js';
import { recordTarget, type ListenRecord, type ListenSummary, ListenLog } from './listen-log.js';
import { DeliveryQueue } from './listen-queue.js';
import type { listen } from './listen-commands.js';
import { createReactions, type Reactions } from './react.js';
import { liveSecrets, type LiveSecrets } from './signing-secrets.js';
import { TargetWatch } from './target-watch.js';
import { forwardTarget, type Target } from './targets.js';

type ListenGiven = Given<typeof listen>;

/** How long requests in flight may take at the end. */
const graceMs = 5_000;

/**
 * Receives webhooks until the run is interrupted: checks origin, size and form, stores, answers, and forwards stored events to
 * the targets. Errors: `webhook.no_secret`, `webhook.port_taken`, `webhook.cannot_listen`, `usage.invalid_value`, and those of the store.
 */
export async function listenToWebhooks(context: Context, given: ListenGiven, io: Io): Promise<Outcome> {
  const sync = given.sync
    ? await (await import('../inbound/announced-sync.js')).createAnnouncedSync(context, given)
    : undefined;
  const reactions = await createReactions(context, given, sync);
  const settings = await context.settings();
  const { readOnly } = await context.store();
  if (readOnly !== undefined) throw readOnly;
  const urls = given.forward.map(forwardAddress);
  const address = await readAddress(context, given);
  const proof = await liveSecrets(context, given.secretFile);
  if (!isLoopback(address.host)) await warnOfOpenHost(context, address);
  const forwarder = await createForwarder({ ...settings, timeoutMs: settings.readTimeoutMs }, context.env);
  const scheme = schemes[given.scheme];
  const signing = { forwarder, scheme, secrets: proof.secrets, now: () => context.clock.now() };
  const file = given.logFile === undefined ? undefined : await io.openLog(resolve(context.cwd, given.logFile));
  const print = await printer(io, { output: settings.output, file, clock: context.clock });
  const targets = [recordTarget(print.event), ...reactions.targets, ...urls.map((url) => forwardTarget(url, signing))];
  try {
    return await serve(context, { given, address, proof, targets, reactions, print });
  } finally {
    forwarder.close();
    await file?.close();
  }
}

interface Printing {
  readonly output: string | undefined;
  /** Where the records go instead of stdout. */
  readonly file: LogFile | undefined;
  readonly clock: Context['clock'];
}

/** Prints each record: for people a line of text, without the summary; for programs, and in a file, a line of JSON. */
async function printer(io: Io, { output, file, clock }: Printing) {
  const { language } = io;
  const stdout = file ?? io.stdout;
  const { listenEventText, listenReadyText, listenRecordLine } = await import('../../presenters/webhook-listen.js');
  const { requireOutput } = await import('../../cli/lost-output.js');
  const forPeople = output === 'table' || (output === undefined && file === undefined && io.stdout.isTerminal);
  return {
    ready: async (line: ListenReady): Promise<void> => {
      await stdout.write(forPeople ? listenReadyText(line, language) : listenRecordLine(line));
      if (file === undefined) await requireOutput(io);
    },
    event: (record: ListenRecord): Promise<void> =>
      stdout.write(forPeople ? listenEventText(record) : listenRecordLine(record)),
    summary: async (record: ListenSummary): Promise<void> => {
      if (!forPeople) await stdout.write(listenRecordLine(record));
    },
    /** What is said while it listens; `undefined`: on stderr. */
    notice:
      file === undefined
        ? undefined
        : async (text: Text): Promise<void> => {
            const at = formatUtc(clock.now());
            await file.write(listenRecordLine({ type: 'notice', at, message: text[language] }));
          },
  };
}

/** The line that a listener prints when it is ready. */
interface ListenReady {
  readonly type: 'ready';
  readonly url: string;
  readonly scheme: ListenGiven['scheme'];
  readonly events: readonly string[];
}

interface Serving {
  readonly given: ListenGiven;
  readonly address: ListenAddress;
  readonly proof: LiveSecrets;
  readonly targets: readonly Target[];
  readonly reactions: Reactions;
  readonly print: Awaited<ReturnType<typeof printer>>;
}

async function serve(context: Context, serving: Serving): Promise<Outcome> {
  const { given, address, proof, reactions, print } = serving;
  const { clock, interruption } = context;
  keepOldHeapSmall();
  const log = new ListenLog(print.notice ?? ((text) => context.notice(text)));
  const { queue, accepting } = await createFlow(context, serving, log);
  const receiver = await startReceiver({
    ...address,
    ...proof,
    scheme: schemes[given.scheme],
    maxBodyBytes: given.maxBody,
    now: () => clock.now(),
    accept: (delivery) => accepting.accept(delivery),
    refused: (refusal, why) => log.refused(refusal, why),
  });
  // Both stop at once: nothing new is accepted while requests in flight complete.
  const closing = aborted(interruption).then(() => receiver.close(graceMs));
  try {
    const { scheme, events } = given;
    await print.ready({ type: 'ready', url: receiver.url, scheme, events });
    await runTogether(interruption, [(signal) => queue.run(signal), (signal) => reactions.run(signal)]);
    await closing;
  } catch (error) {
    await receiver.close(graceMs);
    throw error;
  }
  await print.summary(log.summary);
  return { data: undefined, written: true, notices: log.ending() };
}

/** How deliveries reach the store, and how they leave it. */
async function createFlow(context: Context, { given, targets, reactions }: Serving, log: ListenLog) {
  const { random, program } = context;
  const store = await context.store();
  const { clock } = store;
  const profile = (await context.settings()).storeNamespace;
  const { events, inFlight, maxAttempts } = given;
  const accepting = acceptInto(random, {
    ...{ store, profile, events },
    heard: (delivery) => reactions.heard(delivery),
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
    pt: `escutando em ${host}: outras máquinas têm acesso a esta porta`,
  });
  if (tls !== undefined) return;
  await context.notice({
    en: 'events arrive unencrypted: use --cert and --key, or put a TLS proxy in front',
    pt: 'os eventos chegam sem criptografia: use --cert e --key, ou coloque um proxy com TLS na frente',
  });
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

interface Acceptance {
  readonly store: Store;
  readonly profile: string;
  /** Names of events, `*` for any part; empty: all. */
  readonly events: readonly string[];
  /** Called with every genuine delivery, copies included; the delivery is acknowledged after this resolves. */
  heard(delivery: GenuineDelivery): Promise<void>;
  stored(isNew: boolean): void;
}

interface Accepting {
  /** Stores a genuine delivery; resolves when it is on disk. A copy of a stored one only changes a count. */
  accept(delivery: GenuineDelivery): Promise<void>;
  /** True while many senders wait for the disk at once, and a moment longer. */
  isBusy(): boolean;
}

const manyWaiting = 32;

/** Right after a commit no sender waits, and the next ones are about to arrive. */
const busyForMs = 100;

function acceptInto(random: Random, { store, profile, events, heard, stored }: Acceptance): Accepting {
  const { clock } = store;
  let waiting = 0;
  let busyAt = Number.NEGATIVE_INFINITY;
  return {
    isBusy: () => clock.now() - busyAt < busyForMs,
    async accept(delivery) {
      const wanted = events.length === 0 || matchesEvent(events, delivery.event);
      const at = clock.now();
      const event = { ...delivery, id: eventId(at, random), profile, at, wanted };
      waiting += 1;
      if (waiting >= manyWaiting) busyAt = at;
      try {
        const [{ isNew }] = await Promise.all([store.deliveries.add(event), heard(delivery)]);
        stored(isNew);
      } finally {
        waiting -= 1;
      }
    },
  };
}

/** Begins with the time, as UUID version 7 does, so that the index of a long queue grows at its end. */
function eventId(at: number, random: Random): string {
  const time = at.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.uuid().slice(15)}`;
}

interface ListenAddress {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Checks what was typed and reads the files. Errors: `usage.invalid_value`, `usage.missing`, `input.not_found`, `input.unreadable`. */
async function readAddress(context: Pick<Context, 'cwd'>, given: ListenGiven): Promise<ListenAddress> {
  const { port, path = '/', cert, key } = given;
  if (port > 65_535) throw invalidValue('--port', String(port), { en: '0 to 65535', pt: 'de 0 a 65535' });
  if (!/^\/[\x21-\x7e]*$/.test(path) || /[?#]/.test(path)) {
    throw invalidValue('--path', path, {
      en: 'a path that begins with / and has no space, ? or #',
      pt: 'um caminho que começa com / e não tem espaço, ? nem #',
    });
  }
  const address = { host: given.host ?? '127.0.0.1', port, path };
  if (cert === undefined && key === undefined) return address;
  if (cert === undefined) throw new FiscalError('usage.missing', { names: '--cert' });
  if (key === undefined) throw new FiscalError('usage.missing', { names: '--key' });
  return { ...address, tls: { cert: await readPem(context.cwd, cert), key: await readPem(context.cwd, key) } };
}

/** A key, or a chain of certificates. */
const MOST_PEM = 1024 * 1024;

async function readPem(cwd: string, path: string): Promise<string> {
  try {
    return (await readWholeFile(resolve(cwd, path), { mostBytes: MOST_PEM })).toString('utf8');
  } catch (error) {
    throw unreadableFile(path, error);
  }
}

/**
 * Runs everything concurrently until the signal. The first failure stops the others and is thrown when all have stopped.
 */
async function runTogether(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<void>)[],
): Promise<void> {
  const failed = new AbortController();
  const either = AbortSignal.any([signal, failed.signal]);
  const errors: unknown[] = [];
  await Promise.all(
    works.map((work) =>
      work(either).catch((error: unknown) => {
        errors.push(error);
        failed.abort();
      }),
    ),
  );
  if (errors.length > 0) throw errors[0];
}
