import type { Outcome } from '../domain/outcome.js';
import type { ExitCode } from '../errors/exit-code.js';
import type { Host, Io } from '../io/io.js';
import { createIo } from '../io/create.js';
import { createContext } from './context.js';
import type { GithubReporter } from './ci/github.js';
import type { EarlyChoices } from './early.js';
import { createGoOn } from './go-on.js';
import { parseWords, type ParsedWords } from './parse.js';
import { choosePresentation } from './presentation.js';
import { wholeSentence, wholeText, type Whose } from './printed-commands.js';
import { finalExitCode, type ErrorChoices } from './report.js';
import { createResources, type Resources } from './resources.js';
import type { Route } from './route.js';
import { settle } from './settle.js';
import { prepareSettling, type Settling } from './settling.js';

type CommandRoute = Extract<Route, { kind: 'command' }>;

export interface Surroundings {
  readonly host: Host;
  readonly early: EarlyChoices;
  /** Absent outside a pipeline that wants to be told. */
  readonly pipeline: GithubReporter | undefined;
  tell(chosen: ErrorChoices): void;
}

const defaultStatsMs = 30_000;

/** Parses the words of one command, runs it, writes its outcome, and closes what it opened. */
export async function perform(route: CommandRoute, surroundings: Surroundings): Promise<ExitCode> {
  const { host, pipeline } = surroundings;
  pipeline?.begin(route.name);
  const parsed = parseWords(route, host.env);
  const resources = createResources(host, parsed.flags);
  const work = runAndSettle({ route, parsed, resources }, surroundings);
  // What went wrong in the work is the answer; a fault of the closing after it would only hide it.
  await work.catch(() => resources.close().catch(() => undefined));
  try {
    const exitCode = await work;
    await resources.close();
    return finalExitCode(exitCode, host);
  } catch (error) {
    throw resources.afterSends(error);
  }
}

interface Work {
  readonly route: CommandRoute;
  readonly parsed: ParsedWords;
  readonly resources: Resources;
}

async function runAndSettle(work: Work, surroundings: Surroundings): Promise<ExitCode> {
  const { route, parsed, resources } = work;
  const { host, early, tell } = surroundings;
  const presentation = await choosePresentation(resources.settings, parsed.flags, early);
  const whose = presentation.whose && {
    ...presentation.whose,
    isForAll: parsed.options['allCompanies'] === true,
  };
  tell({ ...presentation, whose });
  const settling = await prepareSettling(route.definition, presentation, route.name.split(' ', 1)[0]);
  const { stats } = parsed.options;
  const plainIo = createIo(host, {
    ...presentation,
    statsMs: typeof stats === 'number' ? stats : defaultStatsMs,
  });
  const io = { ...plainIo, notice: async (line: string) => plainIo.notice(await wholeSentence(line, whose)) };
  const directories = await resources.directories();
  const context = createContext({
    host,
    io,
    resources,
    directories,
    flags: parsed.flags,
    goOn: createGoOn({ ...route, parsed, env: host.env }, { settings: resources.settings, whose }),
    yes: presentation.yes,
  });
  try {
    const outcome = await route.definition.run({
      arguments: parsed.arguments,
      rest: parsed.rest,
      options: parsed.options,
      context,
      io,
    });
    context.progress.stop();
    return await settleAndTell(outcome, { settling, io, whose }, surroundings);
  } finally {
    context.progress.stop();
  }
}

async function settleAndTell(
  outcome: Outcome,
  {
    settling,
    io,
    whose,
  }: { readonly settling: Settling; readonly io: Io; readonly whose: Whose | undefined },
  { host, pipeline }: Surroundings,
): Promise<ExitCode> {
  if (pipeline === undefined) return await settle(outcome, settling, io);
  const exitCode = await settle(pipeline.watch(outcome), settling, io);
  const notices =
    outcome.notices && (await Promise.all(outcome.notices.map((text) => wholeText(text, whose))));
  await pipeline.ended({
    outcome: { ...outcome, ...(notices && { notices }) },
    exitCode: finalExitCode(exitCode, host),
    language: io.language,
  });
  return exitCode;
}
