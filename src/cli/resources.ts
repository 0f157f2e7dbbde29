import type { Client } from '../client/client.js';
import type { Directories } from '../config/directories.js';
import type { ConfigFiles, FlagValues } from '../config/files.js';
import type { Settings } from '../config/settings.js';
import { terminalLine } from '../domain/terminal-text.js';
import type { Host } from '../io/io.js';
import type { JobEngine } from '../jobs/engine.js';
import type { createRecorder } from '../services/recorder.js';
import type { Store } from '../store/store.js';

/** The parts of one run, each made by a dynamic import when it is first asked for, and closed at its end. */
export interface Resources {
  readonly directories: () => Promise<Directories>;
  readonly config: () => Promise<ConfigFiles>;
  readonly settings: () => Promise<Settings>;
  readonly store: () => Promise<Store>;
  readonly client: () => Promise<Client>;
  readonly jobs: () => Promise<JobEngine>;
  /** Writes what is still to be recorded, then closes what was opened. */
  close(): Promise<void>;
}

type Recording = ReturnType<typeof createRecorder>;

export function createResources(host: Host, flags: FlagValues): Resources {
  const { env, clock, random } = host;
  const closers: (() => Promise<void>)[] = [];

  const directories = once(async () => {
    const { resolveDirectories } = await import('../config/resolve-directories.js');
    return resolveDirectories({ env, platform: host.platform, homeDir: host.homeDir });
  });
  const config = once(async () => {
    const { openConfig } = await import('../config/open.js');
    return openConfig({ directories: await directories(), env, cwd: host.cwd });
  });
  const settings = once(async () => (await config()).settings(flags));
  const store = once(async () => {
    const [{ openStore }, { state }, { join }] = await Promise.all([
      import('../store/sqlite/open.js'),
      directories(),
      import('node:path'),
    ]);
    const opened = await openStore({ path: join(state, 'state.db'), clock });
    closers.push(() => opened.close());
    return opened;
  });
  const recorder = once(async (): Promise<Recording> => {
    const [{ createRecorder }, { space }] = await Promise.all([
      import('../services/recorder.js'),
      settings(),
    ]);
    const created = createRecorder({ store, space, clock });
    closers.push(() => created.flush());
    return created;
  });
  const client = once(async () => {
    const [{ createClient }, { createSharedPace }, files, base, rows] = await Promise.all([
      import('../client/create.js'),
      import('../jobs/shared-pace.js'),
      config(),
      settings(),
      store(),
    ]);
    const resolved = base.profile === 'sandbox' ? await attached(base) : base;
    const created = createClient({
      settings: resolved,
      credential: (kind) => files.credential(kind, resolved),
      pace: createSharedPace({
        rows: rows.pace,
        profile: resolved.space,
        ...(resolved.rps === undefined ? {} : { rps: resolved.rps }),
        maxWaitMs: resolved.maxRetryWaitMs,
        clock,
      }),
      recorder: await recorder(),
      clock,
      random,
      env,
      signal: host.interruption,
      ...(resolved.debugHttp ? { debug: sayDebug } : {}),
    });
    closers.push(() => created.close());
    return created;
  });
  const jobs = once(async () => {
    const [{ createEngine }, { thisMachine }, rows] = await Promise.all([
      import('../jobs/create.js'),
      import('../jobs/machine.js'),
      store(),
    ]);
    return createEngine({ store: rows, client, clock, random, machine: thisMachine(host.pid) });
  });

  const sayDebug = (line: string): void => void host.stderr.write(`${terminalLine(line)}\n`);

  /** The built-in profile speaks to a sandbox of this machine: one that runs, or the embedded one. */
  const attached = async (base: Settings): Promise<Settings> => {
    const { attachSandbox } = await import('../services/sandbox/attach.js');
    const sandbox = await attachSandbox({ directories: await directories() });
    closers.push(() => sandbox.close());
    return {
      ...base,
      hosts: { ...base.hosts, product: sandbox.url, query: sandbox.url, service: sandbox.url },
    };
  };

  return { directories, config, settings, store, client, jobs, close: () => closeAll(closers) };
}

/** In reverse order of opening; every one is tried, and the first fault is told. */
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

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
