import type { HostName } from '../contract/operation.js';
import type { ListOperationId } from '../contract/answers.js';
import type { OperationId } from '../contract/operations.js';
import { maskUser } from '../domain/masked-user.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import { environmentProfile } from '../domain/environment-profile.js';
import { fields, type FieldName } from './fields.js';
import { hostExpected, hostNames, hostVariables, isOperationId, parseHost, parsePath, pathExpected } from './hosts.js';
import { placeOf, projectChoices, resolveField, shown, type Layers, type Resolved } from './layers.js';
import { aliasKey, isAlias } from '../domain/company-reference.js';
import { aliasExpected, companyIdExpected } from './edit-profile.js';
import { isRecord } from '../domain/record.js';
import { defaultSend, isSendName, parseSend, sendExpected, type SendName, sendNames, sendsOf } from './sends.js';
import { isListOperation, noListOperation, parseShape, shapeExpected } from './shapes.js';
import type { Origin, Settings, ShownSetting } from './settings.js';

/** All settings of a run, each by precedence. */
export function resolveSettings(layers: Layers): Settings {
  const get = <Name extends FieldName>(name: Name) => resolveField(name, layers).value;
  const profile = layers.profile?.name;
  const ofProfile = (name: 'company' | 'tenant'): string | undefined => {
    const { value, origin } = resolveField(name, { ...layers, flags: {} });
    return origin.kind === 'profile' ? value : undefined;
  };
  return {
    profile,
    usualProfile: layers.profile?.isUsual === true ? profile : undefined,
    storeNamespace: profile ?? environmentProfile,
    company: get('company'),
    usualCompany: ofProfile('company'),
    usualTenant: ofProfile('tenant'),
    tenant: get('tenant'),
    archive: get('archive'),
    aliases: Object.fromEntries([...resolveAliases(layers)].map(([name, { value }]) => [name, value])),
    output: get('output'),
    csvStyle: get('csvStyle'),
    out: get('out'),
    fields: get('fields'),
    query: get('query'),
    errorFormat: get('errorFormat'),
    color: get('color'),
    lang: get('lang'),
    utc: get('utc'),
    quiet: get('quiet'),
    verbose: get('verbose'),
    debugHttp: get('debugHttp'),
    noInput: get('noInput'),
    noPager: get('noPager'),
    yes: get('yes'),
    dryRun: get('dryRun'),
    ci: get('ci'),
    connectTimeoutMs: get('connectTimeout'),
    readTimeoutMs: get('readTimeout'),
    maxRetryWaitMs: get('maxRetryWait'),
    maxBelievedWaitMs: get('maxBelievedWait'),
    settleTimeMs: get('settleTime'),
    resendAbsent: get('resendAbsent'),
    requireStore: get('requireStore'),
    concurrency: get('concurrency'),
    rps: get('rps'),
    budget: get('budget'),
    caCert: get('caCert'),
    proxy: get('proxy'),
    storeUrl: get('storeUrl'),
    keyIn: get('keyIn'),
    hosts: valuesOf(resolveHosts(layers)),
    paths: valuesOf(resolvePaths(layers)),
    sends: sendsOf(valuesOf(resolveSends(layers))),
    shapes: valuesOf(resolveShapes(layers)),
    fromProject: projectChoices(layers),
  };
}

/** All settings that have a value, with their sources, for `config list`. Without keys. */
export function showSettings(layers: Layers, profile: Resolved<string> | undefined): readonly ShownSetting[] {
  const plain = Object.keys(fields)
    .filter((name): name is FieldName => Object.hasOwn(fields, name))
    .map((name) => showField(name, layers));
  const hosts = [...resolveHosts(layers)].map(([name, found]) => ({ name: `hosts.${name}`, ...found }));
  const paths = [...resolvePaths(layers)].map(([name, found]) => ({ name: `paths.${name}`, ...found }));
  const sends = [...resolveSends(layers)].map(([name, found]) => ({ name: `sends.${name}`, ...found }));
  const shapes = [...resolveShapes(layers)].map(([name, found]) => ({ name: `shapes.${name}`, ...found }));
  const aliases = [...resolveAliases(layers)].map(([name, found]) => ({ name: `aliases.${name}`, ...found }));
  const first = profile === undefined ? [] : [{ name: 'profile', ...profile }];
  return [...first, ...plain, ...hosts, ...paths, ...shapes, ...sends, ...aliases].filter(
    (setting) => setting.value !== undefined,
  );
}

function showField(name: FieldName, layers: Layers): ShownSetting {
  const { value, origin } = resolveField<FieldName>(name, layers);
  return { name, value: name === 'proxy' && typeof value === 'string' ? maskUser(value) : value, origin };
}

function resolveHosts(layers: Layers): ReadonlyMap<HostName, Resolved<string>> {
  const stored = groupOf(layers, 'hosts');
  const found = new Map<HostName, Resolved<string>>();
  for (const host of hostNames()) {
    const variable = hostVariables[host];
    const text = layers.env[variable];
    if (text !== undefined && text !== '') {
      const origin = { kind: 'environment', name: variable } as const;
      found.set(host, { value: checkedHost(host, text, origin), origin });
    } else if (layers.profile !== undefined && Object.hasOwn(stored, host)) {
      const origin = { kind: 'profile', name: layers.profile.name } as const;
      found.set(host, { value: checkedHost(host, stored[host], origin), origin });
    }
  }
  return found;
}

function resolvePaths(layers: Layers): ReadonlyMap<OperationId, Resolved<string>> {
  const found = new Map<OperationId, Resolved<string>>();
  for (const [id, raw] of Object.entries(groupOf(layers, 'paths'))) {
    if (!isOperationId(id)) throw new FiscalError('config.unknown_name', { name: `paths.${id}` }, { sent: 'no' });
    const origin = { kind: 'profile', name: layers.profile?.name ?? '' } as const;
    const value = parsePath(id, raw);
    if (value === undefined) {
      throw invalidValue(placeOf(`paths.${id}`, origin), shown(raw), pathExpected(id));
    }
    found.set(id, { value, origin });
  }
  return found;
}

/** Every `sends` setting, also those with the default value. Without environment variables, as paths. */
function resolveSends(layers: Layers): ReadonlyMap<SendName, Resolved<string>> {
  const stored = groupOf(layers, 'sends');
  const unknown = Object.keys(stored).find((name) => !isSendName(name));
  if (unknown !== undefined) {
    throw new FiscalError('config.unknown_name', { name: `sends.${unknown}` }, { sent: 'no' });
  }
  return new Map(sendNames().map((name) => [name, resolveSend(name, stored, layers)]));
}

function resolveSend(name: SendName, stored: Readonly<Record<string, unknown>>, layers: Layers): Resolved<string> {
  if (!Object.hasOwn(stored, name)) return { value: defaultSend(name), origin: { kind: 'default' } };
  const origin = { kind: 'profile', name: layers.profile?.name ?? '' } as const;
  const value = parseSend(name, stored[name]);
  if (value !== undefined) return { value, origin };
  throw invalidValue(placeOf(`sends.${name}`, origin), shown(stored[name]), sendExpected(name));
}

function resolveShapes(layers: Layers): ReadonlyMap<ListOperationId, Resolved<string>> {
  const found = new Map<ListOperationId, Resolved<string>>();
  for (const [id, raw] of Object.entries(groupOf(layers, 'shapes'))) {
    if (!isListOperation(id)) throw noListOperation(shown(id));
    const origin = { kind: 'profile', name: layers.profile?.name ?? '' } as const;
    const value = parseShape(raw);
    if (value === undefined) throw invalidValue(placeOf(`shapes.${id}`, origin), shown(raw), shapeExpected);
    found.set(id, { value, origin });
  }
  return found;
}

function resolveAliases(layers: Layers): ReadonlyMap<string, Resolved<string>> {
  const found = new Map<string, Resolved<string>>();
  for (const [alias, value] of Object.entries(groupOf(layers, 'aliases'))) {
    const origin = { kind: 'profile', name: layers.profile?.name ?? '' } as const;
    if (!isAlias(alias) || alias !== aliasKey(alias))
      throw invalidValue(placeOf('aliases', origin), shown(alias), aliasExpected);
    if (typeof value !== 'string' || value === '')
      throw invalidValue(placeOf(`aliases.${alias}`, origin), shown(value), companyIdExpected);
    found.set(alias, { value, origin });
  }
  return found;
}

/** Plain http to another machine has its own error: it would reveal the key. */
function checkedHost(host: HostName, raw: unknown, origin: Origin): string {
  const value = parseHost(raw);
  if (value !== undefined) return value;
  const url = typeof raw === 'string' && URL.canParse(raw) ? new URL(raw) : undefined;
  if (url?.protocol === 'http:') {
    throw new FiscalError('config.insecure_host', { host: `http://${url.host}` }, { sent: 'no' });
  }
  throw invalidValue(placeOf(`hosts.${host}`, origin), url?.host ?? maskUser(shown(raw)), hostExpected);
}

function groupOf(
  layers: Layers,
  name: 'hosts' | 'paths' | 'shapes' | 'sends' | 'aliases',
): Readonly<Record<string, unknown>> {
  const group = layers.profile?.values[name];
  return isRecord(group) ? group : {};
}

function valuesOf<Name extends string>(
  found: ReadonlyMap<Name, Resolved<string>>,
): Readonly<Partial<Record<Name, string>>> {
  // Object.fromEntries loses the type of the keys.
  return Object.fromEntries([...found].map(([name, { value }]) => [name, value])) as Partial<Record<Name, string>>;
}
