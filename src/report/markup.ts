import type { Language, Text } from '../contract/text.js';
import { amountText } from '../domain/amount-text.js';
import { unseen } from '../domain/terminal-text.js';
import { dayInWords, momentInWords, parseUtc } from '../domain/dates.js';

/** A piece of HTML in which every text is escaped. Only `html` and `raw` make one. */
export class Html {
  constructor(readonly source: string) {}
}

type Value = string | number | Html | readonly Html[] | undefined;

/** Escapes every value but pieces of HTML. For element content and quoted attributes. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.reduce((all, part, index) => all + sourceOf(values[index - 1]) + part));
}

/** A text of this program that is HTML, CSS or JavaScript already. */
export function raw(source: string): Html {
  return new Html(source);
}

export const nothing = raw('');

function sourceOf(value: Value): string {
  if (value === undefined) return '';
  if (value instanceof Html) return value.source;
  return typeof value === 'object' ? value.map(({ source }) => source).join('') : escaped(String(value));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Control characters and the signs that turn the direction of text would disguise a name: they are shown as a replacement. */
function escaped(text: string): string {
  return visible(text).replaceAll(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}

/** Text without characters that hide or reorder others. */
export function visible(text: string): string {
  return text.replaceAll(/[\t\n\r\u2028\u2029]+/gu, ' ').replaceAll(unseen(), '\uFFFD');
}

/** JSON that can stand in a script element: no text ends the element or begins a comment. */
export function scriptJson(data: unknown): Html {
  return raw(
    JSON.stringify(data)
      .replaceAll('<', String.raw`\u003c`)
      .replaceAll('>', String.raw`\u003e`)
      .replaceAll('&', String.raw`\u0026`)
      .replaceAll('\u2028', String.raw`\u2028`)
      .replaceAll('\u2029', String.raw`\u2029`),
  );
}

/** Texts, figures and dates in the language of the reader. */
export class Words {
  constructor(readonly language: Language) {}

  say(text: Text): string {
    return text[this.language];
  }

  /** As the start of a cell: with a capital letter. */
  begin(text: Text): string {
    const said = this.say(text);
    return said.charAt(0).toUpperCase() + said.slice(1);
  }

  count(count: number): string {
    return amountText(String(count))[this.language].slice(0, -3);
  }

  money(amount: string): string {
    return `R$ ${this.say(amountText(amount))}`;
  }

  day(day: string): string {
    return this.say(dayInWords(day));
  }

  /** A moment as text of the service or in milliseconds, in Brasília. */
  moment(at: string | number): string {
    const ms = typeof at === 'number' ? at : parseUtc(at);
    return ms === undefined ? String(at) : this.say(momentInWords(ms));
  }

  /** `October 2026`, `outubro de 2026`. */
  month(name: string): string {
    const at = new Date(`${name}-15T12:00:00Z`);
    const locale = this.language === 'pt' ? 'pt-BR' : 'en';
    return new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(at);
  }
}
