import type { Language, Text } from '../contract/text.js';
import { counted, nouns } from '../domain/counted.js';
import type { Direction } from '../domain/direction.js';
import { reportTitles } from './direction-words.js';
import type { ReportCompany, ReportTerms, ReportVerdict } from './facts.js';
import { moneyOf, shownTaxNumber } from './figures.js';
import { html, nothing, Words } from './markup.js';
import { pageOf, reportMark } from './page.js';
import type { Sum } from './sums.js';
import { verdicts } from './verdict-section.js';

/** One line of the index. */
export interface IndexRow {
  readonly company: ReportCompany;
  readonly direction: Direction;
  /** The name of the file beside the index. */
  readonly file: string;
  readonly verdict: ReportVerdict;
  readonly closedAt: string | undefined;
  /** `undefined`: no valid close has looked for them. */
  readonly gaps: number | undefined;
  /** `undefined`: no sync has read the lists of the company. */
  readonly documents: { readonly count: number; readonly standing: Sum } | undefined;
  /** Of received documents of any month. */
  readonly terms: ReportTerms | undefined;
}

export interface IndexFacts {
  readonly month: string;
  readonly madeAt: number;
  readonly version: string;
  readonly rows: readonly IndexRow[];
}

/** What needs a person comes first. */
const order: readonly ReportVerdict[] = [
  ...(['contradictory', 'incomplete', 'not-closed', 'older', 'not-provable', 'complete'] as const),
];

/** The page over the reports of all companies. Pure. */
export function indexPage({ month, madeAt, version, rows }: IndexFacts, language: Language): string {
  const words = new Words(language);
  const directions = (['received', 'issued'] as const).filter((each) =>
    rows.some(({ direction }) => direction === each),
  );
  const companies = new Set(rows.map(({ company }) => company.id)).size;
  const isBoth = directions.length > 1;
  const title = directions.map((direction) => words.say(reportTitles[direction])).join(', ');
  const hasTerms = directions.includes('received');
  const sorted = rows.toSorted(
    (one, other) =>
      order.indexOf(one.verdict) - order.indexOf(other.verdict) ||
      nameOf(one.company).localeCompare(nameOf(other.company), language),
  );
  const figures = order.toReversed().flatMap((verdict) => {
    const count = rows.filter((row) => row.verdict === verdict).length;
    if (count === 0) return [];
    const { title } = verdicts[verdict];
    return [html`<div><dt>${words.say(title)}</dt><dd>${words.count(count)}</dd></div>`];
  });
  const unknown = html`<span class="dim">${words.say(texts.unknown)}</span>`;
  const number = (text: string | undefined) => html`<td class="number">${text ?? unknown}</td>`;
  const lines = sorted.map(({ company, direction, file, verdict, closedAt, gaps, documents, terms }) => {
    const { tone, title } = verdicts[verdict];
    const taxNumber = company.taxNumber === undefined ? company.id : shownTaxNumber(company.taxNumber);
    const at = closedAt === undefined ? '' : words.moment(closedAt);
    const due = terms && `${words.count(terms.open)} / ${words.count(terms.lost + terms.presumed)}`;
    const shownTerms = direction === 'issued' ? '–' : documents && due;
    return html`<tr><th scope="row"><a href="${file}">${nameOf(company)}</a><div class="dim">${taxNumber}</div>${isBoth ? html`<div>${words.say(reportTitles[direction])}</div>` : nothing}</th><td><span class="badge ${tone}">${words.say(title)}</span><div class="dim">${at}</div></td>${number(gaps === undefined ? undefined : words.count(gaps))}${number(documents && words.count(documents.count))}${number(documents && moneyOf(documents.standing, words))}${hasTerms ? number(shownTerms) : nothing}</tr>`;
  });
  const body = html`<header class="top"><p class="eyebrow">${title}</p><h1>${words.month(month)}</h1><p class="lead">${words.say(counted(companies, nouns.company))}</p></header>
<main><dl class="figures">${figures}</dl>
<section aria-labelledby="companies"><h2 id="companies">${words.say(texts.all)}</h2><p class="note">${words.say(texts.note)}</p>
<div class="scroll" tabindex="0" role="group" aria-labelledby="companies"><table><thead><tr><th scope="col">${words.say(texts.company)}</th><th scope="col">${words.say(texts.verdict)}</th><th scope="col" class="number">${words.say(texts.gaps)}</th><th scope="col" class="number">${words.say(texts.documents)}</th><th scope="col" class="number">${words.say(texts.value)}</th>${hasTerms ? html`<th scope="col" class="number">${words.say(texts.terms)}</th>` : nothing}</tr></thead><tbody>${lines}</tbody></table></div></section></main>
<footer>${words.say(texts.made)} ${words.moment(madeAt)} (${words.say(texts.brasilia)}), fiscal ${version}.</footer>`;
  return pageOf({ language, mark: reportMark(month), title: `${title}, ${words.month(month)}`, body });
}

function nameOf({ name, id }: ReportCompany): string {
  return name ?? id;
}

const texts = {
  unknown: { en: 'not known', pt: 'não se sabe' },
  all: { en: 'Companies', pt: 'Empresas' },
  note: {
    en: 'The verdict is that of the close, at its time. The value is that of the documents that stand.',
    pt: 'O resultado é o do fechamento, no momento dele. O valor é o dos documentos ativos.',
  },
  company: { en: 'Company', pt: 'Empresa' },
  verdict: { en: 'Close', pt: 'Fechamento' },
  gaps: { en: 'Gaps', pt: 'Divergências' },
  documents: { en: 'Documents', pt: 'Documentos' },
  value: { en: 'Value', pt: 'Valor' },
  terms: { en: 'Deadlines due / lost', pt: 'Prazos a vencer / fora do prazo' },
  made: { en: 'Made on', pt: 'Gerado em' },
  brasilia: { en: 'Brasília time', pt: 'horário de Brasília' },
} as const satisfies Readonly<Record<string, Text>>;
