import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { control, type Ended } from '../e2e/program.js';
import { accountVariables, openAccount, type Account } from './account.js';
import { guideBlocks } from './guide-blocks.js';

const root = join(import.meta.dirname, '../..');
const shells = guideBlocks('guides/ci').filter(({ language }) => language === 'sh');
const blockWith = (mark: string): string => shells.find(({ text }) => text.includes(mark))?.text ?? '';
const blocks = {
  plan: blockWith('fiscal backfill plan '),
  release: blockWith('outcome=released'),
  report: blockWith('fiscal backfill report'),
};

type Variables = Readonly<Record<string, string>>;

interface Step {
  readonly id?: string;
  readonly if: string;
  readonly shell: string;
  readonly env: Variables;
  readonly run: string;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

interface GitlabJob {
  readonly script: readonly string[];
  readonly after_script?: readonly string[];
}

const action = parse(readFileSync(join(root, 'actions/backfill/action.yml'), 'utf8')) as Action;
const [spec, jobs] = parseAllDocuments(readFileSync(join(root, 'gitlab/backfill.yml'), 'utf8')).map(
  (document): unknown => document.toJS(),
) as [
  { readonly spec: { readonly inputs: Action['inputs'] } },
  Readonly<Record<string, GitlabJob>> & { readonly '.fiscal-backfill': { readonly variables: Variables } },
];

describe('the action and the include', () => {
  test('are made of the blocks of the guide', () => {
    expect(action.runs.steps.map(({ run }) => run)).toEqual([blocks.plan, blocks.release, blocks.report]);
    const { 'fiscal-backfill-plan': plan, 'fiscal-backfill-release': release } = jobs;
    expect([plan?.script, release?.script, release?.after_script]).toEqual([
      [blocks.plan],
      [blocks.release],
      [blocks.report],
    ]);
  });

  test('expand no value in a script, and take no secret', () => {
    const ofGitlab = ['fiscal-backfill-plan', 'fiscal-backfill-release'].map((name) => jobs[name]);
    const scripts = JSON.stringify([
      action.runs.steps.map(({ run }) => run),
      ofGitlab.map((job) => [job?.script, job?.after_script]),
    ]);
    expect(scripts).not.toMatch(/\$\{\{|\$\[\[/);
    const names = [...Object.keys(action.inputs), ...Object.keys(spec.spec.inputs)];
    expect(new Set(names)).toEqual(new Set(['companies', 'plan', 'release', 'wait', 'report']));
    expect(action.runs.using).toBe('composite');
    const defaults = (inputs: Action['inputs']) => Object.entries(inputs).map(([name, input]) => [name, input.default]);
    expect(defaults(spec.spec.inputs)).toEqual(defaults(action.inputs));
  });

  test('have the rules of the guide for each exit code', () => {
    const ruled = [...blocks.release.matchAll(/^ {2}([\d| ]+)\) outcome=(\w+)/gm)].map(([, codes, outcome]) => [
      codes,
      outcome,
    ]);
    const text = readFileSync(join(root, 'docs/guides/ci.md'), 'utf8');
    const rows = [...text.matchAll(/^\| ([\d, ]+) \| `(\w+)` \| \S/gm)].map(([, codes, outcome]) => [
      codes?.replaceAll(', ', ' | '),
      outcome,
    ]);
    expect(rows).toEqual(ruled);
    expect(ruled.map(([codes]) => codes)).toEqual(['0', '3', '5', '7', '8', '11', '12', '14', '130 | 143']);
  });
});

let account: Account;

beforeAll(async () => {
  account = await openAccount();
});
afterAll(() => account.stop());

interface JobEnd {
  readonly end: Ended;
  readonly outputs: Variables;
  readonly page: string;
}

/** The steps of one job as a runner of GitHub executes them: up to the first that fails, then those with `always()`. */
async function runAction(inputs: Variables, secrets: Variables = {}): Promise<JobEnd> {
  const given = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([name, { default: value }]) => [name, value])),
    ...inputs,
  };
  const filled = (text: string): string =>
    text.replaceAll(/\$\{\{ inputs\.(\w+) \}\}/g, (_, name: string) => given[name] ?? '');
  const files = { GITHUB_OUTPUT: join(account.home, 'output'), GITHUB_STEP_SUMMARY: join(account.home, 'page') };
  for (const path of Object.values(files)) writeFileSync(path, '');
  let end: Ended | undefined;
  for (const step of action.runs.steps) {
    const isAlways = step.if.startsWith('always() && ');
    const condition = step.if.replace('always() && ', '');
    const isWanted = condition === "inputs.release == ''" ? given['release'] === '' : given['release'] !== '';
    if (!isWanted || (end !== undefined && end.exitCode !== 0 && !isAlways)) continue;
    const script = join(account.home, 'step.sh');
    writeFileSync(script, step.run);
    const env = Object.fromEntries(Object.entries(step.env).map(([name, value]) => [name, filled(value)]));
    const ended = await account.run(['bash', '--noprofile', '--norc', '-eo', 'pipefail', script], {
      ...{ CI: 'true', GITHUB_ACTIONS: 'true', ...accountVariables(account), ...secrets, ...files },
      ...env,
    });
    if (end === undefined || end.exitCode === 0) end = ended;
  }
  const outputs = Object.fromEntries(
    readFileSync(files.GITHUB_OUTPUT, 'utf8')
      .split('\n')
      .map((line) => line.split('=', 2))
      .filter(([name]) => name !== ''),
  ) as Variables;
  if (end === undefined) throw new Error('no step ran');
  return { end, outputs, page: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8') };
}

async function revoked(): Promise<void> {
  const line =
    'fiscal backfill revoke --all-companies --confirm "$(fiscal backfill show --all-companies -o id | paste -sd,)" --yes --wait';
  const end = await account.run(['sh', '-c', line], accountVariables(account));
  expect([end.exitCode, end.exitCode === 0 ? '' : end.stderr]).toEqual([0, '']);
}

describe('the action', () => {
  test('plans, and releases what was reviewed', async () => {
    const plan = await runAction({});
    expect([plan.end.exitCode, plan.end.stderr.split('\n').at(-1)]).toEqual([0, '']);
    expect(plan.outputs['id']).toMatch(/^[0-9a-f]+$/);
    const release = await runAction({ release: plan.outputs['id'] ?? '' });
    expect([release.end.exitCode, release.outputs]).toEqual([0, { outcome: 'released' }]);
    expect(release.page).toContain('Acme');
    // Another try of the same step sends nothing, and ends the same.
    const again = await runAction({ release: plan.outputs['id'] ?? '' });
    expect([again.end.exitCode, again.outputs]).toEqual([0, { outcome: 'released' }]);
    await revoked();
  });

  test('without waiting a release is accepted and not released, and the page of the step has the report also where it is not certain', async () => {
    const { outputs } = await runAction({});
    const release = outputs['id'] ?? '';
    const accepted = await runAction({ release, wait: '' });
    expect([accepted.end.exitCode, accepted.outputs]).toEqual([0, { outcome: 'accepted' }]);
    await revoked();
    const replayed = await runAction({ release });
    expect([replayed.end.exitCode, replayed.outputs]).toEqual([2, { outcome: 'failed' }]);
    expect(replayed.page).toMatch(/^## Released history of NFS-e$/m);
  });

  test('a value that a shell would execute stays a value', async () => {
    const { end } = await runAction({ companies: '$(touch stolen); `touch stolen`; "; touch stolen' });
    expect(end.exitCode).not.toBe(0);
    expect(existsSync(join(account.home, 'stolen'))).toBe(false);
  });

  test('refused, out of time and away are told apart by exit code and outcome', async () => {
    const { key } = await control(account.ready, 'keys', { roles: ['NFSeDist'] });
    const { outputs } = await runAction({});
    const release = outputs['id'] ?? '';
    const ends: unknown[] = [];
    const note = ({ end, outputs: { outcome } }: JobEnd): void => void ends.push([end.exitCode, outcome]);
    note(await runAction({ release }, { FISCAL_INVOICE_KEY: String(key) }));
    note(await runAction({ release }, { FISCAL_PRODUCT_URL: 'http://127.0.0.1:9', FISCAL_MAX_RETRY_WAIT: '10ms' }));
    await control(account.ready, 'sweep', { documents: 1, every: '1h' });
    const planned = await runAction({});
    note(await runAction({ release: planned.outputs['id'] ?? '', wait: '1s' }));
    expect(ends).toEqual([
      [7, 'refused'],
      [5, 'away'],
      [8, 'waiting'],
    ]);
    await fetch(`${account.ready.url}/__sandbox/sweep`, { method: 'DELETE' });
  });
});

test('the jobs of GitLab plan, release and report with sh', async () => {
  const other = await openAccount();
  try {
    const variables = Object.fromEntries(
      Object.entries(jobs['.fiscal-backfill'].variables).map(([name, value]) => [
        name,
        value.replaceAll(/\$\[\[ inputs\.(\w+) \]\]/g, (_, input: string) => spec.spec.inputs[input]?.default ?? ''),
      ]),
    );
    const env = { CI: 'true', ...accountVariables(other), ...variables };
    for (const name of ['fiscal-backfill-plan', 'fiscal-backfill-release']) {
      for (const script of [...(jobs[name]?.script ?? []), ...(jobs[name]?.after_script ?? [])]) {
        const { exitCode, stderr } = await other.run(['sh', '-e', '-c', script], env);
        expect([name, exitCode, exitCode === 0 ? '' : stderr]).toEqual([name, 0, '']);
      }
    }
    expect(readFileSync(join(other.home, 'report.md'), 'utf8')).toContain('Acme');
    expect(readFileSync(join(other.home, 'release.env'), 'utf8')).toBe('outcome=released\n');
    expect(readFileSync(join(other.home, 'plan.env'), 'utf8')).toMatch(/^id=[0-9a-f]+\n$/);
  } finally {
    other.stop();
  }
});
