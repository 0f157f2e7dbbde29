import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parse } from 'csv-parse/sync';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { clientsFile } from '../../bench/drill/clients.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { startTcpProxy } from '../support/tcp-proxy.js';
import {
  clearFaults,
  companiesWithHistory,
  control,
  type Ended,
  ended,
  errorOf,
  fiscal,
  ledger,
  newWorld,
  products,
  put,
  type ReadyLine,
  records,
  serviceNotes,
  start,
  withEnv,
  withSandbox,
  type World,
  yesterday,
} from './program.js';

let sandbox: Awaited<ReturnType<typeof withSandbox>>;
let ready: ReadyLine;
let companies: readonly string[];
let nfeKeys: readonly string[];

beforeAll(async () => {
  sandbox = await withSandbox(newWorld());
  ({ ready } = sandbox);
  const world = machine();
  companies = await companiesWithHistory(ready, world, 4);
  await control(ready, 'seed', { documents: 4, family: 'nfe' });
  const listed = await fiscal(world, 'inbound', 'list', '--type', 'nfe', '-o', 'ndjson');
  nfeKeys = records(listed).flatMap(({ accessKey }) => (typeof accessKey === 'string' ? accessKey : []));
});
const running: ChildProcess[] = [];
beforeEach(async () => {
  await clearFaults(ready);
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => sandbox.stop());

/** A machine whose profile is in its home folder, so that a command needs nothing of the environment. */
function machine(): World {
  const { root } = newWorld();
  const { url, invoiceKey, dataKey, companyId, tenantId } = ready;
  const profile = {
    hosts: { product: url, query: url, service: url },
    keys: { invoice: invoiceKey, data: dataKey },
    ...{ company: companyId, tenant: tenantId },
  };
  const config = join(root, '.config', 'fiscal');
  mkdirSync(config, { recursive: true });
  mkdirSync(join(root, 'bin'));
  writeFileSync(join(config, 'config.json'), JSON.stringify({ current: 'acme', profiles: { acme: profile } }), {
    mode: 0o600,
  });
  const program = join(import.meta.dirname, '../../bin/fiscal.js');
  writeFileSync(join(root, 'bin', 'fiscal'), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  chmodSync(join(root, 'bin', 'fiscal'), 0o755);
  return { root, env: { HOME: root, PATH: `${join(root, 'bin')}:/usr/bin:/bin`, LC_ALL: 'C' } };
}

/** The printed line in a shell without a terminal that knows the home folder and the path. */
async function asPrinted({ root, env }: World, line: string): Promise<Ended> {
  const words = ['-i', ...Object.entries(env).map(([name, value]) => `${name}=${value}`), 'sh', '-ec', line];
  return await ended(spawn('env', words, { cwd: join(root, 'work'), stdio: ['ignore', 'pipe', 'pipe'] }));
}

function begin(world: World, argv: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = start(world, argv, { env });
  running.push(child);
  return { child, end: ended(child) };
}

function report(world: World): readonly Record<string, string>[] {
  return parse(readFileSync(join(world.root, 'work', 'report.csv')), { columns: true, bom: true });
}

const common = ['--yes', '--concurrency', '1', '--report', 'report.csv', '-o', 'ndjson'];

interface Case {
  readonly argv: readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  /** What is sent once for each item. */
  readonly operation: string;
  /** Job resume is what is printed; otherwise the words of the run. */
  readonly goesOnBy: RegExp;
}

const cases: Readonly<Record<string, () => Case>> = {
  'backfill release': () => ({
    argv: [
      'backfill',
      'release',
      '--company',
      companies.join(','),
      '--confirm',
      companies.join(','),
      '--wait',
      '--interval',
      '1s',
    ],
    operation: 'nfse.backfill.release',
    goesOnBy: /^fiscal job resume \S+ --wait /,
  }),
  'backfill start-from': () => ({
    argv: [
      ...['backfill', 'start-from', yesterday(), '--company', companies.join(',')],
      ...['--confirm', companies.join(',')],
    ],
    operation: 'nfse.startFromDate.set',
    goesOnBy: /^fiscal job resume /,
  }),
  'product apply': () => ({
    argv: ['product', 'apply', 'p.ndjson'],
    files: { 'p.ndjson': products(4, 'APPLY', 'billed') },
    operation: 'product.create',
    goesOnBy: /^fiscal job resume /,
  }),
  'product apply --create-only': () => ({
    argv: ['product', 'apply', '--create-only', 'p.ndjson'],
    files: { 'p.ndjson': products(4, 'CREATE', 'billed') },
    operation: 'product.create',
    goesOnBy: /^fiscal job resume /,
  }),
  'manifestation apply': () => ({
    argv: ['manifestation', 'apply', 'e.csv'],
    files: { 'e.csv': `chave,evento\n${nfeKeys.map((key) => `${key},ciencia\n`).join('')}` },
    operation: 'nfe.manifestation.submit',
    goesOnBy: /^fiscal job resume /,
  }),
  'invoice apply': () => ({
    argv: ['invoice', 'apply', 'notes.ndjson', '--model', 'nfse'],
    files: { 'notes.ndjson': serviceNotes(4) },
    operation: 'nfse.issue',
    goesOnBy: /^fiscal job resume /,
  }),
  'company apply': () => ({
    argv: ['company', 'apply', 'clients.yaml'],
    files: { 'clients.yaml': clientsFile(2) },
    operation: 'company.create',
    // Its job has no password, so it needs the file again.
    goesOnBy: /^fiscal company apply clients\.yaml .*--yes/,
  }),
};

async function sentOf(operation: string): Promise<number> {
  return (await ledger(ready, operation)).length;
}

describe('SIGTERM in the middle of', () => {
  it.each(Object.entries(cases))(
    '%s: its records, one summary and the report come, and what is printed goes on unattended',
    async (_name, make) => {
      const { argv, files = {}, operation, goesOnBy } = make();
      const world = machine();
      for (const [name, content] of Object.entries(files)) put(world, name, content);
      await control(ready, 'sweep', { documents: 1, every: '10m' });
      await control(ready, 'faults', { operation, kind: 'slow', delayMs: 700 });
      const before = await sentOf(operation);
      const { child, end } = begin(world, [...argv, ...common]);
      while (child.exitCode === null && (await sentOf(operation)) < before + 2) await pause(10);
      child.kill('SIGTERM');
      const first = await end;
      const items = records(first).slice(0, -1);
      const summary = records(first).at(-1);
      expect({ exitCode: first.exitCode, types: new Set(items.map(({ type }) => type)), stderr: first.stderr }).toEqual(
        { ...{ exitCode: 143, types: new Set(['item']) }, stderr: expect.stringContaining('job.interrupted') },
      );
      expect(summary).toMatchObject({
        type: 'summary',
        stopped: 'interrupted',
        errorCode: 'job.interrupted',
        exitCode: 143,
      });
      // The report is in the order of the input, the records are in that of their ends.
      expect(
        report(world)
          .map(({ label, state }) => [label, state].join(' '))
          .toSorted(),
      ).toEqual(items.map(({ label, state }) => [label, state].join(' ')).toSorted());

      await clearFaults(ready);
      await control(ready, 'sweep', { documents: 1_000, every: '1s' });
      await control(ready, 'clock', { advance: '1h' });
      const { resume } = errorOf(first);
      expect(resume).toMatch(goesOnBy);
      const on = await asPrinted(world, String(resume));
      expect({ exitCode: on.exitCode, last: records(on).at(-1), stderr: on.stderr }).toMatchObject({
        exitCode: 0,
        last: { type: 'summary', stopped: expect.stringMatching(/^(?:complete|sent)$/), exitCode: 0 },
      });
      expect(await sentOf(operation)).toBe(before + (operation === 'company.create' ? 2 : items.length));
    },
  );
});

describe('the release of a history ends with the same records', () => {
  const whole = (more: readonly string[] = []) => [
    ...['backfill', 'release', '--company', companies.join(','), '--confirm', companies.join(',')],
    ...['--wait', '--interval', '1s', ...common, ...more],
  ];
  const revoke = () => [
    'backfill',
    'revoke',
    '--company',
    companies.join(','),
    '--confirm',
    companies.join(','),
    '--yes',
  ];
  const ends = (run: Ended) => {
    const all = records(run);
    const { type, total, stopped, errorCode, exitCode, jobId } = all.at(-1) ?? {};
    const states = all.slice(0, -1).map((record) => [record['type'], record['state']]);
    return { exitCode: run.exitCode, states, summary: { type, total, stopped, errorCode, exitCode }, jobId };
  };
  const each = (state: string) => companies.map(() => ['item', state]);

  beforeEach(async () => {
    await control(ready, 'sweep', { documents: 1_000, every: '1s' });
    await control(ready, 'clock', { advance: '1h' });
    await fiscal(machine(), ...revoke());
    // All are hidden again, also on a machine that is faster than a second.
    await control(ready, 'clock', { advance: '1h' });
    await control(ready, 'sweep', { documents: 1, every: '10m' });
  });

  it('at its time limit, and when nothing is left to do, with a section for GitHub', async () => {
    const world = machine();
    const late = await fiscal(world, ...whole(['--timeout', '2s']));
    expect(ends(late)).toEqual({
      ...{ exitCode: 8, states: each('pending'), jobId: expect.any(String) },
      summary: { type: 'summary', total: companies.length, stopped: 'timeout', errorCode: undefined, exitCode: 8 },
    });
    expect(report(world).map(({ state }) => state)).toEqual(companies.map(() => 'pending'));

    await control(ready, 'sweep', { documents: 1_000, every: '1s' });
    await control(ready, 'clock', { advance: '1h' });
    const done = await fiscal(world, ...whole());
    expect(ends(done)).toMatchObject({ exitCode: 0, states: each('succeeded'), jobId: ends(late).jobId });

    const section = put(world, 'section.md', '');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: section };
    const again = await begin(world, whole(), github).end;
    expect(ends(again)).toEqual({
      ...{ exitCode: 0, states: each('skipped'), jobId: expect.any(String) },
      summary: { type: 'summary', total: companies.length, stopped: 'complete', errorCode: undefined, exitCode: 0 },
    });
    expect(report(world).map(({ state }) => state)).toEqual(companies.map(() => 'skipped'));
    expect(readFileSync(section, 'utf8')).toContain(`| jobId | ${String(ends(again).jobId)} |`);
  });

  it('where the key lacks the role', async () => {
    const { key } = await control(ready, 'keys', { roles: ['NFSeDist'] });
    const world = withEnv(machine(), { FISCAL_INVOICE_KEY: String(key) });
    expect(ends(await fiscal(world, ...whole()))).toEqual({
      ...{ exitCode: 7, states: each('failed'), jobId: expect.any(String) },
      summary: {
        ...{ type: 'summary', total: companies.length },
        ...{ stopped: 'refused', errorCode: 'backfill.forbidden', exitCode: 7 },
      },
    });
    expect(report(world).map(({ errorCode }) => errorCode)).toEqual(companies.map(() => 'backfill.forbidden'));
  });

  it('where another process works on its job', async () => {
    const world = machine();
    const { child } = begin(world, whole());
    while (child.exitCode === null && (await pendingIn(world)) < companies.length) await pause(50);
    const id = await jobOf(world);
    const held = await fiscal(
      world,
      ...['job', 'resume', id, '--lock-wait', '1s', '--report', 'report.csv', '-o', 'ndjson'],
    );
    expect(ends(held)).toEqual({
      ...{ exitCode: 8, states: each('pending'), jobId: id },
      summary: {
        ...{ type: 'summary', total: companies.length },
        ...{ stopped: 'held', errorCode: 'outcome.still_pending', exitCode: 8 },
      },
    });
    expect(report(world).map(({ state }) => state)).toEqual(companies.map(() => 'pending'));
  });

  describe('with its store on a server', () => {
    let server: PostgresServer;
    beforeAll(async () => {
      server = await startPostgres();
    });
    afterAll(async () => {
      await server.stop();
    });

    it('when it is interrupted, and when the server goes away', async () => {
      const url = await server.newDatabase();
      const { hostname, port } = new URL(url);
      const proxy = await startTcpProxy({ host: hostname, port: Number(port) });
      const world = withEnv(machine(), { FISCAL_STORE_URL: proxy.through(url) });
      const { child, end } = begin(world, whole());
      while (child.exitCode === null && (await pendingIn(world)) < companies.length) await pause(50);
      child.kill('SIGINT');
      const first = await end;
      expect(ends(first)).toEqual({
        ...{ exitCode: 130, states: each('pending'), jobId: expect.any(String) },
        summary: {
          ...{ type: 'summary', total: companies.length },
          ...{ stopped: 'interrupted', errorCode: 'job.interrupted', exitCode: 130 },
        },
      });
      expect(report(world).map(({ state }) => state)).toEqual(companies.map(() => 'pending'));

      const read = await sentOf('nfse.backfill.summary');
      const { child: other, end: cutOff } = begin(world, whole());
      // Each company is read before the job goes on, and then followed.
      while (other.exitCode === null && (await sentOf('nfse.backfill.summary')) < read + 3 * companies.length)
        await pause(50);
      proxy.cut();
      const second = await cutOff;
      expect(ends(second)).toEqual({
        ...{ exitCode: 5, states: each('pending'), jobId: ends(first).jobId },
        summary: {
          ...{ type: 'summary', total: companies.length },
          ...{ stopped: 'store-failed', errorCode: expect.stringMatching(/^store\./), exitCode: 5 },
        },
      });
      expect(report(world).map(({ state }) => state)).toEqual(companies.map(() => 'pending'));
      await proxy.close();
    });
  });

  async function jobOf(world: World): Promise<string> {
    const listed = await fiscal(world, 'job', 'list', '-o', 'ndjson');
    return String(records(listed)[0]?.['id'] ?? '');
  }

  async function pendingIn(world: World): Promise<number> {
    const items = await fiscal(world, 'job', 'items', await jobOf(world), '--state', 'pending', '-o', 'ndjson');
    return records(items).filter(({ type }) => type === 'item').length;
  }
});
