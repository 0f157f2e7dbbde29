/** What stands in an element: text, or elements already written. */
export type Content = string | number | readonly Xml[];

/** Written XML, so that text is never taken for it. */
export interface Xml {
  readonly xml: string;
}

/** `<name>content</name>`, never self-closing: the form that C14N gives it. */
export function element(name: string, content: Content = ''): Xml {
  const inner = Array.isArray(content)
    ? content.map((each: Xml) => each.xml).join('')
    : escapeText(String(content));
  return { xml: `<${name}>${inner}</${name}>` };
}

/** Elements with text only, in order. */
export function leaves(fields: Readonly<Record<string, string | number>>): readonly Xml[] {
  return Object.entries(fields).map(([name, text]) => element(name, text));
}

export function group(name: string, fields: Readonly<Record<string, string | number>>): Xml {
  return element(name, leaves(fields));
}

/** C14N 1.0 §2.3: these three in text, and carriage return. Other control characters cannot stand in XML at all. */
export function escapeText(text: string): string {
  return text
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('\r', '&#xD;');
}
