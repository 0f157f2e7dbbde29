import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { clientsFile } from '../../bench/drill/clients.js';
import {
  clearFaults,
  companiesWithHistory,
  control,
  type Ended,
  ended,
  fiscal,
  holdAnswers,
  inProcess,
  killWhenHeld,
  ledger,
  newWorld,
  products,
  put,
  type ReadyLine,
  records,
  serviceNotes,
  start,
  withSandbox,
  type World,
  yesterday,
} from './program.js';

interface Case {
  readonly argv: readonly string[];
  /** What is sent once for each item. */
  readonly operation: string;
  /** The end of the first item. */
  readonly state: string;
}

const cases: Readonly<Record<string, (ready: ReadyLine, world: World) => Case | Promise<Case>>> = {
  'backfill release': async (ready, world) => {
    const companies = (await companiesWithHistory(ready, world, 4)).join(',');
    return {
      argv: ['backfill', 'release', '--company', companies, '--confirm', companies],
      ...{ operation: 'nfse.backfill.release', state: 'pending' },
    };
  },
  'backfill start-from': async (ready, world) => {
    const companies = (await companiesWithHistory(ready, world, 4)).join(',');
    return {
      argv: ['backfill', 'start-from', yesterday(), '--company', companies, '--confirm', companies],
      ...{ operation: 'nfse.startFromDate.set', state: 'succeeded' },
    };
  },
  'product apply': (_ready, world) => ({
    argv: ['product', 'apply', put(world, 'p.ndjson', products(4, 'APPLY'))],
    ...{ operation: 'product.create', state: 'pending' },
  }),
  'product apply --create-only': (_ready, world) => ({
    argv: ['product', 'apply', '--create-only', put(world, 'p.ndjson', products(4, 'CREATE'))],
    ...{ operation: 'product.create', state: 'pending' },
  }),
  'manifestation apply': async (ready, world) => {
    await control(ready, 'seed', { documents: 4, family: 'nfe' });
    const listed = await fiscal(world, 'inbound', 'list', '--type', 'nfe', '-o', 'ndjson');
    const rows = records(listed).map(({ accessKey }) => `${String(accessKey)},ciencia\n`);
    return {
      argv: ['manifestation', 'apply', put(world, 'e.csv', `chave,evento\n${rows.join('')}`)],
      ...{ operation: 'nfe.manifestation.submit', state: 'pending' },
    };
  },
  'invoice apply': (_ready, world) => ({
    argv: ['invoice', 'apply', put(world, 'notes.ndjson', serviceNotes(4)), '--model', 'nfse'],
    ...{ operation: 'nfse.issue', state: 'pending' },
  }),
  'lookup cnpj': (_ready, world) => ({
    argv: ['lookup', 'cnpj', '--file', put(world, 'l.csv', 'cnpj\n11222333000181\n11444777000161\n')],
    ...{ operation: 'lookup.cnpj', state: 'succeeded' },
  }),
};

const running: ChildProcess[] = [];
const stops: (() => void)[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
  for (const stop of stops.splice(0)) stop();
});

async function begun(): Promise<{ readonly world: World; readonly ready: ReadyLine }> {
  const sandbox = await withSandbox(newWorld());
  stops.push(() => sandbox.stop());
  return sandbox;
}

/** Killed when the first item has ended and the request of the second one has no answer. */
async function killed({ world, ready }: Awaited<ReturnType<typeof begun>>, { argv, operation }: Case): Promise<Ended> {
  await holdAnswers(ready, operation, { skip: 1 });
  const child = start(world, [...argv, '--yes', '--concurrency', '1', '-o', 'ndjson']);
  running.push(child);
  const end = await killWhenHeld(ready, child);
  await clearFaults(ready);
  return end;
}

async function onlyJob(world: World): Promise<string> {
  const [job] = records(await inProcess(world, 'job', 'list', '-o', 'ndjson'));
  return String(job?.['id']);
}

const itemsOf = (run: Ended) => records(run).filter(({ type }) => type === 'item');
const linesOf = (run: Ended) => itemsOf(run).map(({ line }) => Number(line));

describe('SIGKILL in the middle of', () => {
  it.each(Object.entries(cases))(
    '%s leaves the record of what had ended, and job resume writes each item once',
    async (_name, make) => {
      const { world, ready } = await begun();
      const given = await make(ready, world);
      const { stdout, ...end } = await killed({ world, ready }, given);
      expect(end).toMatchObject({ exitCode: null, signal: 'SIGKILL' });
      expect(stdout).toMatch(/^\{.*\}\n$/);
      const [first] = records({ ...end, stdout });
      expect(first).toMatchObject({ type: 'item', state: given.state });

      const resumed = await fiscal(world, 'job', 'resume', await onlyJob(world), '-o', 'ndjson');
      const { type, total } = records(resumed).at(-1) ?? {};
      const items = itemsOf(resumed);
      expect({ type, total, records: records(resumed).length }).toEqual({
        ...{ type: 'summary', total: items.length },
        records: items.length + 1,
      });
      expect(new Set(items.map(({ line }) => line)).size).toBe(items.length);
      expect(items[0]).toMatchObject({ line: first?.['line'], label: first?.['label'], state: given.state });
    },
  );

  it('company apply leaves the records of its ended steps', async () => {
    const { world, ready } = await begun();
    const argv = ['company', 'apply', put(world, 'clients.yaml', clientsFile(2))];
    const end = await killed({ world, ready }, { argv, operation: 'company.create', state: 'succeeded' });
    const ends = records(end).filter(({ action }) => action === 'create');
    expect(ends.map(({ type, state, step }) => [type, state, step])).toEqual([['item', 'succeeded', 'company']]);

    const again = await fiscal(world, ...argv, '--yes', '-o', 'ndjson');
    const labels = itemsOf(again).map(({ label }) => label);
    expect(again.exitCode).toBe(0);
    expect(new Set(labels).size).toBe(labels.length);
    expect(records(again).at(-1)).toMatchObject({ type: 'summary', total: labels.length });
  });
});

describe('the records of a batch', () => {
  it('come in the order in which its items end, each once, with --fields, and the report in that of the file', async () => {
    const { world, ready } = await begun();
    const file = put(world, 'p.ndjson', products(6, 'ORDER'));
    await control(ready, 'faults', { operation: 'product.create', kind: 'slow', delayMs: 1_500, count: 1 });
    const words = ['product', 'apply', '--create-only', file, '--yes', '--concurrency', '2', '--report', 'r.csv'];
    const run = await fiscal(world, ...words, '-o', 'ndjson', '--fields', 'type,line,missing');
    expect(run.exitCode).toBe(0);
    const lines = linesOf(run);
    expect(lines).not.toEqual([1, 2, 3, 4, 5, 6]);
    expect(lines.toSorted()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(records(run).at(-1)).toEqual({ type: 'summary' });
    expect(run.stderr).toContain('no record has the field "missing"');
    expect(run.stderr).not.toContain('"line"');
    const report = readFileSync(join(world.root, 'work', 'r.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1);
    expect(report.map((row) => Number(row.split(',')[0]))).toEqual([1, 2, 3, 4, 5, 6]);

    const json = await fiscal(world, 'job', 'resume', await onlyJob(world), '-o', 'json', '--query', '[].line');
    expect(JSON.parse(json.stdout)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('come once where some rows match, some repeat others, and some are followed', async () => {
    const { world } = await begun();
    const apply = ['product', 'apply', '--yes', '--wait', '--interval', '1s', '-o', 'ndjson'];
    await fiscal(world, ...apply, put(world, 'one.ndjson', products(2, 'MIXED')));
    const all = `${products(4, 'MIXED')}${products(1, 'MIXED')}`.replace('Product MIXED-2', 'Another');
    const run = await fiscal(world, ...apply, put(world, 'all.ndjson', all));
    const ends = itemsOf(run).map(({ line, action, state }) => [line, action, state].join(' '));
    expect(ends.toSorted()).toEqual([
      ...['1 unchanged succeeded', '2 update succeeded', '3 create succeeded', '4 create succeeded'],
      '5 repeated skipped',
    ]);
    expect(records(run).at(-1)).toMatchObject({
      ...{ type: 'summary', total: 4, create: 2, update: 1, unchanged: 1, repeated: 1, succeeded: 4, exitCode: 0 },
    });
    expect(records(run)).toHaveLength(ends.length + 1);
  });

  it('are not waited for by its items where the reader has gone', async () => {
    const { world, ready } = await begun();
    const file = put(world, 'p.ndjson', products(30, 'GONE'));
    const child = start(world, ['product', 'apply', '--create-only', file, '--yes', '-o', 'ndjson']);
    running.push(child);
    child.stdout?.destroy();
    const { exitCode, stderr } = await ended(child);
    expect({ exitCode, isSaid: stderr.includes('EPIPE') }).toEqual({ exitCode: 0, isSaid: false });
    expect(await ledger(ready)).toHaveLength(30);
  });

  it('issue no command of GitHub, and its section has the failed ones', async () => {
    const { world, ready } = await begun();
    await control(ready, 'faults', { operation: 'product.create', kind: '404' });
    const file = put(world, 'p.ndjson', products(3, '##[x]'));
    const section = put(world, 'section.md', '');
    const github = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: section };
    const child = start(world, ['product', 'apply', '--create-only', file, '--yes', '-o', 'ndjson'], { env: github });
    running.push(child);
    const run = await ended(child);
    expect(run.stdout).not.toContain('##[');
    expect(
      itemsOf(run)
        .map(({ label, state }) => `${String(label)} ${String(state)}`)
        .toSorted(),
    ).toEqual([...['##[x]-1 failed', '##[x]-2 failed', '##[x]-3 failed']]);
    const annotations = run.stderr
      .split('\n')
      .filter((line) => /^::(?:error|warning) title=[^:]*%3A failed/.test(line));
    expect(annotations).toHaveLength(3);
    expect(readFileSync(section, 'utf8')).toContain('| failed | 3 |');
  });
});
