import type { Language, Text } from '../contract/text.js';
import { accountSection, fallenSection, gapsSection, manifestationsSection, proofSection } from './detail-sections.js';
import { reportTitles } from './direction-words.js';
import { documentsSection } from './documents-section.js';
import type { ReportFacts } from './facts.js';
import { chartsSection, headFigures, shownTaxNumber } from './figures.js';
import { html, Words } from './markup.js';
import { pageOf, reportMark } from './page.js';
import { seriesSection } from './series-section.js';
import { sumsOf } from './sums.js';
import { tableScript } from './table-script.js';
import { coverageSection, verdictSection } from './verdict-section.js';

/** The report of one company: one file that works alone. Pure. */
export function companyPage(facts: ReportFacts, language: Language): string {
  const words = new Words(language);
  const { month, direction, company, madeAt, isOfData, version } = facts;
  const sums = sumsOf(facts);
  const name = company.name ?? company.id;
  const body = html`<a class="skip" href="#content">${words.say(texts.skip)}</a>
<header class="top"><p class="eyebrow">${words.say(reportTitles[direction])}, ${words.month(month)}</p><h1>${name}</h1>
<p class="lead">${company.taxNumber === undefined ? company.id : `CNPJ ${shownTaxNumber(company.taxNumber)}`}</p></header>
<main id="content">
${verdictSection(facts, words)}
${headFigures(facts, sums, words)}
${gapsSection(facts, words)}
${chartsSection(facts, sums, words)}
${direction === 'received' ? manifestationsSection(facts, words) : seriesSection(facts, words)}
${fallenSection(facts, words)}
${coverageSection(facts, words)}
${accountSection(facts, words)}
${proofSection(facts, words)}
${documentsSection(facts, sums, words)}
</main>
<footer>${words.say(isOfData ? texts.stands : texts.made)} ${words.moment(madeAt)} (${words.say(texts.brasilia)}), fiscal ${version}. ${words.say(texts.source)}</footer>`;
  return pageOf({
    ...{ language, mark: reportMark(month, company.id), body, script: tableScript },
    title: `${name}, ${words.month(month)}`,
  });
}

const texts = {
  skip: { en: 'To the report', pt: 'Ir para o relatório' },
  made: { en: 'Made on', pt: 'Gerado em' },
  stands: { en: 'As of', pt: 'Posição de' },
  brasilia: { en: 'Brasília time', pt: 'horário de Brasília' },
  source: {
    en: 'Figures are those of the last sync to this machine; the verdict is that of the close.',
    pt: 'Os números são os da última sincronização nesta máquina; o resultado é o do fechamento.',
  },
} as const satisfies Readonly<Record<string, Text>>;
