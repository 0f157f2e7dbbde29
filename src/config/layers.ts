import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Text } from '../contract/text.js';
import type { Environment } from '../domain/world.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import { type Field, type FieldName, fields, type FieldValue, isFieldName } from './fields.js';
import type { FlagValues } from './files.js';
import { type ProfileRecord, readObject } from './profile-store.js';
import type { Origin, ProjectChoices } from './settings.js';

/** The sources of a setting, strongest first, as read for one run. */
export interface Layers {
  readonly flags: FlagValues;
  readonly env: Environment;
  readonly project: ProjectFile | undefined;
  readonly profile: StoredProfile | undefined;
}

interface StoredProfile {
  readonly name: string;
  /** What chose it. */
  readonly origin: Origin;
  /** It is the one set by `auth use`, and the environment names no other. */
  readonly isUsual: boolean;
  readonly values: ProfileRecord;
  /** Where the file of the profiles is; a relative path that a person wrote there starts in it. */
  readonly folder: string;
}

export interface Resolved<Value> {
  readonly value: Value;
  readonly origin: Origin;
}

/** The value of one setting by precedence. Throws `usage.invalid_value`, which names the source of the bad value. */
export function resolveField<Name extends FieldName>(name: Name, layers: Layers): Resolved<FieldValue<Name>> {
  // The table gives each name its own type, which the compiler cannot follow through an index.
  const field = fields[name] as unknown as Field<FieldValue<Name>>;
  const found = firstRaw(name, field, layers);
  if (found === undefined) return { value: field.fallback, origin: { kind: 'default' } };
  const value = field.parse(found.raw);
  if (value === undefined) throw refused(name, found, field);
  return { value, origin: found.origin };
}

/** The profile in use: flag, environment, the one set by `auth use`; a project file only where there is none. */
export function resolveProfileName(
  layers: Omit<Layers, 'profile'>,
  current: string | undefined,
): Resolved<string> | undefined {
  const { flags, env, project } = layers;
  const flag = flags['profile'];
  if (typeof flag === 'string' && flag !== '') {
    return { value: flag, origin: { kind: 'flag', name: '--profile' } };
  }
  const variable = env['FISCAL_PROFILE'];
  if (variable !== undefined && variable !== '') {
    return { value: variable, origin: { kind: 'environment', name: 'FISCAL_PROFILE' } };
  }
  if (current !== undefined) return { value: current, origin: { kind: 'profile', name: current } };
  const named = project?.values['profile'];
  if (typeof named === 'string' && project !== undefined) {
    return { value: named, origin: { kind: 'project', path: project.path } };
  }
  return undefined;
}

interface Raw {
  readonly raw: unknown;
  readonly origin: Origin;
}

function firstRaw(name: FieldName, field: Field<unknown>, layers: Layers): Raw | undefined {
  const { flags, env, project, profile } = layers;
  if (flags[name] !== undefined) {
    return { raw: flags[name], origin: { kind: 'flag', name: flagWord(name) } };
  }
  const variable = variableWord(name);
  const text = env[variable];
  // The variable of the store's address may hold a password: `findStoreAddress` alone reads it.
  if (text !== undefined && text !== '' && name !== 'storeUrl') {
    return { raw: text, origin: { kind: 'environment', name: variable } };
  }
  const own = ofProfile(name, field, profile);
  const found = ofProject(name, project);
  return found !== undefined && takesProject(field, found, own) ? found : own;
}

function ofProject(name: string, project: ProjectFile | undefined): Raw | undefined {
  if (project === undefined || !(name in project.values)) return undefined;
  return { raw: project.values[name], origin: { kind: 'project', path: project.path } };
}

/** Whether the value of a project file counts, rather than that of the profile or the default. */
function takesProject({ project, parse, fallback }: Field<unknown>, found: Raw, own: Raw | undefined): boolean {
  if (project === 'chooses') return true;
  if (project === 'fills') return own === undefined;
  if (project === 'never') return false;
  return project.isTighter(parse(found.raw), own === undefined ? fallback : parse(own.raw));
}

function ofProfile(name: string, field: Field<unknown>, profile: StoredProfile | undefined): Raw | undefined {
  if (profile !== undefined && field.inProfile && Object.hasOwn(profile.values, name)) {
    const raw = profile.values[name];
    const value = field.parse(raw);
    return {
      raw: typeof value === 'string' ? (field.absolute?.(value, profile.folder) ?? raw) : raw,
      origin: { kind: 'profile', name: profile.name },
    };
  }
  return undefined;
}

export function flagWord(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function variableWord(name: string): string {
  return `FISCAL_${flagWord(name).slice(2).replaceAll('-', '_').toUpperCase()}`;
}

/** Describes where a value was set. */
export function placeOf(name: string, origin: Origin): string {
  switch (origin.kind) {
    case 'flag':
    case 'environment':
      return origin.name;
    case 'project':
      return `${name} (${origin.path})`;
    case 'profile':
      return `${name} (profile ${origin.name})`;
    case 'default':
      return name;
  }
}

function refused(name: FieldName, { raw, origin }: Raw, field: Field<unknown>): FiscalError {
  // These addresses may contain a password.
  const value = name === 'proxy' || name === 'storeUrl' ? '***' : shown(raw);
  return invalidValue(placeOf(name, origin), value, field.expected);
}

export function shown(raw: unknown): string {
  const text = typeof raw === 'string' ? raw : (JSON.stringify(raw) ?? String(raw));
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

export interface ProjectFile {
  readonly path: string;
  readonly values: ProfileRecord;
}

const NAME = '.fiscalrc.json';

/** The nearest project file from `cwd` upward. Settings that are not allowed there are an error, not ignored. */
export function findProjectFile(cwd: string): ProjectFile | undefined {
  const path = nearest(cwd);
  if (path === undefined) return undefined;
  const values = readObject(path);
  for (const [name, value] of Object.entries(values)) assertAllowed(path, name, value);
  return { path, values };
}

function nearest(directory: string): string | undefined {
  const path = join(directory, NAME);
  if (existsSync(path)) return path;
  const parent = dirname(directory);
  return parent === directory ? undefined : nearest(parent);
}

/** `undefined`: no project file says anything about this run. */
export function projectChoices(layers: Layers): ProjectChoices | undefined {
  const { project, profile } = layers;
  if (project === undefined) return undefined;
  const set: { name: string; value: unknown }[] = [];
  const without: string[] = [];
  for (const [name, raw] of Object.entries(project.values)) {
    const isField = isFieldName(name);
    const { value, origin } = isField
      ? resolveField<FieldName>(name, layers)
      : { value: profile?.name, origin: profile?.origin };
    const named = isField ? fields[name].parse(raw) : raw;
    if (origin?.kind === 'project') set.push({ name, value: raw });
    // What a flag or a variable says is no secret to who typed it.
    else if ((origin?.kind === 'profile' || origin?.kind === 'default') && named !== value) without.push(name);
  }
  return set.length + without.length === 0 ? undefined : { path: project.path, set, without };
}

/** A wrong value is an error also where a flag or a variable replaces it. */
function assertAllowed(path: string, name: string, value: unknown): void {
  const origin: Origin = { kind: 'project', path };
  if (name === 'profile') {
    if (typeof value === 'string' && value !== '') return;
    throw invalidValue(placeOf(name, origin), shown(value), aProfile);
  }
  if (isFieldName(name) && fields[name].project !== 'never') {
    if (fields[name].parse(value) !== undefined) return;
    throw refused(name, { raw: value, origin }, fields[name]);
  }
  throw new FiscalError('config.not_in_project', { path, name }, { sent: 'no' });
}

const aProfile: Text = { en: 'the name of a profile', pt: 'o nome de um perfil' };
