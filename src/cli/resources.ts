import type { Client } from '../client/client.js';
import type { Directories } from '../config/directories.js';
import type { ConfigFiles, FlagValues } from '../config/files.js';
import { sandboxProfile } from '../config/sandbox-profile.js';
import type { ProjectChoices, Settings } from '../config/settings.js';
import type { Text } from '../contract/text.js';
import type { Deprecation } from '../domain/deprecation.js';
import { terminalLine } from '../domain/terminal-text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Host } from '../io/io.js';
import type { AnswerJournal } from '../jobs/answer-journal.js';
import type { JobEngine } from '../jobs/engine.js';
import type { PostgresStoreOptions } from '../store/postgres/open.js';
import type { StoreOptions } from '../store/sqlite/open.js';
import type { SeenSends } from '../store/seen-sends.js';
import type { Store } from '../store/store.js';
import type { Budget } from '../services/costs/budget.js';
import type { Effects } from './effects.js';

/** The resources of one run, each loaded by a dynamic import on first use and closed at the end. */
export interface Resources {
  readonly directories: () => Promise<Directories>;
  readonly config: () => Promise<ConfigFiles>;
  readonly settings: () => Promise<Settings>;
  /** The last sends of each store, as far as this machine knows. */
  readonly sends: () => Promise<SeenSends>;
  readonly store: () => Promise<Store>;
  readonly client: () => Promise<Client>;
  readonly jobs: () => Promise<JobEngine>;
  /** Shows what an answer announces about its operation, once per operation. */
  onDeprecated(show: ShowDeprecation): void;
  /** Shows what is known only during the work. */
  onNotice(show: ShowNotice): void;
  /** Where the budget comes from, when the first billed call asks for it. */
  onBudget(read: ReadBudget): void;
  /** Writes pending records, then closes what was opened. */
  close(): Promise<void>;
  /** What this run did so far. */
  effects(): Effects;
  isStoreOpen(): boolean;
}

type ShowDeprecation = (operation: string, deprecation: Deprecation) => Promise<void>;
type ShowNotice = (sentence: Text) => Promise<void>;
type ReadBudget = () => Promise<Budget | undefined>;

type ResourceOpeners = Omit<Resources, 'onDeprecated' | 'onNotice' | 'onBudget' | 'close' | 'effects' | 'isStoreOpen'>;

/** What the factories receive: the host, the other resources, and a list of what must be closed. */
interface Making {
  readonly host: Host;
  readonly attachSandbox: AttachSandbox;
  readonly openers: ResourceOpeners;
  closing(close: () => Promise<void>): void;
  counting(calls: () => { readonly sends: number; readonly billed: number }): void;
  /** Called with the id of each job that the run starts or works on. */
  working(jobId: string): void;
  readonly deprecated: ShowDeprecation;
  readonly notice: ShowNotice;
  readonly budget: ReadBudget;
  /** Where answers are kept that a store on a server does not take; set when such a store is opened. */
  readonly kept: { journal?: AnswerJournal };
}

/** Finds the sandbox of this machine, or starts one in this process. */
export type AttachSandbox = (directories: Directories) => Promise<{ readonly url: string; close(): Promise<void> }>;

export function createResources(host: Host, flags: FlagValues, attachSandbox: AttachSandbox): Resources {
  const closers: (() => Promise<void>)[] = [];
  const { env, platform, homeDir, cwd } = host;
  const directories = once(async () => {
    const { resolveDirectories } = await import('../config/directories.js');
    return resolveDirectories({ env, platform, homeDir });
  });
  const config = once(async () => {
    const { openConfig } = await import('../config/open.js');
    return openConfig({ directories: await directories(), env, cwd });
  });
  let isStoreOpen = false;
  const openers: ResourceOpeners = {
    directories,
    config,
    settings: once(async () => (await config()).settings(flags)),
    sends: once(() => makeSends(making)),
    store: once(async () => {
      const store = await makeStore(making);
      isStoreOpen = true;
      return store;
    }),
    client: once(() => makeClient(making)),
    jobs: once(() => makeJobs(making)),
  };
  const jobIds = new Set<string>();
  let calls = () => ({ sends: 0, billed: 0 });
  let show: ShowDeprecation = () => Promise.resolve();
  let notice: ShowNotice = () => Promise.resolve();
  let readBudget: ReadBudget = () => Promise.resolve(undefined);
  const making: Making = {
    host,
    attachSandbox,
    openers,
    closing: (close) => void closers.push(close),
    counting: (count) => void (calls = count),
    working: (jobId) => void jobIds.add(jobId),
    deprecated: (operation, deprecation) => show(operation, deprecation),
    notice: (sentence) => notice(sentence),
    budget: () => readBudget(),
    kept: {},
  };
  return {
    ...openers,
    isStoreOpen: () => isStoreOpen,
    onDeprecated: (shown) => void (show = shown),
    onNotice: (shown) => void (notice = shown),
    onBudget: (read) => void (readBudget = read),
    close: () => closeAll(closers),
    effects: () => ({ ...calls(), jobIds: [...jobIds] }),
  };
}

async function makeSends({ openers, notice }: Making): Promise<SeenSends> {
  const { openSentMarks } = await import('../jobs/sent-marks.js');
  const failed = (path: string, error: unknown): void => void notice(withoutMarks(path, error));
  return openSentMarks((await openers.directories()).cache, failed);
}

function withoutMarks(path: string, error: unknown): Text {
  const reason = error instanceof Error ? error.message : String(error);
  return {
    en: `what is sent cannot be noted in ${path} (${reason}): a store that is put back would not be noticed; FISCAL_CACHE_DIR names another folder`,
    pt: `não foi possível anotar em ${path} o que é enviado (${reason}): um estado restaurado de uma cópia antiga não seria notado; FISCAL_CACHE_DIR indica outra pasta`,
  };
}

async function makeStore(making: Making): Promise<Store> {
  const { host, openers, closing } = making;
  const [{ thisMachine }, { actorOf }, { join }] = await Promise.all([
    import('../jobs/lease.js'),
    import('../domain/actor.js'),
    import('node:path'),
  ]);
  const actor = host.names === undefined ? {} : actorOf(host.names, host.env);
  const seen = { sends: await openers.sends(), except: sandboxProfile.name };
  const options = { clock: host.clock, machine: thisMachine(host.pid).id, actor, seen };
  const settings = await openers.settings();
  const server = await (await openers.config()).storeAddress(settings);
  const store =
    server === undefined
      ? await openFile({ ...options, path: join((await openers.directories()).state, 'state.db') })
      : await openServer({ ...options, server });
  closing(() => store.close());
  const { copy } = store.identity;
  // The rows of the built-in profile are never copied.
  if (copy !== undefined && settings.profile !== sandboxProfile.name) {
    const { copyRefusal } = await import('../store/copy-mark.js');
    throw copyRefusal(store.place, copy);
  }
  if (server !== undefined) await takeKeptAnswers(making, store);
  return store;
}

/** Before anything is claimed: an answer that came is not asked for again. */
async function takeKeptAnswers({ openers, notice, kept }: Making, store: Store): Promise<void> {
  const { createAnswerJournal } = await import('../jobs/answer-journal.js');
  kept.journal = createAnswerJournal((await openers.directories()).state, store.identity.id);
  const { answers, damaged } = await kept.journal.list();
  if (answers.length + damaged.length === 0) return;
  const { replayKeptAnswers } = await import('../services/kept-answers.js');
  for (const sentence of await replayKeptAnswers(store, kept.journal)) await notice(sentence);
}

async function openServer(options: PostgresStoreOptions): Promise<Store> {
  const { openPostgresStore } = await import('../store/postgres/open.js');
  return await openPostgresStore(options);
}

async function openFile(options: StoreOptions): Promise<Store> {
  const { openStore, openReadOnly } = await import('../store/sqlite/open.js');
  return await openStore(options).catch((error: unknown) => {
    if (!isUnwritable(error)) throw error;
    return openReadOnly(options, error.with({ sent: 'no' }));
  });
}

/** Errors that prevent writing the file but not reading it. */
function isUnwritable(error: unknown): error is FiscalError {
  return error instanceof FiscalError && (error.code === 'store.unwritable' || error.code === 'store.full');
}

async function makeClient(making: Making): Promise<Client> {
  const { host, openers, closing, deprecated, budget } = making;
  const [{ createClient }, { createSharedPace }, { createRecorder }] = await Promise.all([
    import('../client/create.js'),
    import('../jobs/pace.js'),
    import('../services/calls/recorder.js'),
  ]);
  const { clock, random, env, interruption } = host;
  const [files, store, settings] = await Promise.all([openers.config(), openers.store(), attached(making)]);
  const { storeNamespace, rps, maxRetryWaitMs, debugHttp, fromProject } = settings;
  const recorder = createRecorder({ store: openers.store, storeNamespace, clock, deprecated, budget });
  closing(() => recorder.flush());
  making.counting(() => recorder);
  const limit = rps === undefined ? {} : { rps };
  const client = createClient({
    settings,
    credential: (kind) => files.credential(kind, settings),
    pace: createSharedPace({
      rows: store.pace,
      profile: storeNamespace,
      maxWaitMs: maxRetryWaitMs,
      clock: store.clock,
      unbelieved: making.notice,
      ...limit,
    }),
    recorder,
    clock,
    random,
    env,
    signal: interruption,
    ...(fromProject === undefined ? {} : { beforeWrite: once(() => sayProject(making, fromProject)) }),
    // People move the clock of the sandbox themselves.
    ...(settings.profile === sandboxProfile.name ? {} : { clocksDiffer: making.notice }),
    ...(debugHttp ? { debug: (line: string) => void host.stderr.write(`${terminalLine(line)}\n`) } : {}),
  });
  closing(() => client.close());
  if (store.readOnly === undefined) return client;
  const { readingOnly } = await import('../client/reading-only.js');
  return readingOnly(client, store.readOnly);
}

/** Before the first write of the run: the file came with the folder, perhaps from a stranger. */
async function sayProject({ notice }: Making, choices: ProjectChoices): Promise<void> {
  const { projectNotice } = await import('../config/project-notice.js');
  await notice(projectNotice(choices));
}

/** The built-in profile uses a sandbox on this machine: a running one, or the embedded one. */
async function attached({ openers, closing, attachSandbox }: Making): Promise<Settings> {
  const settings = await openers.settings();
  if (settings.profile !== sandboxProfile.name) return settings;
  const sandbox = await attachSandbox(await openers.directories());
  closing(() => sandbox.close());
  const { url } = sandbox;
  return { ...settings, hosts: { ...settings.hosts, product: url, query: url, service: url } };
}

async function makeJobs({ host, openers, working, kept }: Making): Promise<JobEngine> {
  const [{ createEngine }, { thisMachine }, store, sends, { profile }] = await Promise.all([
    import('../jobs/create.js'),
    import('../jobs/lease.js'),
    ...([openers.store(), openers.sends(), openers.settings()] as const),
  ]);
  const { random, pid } = host;
  const engine = createEngine({
    store,
    client: openers.client,
    clock: store.clock,
    random,
    machine: thisMachine(pid),
    ...(profile === sandboxProfile.name ? {} : { sends }),
    ...kept,
  });
  return {
    ...engine,
    start: async (request) => {
      const started = await engine.start(request);
      working(started.job.id);
      return started;
    },
    run: (jobId, options) => {
      working(jobId);
      return engine.run(jobId, options);
    },
  };
}

/** Closes in reverse order of opening. All are closed, and the first error is thrown. */
async function closeAll(closers: readonly (() => Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const close of closers.toReversed()) {
    try {
      await close();
    } catch (fault) {
      faults.push(fault);
    }
  }
  if (faults.length > 0) throw faults[0];
}

/** Creates the value on first use. */
export function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
