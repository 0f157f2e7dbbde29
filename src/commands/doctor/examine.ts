import type { Settings } from '../../config/settings.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import type { Check } from './check.js';
import { checkConfiguration } from './configuration.js';
import { checkHosts } from './hosts.js';
import { checkKeys, checkProfile } from './keys.js';
import { checkClock, checkService } from './online.js';
import { checkRuntime } from './runtime.js';
import { checkStateFolder } from './state-folder.js';
import { checkStore } from './store.js';

/** Looks at everything that a run needs. Changes nothing, and calls the service only when `online`. */
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
    // What cannot be read cannot be judged further.
    ...(settings === undefined ? [] : await checkSettings(context, settings, online)),
  ];
  const shown = await Promise.all(data.map((check) => withWholeAdvice(context, check)));
  const isHealthy = data.every((check) => check.status !== 'problem');
  return { data: shown, exitCode: isHealthy ? ExitCode.ok : ExitCode.endedBadly };
}

/** Typed as it stands, the advice is about the profile that was examined. */
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
