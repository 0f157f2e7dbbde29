import type { HostName, KeyKind } from '../contract/operation.js';
import type { Credential, Settings, ShownSetting } from './settings.js';
import type { StoreAddress } from './store-address.js';
import type { StoredKeys, WebhookSecrets } from './credentials.js';

/** Flags as typed, by their camelCase name; absent when not given. */
export type FlagValues = Readonly<Record<string, string | boolean | undefined>>;

export type HostAddresses = Readonly<Partial<Record<HostName, string>>>;

export interface ProfileAnswers {
  readonly hosts: HostAddresses;
  readonly keys: StoredKeys;
  /** By name: `company`, `archive`. */
  readonly settings: Readonly<Record<string, string>>;
}

/** The configuration of this machine: profiles, the project file, and the source of each value. */
export interface ConfigFiles {
  settings(flags: FlagValues): Promise<Settings>;
  show(flags: FlagValues): Promise<readonly ShownSetting[]>;
  /** The settings that a profile would have with these addresses. Nothing is written. */
  draft(profile: string, hosts: HostAddresses, flags: FlagValues): Promise<Settings>;
  /** Stores addresses; other addresses of the profile stay. */
  storeHosts(profile: string, hosts: HostAddresses): Promise<void>;
  /** Finds a key by precedence: environment (plain, _FILE, _COMMAND), then the profile's stored key. */
  credential(kind: KeyKind, settings: Settings): Promise<Credential>;
  /** Where a shared store is; `undefined`: the store is a file of this machine, as that of the built-in profile always is. */
  storeAddress(settings: Settings): Promise<StoreAddress | undefined>;
  get(profile: string, name: string): Promise<unknown>;
  set(profile: string, name: string, value: string): Promise<void>;
  unset(profile: string, name: string): Promise<boolean>;
  profiles(): Promise<readonly string[]>;
  /** The profile set by `auth use`. */
  current(): Promise<string | undefined>;
  use(profile: string): Promise<void>;
  /** Stores what a setup was answered and selects the profile, in one write. Other values of the profile stay. */
  storeAnswers(profile: string, answers: ProfileAnswers): Promise<void>;
  storeKeys(profile: string, keys: Readonly<Partial<Record<KeyKind | 'jwt', string>>>): Promise<void>;
  /** Deletes stored keys and webhook secrets; other settings of the profile stay. True when there was one. */
  removeKeys(profile: string): Promise<boolean>;
  /** The kinds of keys that the profile stores; never the keys. */
  storedKeys(profile: string): Promise<readonly (KeyKind | 'jwt')[]>;
  /** Stores the signing secret of one webhook; `undefined` deletes it. */
  storeWebhookSecret(profile: string, id: string, secret: string | undefined): Promise<void>;
  /** By webhook id. `FISCAL_WEBHOOK_SECRET` takes precedence (`findWebhookSecrets`). */
  webhookSecrets(profile: string): Promise<WebhookSecrets>;
  readonly path: string;
}
