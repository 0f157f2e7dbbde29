/** An element by its local name; prefixes and namespaces are left out. */
export interface XmlNode {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlNode[];
  /** The text directly inside, trimmed. */
  readonly text: string;
}

/** XML that is not read, with the reason. */
export class XmlFault extends Error {
  override readonly name = 'XmlFault';
}

const deepest = 100;
const mostElements = 400_000;

/**
 * The root element. For facts only, so it is lenient: what stands before and after the root is skipped, a wrong byte is replaced, and
 * no entity is expanded but the five of XML. Throws `XmlFault`.
 */
export function readXml(bytes: Uint8Array): XmlNode {
  return new Reader(textOf(bytes)).root();
}

/** The text in the encoding of its mark, else in the declared one. An unknown one is read as Windows-1252, which has every byte. */
function textOf(bytes: Uint8Array): string {
  const decoder = (label: string) => new TextDecoder(label).decode(bytes);
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return decoder('utf-16le');
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return decoder('utf-16be');
  const head = Buffer.from(bytes.subarray(0, 200)).toString('latin1');
  const declared = /<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1] ?? 'utf-8';
  // A declaration that could be read byte by byte is not of UTF-16.
  if (/^(?:utf-?16|ucs-?2|iso-10646)/i.test(declared)) return decoder('utf-8');
  try {
    return decoder(declared);
  } catch {
    return decoder('windows-1252');
  }
}

interface OpenNode extends XmlNode {
  readonly qualified: string;
  readonly children: XmlNode[];
  text: string;
}

class Reader {
  #at = 0;
  #elements = 0;

  constructor(private readonly text: string) {}

  root(): XmlNode {
    const stack: OpenNode[] = [];
    for (;;) {
      const start = this.text.indexOf('<', this.#at);
      const current = stack.at(-1);
      if (start === -1) throw new XmlFault(current === undefined ? 'it has no element' : 'it ends too early');
      if (current !== undefined) current.text += unescaped(this.text.slice(this.#at, start));
      this.#at = start;
      if (this.#skip('<!--', '-->') || this.#skip('<?', '?>')) continue;
      if (this.text.startsWith('<![CDATA[', start)) this.#cdata(current);
      else if (this.text.startsWith('<!', start)) this.#skipDoctype();
      else if (this.text.startsWith('</', start)) {
        const closed = this.#close(stack);
        if (stack.length === 0) return closed;
      } else {
        const opened = this.#open(stack);
        if (opened.isEmpty && stack.length === 0) return opened.node;
        if (!opened.isEmpty) stack.push(opened.node);
      }
    }
  }

  #skip(begin: string, end: string): boolean {
    if (!this.text.startsWith(begin, this.#at)) return false;
    this.#at = this.#endOf(end, this.#at + begin.length);
    return true;
  }

  #endOf(end: string, from: number): number {
    const found = this.text.indexOf(end, from);
    if (found === -1) throw new XmlFault('it ends too early');
    return found + end.length;
  }

  #cdata(current: OpenNode | undefined): void {
    const begin = this.#at + '<![CDATA['.length;
    this.#at = this.#endOf(']]>', begin);
    if (current !== undefined) current.text += this.text.slice(begin, this.#at - ']]>'.length);
  }

  /** With its internal subset, of which nothing is used. */
  #skipDoctype(): void {
    const end = this.#endOf('>', this.#at);
    const subset = this.text.indexOf('[', this.#at);
    this.#at = subset === -1 || subset > end ? end : this.#endOf('>', this.#endOf(']', subset));
  }

  #open(stack: readonly OpenNode[]): { readonly node: OpenNode; readonly isEmpty: boolean } {
    this.#elements += 1;
    if (this.#elements > mostElements) throw new XmlFault(`it has more than ${mostElements} elements`);
    if (stack.length >= deepest) throw new XmlFault(`its elements are nested more than ${deepest} deep`);
    const end = this.#tagEnd();
    const isEmpty = this.text[end - 2] === '/';
    const tag = this.text.slice(this.#at + 1, end - (isEmpty ? 2 : 1));
    this.#at = end;
    const qualified = /^[^\s/>]+/.exec(tag)?.[0] ?? '';
    if (qualified === '') throw new XmlFault('a tag has no name');
    const attributes = new Map<string, string>();
    for (const [, name = '', double, single] of tag.slice(qualified.length).matchAll(attributePattern))
      attributes.set(localOf(name), unescaped(double ?? single ?? ''));
    const node: OpenNode = { name: localOf(qualified), qualified, attributes, children: [], text: '' };
    stack.at(-1)?.children.push(node);
    return { node, isEmpty };
  }

  /** After the `>` of a tag: one inside quotes belongs to a value. */
  #tagEnd(): number {
    let at = this.#at + 1;
    for (;;) {
      const character = this.text[at];
      if (character === undefined) throw new XmlFault('it ends too early');
      if (character === '>') return at + 1;
      at = character === '"' || character === "'" ? this.#endOf(character, at + 1) : at + 1;
    }
  }

  #close(stack: OpenNode[]): XmlNode {
    const end = this.#endOf('>', this.#at);
    const name = this.text.slice(this.#at + 2, end - 1).trim();
    this.#at = end;
    const node = stack.pop();
    if (node?.qualified !== name) throw new XmlFault(`</${name.slice(0, 40)}> closes nothing`);
    node.text = node.text.trim();
    return node;
  }
}

const attributePattern = /(?<![^\s"'])([^\s=/"']+)\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)')/g;

function localOf(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescaped(text: string): string {
  if (!text.includes('&')) return text;
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, (whole, digits, hex, name) => {
    if (typeof name === 'string') return entities.get(name) ?? whole;
    const code = typeof digits === 'string' ? Number(digits) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole;
  });
}

/** The first element at this path of local names, `*` for any one. */
export function nodeAt(node: XmlNode, path: string): XmlNode | undefined {
  let here: XmlNode | undefined = node;
  for (const name of path.split('/')) here = here?.children.find((child) => name === '*' || child.name === name);
  return here;
}

/** The text there; `undefined` without one. */
export function textAt(node: XmlNode, ...paths: readonly string[]): string | undefined {
  for (const path of paths) {
    const text = nodeAt(node, path)?.text;
    if (text !== undefined && text !== '') return text;
  }
  return undefined;
}

/** Every element below and including this one, in document order. */
export function* nodesOf(root: XmlNode): Generator<XmlNode> {
  const waiting = [root];
  for (;;) {
    const node = waiting.pop();
    if (node === undefined) return;
    yield node;
    for (let index = node.children.length - 1; index >= 0; index -= 1) {
      const child = node.children[index];
      if (child !== undefined) waiting.push(child);
    }
  }
}
