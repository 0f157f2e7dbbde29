import { isPlainLine } from './terminal-text.js';
import type { Environment } from './world.js';

/** Who works: rows of jobs, calls and costs name the one that wrote them. What is not known is absent. */
export interface Actor {
  readonly machine?: string;
  readonly user?: string;
  /** The address of the run in a CI system, or its number. */
  readonly ciRun?: string;
}

interface Names {
  readonly machine: string;
  /** Empty where the system has no name for the user, as in a container. */
  readonly user: string;
}

const longestName = 100;
const longestAddress = 300;

/** Short texts of one line; of the environment, only what names the user and the run. */
export function actorOf(names: Names, env: Environment): Actor {
  const machine = bounded(names.machine, longestName);
  const user = bounded(names.user, longestName) || bounded(env['USER'] ?? env['USERNAME'] ?? '', longestName);
  const ciRun = ciRunOf(env);
  return {
    ...(machine === '' ? {} : { machine }),
    ...(user === '' ? {} : { user }),
    ...(ciRun === undefined ? {} : { ciRun }),
  };
}

/** GitHub Actions, GitLab and Jenkins say where their run is shown. */
function ciRunOf(env: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  const isWhole = server !== undefined && repository !== undefined && run !== undefined;
  const github = isWhole ? `${server}/${repository}/actions/runs/${run}` : undefined;
  const addresses = [github, env['CI_JOB_URL'], env['BUILD_URL']];
  const numbers = [run, env['CI_JOB_ID']];
  return (
    addresses.map(addressOf).find((address) => address !== undefined) ??
    numbers.find((number) => number !== undefined && /^\d{1,20}$/.test(number))
  );
}

/** Without user, password and query, which may hold a token. */
function addressOf(text = ''): string | undefined {
  if (!/^https?:/.test(text) || !URL.canParse(text)) return undefined;
  const { origin, pathname } = new URL(text);
  return bounded(origin + pathname, longestAddress);
}

/** Without control and invisible characters. */
function bounded(text: string, length: number): string {
  const seen = isPlainLine(text) ? text : text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
  return seen.trim().slice(0, length);
}
