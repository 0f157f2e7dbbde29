import { IN_NAME, isA, standsAt, STARTS_NAME } from './xml-bytes.js';
import { noAttributes, type XmlTag } from './xml-read.js';

/** So many names are remembered; the layouts of this field have some hundreds. */
const MOST_NAMES = 2_000;
/** Longer names, or namespaces, are of no layout. */
const LONGEST = 200;

/** An element as the reader of plain XML keeps it while it is open. */
export interface PlainTag extends XmlTag {
  /** Its name as it stands in the file. */
  readonly bytes: Uint8Array;
}

const noDeclarations: XmlTag['ns'] = {};

/** A name without prefix, and the element without attributes that bears it. */
export class PlainName {
  readonly text: string;
  #bare: PlainTag;

  constructor(readonly bytes: Uint8Array) {
    this.text = Buffer.from(bytes).toString('latin1');
    this.#bare = this.tag('');
  }

  /** Without attributes, in this namespace. */
  bare(uri: string): PlainTag {
    if (this.#bare.uri === uri) return this.#bare;
    const tag = this.tag(uri);
    if (uri.length <= LONGEST) this.#bare = tag;
    return tag;
  }

  tag(uri: string, attributes = noAttributes, ns = noDeclarations): PlainTag {
    const { text, bytes } = this;
    return { name: text, local: text, uri, attributes, ns, bytes };
  }
}

/** Names that were met, in any document: all of a layout have the same ones. */
export class PlainNames {
  readonly #byHash = new Map<number, PlainName>();

  /** The name that begins at `at`; `undefined` when none does. */
  read(bytes: Uint8Array, at: number): PlainName | undefined {
    if (!isA(bytes[at], STARTS_NAME)) return undefined;
    const { length } = bytes;
    let hash = 0;
    let end = at;
    for (; end < length && isA(bytes[end], IN_NAME); end += 1) {
      hash = (Math.imul(hash, 31) + (bytes[end] ?? 0)) | 0;
    }
    const known = this.#byHash.get(hash);
    if (known?.bytes.length === end - at && standsAt(bytes, at, known.bytes)) return known;
    // A copy: a view would hold the document in memory.
    const name = new PlainName(new Uint8Array(bytes.subarray(at, end)));
    if (end - at <= LONGEST) this.#remember(hash, name);
    return name;
  }

  #remember(hash: number, name: PlainName): void {
    if (this.#byHash.size >= MOST_NAMES) this.#byHash.clear();
    this.#byHash.set(hash, name);
  }
}
