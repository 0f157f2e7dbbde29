import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Place } from './place.js';

/** A workflow of GitHub Actions, as far as the guide uses it. */
export interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly env?: Variables;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

export interface Job {
  readonly 'runs-on': string;
  readonly 'timeout-minutes': number;
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly env?: Variables;
  readonly outputs?: Variables;
  readonly steps: readonly Step[];
}

export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Variables;
  readonly run?: string;
  readonly env?: Variables;
}

type Variables = Readonly<Record<string, string>>;

export interface StepEnd {
  readonly step: string;
  readonly exitCode: number | null;
  readonly stderr: string;
}

/** Runs jobs as GitHub does: one workspace, emptied for each job; files go from job to job by artifacts only. */
export class Runner {
  /** What the steps wrote for the page of their run. */
  page = '';
  readonly #place: Place;
  readonly #known: Map<string, string>;
  readonly root: string;
  readonly #workspace: string;

  /**
   * `known`: the values of the expressions that the event and the stores give, e.g. `secrets.FISCAL_INVOICE_KEY`; `environment`: what
   * every step has besides.
   */
  constructor(
    place: Place,
    known: Variables,
    private readonly environment: Variables = {},
  ) {
    this.#place = place;
    this.root = place.folder();
    this.#workspace = join(this.root, 'workspace');
    const run = { 'github.workspace': this.#workspace, 'github.run_id': '1', 'github.run_attempt': '1' };
    this.#known = new Map(Object.entries({ ...run, ...known }));
  }

  /** Every step of the job, whatever its `if` says, up to the first that fails. */
  async run(workflow: Workflow, name: string): Promise<readonly StepEnd[]> {
    const job = workflow.jobs[name];
    if (job === undefined) throw new Error(`no job ${name}`);
    rmSync(this.#workspace, { recursive: true, force: true });
    mkdirSync(this.#workspace, { recursive: true });
    const ends: StepEnd[] = [];
    for (const step of job.steps) {
      if (step.uses !== undefined) this.#use(step);
      if (step.run === undefined || step.run.startsWith('npm install ')) continue;
      const end = await this.#shell(step, { ...workflow.env, ...job.env, ...step.env });
      ends.push(end);
      if (end.exitCode !== 0) return ends;
    }
    for (const [output, value] of Object.entries(job.outputs ?? {})) {
      this.#known.set(`needs.${name}.outputs.${output}`, this.#filled(value));
    }
    return ends;
  }

  async #shell(step: Step, env: Variables): Promise<StepEnd> {
    const files = { GITHUB_OUTPUT: join(this.root, 'output'), GITHUB_STEP_SUMMARY: join(this.root, 'page') };
    for (const path of Object.values(files)) writeFileSync(path, '');
    const script = join(this.root, 'step.sh');
    writeFileSync(script, step.run ?? '');
    const given = Object.entries(env).map(([name, value]) => [name, this.#filled(value)]);
    const { exitCode, stderr } = await this.#place.run(['bash', '-e', script], {
      cwd: this.#workspace,
      env: { CI: 'true', GITHUB_ACTIONS: 'true', ...files, ...this.environment, ...Object.fromEntries(given) },
    });
    this.page += readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8');
    for (const line of readFileSync(files.GITHUB_OUTPUT, 'utf8').split('\n')) {
      const [name = '', value = ''] = line.split('=', 2);
      if (step.id !== undefined && name !== '') this.#known.set(`steps.${step.id}.outputs.${name}`, value);
    }
    return { step: step.name ?? step.run ?? '', exitCode, stderr };
  }

  #filled(text: string): string {
    return text.replaceAll(/\$\{\{ *([^}]*?) *\}\}/g, (_, expression: string) => {
      const value = this.#known.get(expression);
      if (value === undefined) throw new Error(`unknown expression ${expression}`);
      return value;
    });
  }

  /** The actions of the guide. Paths of an artifact lose what they have in common, as there. */
  #use({ uses = '', with: given = {} }: Step): void {
    const paths = (given['path'] ?? '').split('\n').filter((path) => path !== '');
    const artifact = join(this.root, 'artifacts', given['name'] ?? '');
    switch (uses.split('@', 1)[0]) {
      case 'actions/setup-node':
        return;
      case 'actions/upload-artifact':
        return paths.forEach((path) => copy(join(this.#workspace, path), join(artifact, basename(path))));
      case 'actions/download-artifact':
        return copy(artifact, this.#workspace);
      default:
        throw new Error(`unknown action ${uses}`);
    }
  }
}

function copy(from: string, to: string): void {
  if (existsSync(from)) cpSync(from, to, { recursive: true });
}
