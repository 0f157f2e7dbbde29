import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { Service } from '../sync/service.js';
import { DurablePostgres } from './durable-postgres.js';
import { addFault, clearFaults, ledger } from './ledger.js';
import { chance } from './life.js';
import { afterRequests } from './moments.js';
import { RestartableSandbox } from './restartable-sandbox.js';

export interface PlanSizes {
  readonly companies: number;
  /** Of the runners, by SIGKILL; as many by SIGTERM, and as many at a time limit. */
  readonly kills: number;
  readonly seed: number;
  /** The runners share a store on PostgreSQL; else each life has a new machine with a store of its own. */
  readonly isShared: boolean;
}

/** What must be right, the same in every run. */
export interface PlanFindings {
  /** Exit codes of the plan when a cell was edited, and of the requests that this sent. */
  readonly edited: readonly [exitCode: number | null, requests: number];
  /** With a key without the role: the exit code, the effects, and the refusals in the report of the run. */
  readonly refused: readonly [exitCode: number | null, effects: number, refusals: number];
  /** Limited for ten minutes, and not willing to wait. */
  readonly limited: number | null;
  /** Ends of lives that were cancelled or cut, whose code is not that of their end. */
  readonly wrongCodes: number;
  /** Lives whose records or whose report are not whole. */
  readonly torn: number;
  readonly ended: readonly (number | null)[];
  /** Companies with nothing hidden; released more than once; never. */
  readonly released: number;
  readonly doubled: number;
  readonly lost: number;
  /** The same plan again: its exit code, and the requests that it sent. */
  readonly replayed: readonly [exitCode: number | null, requests: number];
  /** The same after a revoke, where the store knows of it. */
  readonly afterRevoke: number | null;
  readonly report: number | null;
  /** Rows of the report that differ from the ledger and the documents of the sandbox. */
  readonly differences: number;
}

export interface PlanRun {
  readonly right: PlanFindings;
  readonly lives: number;
  readonly killed: number;
  readonly cancelled: number;
  readonly cut: number;
  readonly requests: number;
  /** Rows whose sender the report names. */
  readonly named: number;
  readonly seconds: number;
}

/** The sweep moves only when the drill says so. */
const PACE = '10m';
const LONGEST_MS = 4_000;

/** A plan of many companies is released by runners that die, are cancelled, cut, refused and limited, and then reported. */
export async function drillPlan(sizes: PlanSizes): Promise<PlanRun> {
  const folder = await mkdtemp(join(tmpdir(), 'fiscal-drill-'));
  const sandbox = new RestartableSandbox(folder);
  let postgres: DurablePostgres | undefined;
  try {
    await sandbox.start();
    const service = new Service(sandbox.url, String(sandbox.env['FISCAL_INVOICE_KEY']));
    const { companies, seed } = sizes;
    await service.control('seed', { scenario: 'history', documents: DOCUMENTS * companies, companies, seed });
    await service.control('sweep', { documents: 1, every: PACE });
    if (sizes.isShared) postgres = await DurablePostgres.start(folder);
    const env = { ...sandbox.env, ...(postgres && { FISCAL_STORE_URL: postgres.url() }) };
    return await new Drill({ sizes, sandbox, service, env, folder }).run();
  } finally {
    await postgres?.stop();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Hidden of each company. */
const DOCUMENTS = 4;

interface Scene {
  readonly sizes: PlanSizes;
  readonly sandbox: RestartableSandbox;
  readonly service: Service;
  readonly env: NodeJS.ProcessEnv;
  readonly folder: string;
}

interface Life {
  readonly exitCode: number | null;
  readonly wasKilled: boolean;
  readonly records: readonly Fields[] | undefined;
  /** The rows of its `--report`; `undefined`: there is none, or it is not whole. */
  readonly report: readonly Fields[] | undefined;
  readonly stderr: string;
}

type Fields = Readonly<Record<string, unknown>>;

class Drill {
  #lives = 0;
  #torn = 0;
  #wrongCodes = 0;
  readonly #ends = { killed: 0, cancelled: 0, cut: 0 };
  #planId = '';

  constructor(private readonly scene: Scene) {}

  async run(): Promise<PlanRun> {
    const begin = Date.now();
    const { sizes, sandbox } = this.scene;
    const before = await this.#hidden();
    await this.#plan();
    const edited = await this.#edited();
    const refused = await this.#refused();
    const limited = await this.#limited();
    await this.#rounds();
    const ended = await this.#toTheEnd();
    const after = await this.#hidden();
    const { effects, requests, ids } = await this.#ledger();
    const replayed = await this.#release();
    const sentAgain = (await this.#ledger()).requests - requests;
    const { report, differences, named } = await this.#report(before, ids);
    const afterRevoke = sizes.isShared ? await this.#afterRevoke([...before.keys()][0] ?? '') : 2;
    await clearFaults(sandbox.url);
    return {
      right: {
        ...{ edited, refused, limited, wrongCodes: this.#wrongCodes, torn: this.#torn, ended },
        released: [...before.keys()].filter((company) => !after.has(company)).length,
        doubled: [...effects.values()].filter((count) => count > 1).length,
        lost: sizes.companies - effects.size,
        ...{ replayed: [replayed.exitCode, sentAgain], afterRevoke, report, differences },
      },
      ...{ lives: this.#lives, ...this.#ends, requests, named, seconds: Math.round((Date.now() - begin) / 1000) },
    };
  }

  /** For a merge request, and approved; CSV beside it, to edit. */
  async #plan(): Promise<void> {
    const { folder } = this.scene;
    for (const file of ['edited.csv', 'plan.xlsx']) {
      const made = await this.#live(['backfill', 'plan', '--all-companies', '--out', file]);
      this.#planId = String(made.records?.[0]?.['id']);
    }
    await this.#live(['backfill', 'approve', 'plan.xlsx', '--by', 'Maria Silva']);
    const path = join(folder, 'edited.csv');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace(`,${DOCUMENTS},release,`, ',1,release,'));
  }

  async #edited(): Promise<PlanFindings['edited']> {
    const { requests } = await this.#ledger();
    const words = ['backfill', 'release', '--plan', 'edited.csv', '--confirm', this.#planId, '--yes'];
    const { exitCode } = await this.#live(words);
    return [exitCode, (await this.#ledger()).requests - requests];
  }

  async #refused(): Promise<PlanFindings['refused']> {
    const { url } = this.scene.sandbox;
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"roles":["NFSeDist"]}' };
    const answer: unknown = await (await fetch(`${url}/__sandbox/keys`, init)).json();
    const { exitCode, report } = await this.#release({ env: { FISCAL_INVOICE_KEY: String(Object(answer)['key']) } });
    const refusals = report?.filter(({ state, errorCode }) => state === 'failed' && errorCode === 'backfill.forbidden');
    return [exitCode, (await this.#ledger()).effects.size, refusals?.length ?? 0];
  }

  /** Ten minutes, of which this run waits for none. */
  async #limited(): Promise<number | null> {
    const { sandbox } = this.scene;
    await addFault(sandbox.url, { kind: '429', operation: 'nfse.backfill.release', retryAfter: 600 });
    const { exitCode } = await this.#release({ words: ['--max-retry-wait', '1s'] });
    await clearFaults(sandbox.url);
    // A shared store knows of the limit; a person ends it.
    await this.#live(['job', 'resume', '--end-waits']);
    return exitCode;
  }

  /** Two at once: one dies by SIGKILL, the other is cancelled or ends at its time limit. */
  async #rounds(): Promise<void> {
    const { sizes, sandbox } = this.scene;
    const next = chance(sizes.seed);
    for (let round = 0; round < sizes.kills; round += 1) {
      const moment = () =>
        afterRequests(sandbox.url, 1 + Math.floor(next() * 3 * sizes.companies), next() * 200, LONGEST_MS);
      const kill = { signal: 'SIGKILL', at: moment() } as const;
      const cancel = { signal: 'SIGTERM', at: moment() } as const;
      const other = round % 2 === 0 ? { end: cancel } : { words: ['--timeout', '2s'] };
      const [, second] = await Promise.all([this.#release({ end: kill }), this.#release(other)]);
      this.#ends[round % 2 === 0 ? 'cancelled' : 'cut'] += 1;
      const expected = round % 2 === 0 ? [143] : [5, 8];
      if (!expected.includes(Number(second.exitCode))) {
        this.#wrongCodes += 1;
        console.log(`round ${round} ended ${second.exitCode}: ${second.stderr.slice(-400)}`);
      }
    }
  }

  async #toTheEnd(): Promise<readonly (number | null)[]> {
    const last = { open: 2 };
    const ends = [0, 1].map(async () => {
      const { exitCode, stderr } = await this.#release({ words: ['--timeout', '1h', '--lock-wait', '1h'] });
      last.open -= 1;
      if (exitCode !== 0) console.log(stderr.slice(-1_000));
      return exitCode;
    });
    while (last.open > 0) {
      await this.#step();
      await pause(300);
    }
    return await Promise.all(ends);
  }

  async #afterRevoke(company: string): Promise<number | null> {
    const words = ['backfill', 'revoke', '--company', company, '--confirm', company, '--yes'];
    await this.#live(words);
    await this.#step();
    return (await this.#release()).exitCode;
  }

  /** Each row beside what the sandbox did: the documents that it had hidden, and the requests that it took. */
  async #report(before: ReadonlyMap<string, number>, ids: ReadonlyMap<string, ReadonlySet<string>>) {
    const end = await this.#live(['backfill', 'report', '--plan', 'plan.xlsx']);
    const all = (end.records ?? []).filter(({ type }) => type === 'report');
    // A shared store knows of those that were refused, too.
    const refused = all.filter(({ state, errorCode }) => state === 'failed' && errorCode === 'backfill.forbidden');
    const rows = all.filter((row) => !refused.includes(row));
    const summary = end.records?.at(-1) ?? {};
    const documents = [...before.values()].reduce((sum, count) => sum + count, 0);
    const wrong = rows.filter((row) => {
      const { companyId, hiddenBefore, hiddenAfter, revealed, billedDocuments, planId, approvedBy, requestId } = row;
      const hidden = before.get(String(companyId));
      const isCounted = [hiddenBefore, revealed, billedDocuments].every((count) => count === hidden);
      const isPlanned = planId === this.#planId && approvedBy === 'Maria Silva';
      const isKnown = requestId === undefined || ids.get(String(companyId))?.has(String(requestId)) === true;
      return !isCounted || hiddenAfter !== 0 || !isPlanned || !isKnown;
    });
    const companies = new Set(rows.map(({ companyId }) => String(companyId)));
    const isEach = companies.size === before.size && rows.length === before.size;
    const isAll = summary['revealed'] === documents && summary['billedDocuments'] === documents;
    const isWhole = isEach && isAll && refused.length === (this.scene.sizes.isShared ? before.size : 0);
    if (wrong.length > 0 || !isWhole) console.log('the report says', JSON.stringify([wrong[0], summary]));
    const named = rows.filter(({ machine }) => machine !== undefined).length;
    return { report: end.exitCode, differences: wrong.length + (isWhole ? 0 : 1), named };
  }

  async #step(): Promise<void> {
    await this.scene.service.control('clock', { advance: PACE });
  }

  /** Hidden documents by company, as the sandbox itself knows them; without companies that have none. */
  async #hidden(): Promise<ReadonlyMap<string, number>> {
    const counts = new Map<string, number>();
    for (const { companyId, visibility } of await this.scene.service.captured()) {
      if (visibility === 'hidden') counts.set(String(companyId), (counts.get(String(companyId)) ?? 0) + 1);
    }
    return counts;
  }

  async #ledger() {
    const effects = new Map<string, number>();
    const ids = new Map<string, Set<string>>();
    let requests = 0;
    for await (const { operation, effect, path, requestId } of ledger(this.scene.sandbox.url)) {
      if (operation !== 'nfse.backfill.release') continue;
      requests += 1;
      const company = /\/companies\/([^/]+)\//.exec(path)?.[1] ?? '';
      ids.set(company, (ids.get(company) ?? new Set()).add(requestId));
      if (effect?.['companyId'] !== undefined) effects.set(company, (effects.get(company) ?? 0) + 1);
    }
    return { effects, requests, ids };
  }

  /** The plan, as a pipeline releases it; whoever is not killed leaves whole records and a whole report. */
  async #release({ words = [], env, end }: Run = {}): Promise<Life> {
    const out = `released-${this.#lives}.csv`;
    const plan = ['backfill', 'release', '--plan', 'plan.xlsx', '--confirm', this.#planId, '--yes', '--report', out];
    const timeout = words.includes('--timeout') ? [] : ['--timeout', '1h'];
    const wait = ['--wait', '--interval', '300ms', ...timeout];
    const life = await this.#live([...plan, ...wait, ...words], { env, end, report: out });
    if (life.wasKilled) this.#ends.killed += 1;
    else if (!this.#isWhole(life)) {
      this.#torn += 1;
      console.log(`torn: ended ${life.exitCode} with ${life.records?.length} records: ${life.stderr.slice(-600)}`);
    }
    return life;
  }

  /** A record for each company and one summary, last, that says how the run ended; the same rows in the report. */
  #isWhole({ exitCode, records = [], report, stderr }: Life): boolean {
    const { companies } = this.scene.sizes;
    const items = records.filter(({ type }) => type === 'item');
    const summary = records.at(-1) ?? {};
    // Refused, or cancelled before there was a job: nothing was sent, and an error says so.
    if (exitCode === 2 || (records.length === 0 && stderr.includes('"sent":"no"') && !stderr.includes('"jobId"')))
      return true;
    const isSummed = summary['type'] === 'summary' && summary['exitCode'] === exitCode;
    return isSummed && items.length === companies && report?.length === companies;
  }

  async #live(
    words: readonly string[],
    { env = {}, end, report }: Run & { readonly report?: string } = {},
  ): Promise<Life> {
    const { folder } = this.scene;
    const nth = this.#lives;
    this.#lives += 1;
    const state = join(folder, `machine-${nth}`);
    await mkdir(state);
    const program = [join(process.cwd(), 'bin/fiscal.js'), ...words, '-o', 'ndjson', '--no-input'];
    const child = spawn(process.execPath, program, {
      cwd: folder,
      env: { ...this.scene.env, XDG_STATE_HOME: state, GITHUB_RUN_ID: String(nth), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const text = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (text.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text.stderr += chunk.toString()));
    const ended = new AbortController();
    if (end !== undefined) void end.at(ended.signal).then(() => child.kill(end.signal));
    const [exitCode, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    ended.abort();
    return {
      ...{ exitCode, wasKilled: signal === 'SIGKILL', records: recordsIn(text.stdout), stderr: text.stderr },
      report: report === undefined ? undefined : await rowsIn(join(folder, report)),
    };
  }
}

interface Run {
  readonly words?: readonly string[];
  readonly env?: NodeJS.ProcessEnv | undefined;
  readonly end?: { readonly signal: NodeJS.Signals; readonly at: (life: AbortSignal) => Promise<unknown> } | undefined;
}

/** `undefined`: a line is torn. */
function recordsIn(text: string): readonly Fields[] | undefined {
  try {
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): Fields => JSON.parse(line));
  } catch {
    return undefined;
  }
}

async function rowsIn(path: string): Promise<readonly Fields[] | undefined> {
  try {
    return parse(await readFile(path, 'utf8'), { columns: true });
  } catch {
    return undefined;
  }
}
