import type { Settings } from '../../config/settings.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import {
  type Check,
  checkConfiguration,
  checkRuntime,
  checkStateFolder,
  checkStore,
} from './local-checks.js';
import { checkClock, checkHosts, checkKeys, checkProfile, checkService } from './service-checks.js';

/** Checks everything that a run needs. Changes nothing, and calls the service only when `online`. */
export async function examine(
  context: Context,
  { online }: { readonly online: boolean },
): Promise<Outcome<readonly Check[]>> {
  const { state } = context.directories;
  const { check: configuration, settings } = await checkConfiguration(context);
  const data = [
    checkRuntime(),
    configuration,
    await checkStateFolder(state),
    await checkStore(state),
    // Without settings, the rest cannot be checked.
    ...(settings === undefined ? [] : await checkSettings(context, settings, online)),
  ];
  const shown = await Promise.all(data.map((check) => withWholeAdvice(context, check)));
  const isHealthy = data.every((check) => check.status !== 'problem');
  return { data: shown, exitCode: isHealthy ? ExitCode.ok : ExitCode.endedBadly };
}

/** Completes the commands in the advice with the profile that was examined. */
async function withWholeAdvice({ goOn }: Context, check: Check): Promise<Check> {
  const { found, advice } = check;
  const whole = advice === undefined ? {} : { advice: await goOn.inText(advice) };
  return { ...check, found: await goOn.inText(found), ...whole };
}

async function checkSettings(
  context: Context,
  settings: Settings,
  online: boolean,
): Promise<readonly Check[]> {
  const offline = [checkProfile(settings), ...(await checkKeys(context, settings)), checkHosts(settings)];
  if (!online) return offline;
  return [...offline, await checkService(context), await checkClock(context.clock, settings)];
}
