import { setMaxListeners } from 'node:events';
import type { Credential } from '../config/settings.js';
import { type AnswerShape, answerShapes, repeatedFields } from '../contract/answers.js';
import type { KeyKind } from '../contract/operation.js';
import { type OperationBodies, type OperationId, operations } from '../contract/operations.js';
import { parseForeignJson } from '../domain/json-numbers.js';
import { answerReasons } from '../errors/answer-reasons.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { type Agents, createAgents } from './agents.js';
import { otherOwner, otherSubject, wrongOwner, wrongSubject } from './answer-subject.js';
import { requestIdOf, type AttemptDependencies, type ReadyCall } from './attempt.js';
import type {
  Answer,
  CallInput,
  CallOptions,
  Client,
  ClientOptions,
  Downloaded,
  DownloadOptions,
  RawRequest,
} from './client.js';
import { clockBounds, clockWarning, differByMore, NOTED_CLOCK_MS } from './clock-offset.js';
import { createDebugger } from './debug.js';
import type { WireRequest } from './exchange.js';
import { perform, type Performed } from './perform.js';
import { prepareCall, type PreparedCall, prepareRaw } from './prepared.js';
import { readEnvelope } from './read-answer.js';
import { Receiver } from './receive.js';
import { followPointers, followRedirects } from './redirect.js';
import { retryAfterMs } from './retry-policy.js';
import { createTransport } from './transport.js';
import { assertKeyMayGo, toKeylessWire, toPreview, toWire } from './wire.js';

/** A signal that follows two others while calls use it. */
interface Joined {
  readonly signal: AbortSignal;
  users: number;
  leave(): void;
}

/**
 * Runs work under a signal that combines the run's own with another. Calls with the same pair share one signal, and its
 * listeners are removed when the last call ends: the run's signal outlives a hundred thousand calls.
 */
export class Signals {
  readonly #joined = new Map<AbortSignal, Joined>();

  constructor(private readonly first: AbortSignal) {}

  async under<Result>(
    second: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    if (second === undefined || second === this.first) return await work(this.first);
    const joined = this.#joined.get(second) ?? this.#join(second);
    joined.users += 1;
    try {
      return await work(joined.signal);
    } finally {
      joined.users -= 1;
      if (joined.users === 0) joined.leave();
    }
  }

  #join(second: AbortSignal): Joined {
    const { signal, leave } = following([this.first, second]);
    const joined = {
      signal,
      users: 0,
      leave: () => {
        leave();
        this.#joined.delete(second);
      },
    };
    this.#joined.set(second, joined);
    return joined;
  }
}

function following(sources: readonly AbortSignal[]): { readonly signal: AbortSignal; leave(): void } {
  const own = new AbortController();
  // Every call under this signal adds a listener.
  setMaxListeners(0, own.signal);
  const followers = sources.map((source) => ({ source, listener: () => own.abort(source.reason) }));
  for (const { source, listener } of followers) {
    if (source.aborted) listener();
    else source.addEventListener('abort', listener, { once: true });
  }
  return {
    signal: own.signal,
    leave() {
      for (const { source, listener } of followers) source.removeEventListener('abort', listener);
    },
  };
}

/** Larger than any XML or PDF of one document. */
const MAX_DOCUMENT_BYTES = 64 * 1024 * 1024;

function readDownload(
  { answer, attempts }: Performed,
  from: { readonly ready: ReadyCall; readonly receive: Receiver; readonly now: number },
): Downloaded {
  const { ready, receive } = from;
  const isWhole = answer.status === 200;
  if (isWhole && receive.size === 0) throw nothingCame(answer.status, ready);
  const requestId = requestIdOf(answer, ready.secrets);
  const contentType = receive.wasWrapped ? undefined : answer.headers['content-type']?.slice(0, 200);
  const wait = retryAfterMs(answer.headers['retry-after'], from.now);
  return {
    status: answer.status,
    bytes: isWhole ? receive.size : 0,
    attempts,
    ...(contentType === undefined ? {} : { contentType }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(wait === undefined ? {} : { retryAfterMs: wait }),
  };
}

function nothingCame(status: number, { call }: ReadyCall): FiscalError {
  return new FiscalError(
    'service.unreadable',
    { operation: call.name, status, reason: answerReasons.empty },
    { operation: call.name, httpStatus: status, sent: 'yes', retryable: true },
  );
}

/** The client of one run. It shares its connections among calls and asks for each key once. */
export function createClient(options: ClientOptions): Client {
  const { settings } = options;
  const line = openLine(options);
  const signals = new Signals(options.signal);
  const credentialOf = remembered((kind: KeyKind) => options.credential(kind));
  const run = createRun(options, { line, signals, credentialOf });
  return {
    async call<Id extends OperationId>(id: Id, input: CallInput<Id>, how: CallOptions = {}) {
      const { key } = operations[id];
      const shape: AnswerShape = answerShapes[id];
      const { performed, ready } = await run(key, () => prepareCall(settings, id, input), { ...how, shape });
      const envelope = readEnvelope(performed, ready, settings);
      assertSubject(id, { ready, envelope }, performed.body);
      // Callers treat every field of the typed body as possibly missing or unknown.
      return { ...envelope, body: performed.body as OperationBodies[Id]['response'] };
    },
    async download<Id extends OperationId>(id: Id, input: CallInput<Id>, how: DownloadOptions) {
      const { key } = operations[id];
      const shape: AnswerShape = answerShapes[id];
      const form = shape.is === 'bytes' ? shape.form : 'xml';
      const receive = new Receiver(how.sink, how.maxBytes ?? MAX_DOCUMENT_BYTES, form);
      const prepare = (): Promise<PreparedCall> => prepareCall(settings, id, input);
      const { performed, ready } = await run(key, prepare, { ...how, receive }).catch((error: unknown) => {
        throw receive.failure ?? error;
      });
      assertSubject(id, { ready, envelope: readEnvelope(performed, ready, settings) }, acceptedBody(performed));
      return readDownload(performed, { ready, receive, now: options.clock.now() });
    },
    async raw(request: RawRequest, how: CallOptions = {}): Promise<Answer<Uint8Array>> {
      const { performed, ready } = await run(request.key, () => prepareRaw(settings, request), how);
      return { ...readEnvelope(performed, ready, settings), body: performed.answer.bytes };
    },
    async look({ key, ...request }, how = {}) {
      const credential = key === undefined ? undefined : await credentialOf(key);
      const call = prepareRaw(settings, { ...request, method: 'GET', key: key ?? 'invoice' });
      if (credential !== undefined) assertKeyMayGo(credential, call.url, settings.profile);
      const wire = credential === undefined ? toKeylessWire(call) : toWire(call, credential, settings);
      const secrets = credential === undefined ? [] : [credential.secret];
      const { agents, dependencies } = await line.open();
      return await signals.under(how.signal, async (signal) => {
        const { lookOnce } = await import('./look.js');
        return await lookOnce(dependencies, agents, { call, wire, secrets, options: how, signal });
      });
    },
    preview: async (id, input) => toPreview(await prepareCall(settings, id, input), settings),
    previewRaw: async (request) => Promise.resolve(toPreview(prepareRaw(settings, request), settings)),
    close: () => line.close(),
  };
}

/** Throws `service.other_company` or `service.other_subject` when the answer is about another company or object. */
function assertSubject(
  operation: OperationId,
  { ready, envelope }: { readonly ready: ReadyCall; readonly envelope: Omit<Answer<unknown>, 'body'> },
  body: unknown,
): void {
  const { about = {}, asked = { path: {} } } = ready.call;
  const { status, requestId, attempts } = envelope;
  const named = { operation, httpStatus: status, attempts };
  const facts = requestId === undefined ? named : { ...named, requestId };
  const shape = answerShapes[operation];
  const owner = otherOwner(about, body, shape);
  if (owner !== undefined) throw wrongOwner(owner, facts);
  const subject = otherSubject(asked, body, { shape, repeated: repeatedFields[operation] ?? [] });
  if (subject !== undefined) throw wrongSubject(subject, facts);
}

/** The 202 for a document in preparation names its company (`AsyncAcceptedResource`); any other body is bytes. */
function acceptedBody({ answer }: Performed): unknown {
  if (answer.status !== 202) return undefined;
  try {
    return parseForeignJson(new TextDecoder().decode(answer.bytes));
  } catch {
    return undefined;
  }
}

/** The last guard of `--dry-run`: no write leaves the machine, whatever a command does. */
function assertReadsOnly({ name, method }: PreparedCall): void {
  if (method === 'GET') return;
  throw new FiscalError('usage.dry_run', { operation: name }, { sent: 'no', operation: name });
}

type Run = (
  key: KeyKind,
  prepare: () => PreparedCall | Promise<PreparedCall>,
  how: CallOptions & { readonly receive?: Receiver; readonly shape?: AnswerShape },
) => Promise<Finished>;

interface RunDependencies {
  readonly line: ReturnType<typeof openLine>;
  readonly signals: Signals;
  readonly credentialOf: (kind: KeyKind) => Promise<Credential>;
}

function createRun(options: ClientOptions, { line, signals, credentialOf }: RunDependencies): Run {
  const { settings } = options;
  return async (key, prepare, how) => {
    // The key comes first: without key and profile, that is the error to report, not a missing host.
    const credential = await credentialOf(key);
    const call = await prepare();
    if (settings.dryRun === true) assertReadsOnly(call);
    assertKeyMayGo(credential, call.url, settings.profile);
    const { dependencies } = await line.open();
    if (call.method !== 'GET') await options.beforeWrite?.();
    return await signals.under(how.signal, async (signal) => {
      const wire = receiving(toWire(call, credential, settings), how.receive);
      const { shape } = how;
      const secrets = [credential.secret, ...call.secrets];
      const ready = { call, wire, secrets, options: how, signal, ...(shape === undefined ? {} : { shape }) };
      return { performed: await perform(dependencies, ready, credential), ready };
    });
  };
}

interface Finished {
  readonly performed: Performed;
  readonly ready: ReadyCall;
}

interface Line {
  readonly agents: Agents;
  readonly dependencies: AttemptDependencies;
}

/** Opens connections and certificates on the first call; `--dry-run` needs none. */
function openLine(options: ClientOptions): { open(): Promise<Line>; close(): Promise<void> } {
  let opened: Promise<Line> | undefined;
  const make = async (): Promise<Line> => {
    const agents = await createAgents(options.settings, options.env);
    const send = followPointers(followRedirects(createTransport(agents, options.settings)));
    const debug = createDebugger(options.debug?.bind(options));
    return { agents, dependencies: { options, send, debug, noteClock: clockNoter(options) } };
  };
  return {
    open: () => (opened ??= make()),
    async close() {
      // A failure to open was already reported to the call that needed it.
      const line = await opened?.catch(() => undefined);
      line?.agents.close();
    },
  };
}

/** Warns of the first answer whose clock differs from this machine's by more than a minute. */
function clockNoter(options: ClientOptions): AttemptDependencies['noteClock'] {
  let isSaid = options.clocksDiffer === undefined;
  return async (host, answer) => {
    if (isSaid) return;
    const bounds = clockBounds(answer);
    if (bounds === undefined || !differByMore(bounds, NOTED_CLOCK_MS)) return;
    isSaid = true;
    await options.clocksDiffer?.(clockWarning(host, bounds));
  };
}

/** For a download, accepts any content type; the rest of the request is unchanged. */
function receiving(wire: WireRequest, receive: Receiver | undefined): WireRequest {
  if (receive === undefined) return wire;
  return { ...wire, headers: { ...wire.headers, accept: '*/*' }, receive };
}

function remembered<Key, Value>(ask: (key: Key) => Promise<Value>): (key: Key) => Promise<Value> {
  const answers = new Map<Key, Promise<Value>>();
  return (key) => {
    const answer = answers.get(key) ?? ask(key);
    answers.set(key, answer);
    return answer;
  };
}
