import type { Given } from '../../cli/command.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import {
  type Check,
  checkConfiguration,
  checkRuntime,
  checkStateFolder,
  checkStore,
  checkWaits,
} from './local-checks.js';
import type { doctor } from './commands.js';
import type { ProbeRow } from './probe-operation.js';
import { checkClock, checkHosts, checkKeys, checkProfile, checkService } from './service-checks.js';

/** `withoutCompany`: with `online`, nothing of the company of the run. */
type Extent = Given<typeof doctor> & { readonly withoutCompany?: true };

type Line = Check | ProbeRow;

/** Checks everything that a run needs. Changes nothing but the profile (`write`), and calls the service only when asked to. */
export async function examine(context: Context, extent: Extent): Promise<Outcome<readonly object[]>> {
  const { state } = context.directories;
  const { check: configuration, settings } = await checkConfiguration(context);
  if (extent.probe && settings?.dryRun === true) {
    const { planProbe } = await import('./probe-dry-run.js');
    return { data: await planProbe(context, settings) };
  }
  const local: readonly Line[] = [
    checkRuntime(),
    configuration,
    await checkStateFolder(state),
    ...(await checkStores(context, settings)),
  ];
  // Without settings, the rest cannot be checked.
  const { lines, written } =
    settings === undefined ? { lines: [], written: 0 } : await checkSettings(context, settings, extent);
  const data = await Promise.all([...local, ...lines].map((line) => withWholeAdvice(context, line)));
  const isHealthy = data.every(({ status }) => status !== 'problem' && (status !== 'differs' || written > 0));
  return {
    data,
    exitCode: isHealthy ? ExitCode.ok : ExitCode.endedBadly,
    notices: [...(extent.probe ? [summary(data)] : []), ...(written === 0 ? [] : [stored(written)])],
  };
}

/** The store of a server, where the run has one, else the file. */
async function checkStores(context: Context, settings: Settings | undefined): Promise<readonly Check[]> {
  const { state } = context.directories;
  if (settings === undefined) return [await checkStore(state)];
  const { checkServer } = await import('./server-check.js');
  const onServer = await checkServer(context, settings);
  if (onServer !== undefined) return onServer;
  const waits = await checkWaits(state, { profile: settings.storeNamespace, now: context.clock.now() });
  // The rows of the built-in profile are never copied.
  const sends = settings.profile !== sandboxProfile.name;
  return [await checkStore(state, { sends }), ...waits];
}

/** Completes the commands in the advice with the profile that was examined. */
async function withWholeAdvice<Shown extends Line>({ goOn }: Context, line: Shown): Promise<Shown> {
  const { found, advice } = line;
  const whole = advice === undefined ? {} : { advice: await goOn.inText(advice) };
  return { ...line, found: await goOn.inText(found), ...whole };
}

interface Examined {
  readonly lines: readonly Line[];
  /** Number of settings that were stored. */
  readonly written: number;
}

async function checkSettings(context: Context, settings: Settings, extent: Extent): Promise<Examined> {
  const keys = await checkKeys(context, settings);
  const offline = [checkProfile(settings), ...keys, checkHosts(settings)];
  if (extent.probe) return await probed(context, { settings, offline, write: extent.write });
  if (!extent.online) return { lines: offline, written: 0 };
  const service = await checkService(context);
  const clock = await checkClock(context.clock, settings);
  const { checkCompany } = await import('./company-checks.js');
  // Without an answer of the service, nothing is known of the company.
  const isAsked = extent.withoutCompany !== true && service.status === 'ok';
  const company = isAsked ? await checkCompany(context) : [];
  return { lines: [...offline, service, clock, ...company], written: 0 };
}

async function probed(
  context: Context,
  {
    settings,
    offline,
    write,
  }: { readonly settings: Settings; readonly offline: readonly Check[]; readonly write: boolean },
): Promise<Examined> {
  const [{ probeService }, { profileToWrite, withAdvice, writeSettings }] = await Promise.all([
    import('./probe.js'),
    import('./probe-write.js'),
  ]);
  const profile = write ? await profileToWrite(context) : undefined;
  const rows = await probeService(context, settings);
  const written = profile === undefined ? 0 : await writeSettings(context, profile, rows);
  const shown = written > 0 ? rows : rows.map((row) => withAdvice(row));
  return { lines: [...offline, ...shown], written };
}

function summary(lines: readonly Line[]): Text {
  const count = (status: Line['status']): number => lines.filter((line) => line.status === status).length;
  const [ok, warn, problem] = [count('ok'), count('warn'), count('problem')];
  const [differs, untested] = [count('differs'), count('untested')];
  return {
    en: `ok ${ok}, notes ${warn}, problems ${problem}, differences ${differs}, not tested ${untested}`,
    pt: `ok ${ok}, atenção ${warn}, problemas ${problem}, diferenças ${differs}, não testados ${untested}`,
  };
}

function stored(count: number): Text {
  const number = counted(count, nouns.setting);
  return {
    en: `the profile was changed (${number.en}); run the probe again to see the change at work`,
    pt: `o perfil foi alterado (${number.pt}); execute a verificação de novo para ver a alteração em uso`,
  };
}
