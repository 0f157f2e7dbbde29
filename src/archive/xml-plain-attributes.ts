import { after, EQUALS, IN_VALUE, QUOTE, SPACE } from './xml-bytes.js';
import type { PlainNames } from './xml-plain-names.js';
import type { XmlAttribute } from './xml-read.js';

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const XML = 'http://www.w3.org/XML/1998/namespace';

/** The attributes of one start tag. */
export interface PlainAttributes {
  readonly all: Readonly<Record<string, XmlAttribute>>;
  readonly count: number;
  /** The default namespace that is declared among them. */
  readonly declared: string | undefined;
  /** Whether they stand as canonical XML has them. Of one that declares a namespace that is not known here. */
  readonly isCanonical: boolean;
  /** The place after them. */
  readonly end: number;
}

/** Reads ` name="value"` as often as it stands at `at`; `undefined` for what plain XML does not have. */
export function readAttributes(bytes: Buffer, at: number, names: PlainNames): PlainAttributes | undefined {
  const all: Record<string, XmlAttribute> = {};
  let count = 0;
  let end = at;
  let last = '';
  let isInOrder = true;
  for (;;) {
    const name = bytes[end] === SPACE ? names.read(bytes, end + 1) : undefined;
    if (name === undefined) break;
    const equals = end + 1 + name.bytes.length;
    const close = after(bytes, equals + 2, IN_VALUE);
    if (bytes[equals] !== EQUALS || bytes[equals + 1] !== QUOTE) return undefined;
    if (bytes[close] !== QUOTE || Object.hasOwn(all, name.text) || name.text === '__proto__')
      return undefined;
    all[name.text] = attribute(name.text, bytes.toString('utf8', equals + 2, close));
    count += 1;
    end = close + 1;
    isInOrder &&= last < name.text;
    last = name.text;
  }
  const declared = all['xmlns']?.value;
  if (declared !== undefined && !canBeDefault(declared)) return undefined;
  return { all, count, declared, isCanonical: isInOrder && declared === undefined, end };
}

function attribute(name: string, value: string): XmlAttribute {
  return { name, prefix: '', local: name, value, uri: name === 'xmlns' ? XMLNS : '' };
}

/** The two names that XML keeps for itself can be no default. */
function canBeDefault(uri: string): boolean {
  return uri !== XML && uri !== XMLNS && uri.trim() === uri;
}
