import type { FlagValues } from '../config/files.js';
import type { Outcome } from '../domain/outcome.js';
import type { ExitCode } from '../errors/exit-code.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { type BeatingClock, beatingClock } from '../io/beating-clock.js';
import { createIo } from '../io/create.js';
import type { Context } from '../services/context.js';
import type { Host, Io } from '../io/io.js';
import type { GithubReporter } from './ci/github.js';
import type { Catalogue, CommandDefinition } from './command.js';
import { createContext } from './context.js';
import { errorAfter } from './effects.js';
import { createGoOn } from './go-on.js';
import { requireOutput } from './lost-output.js';
import { parseCommand, type ParsedCommand } from './parse.js';
import { choosePresentation, type EarlyChoices } from './presentation.js';
import { printedCommands, type PrintedCommands, withoutUsual } from './printed-commands.js';
import { pagerFor } from './pager.js';
import { finalExitCode, linesOfNotice, type ErrorChoices } from './report.js';
import { createResources, type AttachSandbox, type Resources } from './resources.js';
import type { OutputPlan } from './format.js';
import { earlyOutput, planOutput, writeOutput } from './output.js';
import { writeTrouble } from './quiet.js';
import type { CommandLine } from './tree.js';

/** Dependencies of one run of the program. */
export interface RunContext {
  readonly host: Host;
  readonly catalogue: Catalogue;
  readonly early: EarlyChoices;
  readonly attachSandbox: AttachSandbox;
  /** Absent outside a pipeline that wants a report. */
  readonly pipeline: GithubReporter | undefined;
  /** Called as soon as the configuration says how errors are reported. */
  announce(chosen: ErrorChoices): void;
}

const defaultStatsMs = 30_000;

/** Parses one command line, runs the command, writes its outcome, and closes what was opened. */
export async function perform(definition: CommandDefinition, line: CommandLine, run: RunContext): Promise<ExitCode> {
  const { pipeline } = run;
  const clock = beatingClock(run.host.clock);
  // Inherits from the host, so that the other fields keep their getters.
  const host: Host = Object.create(run.host, { clock: { value: clock, enumerable: true } });
  const command = parseCommand(definition, line, host.env);
  pipeline?.begin(command.name);
  const resources = createResources(host, command.flags, run.attachSandbox);
  const others: Resources[] = [];
  const resourcesFor = (flags: FlagValues): Resources => {
    const opened = createResources(host, flags, run.attachSandbox);
    others.push(opened);
    return opened;
  };
  const closeAll = async (): Promise<void> => {
    for (const opened of [...others, resources]) await opened.close();
  };
  const work = runCommand({ command, resources, resourcesFor, clock }, { ...run, host });
  // The error of the work is the result; an error while closing afterwards would only hide it.
  await work.catch(() => closeAll().catch(() => undefined));
  try {
    const exitCode = await work;
    await closeAll();
    await requireOutput(host, resources.effects());
    return finalExitCode(exitCode, host);
  } catch (error) {
    throw errorAfter(error, resources.effects(), run.catalogue.writes?.has(command.name));
  }
}

interface Work {
  readonly command: ParsedCommand;
  readonly resources: Resources;
  readonly clock: BeatingClock;
  resourcesFor(flags: FlagValues): Resources;
}

async function runCommand({ command, resources, resourcesFor, clock }: Work, run: RunContext): Promise<ExitCode> {
  const { host, catalogue, pipeline, announce } = run;
  const { definition, flags, options } = command;
  const presentation = await choosePresentation(resources.settings, flags, run.early);
  const whose = presentation.whose && { ...presentation.whose, isForAll: options['allCompanies'] === true };
  const shownWhose = whose && withoutUsual(whose);
  announce({ ...presentation, whose: shownWhose });
  const plan = await planOutput(definition, presentation, { name: command.name, outputOf: catalogue.outputOf });
  if (plan.format === 'xlsx') await (await import('./workbook-output.js')).requirePlace(plan, host);
  const { stats } = options;
  const statsMs = typeof stats === 'number' ? stats : defaultStatsMs;
  const plainIo = createIo(host, { ...presentation, statsMs });
  if (plainIo.waits !== undefined) clock.onBeat(statsMs, plainIo.waits);
  const nameOf = async (id: string): Promise<string | undefined> => await shortNameOf(context, id, resources);
  const printed = printedCommands(catalogue, shownWhose, nameOf);
  const io = {
    ...plainIo,
    notice: async (sentence: string) => {
      const lines = await linesOfNotice(await printed.inSentence(sentence), host.stderr);
      await Promise.all(lines.map((line) => plainIo.notice(line)));
    },
  };
  resources.onDeprecated(async (operation, deprecation) => {
    const { deprecationNotice } = await import('../domain/deprecation.js');
    await io.notice(deprecationNotice(operation, deprecation)[io.language]);
  });
  resources.onNotice((sentence) => io.notice(sentence[io.language]));
  const isSilent = presentation.quiet && !isAskedFor(plan);
  const early = isSilent || options['watch'] === true ? undefined : await earlyOutput(plan, io);
  const directories = await resources.directories();
  const context = createContext({
    host,
    io,
    resources,
    directories,
    flags,
    goOn: createGoOn(command, {
      settings: resources.settings,
      env: host.env,
      printed: printedCommands(catalogue, whose),
    }),
    yes: presentation.yes,
    writeRecord:
      early &&
      (async (record) => {
        pipeline?.see(record);
        await early.write(record);
      }),
    resourcesFor,
  });
  try {
    const work = async (): Promise<Outcome> => {
      const outcome = await definition.run(context, { ...command.arguments, ...options }, io);
      context.progress.stop();
      return outcome;
    };
    const { watch, every } = options;
    if (watch === true && typeof every === 'number') {
      const { watchScreen } = await import('./watch.js');
      return await watchScreen({ work, everyMs: every, plan, io, printed, host });
    }
    const outcome = await work();
    // The result of a command that has written is not held until somebody quits the pager.
    const pager = resources.effects().sends > 0 ? undefined : pagerFor(host, presentation.noPager);
    const whole = {
      plan: { ...plan, found: early?.found, pager },
      io,
      printed,
      ...(isSilent && { silentFor: command }),
    };
    return await writeOutcome(outcome, whole, run);
  } catch (error) {
    // What is looked up for a hint is there only until everything is closed.
    throw error instanceof FiscalError ? await printed.inError(error) : error;
  } finally {
    context.progress.stop();
  }
}

/** The alias of a company, or its CNPJ where that names it alone, as far as this run knows them already. */
async function shortNameOf(context: Context, id: string, resources: Resources): Promise<string | undefined> {
  try {
    const { aliases } = await context.settings();
    const [alias] = Object.entries(aliases).find(([, companyId]) => companyId === id) ?? [];
    if (alias !== undefined || !resources.isStoreOpen()) return alias;
    const scope = await context.scope();
    const { companyTaxNumber } = (await scope.labels())(id);
    if (companyTaxNumber === undefined) return undefined;
    const [found, ...others] = await scope.find([companyTaxNumber], { local: true });
    return others.length === 0 && found?.id === id ? companyTaxNumber : undefined;
  } catch {
    return undefined;
  }
}

interface Writing {
  readonly plan: OutputPlan;
  readonly io: Io;
  readonly printed: PrintedCommands;
  /** With --quiet: nothing is written but what a person has to know. */
  readonly silentFor?: ParsedCommand;
}

/** Whoever names a format, fields or a query wants the data, with --quiet too. */
function isAskedFor({ format, fields, query, out }: OutputPlan): boolean {
  return format !== undefined || fields !== undefined || query !== undefined || out !== undefined;
}

async function writeOutcome(
  outcome: Outcome,
  { plan, io, printed, silentFor }: Writing,
  { host, pipeline }: RunContext,
): Promise<ExitCode> {
  const write = async (written: Outcome): Promise<ExitCode> =>
    silentFor === undefined
      ? await writeOutput(written, plan, io, host)
      : await writeTrouble(written, silentFor, { io, printed });
  const exitCode = await write(pipeline?.watch(outcome) ?? outcome);
  if (outcome.error !== undefined) throw outcome.error;
  if (pipeline === undefined) return exitCode;
  const notices = outcome.notices && (await Promise.all(outcome.notices.map((text) => printed.inText(text))));
  await pipeline.ended({
    outcome: { ...outcome, ...(notices && { notices }) },
    exitCode: finalExitCode(exitCode, host),
    language: io.language,
  });
  return exitCode;
}
