import { scaleBand, scaleLinear } from 'd3-scale';
import { html, nothing, raw, type Html, type Words } from './markup.js';
import type { Text } from '../contract/text.js';
import { counted, nouns } from '../domain/counted.js';
import { formatCnpj, maskCpf } from '../domain/tax-number.js';
import { partyWords, typeNames } from './direction-words.js';
import { stateWords } from '../domain/document-state.js';
import type { ReportFacts } from './facts.js';
import { isKnown, type MonthSums, type Sum, type PartySum } from './sums.js';

/** A bar of a column chart. */
interface Column {
  /** Below the bar; empty for most bars of a long axis. */
  readonly label: string;
  readonly value: number;
  /** What a pointer on the bar shows. */
  readonly title: string;
}

interface ColumnChart {
  /** What the picture shows, for those who cannot see it. */
  readonly label: string;
  readonly columns: readonly Column[];
  tick(value: number): string;
}

const [WIDTH, HEIGHT] = [720, 200];
const edge = { top: 12, right: 4, bottom: 26, left: 92 };
const TICKS = 4;

/** Columns as SVG. The values only set heights: exact figures are in the table behind the chart. */
function columnChart({ label, columns, tick }: ColumnChart): Html {
  const most = Math.max(1, ...columns.map(({ value }) => value));
  const y = scaleLinear()
    .domain([0, most])
    .nice(TICKS)
    .range([HEIGHT - edge.bottom, edge.top]);
  const x = scaleBand()
    .domain(columns.map((_, index) => String(index)))
    .range([edge.left, WIDTH - edge.right])
    .paddingInner(0.28);
  const ticks = y.ticks(TICKS).filter((value) => most > TICKS || Number.isInteger(value));
  const lines = ticks.map(
    (value) =>
      html`<line x1="${edge.left}" x2="${WIDTH - edge.right}" y1="${round(y(value))}" y2="${round(y(value))}"/><text class="tick" x="${edge.left - 8}" y="${round(y(value) + 4)}">${tick(value)}</text>`,
  );
  const bars = columns.map(({ value, title }, index) => {
    const top = y(Math.max(0, value));
    const height = y(0) - top;
    return html`<rect class="bar" x="${round(x(String(index)) ?? 0)}" y="${round(top)}" width="${round(x.bandwidth())}" height="${round(height)}" rx="2"><title>${title}</title></rect>`;
  });
  const labels = columns.map(({ label: text }, index) =>
    text === ''
      ? raw('')
      : html`<text class="day" x="${round((x(String(index)) ?? 0) + x.bandwidth() / 2)}" y="${HEIGHT - 8}">${text}</text>`,
  );
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${lines}${bars}${labels}</svg>`;
}

/** A bar beside a figure of a table. The figure says the same, so the bar is hidden from readers of screens. */
function rowBar(value: number, most: number): Html {
  const x = scaleLinear()
    .domain([0, Math.max(most, Number.MIN_VALUE)])
    .range([0, 100]);
  return html`<svg class="row-bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="track" width="100" height="8"/><rect class="bar" width="${round(x(Math.max(0, value)))}" height="8"/></svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Suppliers or customers with a row of their own; the others share one. */
const MOST_PARTIES = 12;

/** The four figures at the top. */
export function headFigures(facts: ReportFacts, sums: MonthSums, words: Words): Html {
  const { documents } = facts;
  const summaries = documents.filter(({ file }) => file === 'summary').length;
  const missing = documents.filter(({ file }) => file === 'missing').length;
  const terms = documents.flatMap((document) => document.terms);
  const open = terms.filter(({ state }) => state === 'open').length;
  const fallen = sums.fallen.reduce((count, { sum }) => count + sum.documents, 0);
  const byState = sums.fallen.map(({ state, sum }) => `${words.count(sum.documents)} ${words.say(stateWords[state])}`);
  if (isUnread(facts)) return html`<p class="aside">${words.say(texts.unread)}</p>`;
  const figure = (title: Text, value: string, below: string) =>
    html`<div><dt>${words.say(title)}</dt><dd>${value}</dd><dd class="small">${below}</dd></div>`;
  const { refused, notFinal } = facts.undecided;
  const lastFigure =
    facts.direction === 'received'
      ? figure(texts.terms, words.count(open), `${words.count(terms.length - open)} ${words.say(texts.over)}`)
      : figure(texts.notIssued, words.count(refused), `${words.count(notFinal)} ${words.say(texts.notFinal)}`);
  return html`<dl class="figures">
${figure(
  texts.documents,
  words.count(sums.standing.documents + fallen),
  `${words.count(summaries)} ${words.say(texts.summaries)}, ${words.count(missing)} ${words.say(texts.missing)}`,
)}
${figure(texts.value, moneyOf(sums.standing, words), words.say(texts.valueNote) + withoutText(sums.standing, words))}
${figure(texts.fallen, words.count(fallen), byState.length === 0 ? words.say(texts.noneFallen) : byState.join(', '))}
${lastFigure}
</dl>`;
}

/** No sync has read the lists of the company: that there are no documents is not known. */
export function isUnread({ documents, lists }: Pick<ReportFacts, 'documents' | 'lists'>): boolean {
  return documents.length === 0 && lists.every(({ readAt }) => readAt === null);
}

/** By day, type, and supplier or customer: a chart each, and a table behind it. */
export function chartsSection({ direction }: Pick<ReportFacts, 'direction'>, sums: MonthSums, words: Words): Html {
  const party = partyWords[direction];
  const days = sums.days.map(({ day, sum }, index) => ({
    ...{ day, sum, label: index === 0 || (index + 1) % 5 === 0 ? day.slice(8) : '' },
    title: `${words.day(day)}: ${words.say(counted(sum.documents, nouns.document))}, ${moneyOf(sum, words)}`,
  }));
  const documents = columnChart({
    label: words.say(texts.documentsByDay),
    columns: days.map(({ label, title, sum }) => ({ label, title, value: sum.documents })),
    tick: (value) => words.count(Math.round(value)),
  });
  const values = columnChart({
    label: words.say(texts.valueByDay),
    columns: days.map(({ label, title, sum }) => ({ label, title, value: Number(String(sum.amount)) })),
    tick: (value) => shortMoney(value, words),
  });
  return html`<section aria-labelledby="by-day"><h2 id="by-day">${words.say(texts.byDay)}</h2><p class="note">${words.say(texts.standing)}</p>
<figure><figcaption>${words.say(texts.documentsByDay)}</figcaption>${documents}</figure>
<figure><figcaption>${words.say(texts.valueByDay)}</figcaption>${isKnown(sums.standing) ? values : html`<p>${words.say(texts.noValue)}</p>`}</figure>
<details><summary>${words.say(texts.tableOfDays)}</summary>${daysTable(sums, words)}</details></section>
<section aria-labelledby="by-type"><h2 id="by-type">${words.say(texts.byType)}</h2><p class="note">${words.say(texts.standing)}</p>${typesTable(sums, words)}</section>
<section aria-labelledby="by-party"><h2 id="by-party">${words.say(party.by)}</h2><p class="note">${words.say(texts.standing)}</p>${partiesTable(sums, party, words)}</section>`;
}

function daysTable({ days, withoutDay, standing }: MonthSums, words: Words): Html {
  const rows = days.filter(({ sum }) => sum.documents > 0).map(({ day, sum }) => sumRow(words.day(day), sum, words));
  const without = withoutDay.documents === 0 ? [] : [sumRow(words.say(texts.noDay), withoutDay, words)];
  return html`<table><thead><tr><th scope="col">${words.say(texts.day)}</th>${sumHeads(words)}</tr></thead><tbody>${[...rows, ...without]}</tbody><tfoot>${sumRow(words.say(texts.total), standing, words)}</tfoot></table>`;
}

function typesTable({ families, standing }: MonthSums, words: Words): Html {
  const most = Math.max(...families.map(({ standing: sum }) => Number(String(sum.amount))));
  const rows = families.map(({ family, standing: sum, fallen }) => {
    const bar = rowBar(Number(String(sum.amount)), most);
    return html`<tr><th scope="row">${typeNames[family]}</th><td class="wide">${bar}</td>${sumCells(sum, words)}<td class="number">${words.count(fallen.documents)}</td></tr>`;
  });
  const fallen = families.reduce((count, each) => count + each.fallen.documents, 0);
  return html`<div class="scroll" tabindex="0" role="group" aria-labelledby="by-type"><table><thead><tr><th scope="col">${words.say(texts.type)}</th><th scope="col" class="wide">${words.say(texts.share)}</th>${sumHeads(words)}<th scope="col" class="number">${words.say(texts.fallen)}</th></tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row">${words.say(texts.total)}</th><td class="wide"></td>${sumCells(standing, words)}<td class="number">${words.count(fallen)}</td></tr></tfoot></table></div>`;
}

function partiesTable({ parties, standing }: MonthSums, party: (typeof partyWords)['received'], words: Words): Html {
  if (parties.length === 0) return html`<p>${words.say(texts.noDocuments)}</p>`;
  const shown = parties.slice(0, MOST_PARTIES);
  const most = Math.max(...shown.map(({ amount }) => Number(String(amount))));
  const rows = shown.map((each) => {
    const bar = rowBar(Number(String(each.amount)), most);
    return html`<tr><th scope="row">${partyTitle(each, words)}</th><td class="wide">${bar}</td>${sumCells(each, words)}</tr>`;
  });
  const rest = parties.length - shown.length;
  const more = rest === 0 ? nothing : html`<p class="note">${words.count(rest)} ${words.say(party.more)}</p>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-labelledby="by-party"><table><thead><tr><th scope="col">${words.say(party.title)}</th><th scope="col" class="wide">${words.say(texts.share)}</th>${sumHeads(words)}</tr></thead><tbody>${rows}</tbody><tfoot><tr><th scope="row">${words.say(party.all)}</th><td class="wide"></td>${sumCells(standing, words)}</tr></tfoot></table></div>${more}`;
}

function partyTitle({ name, taxNumber }: PartySum, words: Words): Html {
  const number = taxNumber === undefined ? nothing : html`<div class="dim">${shownTaxNumber(taxNumber)}</div>`;
  return html`${name ?? (taxNumber === undefined ? words.say(texts.unknownParty) : words.say(texts.nameless))}${number}`;
}

/** A CPF is personal data and is masked. */
export function shownTaxNumber(taxNumber: string): string {
  return /^\d{11}$/.test(taxNumber) ? maskCpf(taxNumber) : formatCnpj(taxNumber);
}

function sumHeads(words: Words): Html {
  return html`<th scope="col" class="number">${words.say(texts.documents)}</th><th scope="col" class="number">${words.say(texts.value)}</th>`;
}

function sumRow(title: string, sum: Sum, words: Words): Html {
  return html`<tr><th scope="row">${title}</th>${sumCells(sum, words)}</tr>`;
}

function sumCells(sum: Sum, words: Words): Html {
  const without =
    sum.withoutAmount === 0 || !isKnown(sum)
      ? nothing
      : html`<br><span class="dim">${withoutText(sum, words).slice(2)}</span>`;
  return html`<td class="number">${words.count(sum.documents)}</td><td class="number">${moneyOf(sum, words)}${without}</td>`;
}

/** The exact value; of documents without any amount it is not known, and not zero. */
export function moneyOf(sum: Sum, words: Words): string {
  return isKnown(sum) ? words.money(String(sum.amount)) : words.say(texts.notKnown);
}

function withoutText({ withoutAmount }: Sum, words: Words): string {
  return withoutAmount === 0 ? '' : `, ${words.count(withoutAmount)} ${words.say(texts.withoutAmount)}`;
}

/** A round value of an axis. */
function shortMoney(value: number, words: Words): string {
  const [divisor, unit] = units.find(([least]) => value >= least) ?? [1, texts.one];
  const figure = String(Math.round((value / divisor) * 100) / 100);
  return `${words.language === 'pt' ? figure.replace('.', ',') : figure}${words.say(unit)}`;
}

const texts = {
  unread: {
    en: 'No sync has read the lists of this company on this machine. Its documents are not known.',
    pt: 'Nenhuma sincronização leu as listas desta empresa nesta máquina. Os documentos dela são desconhecidos.',
  },
  documents: { en: 'Documents', pt: 'Documentos' },
  summaries: { en: 'summaries only', pt: 'só resumo' },
  missing: { en: 'without file', pt: 'sem arquivo' },
  value: { en: 'Value', pt: 'Valor' },
  valueNote: { en: 'documents that stand', pt: 'documentos ativos' },
  fallen: { en: 'Cancelled or without effect', pt: 'Cancelados ou sem efeito' },
  noneFallen: { en: 'none', pt: 'nenhum' },
  terms: { en: 'Open deadlines', pt: 'Prazos em aberto' },
  over: { en: 'past', pt: 'vencidos' },
  notIssued: { en: 'Never issued', pt: 'Não emitidas' },
  notFinal: { en: 'not final', pt: 'sem situação final' },
  standing: {
    en: 'Documents that stand, by their own day of issue.',
    pt: 'Documentos ativos, pela data de emissão do próprio documento.',
  },
  byDay: { en: 'By day', pt: 'Por dia' },
  byType: { en: 'By type', pt: 'Por tipo' },
  documentsByDay: { en: 'Documents for each day', pt: 'Documentos por dia' },
  valueByDay: { en: 'Value for each day, in R$', pt: 'Valor por dia, em R$' },
  noValue: { en: 'No document has a known value.', pt: 'Nenhum documento tem valor conhecido.' },
  tableOfDays: { en: 'The days as a table', pt: 'Os dias em tabela' },
  day: { en: 'Day', pt: 'Dia' },
  noDay: { en: 'Day not known', pt: 'Dia desconhecido' },
  type: { en: 'Type', pt: 'Tipo' },
  share: { en: 'Value compared', pt: 'Comparação do valor' },
  unknownParty: { en: 'Not known', pt: 'Não se sabe' },
  nameless: { en: 'Name not known', pt: 'Nome desconhecido' },
  noDocuments: { en: 'There are no documents.', pt: 'Não há documentos.' },
  total: { en: 'Total', pt: 'Total' },
  notKnown: { en: 'not known', pt: 'não se sabe' },
  withoutAmount: { en: 'without a known value', pt: 'sem valor conhecido' },
  million: { en: 'M', pt: ' mi' },
  thousand: { en: 'K', pt: ' mil' },
  one: { en: '', pt: '' },
} as const satisfies Readonly<Record<string, Text>>;

const units: readonly (readonly [divisor: number, unit: Text])[] = [
  [1_000_000, texts.million],
  [1_000, texts.thousand],
];
