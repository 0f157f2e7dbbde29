import { noAttributes, type XmlTag } from './xml-read.js';

/** The namespaces in force, by prefix; the default one under the empty prefix. */
export type Namespaces = ReadonlyMap<string, string>;

/** The attributes `xml:*` that a canonical subtree inherits from the elements around it. */
export type Inherited = ReadonlyMap<string, string>;

/** What the elements inside the one of this depth take from it and from those around it. */
interface Scope {
  readonly depth: number;
  readonly namespaces: Namespaces;
  readonly inherited: Inherited;
  readonly outer: Scope | undefined;
}

const top: Scope = { depth: 0, namespaces: new Map(), inherited: new Map(), outer: undefined };

/** What is in force at the place where the reader stands. Most elements change nothing, and cost nothing here. */
export class XmlScopes {
  /** How many elements are open. */
  depth = 0;
  #inner = top;

  open(tag: XmlTag): void {
    this.depth += 1;
    if (hasNoAttributes(tag)) return;
    const outer = this.#inner;
    const namespaces = namespacesIn(tag, outer.namespaces);
    const inherited = inheritedIn(tag, outer.inherited);
    this.#inner = { depth: this.depth, namespaces, inherited, outer };
  }

  close(): void {
    this.#inner = this.#outer;
    this.depth -= 1;
  }

  /** Inside the innermost element. The same map as outside when it declares none. */
  get namespaces(): Namespaces {
    return this.#inner.namespaces;
  }

  get namespacesOutside(): Namespaces {
    return this.#outer.namespaces;
  }

  get inheritedOutside(): Inherited {
    return this.#outer.inherited;
  }

  get #outer(): Scope {
    return this.#inner.depth === this.depth ? (this.#inner.outer ?? top) : this.#inner;
  }
}

export function hasNoAttributes({ attributes }: XmlTag): boolean {
  return attributes === noAttributes || isEmpty(attributes);
}

function namespacesIn({ ns }: XmlTag, outside: Namespaces): Namespaces {
  if (isEmpty(ns)) return outside;
  const inside = new Map(outside);
  for (const [prefix, uri] of Object.entries(ns)) inside.set(prefix, uri);
  return inside;
}

function inheritedIn({ attributes }: XmlTag, outside: Inherited): Inherited {
  let inside: Map<string, string> | undefined;
  for (const { prefix, name, value } of Object.values(attributes)) {
    if (prefix === 'xml') inside = (inside ?? new Map(outside)).set(name, value);
  }
  return inside ?? outside;
}

function isEmpty(names: object): boolean {
  for (const _name in names) return false;
  return true;
}
