import type { Text } from '../contract/text.js';
import { maskCpf } from '../domain/tax-number.js';
import { documentStates, stateWords } from '../domain/document-state.js';
import type { DocumentTerm, FileState, Manifestation, ReportDocument, ReportFacts } from './facts.js';
import { type Html, html, nothing, scriptJson, visible, type Words } from './markup.js';
import { partyWords, typeNames, typesOf } from './direction-words.js';
import type { MonthSums } from './sums.js';
import { moneyOf } from './figures.js';

/** The first of them stands: the script of the table asks for its position. */
const states = documentStates;
const files: readonly FileState[] = ['full', 'summary', 'missing'];
const manifestations: readonly Manifestation[] = [
  ...(['confirmed', 'disavowed', 'not-performed', 'rejected', 'several'] as const),
  ...(['aware', 'pending', 'none', 'unknown', 'not-due'] as const),
];
const terms: readonly DocumentTerm['state'][] = ['open', 'over', 'unread'];

/** The table of all documents: an empty frame, which the script of the page fills from its JSON. */
export function documentsSection(facts: ReportFacts, sums: MonthSums, words: Words): Html {
  const { documents, close, direction } = facts;
  const party = partyWords[direction];
  const titles = { ...columns, party: party.withKey };
  const hasProof = close.manifest !== undefined;
  const head = (column: keyof typeof titles, name = '') =>
    html`<th scope="col" data-column="${column}" class="${name}"><button type="button">${words.say(titles[column])}</button></th>`;
  const option = ([value, text]: readonly [string, Text]) => html`<option value="${value}">${words.say(text)}</option>`;
  const isReceived = direction === 'received';
  const shown = filters.filter(([value]) => (value !== 'unproven' || hasProof) && (value !== 'term' || isReceived));
  const ofReceived = isReceived ? html`${head('manifestation')}${head('term')}` : nothing;
  return html`<section aria-labelledby="all-documents"><h2 id="all-documents">${words.say(texts.title)}</h2>
<p class="note">${words.count(documents.length)} ${words.say(texts.inAll)} ${moneyOf(sums.standing, words)}.</p>
<p id="documents-without-script" class="screen">${words.say(texts.noScript)}</p>
<p class="paper">${words.say(texts.onPaper)}</p>
<div id="documents" class="screen" hidden>
<div class="tools"><div class="grow"><label for="documents-search">${words.say(party.search)}</label><input id="documents-search" type="search" autocomplete="off" spellcheck="false"></div><div><label for="documents-show">${words.say(texts.show)}</label><select id="documents-show">${shown.map(option)}</select></div></div>
<div class="scroll" tabindex="0" role="group" aria-labelledby="all-documents"><table><thead><tr>${head('day', 'number')}${head('type')}${head('party')}${head('amount', 'number')}${head('state')}${head('file')}${ofReceived}</tr></thead><tbody id="documents-body"></tbody></table></div>
<div class="pages"><p id="documents-status" role="status" class="note"></p><div><button type="button" id="documents-back">${words.say(texts.back)}</button><button type="button" id="documents-next">${words.say(texts.next)}</button></div></div>
</div>
<script type="application/json" id="rows">${scriptJson(payload(facts, words))}</script></section>`;
}

/** Rows as short arrays of numbers and texts; each supplier or customer stands once. An unknown amount is the number 0, a known one text. */
function payload({ documents, close, direction }: ReportFacts, words: Words) {
  const types = typesOf[direction];
  const parties = new Map<string, { readonly index: number; readonly row: readonly [string, string] }>();
  const partyOf = ({ party = '', partyName = '' }: ReportDocument): number => {
    const key = `${party}\n${partyName}`;
    const known = parties.get(key);
    if (known !== undefined) return known.index;
    const number = /^\d{11}$/.test(party) ? maskCpf(party) : party;
    const index = parties.size;
    parties.set(key, { index, row: [visible(number), visible(partyName)] });
    return index;
  };
  const rows = documents.map((document) => {
    const { key, family, day, amount, state, file, isProven, manifestation } = document;
    const [term] = document.terms;
    return [
      visible(key),
      types.indexOf(family),
      partyOf(document),
      day ?? 0,
      amount ?? 0,
      states.indexOf(state),
      files.indexOf(file) + (isProven ? files.length : 0),
      manifestations.indexOf(manifestation),
      term?.lastDay ?? 0,
      term === undefined ? 0 : terms.indexOf(term.state),
    ];
  });
  const isPortuguese = words.language === 'pt';
  const inProof = close.manifest === undefined ? '' : words.say(texts.notInProof);
  return {
    words: {
      thousands: isPortuguese ? '.' : ',',
      decimal: isPortuguese ? ',' : '.',
      dayFirst: isPortuguese,
      unknown: words.say(texts.unknown),
      types: types.map((type) => typeNames[type]),
      states: states.map((state) => words.begin(stateWords[state])),
      files: [
        ...files.map((file) => `${words.say(fileWords[file])}${inProof}`),
        ...files.map((file) => words.say(fileWords[file])),
      ],
      manifestations: manifestations.map((state) => words.say(manifestationWords[state])),
      terms: terms.map((state) => words.say(termWords[state])),
      status: words.say(texts.status),
    },
    parties: [...parties.values()].map(({ row }) => row),
    rows,
  };
}

export const manifestationWords: Readonly<Record<Manifestation, Text>> = {
  confirmed: { en: 'Confirmed', pt: 'Confirmada' },
  disavowed: { en: 'Not recognised', pt: 'Desconhecida' },
  'not-performed': { en: 'Not carried out', pt: 'Não realizada' },
  rejected: { en: 'Rejected', pt: 'Rejeitada' },
  several: { en: 'More than one', pt: 'Mais de uma' },
  aware: { en: 'Acknowledged', pt: 'Ciência' },
  pending: { en: 'Pending', pt: 'Pendente' },
  none: { en: 'None', pt: 'Nenhuma' },
  unknown: { en: 'Not known', pt: 'Não se sabe' },
  'not-due': { en: 'Not due', pt: 'Não se aplica' },
};

const fileWords: Readonly<Record<FileState, Text>> = {
  full: { en: 'Full XML', pt: 'XML completo' },
  summary: { en: 'Summary only', pt: 'Só resumo' },
  missing: { en: 'No file', pt: 'Sem arquivo' },
};

const termWords: Readonly<Record<DocumentTerm['state'], Text>> = {
  open: { en: '', pt: '' },
  over: { en: '(past)', pt: '(vencido)' },
  unread: { en: '(past, events not read)', pt: '(vencido, eventos não lidos)' },
};

const columns = {
  day: { en: 'Issued', pt: 'Emissão' },
  type: { en: 'Type', pt: 'Tipo' },
  amount: { en: 'Value, R$', pt: 'Valor, R$' },
  state: { en: 'State', pt: 'Situação' },
  file: { en: 'File', pt: 'Arquivo' },
  manifestation: { en: 'Manifestation', pt: 'Manifestação' },
  term: { en: 'Deadline', pt: 'Prazo' },
} as const satisfies Readonly<Record<string, Text>>;

const filters: readonly (readonly [string, Text])[] = [
  ['all', { en: 'All documents', pt: 'Todos os documentos' }],
  ['term', { en: 'With a deadline', pt: 'Com prazo' }],
  ['fallen', { en: 'Cancelled or without effect', pt: 'Cancelados ou sem efeito' }],
  ['missing', { en: 'Without the full XML', pt: 'Sem o XML completo' }],
  ['unproven', { en: 'Not in the proof', pt: 'Fora da prova' }],
  ['noAmount', { en: 'Without a known value', pt: 'Sem valor conhecido' }],
];

const texts = {
  title: { en: 'All documents', pt: 'Todos os documentos' },
  inAll: { en: 'documents. Those that stand add up to', pt: 'documentos. Os ativos somam' },
  noScript: {
    en: 'This table needs JavaScript. The figures, charts and other tables do not.',
    pt: 'Esta tabela precisa de JavaScript. Os números, os gráficos e as outras tabelas não.',
  },
  onPaper: {
    en: 'The file of this report has the table of all documents, which can be searched and sorted. It is not printed.',
    pt: 'O arquivo deste relatório tem a tabela de todos os documentos, com busca e ordenação. Ela não é impressa.',
  },
  show: { en: 'Show', pt: 'Mostrar' },
  back: { en: 'Previous', pt: 'Anteriores' },
  next: { en: 'Next', pt: 'Próximos' },
  unknown: { en: 'not known', pt: 'não se sabe' },
  notInProof: { en: ', not in the proof', pt: ', fora da prova' },
  status: {
    en: '{from}–{to} of {found} found, {all} in all',
    pt: '{from}–{to} de {found} encontrados, {all} no total',
  },
} as const satisfies Readonly<Record<string, Text>>;
