import type { Text } from '../contract/text.js';
import type { Direction } from '../domain/direction.js';
import { stateWords } from '../domain/document-state.js';
import { beforeInWords } from '../domain/term-horizon.js';
import { manifestationWords } from './documents-section.js';
import type { CertificateFacts, Manifestation, ReportDocument, ReportFacts, ReportTerms } from './facts.js';
import { moneyOf, shownTaxNumber } from './figures.js';
import { type Html, html, nothing, visible, type Words } from './markup.js';
import { sumOf } from './sums.js';
import { partyWords, typeNames } from './direction-words.js';

/** Rows that a list on the page has at most; the table of documents has all. */
const MOST_ROWS = 20;

/** How many documents have which manifestation, and the deadlines that come first. */
export function manifestationsSection(facts: ReportFacts, words: Words): Html {
  const { documents, withoutTerms, commands, terms } = facts;
  const subject = documents.filter(({ manifestation }) => manifestation !== 'not-due');
  const states = Object.keys(manifestationWords).filter(isManifestation);
  const rows = states.flatMap((state) => {
    const own = subject.filter(({ manifestation }) => manifestation === state);
    if (own.length === 0) return [];
    return [
      html`<tr><th scope="row">${words.say(manifestationWords[state])}</th><td class="number">${words.count(own.length)}</td><td class="number">${moneyOf(sumOf(own), words)}</td></tr>`,
    ];
  });
  // Each row has one term.
  const due = documents
    .flatMap((document) => document.terms.map((term) => ({ ...document, terms: [term] })))
    .toSorted((one, other) => ((one.terms[0]?.lastDay ?? '') < (other.terms[0]?.lastDay ?? '') ? -1 : 1));
  const hasTerm = html`<thead><tr><th scope="col">${words.say(texts.lastDay)}</th><th scope="col">${words.say(texts.document)}</th><th scope="col" class="number">${words.say(texts.value)}</th></tr></thead>`;
  return html`<section aria-labelledby="manifestations"><h2 id="manifestations">${words.say(texts.manifestations)}</h2>
<p class="note">${words.say(texts.manifestationsNote)}</p>
${
  subject.length === 0
    ? html`<p>${words.say(texts.noneDue)}</p>`
    : html`<table><thead><tr><th scope="col">${words.say(texts.manifestation)}</th><th scope="col" class="number">${words.say(texts.documents)}</th><th scope="col" class="number">${words.say(texts.value)}</th></tr></thead><tbody>${rows}</tbody></table>`
}
${terms === undefined ? nothing : html`<p><strong>${words.say(texts.ofCompany)}</strong> ${companyTerms(terms, words)}</p>`}
${withoutTerms === 0 ? nothing : html`<p class="aside">${words.count(withoutTerms)} ${words.say(texts.withoutTerms)}</p>`}
${
  due.length === 0
    ? nothing
    : html`<details open><summary>${words.say(texts.deadlines)} (${words.count(due.length)})</summary>${listTable(
        due,
        {
          direction: facts.direction,
          head: hasTerm,
          label: 'manifestations',
          first: (document) => termText(document, words),
        },
        words,
      )}<p class="note">${words.say(texts.listDue)}</p><pre><code>${commands.due}</code></pre></details>`
}${answersPart(facts, words)}</section>`;
}

/** What the authority answered to events, the refused ones first. */
function answersPart({ documents, direction }: ReportFacts, words: Words): Html {
  const answered = documents
    .flatMap((document) => document.answers.map((answer) => ({ ...document, answers: [answer] })))
    .toSorted((one, other) => refusals(one) - refusals(other));
  if (answered.length === 0) return nothing;
  const head = html`<thead><tr><th scope="col">${words.say(texts.answer)}</th><th scope="col">${words.say(texts.document)}</th><th scope="col" class="number">${words.say(texts.value)}</th></tr></thead>`;
  return html`<details open><summary>${words.say(texts.answers)} (${words.count(answered.length)})</summary>${listTable(
    answered,
    { direction, head, label: 'manifestations', first: (document) => answerText(document, words) },
    words,
  )}</details>`;
}

function refusals({ answers }: ReportDocument): number {
  return answers.every(({ isRegistered }) => isRegistered) ? 1 : 0;
}

function answerText({ answers: [answer] }: ReportDocument, words: Words): Html {
  if (answer === undefined) return nothing;
  const { event, code, text, protocol, isRegistered } = answer;
  const badge = html`<span class="badge ${isRegistered ? 'good' : 'bad'}">${visible(code ?? '–')}</span>`;
  const number =
    protocol === undefined ? nothing : html`<div class="dim">${words.say(texts.protocol)} ${visible(protocol)}</div>`;
  return html`${words.begin(event)}<br>${badge} ${visible(text ?? '')}${number}`;
}

function isManifestation(text: string): text is Manifestation {
  return text in manifestationWords;
}

/** `3 due by 08/12/2026, 113 lost since 01/10/2026, 19 more before October`: as `manifestation due` counts them. */
function companyTerms(terms: ReportTerms, words: Words): string {
  const { open, lost, presumed, unknown, earlier, unreadable, horizon } = terms;
  const parts: (readonly [number, Text, string])[] = [
    [open, texts.dueBy, words.day(horizon.last)],
    [lost + presumed, texts.lostSince, words.day(horizon.first)],
    [unknown, texts.pastUnreadSince, words.day(horizon.first)],
    [earlier, texts.moreLost, words.say(beforeInWords(horizon))],
    [unreadable, texts.noDate, ''],
  ];
  const said = parts.filter(([count], index) => count > 0 || index < 2);
  return `${said.map(([count, text, when]) => `${words.count(count)} ${words.say(text)} ${when}`.trim()).join(', ')}.`;
}

function termText({ terms: [term] }: ReportDocument, words: Words): Html {
  if (term === undefined) return nothing;
  const after = { open: texts.runs, over: texts.past, unread: texts.pastUnread }[term.state];
  const tone = { open: 'warn', over: 'bad', unread: 'bad' }[term.state];
  return html`${words.day(term.lastDay)}<br><span class="badge ${tone}">${words.say(after)}</span>`;
}

/** The documents that no longer count. */
export function fallenSection({ documents, direction }: ReportFacts, words: Words): Html {
  const fallen = documents.filter(({ state }) => state !== 'standing');
  const head = html`<thead><tr><th scope="col">${words.say(texts.state)}</th><th scope="col">${words.say(texts.document)}</th><th scope="col" class="number">${words.say(texts.value)}</th></tr></thead>`;
  return html`<section aria-labelledby="fallen"><h2 id="fallen">${words.say(texts.fallen)}</h2>
<p class="note">${words.say(texts.fallenNote)}</p>
${
  fallen.length === 0
    ? html`<p>${words.say(texts.noneFallen)}</p>`
    : listTable(
        fallen,
        { direction, head, label: 'fallen', first: ({ state }) => html`${words.begin(stateWords[state])}` },
        words,
      )
}</section>`;
}

interface ListForm {
  readonly direction: Direction;
  readonly head: Html;
  /** The id of the heading. */
  readonly label: string;
  first(document: ReportDocument): Html;
}

function listTable(
  documents: readonly ReportDocument[],
  { direction, head, label, first }: ListForm,
  words: Words,
): Html {
  const rows = documents
    .slice(0, MOST_ROWS)
    .map(
      (document) =>
        html`<tr><td>${first(document)}</td><th scope="row">${typeNames[document.family]}, ${document.partyName ?? partyNumber(document, partyWords[direction].unknown, words)}<div class="key dim">${document.key}</div></th><td class="number">${moneyOf(sumOf([document]), words)}</td></tr>`,
    );
  const rest = documents.length - rows.length;
  const more = rest <= 0 ? nothing : html`<p class="note">${words.count(rest)} ${words.say(texts.more)}</p>`;
  return html`<div class="scroll" tabindex="0" role="group" aria-labelledby="${label}"><table>${head}<tbody>${rows}</tbody></table></div>${more}`;
}

function partyNumber({ party }: ReportDocument, unknown: Text, words: Words): string {
  return party === undefined ? words.say(unknown) : shownTaxNumber(party);
}

/** What is missing, and the next command for each. */
export function gapsSection({ close, commands }: ReportFacts, words: Words): Html {
  const rows = close.gaps.map(
    ({ count, what, todo, command }) =>
      html`<tr><td class="number">${words.count(count)}</td><th scope="row">${words.say(what)}</th><td>${words.say(todo)}${command === undefined ? nothing : html`<pre><code>${command}</code></pre>`}</td></tr>`,
  );
  const isKnown = close.verdict === 'complete' || close.verdict === 'incomplete' || close.verdict === 'not-provable';
  const none = isKnown ? texts.noGaps : texts.gapsUnknown;
  return html`<section aria-labelledby="gaps"><h2 id="gaps">${words.say(texts.gaps)}</h2>
${
  rows.length === 0
    ? html`<p>${words.say(none)}</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="gaps"><table><thead><tr><th scope="col" class="number">${words.say(texts.count)}</th><th scope="col">${words.say(texts.gap)}</th><th scope="col">${words.say(texts.todo)}</th></tr></thead><tbody>${rows}</tbody></table></div><p class="note">${words.say(texts.thenClose)}</p><pre><code>${commands.close}</code></pre>`
}</section>`;
}

/** The certificate as it was last listed, and what the month caused to be billed. */
export function accountSection({ certificate, usage, commands }: ReportFacts, words: Words): Html {
  const rows = usage.map(
    ({ operation, billed, unknown, freeRepeats }) =>
      html`<tr><th scope="row">${words.say(operation)}</th><td class="number">${words.count(billed)}</td><td class="number">${words.count(unknown)}</td><td class="number">${words.count(freeRepeats)}</td></tr>`,
  );
  return html`<section aria-labelledby="certificate"><h2 id="certificate">${words.say(texts.certificate)}</h2>${certificateText(certificate, commands.certificate, words)}</section>
<section aria-labelledby="cost"><h2 id="cost">${words.say(texts.cost)}</h2><p class="note">${words.say(texts.costNote)}</p>
${
  rows.length === 0
    ? html`<p>${words.say(texts.noCalls)}</p>`
    : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="cost"><table><thead><tr><th scope="col">${words.say(texts.operation)}</th><th scope="col" class="number">${words.say(texts.billed)}</th><th scope="col" class="number">${words.say(texts.billedUnknown)}</th><th scope="col" class="number">${words.say(texts.freeRepeats)}</th></tr></thead><tbody>${rows}</tbody></table></div>`
}</section>`;
}

function certificateText(certificate: CertificateFacts | undefined, command: string, words: Words): Html {
  const ask = html`<p class="note">${words.say(texts.askCertificate)}</p><pre><code>${command}</code></pre>`;
  if (certificate === undefined) return html`<p>${words.say(texts.certificateUnknown)}</p>${ask}`;
  const { state, validUntil, isEnding, subject, seenAt } = certificate;
  const tones = { valid: isEnding ? 'warn' : 'good', expired: 'bad', missing: 'bad', other: 'bad', unknown: 'warn' };
  const tone = tones[state];
  const until =
    validUntil === null
      ? nothing
      : html` ${words.say(state === 'expired' ? texts.expiredOn : texts.validUntil)} ${words.moment(Date.parse(validUntil))}.`;
  return html`<p><span class="badge ${tone}">${words.say(certificateStates[state])}</span>${until}</p>
${subject === null ? nothing : html`<p>${subject}</p>`}
<p class="note">${words.say(texts.listedOn)} ${words.moment(seenAt)}.</p>${state === 'valid' && !isEnding ? nothing : ask}`;
}

/** The hash of the manifest, and how anyone checks it. */
export function proofSection({ close, commands }: ReportFacts, words: Words): Html {
  const { manifest } = close;
  if (manifest === undefined) return nothing;
  return html`<section aria-labelledby="proof"><h2 id="proof">${words.say(texts.proof)}</h2>
<p>${words.say(texts.proofNote)}</p>
<p><strong>${words.say(texts.manifest)}</strong> <span class="key">${manifest.path}</span><br><strong>SHA-256</strong> <span class="key">${manifest.sha256}</span><br><strong>${words.say(texts.entries)}</strong> ${words.count(manifest.entries)}</p>
<p class="note">${words.say(texts.verify)}</p><pre><code>${commands.verify}</code></pre></section>`;
}

const certificateStates: Readonly<Record<CertificateFacts['state'], Text>> = {
  valid: { en: 'Valid', pt: 'Válido' },
  expired: { en: 'Expired', pt: 'Vencido' },
  missing: { en: 'None', pt: 'Nenhum' },
  other: { en: 'Of another holder', pt: 'De outro titular' },
  unknown: { en: 'Not known', pt: 'Não se sabe' },
};

const texts = {
  manifestations: { en: 'Manifestations and deadlines', pt: 'Manifestações e prazos' },
  manifestationsNote: {
    en: 'Events of the recipient (NF-e) and of the taker (NFS-e), as far as this machine has sent or read them. Deadlines are those of the law; the law sets none for NFS-e.',
    pt: 'Eventos do destinatário (NF-e) e do tomador (NFS-e), até onde esta máquina os enviou ou leu. Os prazos são os da lei, que não fixa nenhum para NFS-e.',
  },
  manifestation: { en: 'Manifestation', pt: 'Manifestação' },
  noneDue: {
    en: 'No document of the month takes a manifestation.',
    pt: 'Nenhum documento do mês recebe manifestação.',
  },
  withoutTerms: {
    en: 'documents lack what a deadline is computed from. Their deadlines are not known.',
    pt: 'documentos não têm os dados que formam o prazo. O prazo deles é desconhecido.',
  },
  ofCompany: { en: 'Of the company, in all months:', pt: 'Da empresa, em todos os meses:' },
  dueBy: { en: 'due by', pt: 'a vencer até' },
  lostSince: { en: 'lost since', pt: 'fora do prazo desde' },
  pastUnreadSince: { en: 'past, with events not read, since', pt: 'vencidos, com eventos não lidos, desde' },
  moreLost: { en: 'more', pt: 'mais' },
  noDate: { en: 'without a date', pt: 'sem data' },
  deadlines: { en: 'Deadlines that no event has settled', pt: 'Notas sem manifestação' },
  listDue: {
    en: 'All deadlines, with the events that can still be sent:',
    pt: 'Todos os prazos, com os eventos que ainda cabem:',
  },
  answers: { en: 'Answers of the authority', pt: 'Respostas da SEFAZ' },
  answer: { en: 'Event and answer', pt: 'Evento e resposta' },
  protocol: { en: 'protocol', pt: 'protocolo' },
  lastDay: { en: 'Last day', pt: 'Último dia' },
  runs: { en: 'open', pt: 'aberto' },
  past: { en: 'past', pt: 'vencido' },
  pastUnread: { en: 'past, events not read since', pt: 'vencido, eventos não lidos desde então' },
  document: { en: 'Document', pt: 'Documento' },
  documents: { en: 'Documents', pt: 'Documentos' },
  value: { en: 'Value', pt: 'Valor' },
  state: { en: 'State', pt: 'Situação' },
  fallen: { en: 'Cancelled or without effect', pt: 'Cancelados ou sem efeito' },
  fallenNote: {
    en: 'By the status and the events that the last sync read. A later cancellation is not known here.',
    pt: 'Pelo status e pelos eventos lidos na última sincronização. Um cancelamento posterior não aparece aqui.',
  },
  noneFallen: {
    en: 'Every document of the month stands, as far as this machine knows.',
    pt: 'Nenhum documento do mês consta como cancelado ou substituído.',
  },
  more: { en: 'more are in the table of documents.', pt: 'outros estão na tabela de documentos.' },
  gaps: { en: 'Gaps', pt: 'Divergências' },
  gap: { en: 'Gap', pt: 'Divergência' },
  count: { en: 'Number', pt: 'Número' },
  todo: { en: 'What to do', pt: 'O que fazer' },
  thenClose: { en: 'Then close the month again:', pt: 'Depois feche o mês de novo:' },
  noGaps: { en: 'The close found no gap.', pt: 'O fechamento não achou divergências.' },
  gapsUnknown: {
    en: 'Gaps are not known: no valid close has looked for them.',
    pt: 'Não se sabe se há divergências: nenhum fechamento válido as procurou.',
  },
  certificate: { en: 'Certificate', pt: 'Certificado' },
  certificateUnknown: {
    en: 'Not known: the certificates of the company were never listed on this machine.',
    pt: 'Não se sabe: os certificados da empresa nunca foram listados nesta máquina.',
  },
  askCertificate: { en: 'To ask the service:', pt: 'Para consultar o serviço:' },
  validUntil: { en: 'Valid until', pt: 'Válido até' },
  expiredOn: { en: 'Expired on', pt: 'Venceu em' },
  listedOn: { en: 'As the service listed it on', pt: 'Conforme a lista do serviço em' },
  cost: { en: 'Billed calls', pt: 'Chamadas cobradas' },
  costNote: {
    en: 'Calls of the month for this company, as far as the store of this machine knows. The bill of the service decides.',
    pt: 'Chamadas do mês para esta empresa, até onde o arquivo de estado desta máquina sabe. Vale a fatura do serviço.',
  },
  noCalls: {
    en: 'The store has no billed call of the month for this company.',
    pt: 'O arquivo de estado não tem chamada cobrada do mês para esta empresa.',
  },
  operation: { en: 'Operation', pt: 'Operação' },
  billed: { en: 'Billed', pt: 'Cobradas' },
  billedUnknown: { en: 'Perhaps billed', pt: 'Talvez cobradas' },
  freeRepeats: { en: 'Free repeats', pt: 'Repetições sem cobrança' },
  proof: { en: 'The proof', pt: 'A prova' },
  proofNote: {
    en: 'The manifest lists every file of the close with its SHA-256. This report read the manifest, and not the files again.',
    pt: 'O manifesto lista cada arquivo do fechamento com o seu SHA-256. Este relatório leu o manifesto, e não releu os arquivos.',
  },
  manifest: { en: 'Manifest', pt: 'Manifesto' },
  entries: { en: 'Documents', pt: 'Documentos' },
  verify: {
    en: 'To check every file of the archive against it, without network, in the folder of the archive:',
    pt: 'Para conferir cada arquivo com ele, sem rede, dentro da pasta de documentos:',
  },
} as const satisfies Readonly<Record<string, Text>>;
