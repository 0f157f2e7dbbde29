import type { Text } from '../../contract/text.js';
import { shellLine } from '../../domain/command-words.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Context } from '../../services/context.js';
import type { NeededSetting, ProbeRow } from './probe-operation.js';

/** The profile that `--write` changes. Throws before anything is asked when there is none, or it is built in. */
export async function profileToWrite(context: Context): Promise<string> {
  const { profile } = await context.settings();
  if (profile === undefined) {
    throw new FiscalError('auth.no_profile', undefined, {
      sent: 'no',
      hint: {
        en: 'name one with --profile, or create one: fiscal auth login',
        pt: 'indique um com --profile, ou crie um: fiscal auth login',
      },
    });
  }
  if (profile === sandboxProfile.name) throw new FiscalError('config.built_in_profile', { profile }, { sent: 'no' });
  return profile;
}

/** Shows the needed settings, asks, and stores them. Returns how many; none without a difference. */
export async function writeSettings(context: Context, profile: string, rows: readonly ProbeRow[]): Promise<number> {
  const needed = rows.flatMap(({ settings = [] }) => settings);
  if (needed.length === 0) return 0;
  for (const setting of needed) await context.notice(shownSetting(setting));
  await context.consent({
    what: {
      en: `the profile "${profile}" is changed: ${needed.map(inWords).join(', ')}`,
      pt: `o perfil "${profile}" é alterado: ${needed.map(inWords).join(', ')}`,
    },
  });
  const config = await context.config();
  for (const { name, value } of needed) {
    if (value === null) await config.unset(profile, name);
    else await config.set(profile, name, value);
  }
  return needed.length;
}

function inWords({ name, value }: NeededSetting): string {
  return value === null ? `${name} (-)` : `${name} = ${value}`;
}

function shownSetting({ name, value }: NeededSetting): Text {
  return value === null
    ? { en: `${name}: removed, the published one serves`, pt: `${name}: removida, a publicada serve` }
    : { en: `${name}: ${value}`, pt: `${name}: ${value}` };
}

/** The row with the commands that store by hand what it needs. */
export function withAdvice({ check, status, found, ...rest }: ProbeRow): ProbeRow {
  const { settings = [] } = rest;
  if (settings.length === 0) return { check, status, found, ...rest };
  const commands = settings.map(commandFor).join('; ');
  const advice = {
    en: `${commands}; or: fiscal doctor --probe --write`,
    pt: `${commands}; ou: fiscal doctor --probe --write`,
  };
  return { check, status, found, advice, ...rest };
}

function commandFor({ name, value }: NeededSetting): string {
  return value === null ? `fiscal config unset ${name}` : `fiscal config set ${name} ${shellLine([value])}`;
}
