import type { Text } from '../contract/text.js';
import { counted, type Forms } from '../domain/counted.js';
import { typeNames } from './direction-words.js';
import type { CloseFacts, CoverageFacts, IssuedCoverageFacts, ReportFacts, ReportVerdict } from './facts.js';
import { type Html, html, nothing, raw, type Words } from './markup.js';

type Tone = 'good' | 'warn' | 'bad';

interface VerdictWords {
  readonly tone: Tone;
  readonly title: Text;
  readonly means: Text;
}

/** Each verdict in words. None says more than the close proves. */
export const verdicts: Readonly<Record<ReportVerdict, VerdictWords>> = {
  complete: {
    tone: 'good',
    title: { en: 'Complete', pt: 'Completo' },
    means: {
      en: 'The close proves that every document of the month that the service listed is in the archive with its listed events, as far as the coverage below reaches.',
      pt: 'O fechamento prova que todo documento do mês listado pelo serviço está na pasta de documentos com os eventos listados, dentro da cobertura descrita abaixo.',
    },
  },
  incomplete: {
    tone: 'bad',
    title: { en: 'Incomplete', pt: 'Incompleto' },
    means: {
      en: 'The close names documents or events that are missing or damaged. They are listed under “Gaps”.',
      pt: 'O fechamento aponta documentos ou eventos que faltam ou estão danificados. Eles estão em “Lacunas”.',
    },
  },
  'not-provable': {
    tone: 'warn',
    title: { en: 'Not provable', pt: 'Sem comprovação' },
    means: {
      en: 'The close found no gap, but it cannot prove that nothing is missing, for these reasons:',
      pt: 'O fechamento não achou divergências, mas não consegue provar que nada falta, por estes motivos:',
    },
  },
  'not-closed': {
    tone: 'warn',
    title: { en: 'Not closed', pt: 'Não fechado' },
    means: {
      en: 'The archive has no close of this month. The figures are what the last sync brought; nothing proves that they are complete.',
      pt: 'A pasta de documentos não tem o fechamento deste mês. Os números são os da última sincronização; nada prova que estejam completos.',
    },
  },
  older: {
    tone: 'warn',
    title: { en: 'Not proven', pt: 'Não comprovado' },
    means: {
      en: 'The close follows the rules of another version of this program, so this report does not repeat its verdict. Close the month again.',
      pt: 'O fechamento segue as regras de outra versão deste programa, por isso este relatório não repete o resultado. Feche o mês de novo.',
    },
  },
  contradictory: {
    tone: 'bad',
    title: { en: 'Proof does not hold', pt: 'A prova não confere' },
    means: {
      en: 'The close in the archive contradicts itself or its manifest. It proves nothing: check the archive, then close the month again.',
      pt: 'O fechamento na pasta de documentos contradiz a si mesmo ou ao manifesto. Ele não prova nada: confira a pasta e feche o mês de novo.',
    },
  },
};

const shapes: Readonly<Record<Tone, Html>> = {
  good: raw(
    '<circle cx="16" cy="16" r="14" fill="none" stroke="currentColor" stroke-width="3"/><path d="M9.5 16.5l4.5 4.5 8.5-9.5" fill="none" stroke="currentColor" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/>',
  ),
  warn: raw(
    '<circle cx="16" cy="16" r="14" fill="none" stroke="currentColor" stroke-width="3"/><path d="M12 12.5a4 4 0 1 1 5.6 3.7c-1 .5-1.6 1.1-1.6 2.3" fill="none" stroke="currentColor" stroke-width="2.6" stroke-linecap="round"/><circle cx="16" cy="23" r="1.8" fill="currentColor"/>',
  ),
  bad: raw(
    '<path d="M16 3l13.5 24h-27z" fill="none" stroke="currentColor" stroke-width="3" stroke-linejoin="round"/><path d="M16 12v7" stroke="currentColor" stroke-width="3" stroke-linecap="round"/><circle cx="16" cy="23" r="1.8" fill="currentColor"/>',
  ),
};

/** The verdict with its time, its reasons, and what has come since. */
export function verdictSection({ close, commands, direction }: ReportFacts, words: Words): Html {
  const { tone, title, means: ofReceived } = verdicts[close.verdict];
  const isProvenIssued = direction === 'issued' && close.verdict === 'complete';
  const means = isProvenIssued ? texts.completeIssued : ofReceived;
  const isOpen = close.verdict !== 'complete';
  const closedAt =
    close.closedAt === undefined
      ? nothing
      : html`<p class="note">${words.say(texts.closedAt)} ${words.moment(close.closedAt)} (${words.say(texts.brasilia)}).</p>`;
  const reasons = close.reasons.map((reason) => html`<li>${words.say(reason)}</li>`);
  return html`<section class="verdict ${tone}" aria-labelledby="verdict">
<div class="head"><svg viewBox="0 0 32 32" aria-hidden="true">${shapes[tone]}</svg><h2 id="verdict">${words.say(title)}</h2></div>
<p>${words.say(means)}</p>
${reasons.length === 0 ? nothing : html`<ul>${reasons}</ul>`}
${closedAt}
${sinceClose(close, words)}
${isOpen ? html`<p class="note">${words.say(texts.closeAgain)}</p><pre><code>${commands.close}</code></pre>` : nothing}
</section>`;
}

function sinceClose({ since, manifest }: CloseFacts, words: Words): Html {
  if (manifest === undefined) return nothing;
  const lines = [
    [since.added, forms.added] as const,
    [since.changed, forms.changed] as const,
    [since.unknown, forms.unknown] as const,
  ].flatMap(([count, form]) => (count === 0 ? [] : [html`<li>${words.say(counted(count, form))}</li>`]));
  if (lines.length === 0) return nothing;
  return html`<div class="aside"><p><strong>${words.say(texts.differs)}</strong></p><ul>${lines}</ul></div>`;
}

/** What the close looked at, by family, and what it assumes. */
export function coverageSection({ close, lists, direction }: ReportFacts, words: Words): Html {
  const synced = lists.map(
    ({ family, readAt }) =>
      html`<li>${typeNames[family]}: ${readAt === null ? words.say(texts.never) : words.moment(readAt)}</li>`,
  );
  const isIssued = direction === 'issued';
  const rows = isIssued
    ? close.issued.coverage.map((model) => issuedRow(model, words))
    : close.coverage.map((family) => coverageRow(family, words));
  const heads = isIssued ? issuedHeads(words) : receivedHeads(words);
  const assumptions = close.assumptions.map(
    ({ message, source }) => html`<li>${words.say(message)} <span class="dim">(${source})</span></li>`,
  );
  return html`<section aria-labelledby="coverage"><h2 id="coverage">${words.say(texts.coverage)}</h2>
<p class="note">${words.say(rows.length === 0 ? texts.noCoverage : texts.coverageNote)}</p>
${
  rows.length === 0
    ? nothing
    : html`<div class="scroll" tabindex="0" role="group" aria-labelledby="coverage"><table><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`
}
<h3>${words.say(texts.synced)}</h3><ul>${synced}</ul>
${assumptions.length === 0 ? nothing : html`<details><summary>${words.say(texts.assumptions)}</summary><ul>${assumptions}</ul></details>`}
</section>`;
}

function receivedHeads(words: Words): Html {
  return html`<th scope="col">${words.say(texts.family)}</th><th scope="col">${words.say(texts.capture)}</th><th scope="col">${words.say(texts.listRead)}</th><th scope="col" class="number">${words.say(texts.listed)}</th><th scope="col" class="number">${words.say(texts.archived)}</th><th scope="col" class="number">${words.say(texts.summaries)}</th><th scope="col" class="number">${words.say(texts.events)}</th>`;
}

function issuedHeads(words: Words): Html {
  return html`<th scope="col">${words.say(texts.family)}</th><th scope="col">${words.say(texts.listRead)}</th><th scope="col" class="number">${words.say(texts.listed)}</th><th scope="col" class="number">${words.say(texts.archived)}</th><th scope="col" class="number">${words.say(texts.refused)}</th><th scope="col">${words.say(texts.eventsAsked)}</th>`;
}

function issuedRow(row: IssuedCoverageFacts, words: Words): Html {
  const { family, listReadAt, listed, archived, refused, eventsAskedAt } = row;
  const isRead = listReadAt !== null;
  const at = (time: string | null): string => (time === null ? words.say(texts.unread) : words.moment(time));
  const asked = eventsAskedAt === 'none' ? words.say(texts.noEventList) : at(eventsAskedAt);
  const count = (number: number): string => (isRead ? words.count(number) : words.say(texts.unread));
  return html`<tr><th scope="row">${typeNames[family]}</th><td>${at(listReadAt)}</td><td class="number">${count(listed)}</td><td class="number">${words.count(archived)}</td><td class="number">${count(refused)}</td><td>${asked}</td></tr>`;
}

function coverageRow(row: CoverageFacts, words: Words): Html {
  const { family, capture, enabledSince, listReadAt, listed, archived, summaries, events } = row;
  const since =
    enabledSince === null
      ? nothing
      : html`<br><span class="dim">${words.say(texts.since)} ${words.moment(enabledSince)}</span>`;
  return html`<tr><th scope="row">${typeNames[family]}</th><td>${words.say(captures[capture])}${since}</td><td>${listReadAt === null ? words.say(texts.unread) : words.moment(listReadAt)}</td><td class="number">${listReadAt === null ? words.say(texts.unread) : words.count(listed)}</td><td class="number">${words.count(archived)}</td><td class="number">${words.count(summaries)}</td><td class="number">${eventsText(events, words)}</td></tr>`;
}

function eventsText(events: CoverageFacts['events'], words: Words): string {
  if (events === 'none') return words.say(texts.noEventList);
  return events.readAt === null ? words.say(texts.unread) : words.count(events.count);
}

const captures: Readonly<Record<CoverageFacts['capture'], Text>> = {
  on: { en: 'active', pt: 'ativa' },
  unclear: { en: 'not known', pt: 'não se sabe' },
  inactive: { en: 'not active', pt: 'não ativa' },
  off: { en: 'off', pt: 'desligada' },
};

const texts = {
  completeIssued: {
    en: 'The close proves that every invoice of the month that the service listed as issued or cancelled is in the archive, that their events were asked for after the month, and that the numbers of NF-e and NFC-e have no gap, as far as the coverage below reaches.',
    pt: 'O fechamento prova que toda nota do mês que o serviço listou como emitida ou cancelada está na pasta de documentos, que os eventos foram consultados depois do fim do mês e que a numeração de NF-e e NFC-e não tem lacunas, dentro da cobertura descrita abaixo.',
  },
  closedAt: { en: 'Closed on', pt: 'Fechado em' },
  brasilia: { en: 'Brasília time', pt: 'horário de Brasília' },
  closeAgain: { en: 'To close the month again:', pt: 'Para fechar o mês de novo:' },
  differs: {
    en: 'The store and the proof differ. The verdict holds for the time of the close:',
    pt: 'O arquivo de estado e a prova diferem. O resultado vale para o momento do fechamento:',
  },
  coverage: { en: 'Coverage', pt: 'Cobertura' },
  coverageNote: {
    en: 'What the close looked at. The verdict says nothing beyond it.',
    pt: 'O que o fechamento examinou. O resultado não vai além disto.',
  },
  noCoverage: { en: 'No close describes what was looked at.', pt: 'Nenhum fechamento descreve o que foi examinado.' },
  family: { en: 'Type', pt: 'Tipo' },
  capture: { en: 'Capture', pt: 'Captura' },
  since: { en: 'since', pt: 'desde' },
  listRead: { en: 'List read', pt: 'Lista lida em' },
  listed: { en: 'Listed', pt: 'Listados' },
  archived: { en: 'Archived', pt: 'Guardados' },
  summaries: { en: 'Summaries only', pt: 'Só resumo' },
  refused: { en: 'Never issued', pt: 'Não emitidas' },
  eventsAsked: { en: 'Events asked for', pt: 'Eventos consultados em' },
  events: { en: 'Events', pt: 'Eventos' },
  noEventList: { en: 'not listed by the service', pt: 'sem lista no serviço' },
  unread: { en: 'not known', pt: 'não se sabe' },
  synced: { en: 'Last sync that read the lists to their end', pt: 'Última sincronização que leu as listas até o fim' },
  never: { en: 'never on this machine', pt: 'nunca nesta máquina' },
  assumptions: { en: 'What the verdict assumes and leaves out', pt: 'O que o resultado supõe e deixa de fora' },
} as const satisfies Readonly<Record<string, Text>>;

const forms = {
  added: {
    en: ['# document of the month is not in the proof', '# documents of the month are not in the proof'],
    pt: ['# documento do mês não está na prova', '# documentos do mês não estão na prova'],
  },
  changed: {
    en: ['# document has another status than in the proof', '# documents have another status than in the proof'],
    pt: ['# documento tem outro status que não o da prova', '# documentos têm outro status que não o da prova'],
  },
  unknown: {
    en: [
      '# document of the proof is not known to this machine, and the figures lack it',
      '# documents of the proof are not known to this machine, and the figures lack them',
    ],
    pt: [
      '# documento da prova não é conhecido por esta máquina e falta nos números',
      '# documentos da prova não são conhecidos por esta máquina e faltam nos números',
    ],
  },
} as const satisfies Readonly<Record<string, Forms>>;
