import { createHash } from 'node:crypto';
import { type DocumentDate, documentDate } from '../domain/document-date.js';
import type { Text } from '../contract/text.js';

/** The values of a path in the archive. They come from the service and are not trusted. */
export interface LayoutValues {
  /** CNPJ of the company, or its id if the CNPJ is unknown. */
  readonly cnpj: string;
  readonly companyId: string;
  /** What `{type}` gives: the family, and the direction of what a company issues. */
  readonly type: string;
  /** Access key, or the service's id for a document without a key. */
  readonly key: string;
  readonly issuer?: string | undefined;
  /** As the list writes it. */
  readonly issuedOn?: string | undefined;
  /** As the XML writes it. */
  readonly xmlIssuedOn?: string | undefined;
}

/** The named layouts. The first one is the default. */
export const layoutPresets = {
  month: '{cnpj}/{yyyy}-{mm}/{type}/{key}.xml',
  day: '{cnpj}/{yyyy}/{mm}/{dd}/{type}/{key}.xml',
  issuer: '{cnpj}/{yyyy}-{mm}/{type}/{issuer}/{key}.xml',
  type: '{type}/{cnpj}/{yyyy}-{mm}/{key}.xml',
  flat: '{cnpj}/{key}.xml',
} as const;

/** The placeholders of a template, written in braces. */
export const layoutWords = ['cnpj', 'company', 'type', 'key', 'issuer', 'yyyy', 'mm', 'dd'] as const;
type LayoutWord = (typeof layoutWords)[number];

/** Characters of one text in a file name. Two of them plus extensions stay below the limit of file systems (255 bytes). */
const MAX_NAME = 100;
const HASH_LENGTH = 12;
const UNDATED = { yyyy: '0000', mm: '00', dd: '00' };

/** Names that Windows reserves for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/**
 * The path of a document relative to the archive, without extension, joined by `/`. It stays inside the archive whatever
 * the values contain: no name is empty, starts with a dot or contains a separator.
 */
export function stemOf(template: string, given: LayoutValues): string {
  const values = valuesOf(given);
  return template
    .replace(/\.xml$/i, '')
    .split('/')
    .map((part) => safeName(part.replaceAll(/\{(\w+)\}/g, (whole, word) => valueOf(values, word) ?? whole)))
    .join('/');
}

export function xmlPath(stem: string): string {
  return `${stem}.xml`;
}

export function pdfPath(stem: string): string {
  return `${stem}.pdf`;
}

/** An event is stored next to its document. */
export function eventPath(stem: string, eventKey: string): string {
  return `${stem}.event-${safeName(eventKey)}.xml`;
}

/** A safe file name from a text of the service. A changed text gets a hash, so that two texts never share a name. */
export function safeName(text: string): string {
  const safe = text
    .replaceAll(/[^\w.-]/g, '_')
    .replace(/^[.-]+/, '_')
    .slice(0, MAX_NAME)
    .replace(/(?<!\.)\.+$/, '_');
  const name = safe === '' || DEVICE.test(safe) ? `_${safe}` : safe;
  if (name === text) return name;
  return `${name}-${createHash('sha256').update(text).digest('hex').slice(0, HASH_LENGTH)}`;
}

function valuesOf({
  cnpj,
  companyId,
  type,
  key,
  issuer,
  issuedOn,
  xmlIssuedOn,
}: LayoutValues): Record<LayoutWord, string> {
  return {
    cnpj,
    company: companyId,
    type,
    key,
    issuer: issuer ?? 'unknown',
    ...dateParts(documentDate({ xml: xmlIssuedOn, row: issuedOn, key })),
  };
}

function valueOf(values: Record<LayoutWord, string>, word: string): string | undefined {
  const known = layoutWords.find((name) => name === word);
  return known === undefined ? undefined : values[known];
}

/** The day of the document; where only its month is known, day 00. */
function dateParts({ day, month }: DocumentDate): Pick<Record<LayoutWord, string>, 'yyyy' | 'mm' | 'dd'> {
  const [yyyy = UNDATED.yyyy, mm = UNDATED.mm, dd = UNDATED.dd] = (day ?? month ?? '').split('-');
  return { yyyy: yyyy === '' ? UNDATED.yyyy : yyyy, mm, dd };
}

/** A layout by its preset name or as a template; or what is wrong with it. */
type ReadLayout = { readonly template: string } | { readonly problem: Text };

export function readLayout(text: string): ReadLayout {
  const preset = Object.entries(layoutPresets).find(([name]) => name === text)?.[1];
  if (preset !== undefined) return { template: preset };
  const problem = problemOf(text);
  return problem === undefined ? { template: text } : { problem };
}

function problemOf(text: string): Text | undefined {
  if (!text.includes('{')) return noPreset;
  const words = [...text.matchAll(/\{(\w*)\}/g)].map(([, word = '']) => word);
  const unknown = words.find((word) => !layoutWords.some((known) => known === word));
  if (unknown !== undefined)
    return {
      en: `{${unknown}} is not known; the words are ${words}`,
      pt: `{${unknown}} não é conhecido; as palavras são ${words}`,
    };
  if (!text.split('/').at(-1)?.includes('{key}')) return noKey;
  const parts = text.replaceAll(/\{\w+\}/g, 'x').split('/');
  return parts.every((part) => /^[\w-][\w.-]*$/.test(part)) ? undefined : notRelative;
}

const presets = Object.keys(layoutPresets).join(', ');
const words = layoutWords.map((word) => `{${word}}`).join(' ');

const noPreset: Text = {
  en: `one of ${presets}, or a template with ${words}, is expected`,
  pt: `espera-se um de ${presets}, ou um modelo com ${words}`,
};

const noKey: Text = {
  en: 'the last part must hold {key}, so that every document has a file of its own',
  pt: 'a última parte deve conter {key}, para que cada documento tenha o seu arquivo',
};

const notRelative: Text = {
  en: 'a relative path is expected: parts of letters, digits, dot, dash and words in braces, joined by /',
  pt: 'espera-se um caminho relativo: partes com letras, dígitos, ponto, hífen e palavras entre chaves, unidas por /',
};
