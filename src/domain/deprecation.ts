import type { Text } from '../contract/text.js';
import { dayAt, formatUtc, parseUtc } from './dates.js';

/** What an answer announces about the future of its operation. */
export interface Deprecation {
  /** False when only an end is announced. */
  readonly deprecated: boolean;
  /** UTC: since when, or from when on, the operation is deprecated. */
  readonly since?: string;
  /** UTC: when the operation may stop answering. */
  readonly sunset?: string;
  /** The address of the explanation, or else of the operation that replaces this one. */
  readonly link?: string;
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Reads `Deprecation` (RFC 9745, and its drafts: `true` or a date), `Sunset` (RFC 8594) and the `Link` that explains them.
 * A `Link` alone says nothing: both RFCs let every answer link to the policy.
 */
export function deprecationIn(headers: Headers): Deprecation | undefined {
  const mark = textOf(headers['deprecation']);
  const deprecated = !['', 'false', '?0'].includes(mark.toLowerCase());
  const since = deprecated ? momentIn(mark) : undefined;
  const sunset = momentIn(textOf(headers['sunset']));
  if (!deprecated && sunset === undefined) return undefined;
  const link = linkIn(textOf(headers['link']));
  return {
    deprecated,
    ...(since === undefined ? {} : { since }),
    ...(sunset === undefined ? {} : { sunset }),
    ...(link === undefined ? {} : { link }),
  };
}

/** Headers longer than this are not read further. */
const LONGEST_HEADER = 4_000;

function textOf(value: Headers[string]): string {
  const text = typeof value === 'string' ? value : (value?.join(', ') ?? '');
  return text.slice(0, LONGEST_HEADER).trim();
}

const httpDate = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;
/** The last second of the year 9999. */
const LAST_SECOND = 253_402_300_799;

/** `@1767225600`, an HTTP date or ISO 8601 in UTC; `undefined` for other text. */
function momentIn(text: string): string | undefined {
  const seconds = /^@(\d{1,12})$/.exec(text)?.[1];
  if (seconds !== undefined) {
    return Number(seconds) <= LAST_SECOND ? formatUtc(Number(seconds) * 1_000) : undefined;
  }
  const ms = httpDate.test(text) ? Date.parse(text) : parseUtc(text);
  return ms === undefined || Number.isNaN(ms) ? undefined : formatUtc(ms);
}

const relations = ['deprecation', 'sunset', 'successor-version'] as const;

/** The address of the first relation that is there, in the order above. */
function linkIn(header: string): string | undefined {
  const links = [...header.matchAll(/<([^<>]*)>([^<]*)/g)].map(([, address = '', parameters = '']) => {
    const [, quoted, bare] = /;\s*rel\s*=\s*(?:"([^"]*)"|([\w-]+))/i.exec(parameters) ?? [];
    return { address, relations: (quoted ?? bare ?? '').toLowerCase().split(/\s+/) };
  });
  const safe = links.filter(({ address }) => isShown(address));
  return relations
    .map((relation) => safe.find((link) => link.relations.includes(relation))?.address)
    .find((address) => address !== undefined);
}

/** A web address, or a path, of visible ASCII on one line; no other scheme and no user before the host. */
function isShown(address: string): boolean {
  return address.length <= 300 && /^(?:https?:\/\/[^/@]+(?:\/|$)|\/(?!\/))/i.test(address) && /^[!#-~]+$/.test(address);
}

/** One sentence about an operation, with days in Brasília. */
export function deprecationNotice(operation: string, { deprecated, since, sunset, link }: Deprecation): Text {
  const from = since && dayAt(Date.parse(since));
  const end = sunset && dayAt(Date.parse(sunset));
  const en = [
    ...(deprecated ? [`marks this operation as deprecated${from ? ` as of ${from}` : ''}`] : []),
    ...(end ? [`announces its end for ${end}`] : []),
  ];
  const pt = [
    ...(deprecated ? [`marca esta operação como obsoleta${from ? ` a partir de ${from}` : ''}`] : []),
    ...(end ? [`anuncia o fim dela para ${end}`] : []),
  ];
  return {
    en: `${operation}: the service ${en.join(' and ')}${link ? `; see ${link}` : ''}`,
    pt: `${operation}: o serviço ${pt.join(' e ')}${link ? `; veja ${link}` : ''}`,
  };
}
