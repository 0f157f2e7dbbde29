import { maskUser } from '../domain/masked-user.js';
import { FiscalError } from '../errors/fiscal-error.js';
import { invalidValue } from '../errors/invalid-value.js';
import { type Field, fields, isFieldName } from './fields.js';
import { hostExpected, isHostName, isOperationId, parseHost, parsePath, pathExpected } from './hosts.js';
import { shown } from './layers.js';
import { isListOperation, noListOperation, parseShape, shapeExpected } from './shapes.js';
import { aliasKey, isAlias } from '../domain/company-reference.js';
import { isRecord } from '../domain/record.js';
import { type ProfileRecord } from './profile-store.js';
import { sandboxProfile } from './sandbox-profile.js';
import { isSendName, parseSend, sendExpected, sendNames } from './sends.js';

/**
 * A profile setting by the name that a person types: `tenant`, `connect-timeout`, `hosts.product`, `paths.product.get`,
 * `shapes.company.list`, `sends.taxNumbers`.
 */
export type ProfileEntry =
  | { readonly group: undefined; readonly name: string }
  | { readonly group: 'hosts' | 'paths' | 'shapes' | 'sends' | 'aliases'; readonly name: string };

/** Parses a typed name. Throws `config.secret_as_argument` for keys, `config.unknown_name` for unknown names. */
export function readName(typed: string): ProfileEntry {
  if (/^(keys?|jwt|secret|password)(\.|$)/i.test(typed)) throw secretAsArgument();
  const [, group, rest = ''] = /^(hosts|paths|shapes|sends|aliases)\.(.+)$/.exec(typed) ?? [];
  if (group === 'hosts' && isHostName(rest)) return { group, name: rest };
  if (group === 'paths' && isOperationId(rest)) return { group, name: rest };
  if (group === 'sends' && isSendName(rest)) return { group, name: rest };
  if (group === 'shapes' && isListOperation(rest)) return { group, name: rest };
  if (group === 'shapes') throw noListOperation(shown(rest));
  if (group === 'aliases' && isAlias(rest)) return { group, name: aliasKey(rest) };
  if (group === 'aliases') throw invalidValue('alias', shown(rest), aliasExpected);
  const name = typed.replaceAll(/-([a-z])/g, (_dash, letter: string) => letter.toUpperCase());
  if (isFieldName(name) && fields[name].inProfile) return { group: undefined, name };
  const known = Object.keys(fields).filter((field) => isFieldName(field) && fields[field].inProfile);
  const sends = sendNames().map((send) => `sends.${send}`);
  const lists = ['hosts.<host>', 'paths.<operation>', 'shapes.<operation>', ...sends, 'aliases.<alias>'];
  const list = [...known, ...lists].join(', ');
  throw new FiscalError(
    'config.unknown_name',
    { name: shown(typed) },
    { hint: { en: `the settings of a profile: ${list}`, pt: `as configurações de um perfil: ${list}` } },
  );
}

export function readEntry(profile: ProfileRecord, entry: ProfileEntry): unknown {
  const holder = entry.group === undefined ? profile : profile[entry.group];
  return isRecord(holder) && Object.hasOwn(holder, entry.name) ? holder[entry.name] : undefined;
}

/** A copy of the profile with the validated value. A path is stored absolute; as typed it is relative to `folder`. */
export function withEntry(
  profile: ProfileRecord,
  entry: ProfileEntry,
  { value, folder }: { readonly value: string; readonly folder: string },
): ProfileRecord {
  return replaced(profile, entry, checked(entry, value, folder));
}

export function withoutEntry(profile: ProfileRecord, entry: ProfileEntry): ProfileRecord {
  return replaced(profile, entry, undefined);
}

function replaced(profile: ProfileRecord, entry: ProfileEntry, stored: string | undefined): ProfileRecord {
  if (entry.group === undefined) return withField(profile, entry.name, stored);
  const group = profile[entry.group];
  return { ...profile, [entry.group]: withField(isRecord(group) ? group : {}, entry.name, stored) };
}

function withField(record: ProfileRecord, name: string, value: string | undefined): ProfileRecord {
  const rest = Object.fromEntries(Object.entries(record).filter(([key]) => key !== name));
  return value === undefined ? rest : { ...rest, [name]: value };
}

function checked({ group, name }: ProfileEntry, value: string, folder: string): string {
  if (group === 'hosts') return parseHost(value) ?? refuse(`hosts.${name}`, maskUser(value), hostExpected);
  if (group === 'paths' && isOperationId(name)) {
    return parsePath(name, value) ?? refuse(`paths.${name}`, value, pathExpected(name));
  }
  if (group === 'sends' && isSendName(name)) {
    return parseSend(name, value.trim()) ?? refuse(`sends.${name}`, value, sendExpected(name));
  }
  if (group === 'shapes') return parseShape(value) ?? refuse(`shapes.${name}`, value, shapeExpected);
  if (group === 'aliases')
    return value.trim() === '' ? refuse(`aliases.${name}`, value, companyIdExpected) : value.trim();
  if (!isFieldName(name)) throw new FiscalError('config.unknown_name', { name });
  if (fields[name].parse(value) === undefined) refuse(name, name === 'proxy' ? '***' : value, fields[name].expected);
  const field: Field<unknown> = fields[name];
  return field.absolute?.(value.trim(), folder) ?? value.trim();
}

function refuse(name: string, value: string, expected: { en: string; pt: string }): never {
  throw invalidValue(name, shown(value), expected);
}

/** Profile names appear in file names, hints and command lines. */
export function assertProfileName(name: string): void {
  if (/^[A-Za-z0-9][\w.-]{0,63}$/.test(name)) return;
  const expected = {
    en: 'letters, digits, dot, dash and underscore are expected',
    pt: 'esperam-se letras, algarismos, ponto, hífen e sublinhado',
  };
  throw invalidValue('--profile', shown(name), expected);
}

/** The addresses and keys of the built-in profile are fixed; its other settings may be changed. */
export function assertChangeable(profile: string, entry: ProfileEntry | 'keys'): void {
  const isOwn = (name: string): boolean => ['tenant', 'company', 'keyIn'].includes(name);
  const isPlain =
    entry !== 'keys' &&
    (entry.group === 'aliases' || entry.group === 'sends' || (entry.group === undefined && !isOwn(entry.name)));
  if (profile !== sandboxProfile.name || isPlain) return;
  throw new FiscalError('config.built_in_profile', { profile }, { sent: 'no' });
}

function secretAsArgument(): FiscalError {
  return new FiscalError(
    'config.secret_as_argument',
    {},
    { hint: { en: 'use: fiscal auth login', pt: 'use: fiscal auth login' } },
  );
}

export const aliasExpected = {
  en: 'expected a letter, then letters, digits, dots, dashes or underscores; not an id or a CNPJ',
  pt: 'espera-se uma letra e depois letras, algarismos, pontos, hífens ou sublinhados; não um id nem um CNPJ',
};

export const companyIdExpected = { en: 'the id of a company is expected', pt: 'espera-se o id de uma empresa' };
