import type { Language, Text } from '../contract/text.js';
import type { Tone } from '../domain/shown-words.js';
import { html, type Html, Words } from './markup.js';
import { pageOf } from './page.js';

interface PageCell {
  readonly text: string;
  readonly tone: Tone;
  readonly isNumber: boolean;
}

export interface BackfillFacts {
  readonly language: Language;
  readonly title: Text;
  readonly madeAt: number;
  readonly version: string;
  readonly figures: readonly { readonly title: string; readonly value: string }[];
  readonly titles: readonly string[];
  /** In the order of the titles. */
  readonly rows: readonly (readonly PageCell[])[];
  readonly notices: readonly Text[];
}

/** The page of what was released, in the look of the month. Pure. */
export function backfillPage({
  language,
  title,
  madeAt,
  version,
  figures,
  titles,
  rows,
  notices,
}: BackfillFacts): string {
  const words = new Words(language);
  const heads = titles.map((head, at) => {
    const isNumber = rows.some((cells) => cells[at]?.isNumber === true);
    return html`<th scope="col"${isNumber ? numberClass : ''}>${words.begin({ en: head, pt: head })}</th>`;
  });
  const lines = rows.map((cells) => html`<tr>${cells.map(cellOf)}</tr>`);
  const sums = figures.map((figure) => html`<div><dt>${figure.title}</dt><dd>${figure.value}</dd></div>`);
  const said = notices.map((notice) => html`<p class="aside">${words.say(notice)}</p>`);
  const body = html`<header class="top"><p class="eyebrow">NFS-e</p><h1>${words.say(title)}</h1></header>
<main><dl class="figures">${sums}</dl>${said}
<section aria-labelledby="companies"><h2 id="companies">${words.say(texts.companies)}</h2><p class="note">${words.say(texts.note)}</p>
<div class="scroll" tabindex="0" role="group" aria-labelledby="companies"><table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table></div></section></main>
<footer>${words.say(texts.made)} ${words.moment(madeAt)} (${words.say(texts.brasilia)}), fiscal ${version}.</footer>`;
  return pageOf({ language, mark: 'backfill', title: words.say(title), body });
}

const numberClass = html` class="number"`;
const badges: Readonly<Partial<Record<Tone, string>>> = { good: 'good', warn: 'warn', bad: 'bad' };

function cellOf({ text, tone, isNumber }: PageCell): Html {
  if (isNumber) return html`<td class="number">${text}</td>`;
  const badge = badges[tone];
  return badge === undefined ? html`<td>${text}</td>` : html`<td><span class="badge ${badge}">${text}</span></td>`;
}

const texts = {
  companies: { en: 'Companies', pt: 'Empresas' },
  note: {
    en: 'An empty cell is not known. Evidence says what a row rests on: the job of this program, the summary of the service, or both.',
    pt: 'Uma célula vazia não é conhecida. A evidência diz em que a linha se apoia: no lote deste programa, no resumo do serviço ou nos dois.',
  },
  made: { en: 'Made on', pt: 'Gerado em' },
  brasilia: { en: 'Brasília time', pt: 'horário de Brasília' },
} as const satisfies Readonly<Record<string, Text>>;
