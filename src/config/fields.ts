import { isAbsolute, resolve } from 'node:path';
import type { Text } from '../contract/text.js';
import { parseDuration } from '../domain/dates.js';
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
  /**
   * Whether a project file may contain it. Project files come with a checkout, perhaps from a stranger: no setting that
   * gives consent, redirects requests or trusts another certificate is allowed.
   */
  readonly inProject: boolean;
  /** Of a value with a path in it: the one that means the same place from every folder. */
  absolute?(value: string, folder: string): string;
}

type Places = Pick<Field<unknown>, 'inProfile' | 'inProject'>;

const everywhere: Places = { inProfile: true, inProject: true };
const profileOnly: Places = { inProfile: true, inProject: false };
const thisRunOnly: Places = { inProfile: false, inProject: false };

const outputs = [
  'table',
  'json',
  'ndjson',
  'yaml',
  'csv',
  'xlsx',
  'id',
] as const satisfies readonly OutputFormat[];

/** Every setting by name; `--connect-timeout`, `FISCAL_CONNECT_TIMEOUT` and `connectTimeout` are the same setting. */
export const fields = {
  company: text(everywhere),
  tenant: text(everywhere),
  archive: path(),
  output: choice(outputs, undefined, everywhere),
  csvStyle: choice(['rfc4180', 'excel-br'], 'rfc4180', everywhere),
  out: text(thisRunOnly),
  fields: list(thisRunOnly),
  query: text(thisRunOnly),
  errorFormat: choice(['text', 'json'], undefined, everywhere),
  color: choice(['auto', 'always', 'never'], 'auto', everywhere),
  lang: language(),
  utc: toggle(everywhere),
  quiet: toggle(everywhere),
  verbose: toggle(everywhere),
  debugHttp: toggle(thisRunOnly),
  noInput: toggle(everywhere),
  noPager: toggle(everywhere),
  yes: toggle(thisRunOnly),
  dryRun: toggle(thisRunOnly),
  ci: choice(['github', 'none'], undefined, thisRunOnly),
  connectTimeout: duration(5_000),
  readTimeout: duration(30_000),
  maxRetryWait: duration(300_000),
  maxBelievedWait: duration(900_000),
  settleTime: optionalDuration(),
  resendAbsent: toggle(thisRunOnly),
  requireStore: toggle(everywhere),
  concurrency: count(4, 256),
  rps: rate(),
  budget: path(),
  caCert: path(),
  proxy: proxy(),
  storeUrl: storeUrl(),
  keyIn: choice(['header', 'query'], 'header', profileOnly),
} as const;

export type FieldName = keyof typeof fields;

export type FieldValue<Name extends FieldName> =
  (typeof fields)[Name] extends Field<infer Value> ? Value : never;

export function isFieldName(name: string): name is FieldName {
  return Object.hasOwn(fields, name);
}

function text(places: Places): Field<string | undefined> {
  return {
    parse: textOf,
    expected: { en: 'text is expected', pt: 'espera-se um texto' },
    fallback: undefined,
    ...places,
  };
}

/** A file or a folder; the archive may be a bucket. */
function path(): Field<string | undefined> {
  return {
    ...text(profileOnly),
    absolute: (value, folder) => (/^s3:/i.test(value) ? value : resolve(folder, value)),
  };
}

function choice<const Choice extends string, Fallback extends Choice | undefined>(
  choices: readonly Choice[],
  fallback: Fallback,
  places: Places,
): Field<Choice | Fallback> {
  const names = choices.join(', ');
  return {
    parse: (raw) => choices.find((candidate) => candidate === raw),
    expected: { en: `one of ${names} is expected`, pt: `espera-se um de ${names}` },
    fallback,
    ...places,
  };
}

function list(places: Places): Field<readonly string[] | undefined> {
  return {
    parse: (raw) =>
      textOf(raw)
        ?.split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    expected: {
      en: 'names with commas between them are expected',
      pt: 'esperam-se nomes separados por vírgula',
    },
    fallback: undefined,
    ...places,
  };
}

function language(): Field<'en' | 'pt-BR' | undefined> {
  return {
    parse: (raw) => {
      const word = textOf(raw)?.toLowerCase().replace('_', '-');
      if (word === 'en') return 'en';
      return word === 'pt-br' || word === 'pt' ? 'pt-BR' : undefined;
    },
    expected: { en: 'one of en, pt-BR, pt is expected', pt: 'espera-se um de en, pt-BR, pt' },
    fallback: undefined,
    ...everywhere,
  };
}

function toggle(places: Places): Field<boolean> {
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

function optionalDuration(): Field<number | undefined> {
  return { ...duration(0), fallback: undefined };
}

function duration(fallback: number): Field<number> {
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
    ...everywhere,
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
    ...everywhere,
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
    ...everywhere,
  };
}

/** The address of a shared store, as a profile keeps it. `FISCAL_STORE_URL` may have a password and is read elsewhere. */
function storeUrl(): Field<string | undefined> {
  return {
    parse: (raw) => {
      const word = textOf(raw) ?? '';
      const url = URL.canParse(word) ? new URL(word) : undefined;
      return url !== undefined && /^postgres(?:ql)?:$/.test(url.protocol) && url.password === ''
        ? word
        : undefined;
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
