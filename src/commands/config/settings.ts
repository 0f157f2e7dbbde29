import type { Given } from '../../cli/command.js';
import { maskUser } from '../../domain/masked-user.js';
import { projectNotice } from '../../config/project-notice.js';
import type { Origin } from '../../config/settings.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { storingProfile } from '../../services/scope/storing-profile.js';
import type { get, list, set, unset } from './commands.js';

/** Every setting that has a value, and where the files are; with `showOrigin` also where it comes from. Never a key. */
export async function listSettings(context: Context, { showOrigin }: Given<typeof list>): Promise<Outcome> {
  const config = await context.config();
  const settings = await config.show(context.flags);
  const data = settings.map(({ name, value, origin }) => ({
    name,
    value: shownValue(name, value),
    ...(showOrigin ? { origin: originText(origin) } : {}),
  }));
  const { fromProject } = await context.settings();
  const isSaid = showOrigin && fromProject !== undefined && fromProject.without.length > 0;
  const files = [...(await filesOf(context))].map(([name, value]) => ({ name, value }));
  return { data: [...data, ...files], ...(isSaid ? { notices: [projectNotice(fromProject)] } : {}) };
}

/** One setting of the profile, or where a file is. Exit 2 when the profile does not set it. */
export async function getSetting(context: Context, { name }: Given<typeof get>): Promise<Outcome> {
  const file = (await filesOf(context)).get(name);
  if (file !== undefined) return { data: file };
  const profile = await storingProfile(context);
  const config = await context.config();
  const value = await config.get(profile, name);
  if (value !== undefined) return { data: shownValue(name, value) };
  throw new FiscalError(
    'config.not_set',
    { profile, name },
    { hint: { en: 'see: fiscal config list --show-origin', pt: 'veja: fiscal config list --show-origin' } },
  );
}

export async function setSetting(context: Context, { name, value }: Given<typeof set>): Promise<Outcome> {
  const profile = await storingProfile(context);
  const config = await context.config();
  await config.set(profile, name, value);
  return { data: { profile, name, value: shownValue(name, await config.get(profile, name)) } };
}

export async function unsetSetting(context: Context, { name }: Given<typeof unset>): Promise<Outcome> {
  const profile = await storingProfile(context);
  const config = await context.config();
  return { data: { profile, name, removed: await config.unset(profile, name) } };
}

/** The files and folders of this run, by the names under which `config` shows them; a folder that nothing names is left out. */
async function filesOf(context: Context): Promise<ReadonlyMap<string, string>> {
  const { path } = await context.config();
  const folders = (['state', 'data'] as const).flatMap((kind): (readonly [string, string])[] => {
    try {
      return [[`files.${kind}`, context.directories[kind]]];
    } catch {
      return [];
    }
  });
  return new Map([['files.config', path], ...folders]);
}

function originText(origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
      return `flag ${origin.name}`;
    case 'environment':
      return `environment ${origin.name}`;
    case 'project':
      return `project ${origin.path}`;
    case 'profile':
      return `profile ${origin.name}`;
    case 'default':
      return 'default';
  }
}

/** The address of a proxy may contain a password. */
function shownValue(name: string, value: unknown): unknown {
  return name === 'proxy' && typeof value === 'string' ? maskUser(value) : value;
}
