import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Ended } from '../e2e/program.js';
import { Runner, type Workflow } from './actions.js';
import { blocksOf, blockWith } from './blocks.js';
import { isSchedule, readCrontab } from './crontab.js';
import { openPlace, type Place } from './place.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { BUCKET, S3Server } from '../support/s3-server.js';

const blocks = blocksOf('ci');

let place: Place;
let postgres: PostgresServer;
let s3: S3Server;

beforeAll(async () => {
  place = await openPlace();
  postgres = await startPostgres();
  s3 = await S3Server.start();
});
afterAll(async () => {
  place.stop();
  await postgres.stop();
  await s3.stop();
});

/** What the pipeline's own settings hold: where the service is, and the key. */
function settings(): Record<string, string> {
  return { FISCAL_PRODUCT_URL: place.ready.url, FISCAL_INVOICE_KEY: place.ready.invoiceKey };
}

/** Of all companies, as the service counts them. */
async function hiddenDocuments({ run, folder }: Place): Promise<number> {
  const words = ['fiscal', 'backfill', 'show', '--all-companies', '--query', 'sum([].hiddenDocumentsCount)'];
  const { stdout } = await run(words, { cwd: folder(), env: settings() });
  return Number(stdout);
}

function lines(path: string): readonly Record<string, unknown>[] {
  const text = readFileSync(path, 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

test('every block is in a language that this test executes or checks', () => {
  expect(blocks.map(({ language }) => language)).toEqual([
    ...['sh', 'json', 'sh', 'sh', 'sh', 'sh', 'sh', 'sh', 'yaml', 'yaml', 'yaml', 'yaml', 'crontab', 'ini', 'ini'],
  ]);
});

test('the tests of another program run against a sandbox', async () => {
  const cwd = place.folder();
  writeFileSync(join(cwd, 'package.json'), JSON.stringify({ scripts: { test: 'fiscal product list' } }));
  const script = blockWith(blocks, 'sandbox exec').replace(/^npm install .*\n/m, '');
  const { exitCode, stdout } = await place.run(['bash', '-e', '-c', script], { cwd, env: {} });
  expect(exitCode).toBe(0);
  expect(script).toBe('fiscal sandbox exec -- npm test\n');
  expect(stdout).toContain('fiscal product list');
});

test('the ready line has the fields that the guide shows', () => {
  const shown: unknown = JSON.parse(blockWith(blocks, '"type":"ready"'));
  expect(Object.keys(Object(shown))).toEqual(Object.keys(place.ready));
});

describe('the shell block that branches on exit codes', () => {
  const script = blockWith(blocks, 'everything is here');

  async function branching(env: Record<string, string>): Promise<Ended> {
    const cwd = place.folder();
    const own = { FISCAL_STATE_DIR: join(cwd, 'state'), FISCAL_ARCHIVE: join(cwd, 'archive') };
    return await place.run(['bash', '-e', '-c', script], { cwd, env: { ...settings(), ...own, ...env } });
  }

  test('reports that everything is done', async () => {
    expect(await branching({})).toMatchObject({ exitCode: 0, stdout: 'everything is here\n' });
  });

  test('continues if a later run can succeed, and fails otherwise', async () => {
    const away = { FISCAL_PRODUCT_URL: 'http://127.0.0.1:9', FISCAL_MAX_RETRY_WAIT: '10ms' };
    expect(await branching(away)).toMatchObject({ exitCode: 0, stdout: 'the next run goes on\n' });
    expect(await branching({ FISCAL_INVOICE_KEY: 'wrong' })).toMatchObject({ exitCode: 4, stdout: '' });
  });
});

describe('the workflow of GitHub Actions', () => {
  // The fields are asserted by the first test.
  const workflow = parse(blockWith(blocks, 'runs-on')) as Workflow;
  const jobs = Object.entries(workflow.jobs);

  test('has what GitHub needs', () => {
    expect(Object.keys(workflow.on)).toEqual(['schedule', 'workflow_dispatch']);
    const schedules = workflow.on['schedule'] as readonly { readonly cron: string }[];
    expect(schedules.map(({ cron }) => isSchedule(cron.split(' ')))).toEqual([true, true]);
    expect(workflow.permissions).toEqual({ contents: 'read' });
    expect(jobs.map(([name]) => name)).toEqual(['documents', 'plan', 'approve', 'release']);
    for (const [, job] of jobs) {
      expect([job['runs-on'], typeof job['timeout-minutes']]).toEqual(['ubuntu-latest', 'number']);
      for (const step of job.steps) expect(/@v\d+$/.test(step.uses ?? '@v1')).toBe(true);
      for (const step of job.steps) expect((step.uses === undefined) !== (step.run === undefined)).toBe(true);
    }
  });

  test('gives the key only to the steps that call the service', () => {
    const jobLevel = jobs.flatMap(([, job]) => Object.keys(job.env ?? {}));
    const others = jobs.flatMap(([, { steps }]) =>
      steps.filter(({ run = '' }) => !/^ *(?:id=\$\()?fiscal /m.test(run)),
    );
    const texts = [...jobLevel, ...Object.keys(workflow.env ?? {}), JSON.stringify(others)];
    expect(texts.filter((text) => /_KEY|STORE_URL/.test(text))).toEqual([]);
  });

  test('expands no value in a script, where the shell would execute it', () => {
    const scripts = jobs.flatMap(([, job]) => job.steps.map(({ run = '' }) => run));
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([]);
  });

  test('compares with one of its schedules', () => {
    const schedules = JSON.stringify(workflow.on['schedule']);
    const asked = jobs.flatMap(([, { steps }]) => steps.map((step) => /'(.* .*)'/.exec(step.if ?? '')?.[1]));
    const crons = asked.filter((cron) => cron !== undefined);
    expect(crons.map((cron) => schedules.includes(cron))).toEqual([true]);
  });

  test('syncs, closes the month, plans a release, releases and fetches the released documents', async () => {
    const hidden = await hiddenDocuments(place);
    expect(hidden).toBeGreaterThanOrEqual(40);
    const { AWS_ENDPOINT_URL, ...login } = s3.env;
    const known = {
      'vars.FISCAL_PRODUCT_URL': place.ready.url,
      'vars.FISCAL_ARCHIVE': `s3://${BUCKET}/github`,
      'vars.AWS_REGION': 'sa-east-1',
      ...Object.fromEntries(Object.entries(login).map(([name, value]) => [`secrets.${name}`, value])),
      'secrets.FISCAL_STORE_URL': await postgres.newDatabase(),
      'secrets.FISCAL_INVOICE_KEY': place.ready.invoiceKey,
      'secrets.FISCAL_MANAGEMENT_KEY': place.ready.invoiceKey,
      'inputs.release': place.companies.join(','),
    };
    const runner = new Runner(place, known, { AWS_ENDPOINT_URL: AWS_ENDPOINT_URL ?? '' });
    for (const [name, { steps }] of jobs) {
      const ends = await runner.run(workflow, name);
      const scripts = steps.filter(({ run }) => run !== undefined && !run.startsWith('npm install'));
      expect(ends.map(({ exitCode, stderr }) => (exitCode === 0 ? 0 : stderr))).toEqual(scripts.map(() => 0));
    }
    const artifacts = join(runner.root, 'artifacts');
    const [released, synced] = ['release', 'sync'].map((name) =>
      lines(join(artifacts, 'release/out', `${name}.ndjson`)).at(-1),
    );
    const close = lines(join(artifacts, 'documents/out/close.ndjson')).at(-1);
    expect(close).toMatchObject({ type: 'summary', companies: 2, complete: 2, exitCode: 0 });
    expect([...s3.objects.keys()].filter((name) => name.startsWith('github/proofs/'))).not.toEqual([]);
    expect(released).toMatchObject({ type: 'summary', total: 2, succeeded: 2, exitCode: 0 });
    expect(synced).toMatchObject({ type: 'summary', added: hidden, exitCode: 0 });
    const titles = runner.page.split('\n').filter((line) => line.startsWith('### '));
    expect(titles.map((line) => line.split(':', 1)[0])).toEqual([
      '### fiscal inbound sync',
      '### fiscal inbound close',
      '### fiscal inbound verify',
      '### fiscal backfill release',
      '### fiscal inbound sync',
    ]);
    expect(runner.page).not.toContain(place.ready.invoiceKey);
  });
});

describe('the jobs of GitLab', () => {
  interface GitlabJob {
    readonly script: readonly string[];
    readonly rules: readonly unknown[];
    readonly extends: string;
  }
  type Pipeline = Readonly<Record<string, unknown>> & {
    readonly default: { readonly image: string; readonly before_script: readonly string[] };
    readonly variables: Readonly<Record<string, string>>;
  };
  // The fields are asserted by the first test.
  const pipeline = parse(blockWith(blocks, 'before_script')) as Pipeline;
  const names = ['sync', 'close', 'plan', 'release'];
  const job = (name: string) => pipeline[name] as GitlabJob;

  test('have what GitLab needs', () => {
    expect(Object.keys(pipeline)).toEqual(['default', 'variables', '.fiscal', ...names]);
    for (const name of names) {
      const { script, rules, extends: from } = job(name);
      expect([from, rules.length, script.every((line) => typeof line === 'string')]).toEqual(['.fiscal', 1, true]);
    }
    expect(pipeline['sync']).toMatchObject({ allow_failure: { exit_codes: [5, 8, 11, 12] } });
    expect(pipeline['release']).toMatchObject({ rules: [{ when: 'manual' }], needs: ['plan'] });
  });

  test('run the same commands, with the key in a file', async () => {
    place.stop();
    place = await openPlace();
    const cwd = place.folder();
    const keyFile = join(place.folder(), 'key');
    writeFileSync(keyFile, `${place.ready.invoiceKey}\n`);
    const storeFile = join(place.folder(), 'store');
    writeFileSync(storeFile, `${await postgres.newDatabase()}\n`);
    const env = {
      ...pipeline.variables,
      ...s3.env,
      FISCAL_STORE_URL_FILE: storeFile,
      ...{ CI: 'true', FISCAL_PRODUCT_URL: place.ready.url, RELEASE: place.companies.join(',') },
      ...{ FISCAL_INVOICE_KEY_FILE: keyFile, FISCAL_MANAGEMENT_KEY_FILE: keyFile },
    };
    const before = pipeline.default.before_script.filter((line) => !line.startsWith('npm install'));
    expect(before).toEqual(['mkdir -p out']);
    for (const name of names) {
      const script = [...before, ...job(name).script].join('\n');
      const { exitCode, stderr } = await place.run(['bash', '-eo', 'pipefail', '-c', script], { cwd, env });
      expect([name, exitCode === 0 ? 0 : stderr]).toEqual([name, 0]);
    }
    expect(lines(join(cwd, 'out/close.ndjson')).at(-1)).toMatchObject({ complete: 2, exitCode: 0 });
    expect(lines(join(cwd, 'out/release.ndjson')).at(-1)).toMatchObject({ total: 2, exitCode: 0 });
  });
});

describe('the crontab', () => {
  const crontab = readCrontab(blockWith(blocks, 'MAILTO'));

  test('has lines that cron can read', () => {
    expect(crontab.lines.map(({ schedule }) => isSchedule(schedule))).toEqual([true, true, true]);
    expect(crontab.env['PATH']).toBe('/usr/local/bin:/usr/bin:/bin');
  });

  test('works in the minimal environment of cron, repeatedly, and mails nothing', async () => {
    const root = place.folder();
    const { PATH, ...others } = readCrontab(place.moved(blockWith(blocks, 'MAILTO'), root)).env;
    writeFileSync(others['FISCAL_INVOICE_KEY_FILE'] ?? '', place.ready.invoiceKey);
    const env = { ...others, PATH: `${place.bin}:${PATH}`, FISCAL_PRODUCT_URL: place.ready.url };
    for (const { command } of [...crontab.lines, ...crontab.lines]) {
      const end = await place.run(['/bin/sh', '-c', place.moved(command, root)], { cwd: root, env });
      expect([command, end]).toEqual([command, { exitCode: 0, signal: null, stdout: '', stderr: '' }]);
    }
  });
});

describe('the units of systemd', () => {
  const units = blocks.filter(({ language }) => language === 'ini');
  const [service = '', timer = ''] = units.map(({ text }) => text);

  test('are named and belong together', () => {
    expect(units.map(({ text }) => text.split('\n', 1)[0])).toEqual([
      '# /etc/systemd/system/fiscal-sync.service',
      '# /etc/systemd/system/fiscal-sync.timer',
    ]);
    for (const key of ['[Unit]', '[Service]', 'Type=oneshot', 'ExecStart=', 'LoadCredential=']) {
      expect(service).toContain(key);
    }
    for (const key of ['[Unit]', '[Timer]', 'OnCalendar=', 'Persistent=true', '[Install]']) {
      expect(timer).toContain(key);
    }
  });

  test('start a command that syncs, with the key as a credential', async () => {
    const root = place.folder();
    const credentials = join(root, 'credentials');
    mkdirSync(credentials);
    writeFileSync(join(credentials, 'invoice-key'), place.ready.invoiceKey);
    const text = place.moved(service, root).replaceAll('%d', credentials);
    const given = [...text.matchAll(/^Environment=([A-Z_]+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const [program = '', ...words] = /^ExecStart=(.*)$/m.exec(text)?.[1]?.split(' ') ?? [];
    expect(program).toBe('/usr/local/bin/fiscal');
    const env = { ...Object.fromEntries(given), FISCAL_PRODUCT_URL: place.ready.url };
    const { exitCode, stderr } = await place.run([join(place.bin, 'fiscal'), ...words], { cwd: root, env });
    expect([exitCode, stderr]).toEqual([0, expect.any(String)]);
    expect(existsSync(join(root, 'var/lib/fiscal/state'))).toBe(true);
  });

  test('are valid for systemd, if it is installed', async () => {
    const folder = place.folder();
    const files = ['fiscal-sync.service', 'fiscal-sync.timer'].map((name) => join(folder, name));
    const texts = [service.replace('/usr/local/bin/fiscal', join(place.bin, 'fiscal')), timer];
    files.forEach((file, index) => writeFileSync(file, texts[index] ?? ''));
    const verify = place.run(['systemd-analyze', 'verify', ...files], { cwd: dirname(folder), env: {} });
    const end = await verify.catch((error: NodeJS.ErrnoException) => error.code);
    // Another system has no such program; then the keys above are what is checked.
    if (end === 'ENOENT') return;
    expect(end).toMatchObject({ exitCode: 0 });
    // It reads the units of the machine as well, and may have something to say about those.
    const said = Object(end).stderr.split('\n');
    expect(said.filter((line: string) => line.includes('fiscal-sync'))).toEqual([]);
  });
});
