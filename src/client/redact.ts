import { isNumber, type NumberLiteral } from '../domain/json-numbers.js';
import { checkCpf, maskCpf } from '../domain/tax-number.js';

/** Replaces a secret. */
const MASK = '***';

const SECRET_HEADERS = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);
/** `securityCredential` holds the CSC of NFC-e; the last three open the system of a city hall. */
const SECRET_NAMES =
  'password|senha|secret|apikey|api_key|authorization|token|access_token|jwt|securityCredential|loginName|loginPassword|authIssueValue';
const SECRET_FIELDS = new RegExp(`^(?:${SECRET_NAMES})$`, 'i');
/** The headers that the service adds to the deliveries of a webhook: the receiver may know the service by one of them. */
const SECRET_VALUES = /^headers$/i;
/**
 * A secret field in text that is not JSON: `"name": value`, `name: "value"` or `name=value`. Where the value is an object or a
 * list, the rest of the text: its end is uncertain.
 */
const SECRET_IN_TEXT = new RegExp(
  String.raw`(?<!\w)((?:${SECRET_NAMES})(?:\\*["']\s*[:=]|\s*=|\s*:(?=\s*(?:\\*["']|[{[])))\s*)` +
    String.raw`(?:(\\*")(?:[^"\\]|\\.)*"?|(\\*')(?:[^'\\]|\\.)*'?|[{[][^]*|[^\s&"']+)`,
  'gi',
);
/** Eleven digits with or without CPF punctuation, not part of a longer number. */
const CPF_LIKE = /(?<![\d.])(\d{3}\.\d{3}\.\d{3}-\d{2}|\d{11})(?!\d)/g;
/** With the letters before it, so that each word is looked at once. */
const JWT_LIKE = /(?<![\w-])(?=[\w-]*\beyJ)[\w-]{8,}\.[\w-]{5,}\.[\w-]*/g;
const SANDBOX_KEY = /\bsbx_[\w-]+/g;
/** A quick check: most texts contain none of these. */
const ANY = new RegExp([JWT_LIKE, SANDBOX_KEY, CPF_LIKE, SECRET_IN_TEXT].map(({ source }) => source).join('|'), 'i');
/** Deeper than any document of the service; a malicious one must not exhaust the stack. */
const MAX_DEPTH = 64;

/** Masks keys, the values of secret fields and CPFs in a text. `secrets`: the keys in use, masked wherever they occur. */
export function redactText(text: string, secrets: readonly string[] = []): string {
  const known = secrets.filter((secret) => secret !== '');
  const bare = known.reduce((rest, secret) => rest.replaceAll(secret, MASK), text);
  if (!ANY.test(bare)) return bare;
  return bare
    .replaceAll(SECRET_IN_TEXT, `$1$2$3${MASK}$2$3`)
    .replaceAll(JWT_LIKE, MASK)
    .replaceAll(SANDBOX_KEY, MASK)
    .replaceAll(CPF_LIKE, (number: string) => (checkCpf(number).valid ? maskCpf(number) : number));
}

/** An address for display and history, without key, user and CPF. */
export function redactUrl(url: URL, secrets: readonly string[] = []): string {
  const isBare = url.username === '' && url.password === '' && url.search === '';
  return redactText(withoutBirthDate((isBare ? url : withoutKey(url)).href), [
    ...secrets,
    ...secrets.map((secret) => encodeURIComponent(secret)),
  ]);
}

function withoutKey(url: URL): URL {
  const shown = new URL(url);
  shown.username = '';
  shown.password = '';
  if (shown.searchParams.has('apikey')) shown.searchParams.set('apikey', MASK);
  return shown;
}

/** The date in a path after a CPF is that person's date of birth. */
function withoutBirthDate(address: string): string {
  return address.replaceAll(/(\/[\d.-]{11,14}\/)\d{4}-\d\d-\d\d(?=$|[/?#])/g, `$1${MASK}`);
}

export function redactHeaders(
  headers: Readonly<Record<string, string>>,
  secrets: readonly string[] = [],
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      SECRET_HEADERS.has(name.toLowerCase()) ? MASK : redactText(value, secrets),
    ]),
  );
}

/** Whether a field of this name holds a secret, in any letter case. */
export function isSecretName(name: string): boolean {
  return SECRET_FIELDS.test(name);
}

/** A copy of a JSON value with secret fields, keys and CPFs masked. */
export function redactData(data: unknown, secrets: readonly string[] = [], depth = 0): unknown {
  if (typeof data === 'string') return redactText(data, secrets);
  if (isNumber(data)) return secrets.includes(String(data)) ? MASK : redactNumber(data);
  if (typeof data !== 'object' || data === null) return data;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(data)) return data.map((entry) => redactData(entry, secrets, depth + 1));
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isSecretName(name) ? MASK : redactField(name, value, { secrets, depth }),
    ]),
  );
}

function redactField(
  name: string,
  value: unknown,
  { secrets, depth }: { readonly secrets: readonly string[]; readonly depth: number },
): unknown {
  const hasSecrets = SECRET_VALUES.test(name) && typeof value === 'object' && value !== null;
  if (!hasSecrets) return redactData(value, secrets, depth + 1);
  return Object.fromEntries(Object.keys(value).map((key) => [redactText(key, secrets), MASK]));
}

/** Shorter secrets occur in any text: masking them would destroy it. */
const MIN_LENGTH = 4;

/**
 * The values of the secret fields of a request body, longest first, as they are and as they stand in JSON and in an address: a
 * service may quote them.
 */
export function secretsIn(body: unknown): readonly string[] {
  const quoted = secretValues(body, false)
    // Well-formed, since half a surrogate pair has no encoding.
    .map((value) => Buffer.from(value).toString())
    .filter((value) => value.length >= MIN_LENGTH)
    .flatMap((value) => [value, JSON.stringify(value).slice(1, -1), encodeURIComponent(value)]);
  return [...new Set(quoted)].toSorted((one, other) => other.length - one.length);
}

function secretValues(value: unknown, isSecret: boolean, depth = 0): readonly string[] {
  if (typeof value === 'string' || isNumber(value)) return isSecret ? [String(value)] : [];
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return [];
  if (depth >= MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretValues(inner, isSecret || isSecretName(name) || SECRET_VALUES.test(name), depth + 1),
  );
}

function redactNumber(value: number | NumberLiteral): unknown {
  const text = String(value).padStart(11, '0');
  return /^\d{11}$/.test(text) && checkCpf(text).valid && Number(value) >= 1e9 ? maskCpf(text) : value;
}
