import { isAbsolute, resolve } from 'node:path';
import type { Text } from '../contract/text.js';
import { parseDuration } from '../domain/dates.js';
import { SETTLE_MS } from '../domain/settle-time.js';
import type { OutputFormat } from './settings.js';

/** One setting: how its value is parsed, and where it may be set besides flag and environment. */
export interface Field<Value> {
  /**
   * Returns `undefined` for an invalid value. Input is text from flags and environment; text, numbers or booleans from
   * JSON files.
   */
  parse(raw: unknown): Value | undefined;
  readonly expected: Text;
  readonly fallback: Value;
  readonly inProfile: boolean;
  readonly project: ProjectRule<Value>;
  /** Of a value with a path in it: the one that means the same place from every folder. */
  absolute?(value: string, folder: string): string;
}

/**
 * What a project file may do to a setting. It comes with a checkout, perhaps from a stranger: it loosens nothing, says whom
 * to act for only where nothing else does, and holds no setting that gives consent, redirects requests or trusts another
 * certificate.
 */
export type ProjectRule<Value> =
  /** What is shown, and how: it goes before the profile. */
  | 'chooses'
  /** Whose work it is: it goes after the profile. */
  | 'fills'
  /** What protects: it counts only where it is tighter than the profile, or the default. */
  | { isTighter(value: Value, than: Value): boolean }
  /** It is refused there. */
  | 'never';

interface Places<Value = unknown> {
  readonly inProfile: boolean;
  readonly project: ProjectRule<Value>;
}

const shown = { inProfile: true, project: 'chooses' } as const;
const scope = { inProfile: true, project: 'fills' } as const;
const profileOnly = { inProfile: true, project: 'never' } as const;
const thisRunOnly = { inProfile: false, project: 'never' } as const;

/** A switch that protects while it has this value. */
function protecting(safe: boolean): Places<boolean> {
  return { inProfile: true, project: { isTighter: (value, than) => value === safe && than !== safe } };
}

const longer: Places<number> = { inProfile: true, project: { isTighter: (value, than) => value > than } };
const fewer: Places<number> = { inProfile: true, project: { isTighter: (value, than) => value < than } };

const outputs = ['table', 'json', 'ndjson', 'yaml', 'csv', 'xlsx', 'id'] as const satisfies readonly OutputFormat[];

/** Every setting by name; `--connect-timeout`, `FISCAL_CONNECT_TIMEOUT` and `connectTimeout` are the same setting. */
export const fields = {
  company: text(scope),
  tenant: text(scope),
  archive: path(),
  output: choice(outputs, undefined, shown),
  csvStyle: choice(['rfc4180', 'excel-br'], 'rfc4180', shown),
  out: text(thisRunOnly),
  fields: list(thisRunOnly),
  query: text(thisRunOnly),
  errorFormat: choice(['text', 'json'], undefined, shown),
  color: choice(['auto', 'always', 'never'], 'auto', shown),
  lang: language(shown),
  utc: toggle(shown),
  quiet: toggle(protecting(false)),
  verbose: toggle(shown),
  debugHttp: toggle(thisRunOnly),
  noInput: toggle(protecting(true)),
  noPager: toggle(shown),
  yes: toggle(thisRunOnly),
  dryRun: toggle(thisRunOnly),
  ci: choice(['github', 'none'], undefined, thisRunOnly),
  // An answer that is not waited for leaves the outcome of a write unknown.
  connectTimeout: duration(5_000, longer),
  readTimeout: duration(30_000, longer),
  maxRetryWait: duration(300_000, fewer),
  maxBelievedWait: duration(900_000, longer),
  settleTime: settleTime(),
  resendAbsent: toggle(thisRunOnly),
  requireStore: toggle(protecting(true)),
  concurrency: count(4, 256),
  rps: rate(),
  budget: path(),
  caCert: path(),
  proxy: proxy(),
  storeUrl: storeUrl(),
  keyIn: choice(['header', 'query'], 'header', profileOnly),
} as const;

export type FieldName = keyof typeof fields;

export type FieldValue<Name extends FieldName> = (typeof fields)[Name] extends Field<infer Value> ? Value : never;

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name);
}

function text(places: Places<string | undefined>): Field<string | undefined> {
  return {
    parse: textOf,
    expected: { en: 'text is expected', pt: 'espera-se um texto' },
    fallback: undefined,
    ...places,
  };
}

/** A file or a folder; the archive may be a bucket. */
function path(): Field<string | undefined> {
  return { ...text(profileOnly), absolute: (value, folder) => (/^s3:/i.test(value) ? value : resolve(folder, value)) };
}

function choice<const Choice extends string, Fallback extends Choice | undefined>(
  choices: readonly Choice[],
  fallback: Fallback,
  places: Places<Choice | Fallback>,
): Field<Choice | Fallback> {
  const names = choices.join(', ');
  return {
    parse: (raw) => choices.find((candidate) => candidate === raw),
    expected: { en: `one of ${names} is expected`, pt: `espera-se um de ${names}` },
    fallback,
    ...places,
  };
}

function list(places: Places<readonly string[] | undefined>): Field<readonly string[] | undefined> {
  return {
    parse: (raw) =>
      textOf(raw)
        ?.split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    expected: { en: 'names with commas between them are expected', pt: 'esperam-se nomes separados por vírgula' },
    fallback: undefined,
    ...places,
  };
}

function language(places: Places<'en' | 'pt-BR' | undefined>): Field<'en' | 'pt-BR' | undefined> {
  return {
    parse: (raw) => {
      const word = textOf(raw)?.toLowerCase().replace('_', '-');
      if (word === 'en') return 'en';
      return word === 'pt-br' || word === 'pt' ? 'pt-BR' : undefined;
    },
    expected: { en: 'one of en, pt-BR, pt is expected', pt: 'espera-se um de en, pt-BR, pt' },
    fallback: undefined,
    ...places,
  };
}

function toggle(places: Places<boolean>): Field<boolean> {
  return {
    parse: (raw) => {
      if (typeof raw === 'boolean') return raw;
      const word = textOf(raw) ?? '';
      if (/^(?:1|true|yes|on)$/i.test(word)) return true;
      return /^(?:0|false|no|off)$/i.test(word) ? false : undefined;
    },
    expected: { en: 'one of true, false is expected', pt: 'espera-se um de true, false' },
    fallback: false,
    ...places,
  };
}

/** One day: longer than any wait of the service, and within a timer's limit. */
const maxDurationMs = 86_400_000;

/** Absent: the default of each operation, of which none is longer than `SETTLE_MS`. */
function settleTime(): Field<number | undefined> {
  const isTighter = (value = 0, than = SETTLE_MS): boolean => value > than;
  return { ...duration(0, longer), fallback: undefined, project: { isTighter } };
}

function duration(fallback: number, places: Places<number>): Field<number> {
  return {
    parse: (raw) => {
      const ms = parseDuration(textOf(raw) ?? '');
      return ms !== undefined && ms <= maxDurationMs ? ms : undefined;
    },
    expected: {
      en: 'a time such as 500ms, 5s, 10m or 1h is expected, at most 1d',
      pt: 'espera-se um tempo como 500ms, 5s, 10m ou 1h, no máximo 1d',
    },
    fallback,
    ...places,
  };
}

function count(fallback: number, max: number): Field<number> {
  return {
    parse: (raw) => {
      const word = textOf(raw) ?? '';
      const value = /^\d{1,6}$/.test(word) ? Number(word) : 0;
      return value >= 1 && value <= max ? value : undefined;
    },
    expected: {
      en: `a whole number from 1 to ${String(max)} is expected`,
      pt: `espera-se um número inteiro de 1 a ${String(max)}`,
    },
    fallback,
    ...fewer,
  };
}

function rate(): Field<number | undefined> {
  return {
    parse: (raw) => {
      const word = textOf(raw) ?? '';
      const value = /^\d{1,6}(?:\.\d{1,3})?$/.test(word) ? Number(word) : 0;
      return value > 0 ? value : undefined;
    },
    expected: {
      en: 'a number above 0 is expected, such as 5 or 0.5',
      pt: 'espera-se um número acima de 0, como 5 ou 0.5',
    },
    fallback: undefined,
    inProfile: true,
    // Without a limit, requests go out as fast as the service allows.
    project: { isTighter: (value = Number.POSITIVE_INFINITY, than = Number.POSITIVE_INFINITY) => value < than },
  };
}

/** The address of a shared store, as a profile keeps it. `FISCAL_STORE_URL` may have a password and is read elsewhere. */
function storeUrl(): Field<string | undefined> {
  return {
    parse: (raw) => {
      const word = textOf(raw) ?? '';
      const url = URL.canParse(word) ? new URL(word) : undefined;
      return url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol) && url.password === '' ? word : undefined;
    },
    expected: {
      en: 'postgres://user@host/database without a password is expected; a password belongs to FISCAL_STORE_URL_FILE or PGPASSFILE',
      pt: 'espera-se postgres://usuário@servidor/banco sem senha; a senha fica em FISCAL_STORE_URL_FILE ou PGPASSFILE',
    },
    fallback: undefined,
    ...profileOnly,
    absolute(value, folder) {
      const url = new URL(value);
      const certificates = url.searchParams.get('sslrootcert') ?? 'system';
      if (certificates === 'system' || isAbsolute(certificates)) return value;
      url.searchParams.set('sslrootcert', resolve(folder, certificates));
      return url.href;
    },
  };
}

/** `host:port` or an http(s) address. It may contain a password and is masked in output. */
function proxy(): Field<string | undefined> {
  return {
    parse: (raw) => {
      const word = textOf(raw) ?? '';
      const full = word.includes('://') ? word : `http://${word}`;
      return URL.canParse(full) && /^https?:$/.test(new URL(full).protocol) ? word : undefined;
    },
    expected: { en: 'http://host:port is expected', pt: 'espera-se http://host:porta' },
    fallback: undefined,
    ...profileOnly,
  };
}

function textOf(raw: unknown): string | undefined {
  if (typeof raw === 'number') return String(raw);
  return typeof raw === 'string' && raw.trim() !== '' ? raw.trim() : undefined;
}
