import { isRecord } from '../domain/record.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { findCredential, namesStore, storedKeys, storedWebhookSecrets, withWebhookSecret } from './credentials.js';
import type { Directories } from './directories.js';
import { environmentProfile } from '../domain/environment-profile.js';
import { assertChangeable, assertProfileName, readEntry, readName, withEntry, withoutEntry } from './edit-profile.js';
import type { ConfigFiles, FlagValues, HostAddresses } from './files.js';
import { findProjectFile, type Layers, type Resolved, resolveProfileName } from './layers.js';
import { type ConfigContent, createProfileStore, type ProfileRecord, type ProfileStore } from './profile-store.js';
import { resolveSettings, showSettings } from './resolve-settings.js';
import { sandboxProfile } from './sandbox-profile.js';

export interface ConfigSources {
  readonly directories: Directories;
  readonly env: Environment;
  readonly cwd: string;
}

/** The configuration of this machine. Files are opened only when needed. */
export function openConfig(sources: ConfigSources): ConfigFiles {
  const store = createProfileStore(sources.directories.config);
  const rows = { ...reading(store), ...writing(store, sources.cwd), ...webhooks(store) };
  return { path: store.path, ...resolving(store, sources), ...rows };
}

type Resolving = Pick<ConfigFiles, 'settings' | 'show' | 'draft' | 'credential' | 'storeAddress'>;

/** Everything that depends on flags, environment and project file as well. */
function resolving(store: ProfileStore, { directories, env, cwd }: ConfigSources): Resolving {
  const layersOf = (flags: FlagValues): FoundLayers =>
    layersFrom(store.read(), { flags, env, project: findProjectFile(cwd) }, directories.config);
  return {
    settings: async (flags) => resolveSettings(layersOf(flags).layers),
    async show(flags) {
      const { layers, profile } = layersOf(flags);
      return showSettings(layers, profile);
    },
    async draft(profile, hosts, flags) {
      assertProfileName(profile);
      assertChangeable(profile, 'keys');
      const content = store.read();
      const values = withHosts(content.profiles.get(profile) ?? {}, hosts);
      const drafted = { ...content, profiles: new Map(content.profiles).set(profile, values) };
      const outer = { flags: { ...flags, profile }, env, project: findProjectFile(cwd) };
      return resolveSettings(layersFrom(drafted, outer, directories.config).layers);
    },
    async credential(kind, { profile }) {
      const values = profile === undefined ? undefined : await valuesWithKeys(store, directories, profile);
      return await findCredential(kind, { env, profile, values });
    },
    async storeAddress({ profile, storeUrl }) {
      if (!namesStore({ profile, storeUrl }, env)) return undefined;
      const { findStoreAddress } = await import('./store-address.js');
      const stored = storeUrl === undefined ? undefined : { secret: storeUrl, source: `profile ${profile}` };
      return await findStoreAddress(env, stored);
    },
  };
}

type Reading = Pick<ConfigFiles, 'get' | 'profiles' | 'current' | 'storedKeys'>;

function reading(store: ProfileStore): Reading {
  return {
    get: async (profile, name) => readEntry(await existing(store, profile), readName(name)),
    profiles: async () => knownNames(store.read().profiles),
    current: async () => store.read().current,
    async storedKeys(profile) {
      const values = await existing(store, profile);
      if (profile === sandboxProfile.name) return ['invoice', 'data'];
      const found = storedKeys(values);
      return (['invoice', 'data', 'jwt'] as const).filter((kind) => found[kind] !== undefined);
    },
  };
}

type Writing = Pick<ConfigFiles, 'set' | 'unset' | 'use' | 'storeAnswers' | 'storeHosts' | 'storeKeys' | 'removeKeys'>;

function writing(store: ProfileStore, folder: string): Writing {
  return {
    async set(profile, name, value) {
      const entry = readName(name);
      assertProfileName(profile);
      assertChangeable(profile, entry);
      await change(store, profile, (values) => withEntry(values, entry, { value, folder }));
    },
    async unset(profile, name) {
      const entry = readName(name);
      if (readEntry(await existing(store, profile), entry) === undefined) return false;
      await change(store, profile, (values) => withoutEntry(values, entry));
      return true;
    },
    async use(profile) {
      await existing(store, profile);
      await store.change((content) => ({ ...content, current: profile }));
    },
    async storeAnswers(profile, { hosts, keys, settings }) {
      assertProfileName(profile);
      const hasSecrets = Object.keys(hosts).length + Object.keys(keys).length > 0;
      if (hasSecrets) assertChangeable(profile, 'keys');
      await store.change(({ profiles }) => {
        const before = profiles.get(profile) ?? {};
        let values = hasSecrets ? { ...withHosts(before, hosts), keys: { ...storedKeys(before), ...keys } } : before;
        for (const [name, value] of Object.entries(settings)) {
          const entry = readName(name);
          assertChangeable(profile, entry);
          values = withEntry(values, entry, { value, folder });
        }
        return { current: profile, profiles: new Map(profiles).set(profile, values) };
      });
    },
    async storeHosts(profile, hosts) {
      assertProfileName(profile);
      assertChangeable(profile, 'keys');
      await change(store, profile, (values) => withHosts(values, hosts));
    },
    async storeKeys(profile, keys) {
      assertProfileName(profile);
      assertChangeable(profile, 'keys');
      await change(store, profile, (values) => ({ ...values, keys: { ...storedKeys(values), ...keys } }));
    },
    async removeKeys(profile) {
      const values = await existing(store, profile);
      assertChangeable(profile, 'keys');
      if (!keepsSecrets(values)) return false;
      await change(store, profile, ({ keys: _keys, webhookSecrets: _secrets, ...rest }) => rest);
      return true;
    },
  };
}

function keepsSecrets(values: ProfileRecord): boolean {
  return Object.keys({ ...storedKeys(values), ...storedWebhookSecrets(values) }).length > 0;
}

/** The record of a profile with its keys. Those of the built-in one are in the folder of its sandbox. */
async function valuesWithKeys(
  store: ProfileStore,
  directories: Directories,
  profile: string,
): Promise<ProfileRecord | undefined> {
  if (profile !== sandboxProfile.name) return store.read().profiles.get(profile);
  const { sandboxKeys } = await import('./sandbox-keys.js');
  const { invoiceKey, dataKey } = await sandboxKeys(directories);
  return { keys: { invoice: invoiceKey, data: dataKey } };
}

/** Also for the built-in profile, whose webhooks are created like any other. */
function webhooks(store: ProfileStore): Pick<ConfigFiles, 'storeWebhookSecret' | 'webhookSecrets'> {
  return {
    async storeWebhookSecret(profile, id, secret) {
      assertProfileName(profile);
      await change(store, profile, (values) => withWebhookSecret(values, id, secret));
    },
    webhookSecrets: async (profile) => storedWebhookSecrets(store.read().profiles.get(profile)),
  };
}

/** The record of a known profile; the built-in one has a record only when one of its settings was changed. */
async function existing(store: ProfileStore, profile: string): Promise<ProfileRecord> {
  const { profiles } = store.read();
  if (!isKnown(profiles, profile)) throw unknownProfile(profile, profiles);
  return profiles.get(profile) ?? {};
}

async function change(
  store: ProfileStore,
  profile: string,
  edit: (values: ProfileRecord) => ProfileRecord,
): Promise<void> {
  await store.change((content) => {
    const values = edit(content.profiles.get(profile) ?? {});
    return { ...content, profiles: new Map(content.profiles).set(profile, values) };
  });
}

interface FoundLayers {
  readonly layers: Layers;
  readonly profile: Resolved<string> | undefined;
}

function layersFrom(content: ConfigContent, outer: Omit<Layers, 'profile'>, folder: string): FoundLayers {
  const profile = resolveProfileName(outer, content.current) ?? ofEnvironment(content);
  if (profile === undefined) return { layers: { ...outer, profile: undefined }, profile };
  const name = profile.value;
  if (!isKnown(content.profiles, name)) throw unknownProfile(name, content.profiles);
  const stored = content.profiles.get(name) ?? {};
  const values = name === sandboxProfile.name ? { ...stored, ...sandboxValues() } : stored;
  const isChosen = content.current === name || profile.origin.kind === 'default';
  const isUsual = isChosen && [undefined, '', name].includes(outer.env['FISCAL_PROFILE']);
  return { layers: { ...outer, profile: { name, origin: profile.origin, isUsual, values, folder } }, profile };
}

/** Where none is chosen: what runs without a profile have stored. */
function ofEnvironment({ profiles }: ConfigContent): Resolved<string> | undefined {
  return profiles.has(environmentProfile) ? { value: environmentProfile, origin: { kind: 'default' } } : undefined;
}

function withHosts(values: ProfileRecord, hosts: HostAddresses): ProfileRecord {
  const before = values['hosts'];
  return { ...values, hosts: { ...(isRecord(before) ? before : {}), ...hosts } };
}

/** Without addresses, which are known only when the sandbox has been found or started. */
function sandboxValues(): ProfileRecord {
  const { tenantId, companyId } = sandboxProfile.account;
  return { tenant: tenantId, company: companyId, keyIn: 'header', hosts: {}, paths: {}, shapes: {} };
}

function isKnown(profiles: ConfigContent['profiles'], name: string): boolean {
  return name === sandboxProfile.name || profiles.has(name);
}

function knownNames(profiles: ConfigContent['profiles']): readonly string[] {
  return [...new Set([...profiles.keys(), sandboxProfile.name])];
}

function unknownProfile(profile: string, profiles: ConfigContent['profiles']): FiscalError {
  const known = knownNames(profiles).join(', ');
  return new FiscalError(
    'config.unknown_profile',
    { profile },
    {
      sent: 'no',
      hint: {
        en: `known: ${known}; to create a new one: fiscal auth login --profile <name>`,
        pt: `conhecidos: ${known}; um novo se cria com: fiscal auth login --profile <nome>`,
      },
    },
  );
}
