import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { findCredential, storedKeys } from './credential.js';
import type { Directories } from './directories.js';
import { assertChangeable, assertProfileName, readEntry, readName, withEntry } from './edit-profile.js';
import type { ConfigFiles, FlagValues, HostAddresses } from './files.js';
import { resolveProfileName, type Layers, type Resolved } from './layers.js';
import { createProfileStore, isRecord, type ConfigContent, type ProfileRecord } from './profile-store.js';
import { findProjectFile } from './project-file.js';
import { resolveSettings, showSettings } from './resolve-settings.js';
import { sandboxProfile } from './sandbox-profile.js';

export interface ConfigSources {
  readonly directories: Directories;
  readonly env: Environment;
  readonly cwd: string;
}

/** The configuration of this machine. Opens no file until it is asked something. */
export function openConfig({ directories, env, cwd }: ConfigSources): ConfigFiles {
  const store = createProfileStore(directories.config);
  const layersOf = async (flags: FlagValues) => {
    const [content, project] = await Promise.all([store.read(), findProjectFile(cwd)]);
    return layersFrom(content, { flags, env, project });
  };
  const change = async (profile: string, edit: (values: ProfileRecord) => ProfileRecord): Promise<void> => {
    const content = await store.read();
    const values = edit(content.profiles.get(profile) ?? {});
    await store.write({ ...content, profiles: new Map(content.profiles).set(profile, values) });
  };
  const existing = async (profile: string): Promise<ProfileRecord> => {
    const { profiles } = await store.read();
    if (!isKnown(profiles, profile)) throw unknownProfile(profile, profiles);
    return profiles.get(profile) ?? {};
  };
  return {
    path: store.path,
    settings: async (flags) => resolveSettings((await layersOf(flags)).layers),
    async show(flags) {
      const { layers, profile } = await layersOf(flags);
      return showSettings(layers, profile);
    },
    async draft(profile, hosts, flags) {
      assertProfileName(profile);
      assertChangeable(profile, 'keys');
      const content = await store.read();
      const values = withHosts(content.profiles.get(profile) ?? {}, hosts);
      const drafted = { ...content, profiles: new Map(content.profiles).set(profile, values) };
      const outer = { flags: { ...flags, profile }, env, project: await findProjectFile(cwd) };
      return resolveSettings(layersFrom(drafted, outer).layers);
    },
    async storeHosts(profile, hosts) {
      assertProfileName(profile);
      assertChangeable(profile, 'keys');
      await change(profile, (values) => withHosts(values, hosts));
    },
    async credential(kind, { profile }) {
      const { profiles } = await store.read();
      return await findCredential(kind, {
        env,
        profile,
        values: profile === undefined ? undefined : profiles.get(profile),
      });
    },
    get: async (profile, name) => readEntry(await existing(profile), readName(name)),
    async set(profile, name, value) {
      const entry = readName(name);
      assertProfileName(profile);
      assertChangeable(profile, entry);
      await change(profile, (values) => withEntry(values, entry, value));
    },
    async unset(profile, name) {
      const entry = readName(name);
      if (readEntry(await existing(profile), entry) === undefined) return false;
      await change(profile, (values) => withEntry(values, entry, undefined));
      return true;
    },
    async profiles() {
      const { profiles } = await store.read();
      return [...new Set([...profiles.keys(), sandboxProfile.name])];
    },
    current: async () => (await store.read()).current,
    async use(profile) {
      await existing(profile);
      await store.write({ ...(await store.read()), current: profile });
    },
    async storeKeys(profile, keys) {
      assertProfileName(profile);
      assertChangeable(profile, 'keys');
      await change(profile, (values) => ({ ...values, keys: { ...storedKeys(profile, values), ...keys } }));
    },
    async removeKeys(profile) {
      const values = await existing(profile);
      assertChangeable(profile, 'keys');
      if (Object.keys(storedKeys(profile, values)).length === 0) return false;
      await change(profile, ({ keys: _forgotten, ...rest }) => rest);
      return true;
    },
    async storedKeys(profile) {
      const found = storedKeys(profile, await existing(profile));
      return (['invoice', 'data', 'jwt'] as const).filter((kind) => found[kind] !== undefined);
    },
  };
}

function layersFrom(
  content: ConfigContent,
  outer: Omit<Layers, 'profile'>,
): { readonly layers: Layers; readonly profile: Resolved<string> | undefined } {
  const profile = resolveProfileName(outer, content.current);
  if (profile === undefined) return { layers: { ...outer, profile: undefined }, profile };
  const name = profile.value;
  if (!isKnown(content.profiles, name)) throw unknownProfile(name, content.profiles);
  const stored = content.profiles.get(name) ?? {};
  const values = name === sandboxProfile.name ? { ...stored, ...sandboxValues() } : stored;
  return { layers: { ...outer, profile: { name, values } }, profile };
}

function withHosts(values: ProfileRecord, hosts: HostAddresses): ProfileRecord {
  const before = values['hosts'];
  return { ...values, hosts: { ...(isRecord(before) ? before : {}), ...hosts } };
}

/** The addresses are not here: they are known when the sandbox has been found or started. */
function sandboxValues(): ProfileRecord {
  const { tenantId, companyId } = sandboxProfile.account;
  return { tenant: tenantId, company: companyId, keyIn: 'header', hosts: {}, paths: {} };
}

function isKnown(profiles: ConfigContent['profiles'], name: string): boolean {
  return name === sandboxProfile.name || profiles.has(name);
}

function unknownProfile(profile: string, profiles: ConfigContent['profiles']): FiscalError {
  const known = [...new Set([...profiles.keys(), sandboxProfile.name])].join(', ');
  return new FiscalError(
    'config.unknown_profile',
    { profile },
    {
      sent: 'no',
      hint: {
        en: `known: ${known}; a new one is made by: fiscal auth login --profile <name>`,
        pt: `conhecidos: ${known}; um novo se cria com: fiscal auth login --profile <nome>`,
      },
    },
  );
}
