import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { timeInWords } from '../../domain/dates.js';
import type { IssuedCoverage, SerieNumbers } from './coverage.js';
import type { Month } from './month.js';
import { assumption, type IssuedFacts, type Reason, type ReasonCode, type Rules, typeNames } from './proof-facts.js';

/** Why the issued documents of a month cannot be proven. Pure. */
export function issuedReasons({ coverage, month }: IssuedFacts): readonly Reason[] {
  const isNothing = coverage.every(({ list, listedEver }) => list.readAt !== null && listedEver === 0);
  return [...(isNothing ? [nothingIssued] : []), ...coverage.flatMap((one) => reasonsOf(one, month))];
}

function reasonsOf(coverage: IssuedCoverage, month: Month): readonly Reason[] {
  const { list, xml } = coverage;
  const archived = xml.full + xml.summary;
  return [
    ...(list.readAt === null ? [reason('list-unread', coverage, texts.unread)] : []),
    ...(list.readAt !== null && archived > list.documents
      ? [reason('list-lacks-archived', coverage, texts.lacksArchived)]
      : []),
    ...(areEventsKnown(coverage, month) ? [] : [reason('events-unread', coverage, texts.eventsUnread)]),
    ...(coverage.numbering.some(({ missing }) => missing > 0)
      ? [reason('numbers-missing', coverage, texts.numbersMissing)]
      : []),
    ...(coverage.withoutNumber > 0 ? [reason('numbers-unknown', coverage, texts.numbersUnknown)] : []),
    ...(coverage.unreadable === null ? [] : [reason('rows-unreadable', coverage, texts.rowsUnreadable)]),
  ];
}

/** The list shows no event: each invoice of the month was asked for its own, after the month. NFS-e have no list of events. */
export function areEventsKnown({ family, list, eventsAsked }: IssuedCoverage, month: Month): boolean {
  if (family === 'nfse' || list.documents === 0) return true;
  if (eventsAsked === null) return false;
  return Date.parse(eventsAsked.since) <= month.since && Date.parse(eventsAsked.at) >= month.until;
}

const nothingIssued: Reason = {
  code: 'nothing-issued',
  message: {
    en: 'the service lists no invoice that this company ever issued: it may issue with another program',
    pt: 'o serviço não lista nenhuma nota emitida por esta empresa até hoje: ela pode emitir por outro sistema',
  },
};

interface Wording {
  readonly name: string;
  readonly coverage: IssuedCoverage;
}

function reason(code: ReasonCode, coverage: IssuedCoverage, text: (wording: Wording) => Text): Reason {
  const { family } = coverage;
  return { code, family, message: text({ name: typeNames[family], coverage }) };
}

const texts = {
  unread: ({ name, coverage }) => ({
    en: `the list of issued ${name} could not be read: ${coverage.list.problem ?? ''}`,
    pt: `a lista de ${name} emitidas não pôde ser lida: ${coverage.list.problem ?? ''}`,
  }),
  lacksArchived: ({ name, coverage: { xml, list } }) => {
    const archived = counted(xml.full + xml.summary, nouns.document);
    return {
      en: `the archive has ${archived.en} of issued ${name} in the month and the list shows ${list.documents}: the list does not show everything`,
      pt: `a pasta de documentos tem ${archived.pt} de ${name} emitidas no mês e a lista mostra ${list.documents}: a lista não mostra tudo`,
    };
  },
  eventsUnread: ({ name }) => ({
    en: `no sync of this machine has asked for the events of every ${name} of the month since it ended, so a cancellation or a correction may be missing: fiscal invoice sync --full`,
    pt: `nenhum sync desta máquina consultou os eventos de todas as ${name} do mês desde o fim dele, e pode faltar um cancelamento ou uma carta de correção: fiscal invoice sync --full`,
  }),
  numbersMissing: ({ name, coverage }) => {
    const broken = coverage.numbering.filter(({ missing }) => missing > 0);
    const missing = broken.reduce((sum, serie) => sum + serie.missing, 0);
    const numbers = counted(missing, { en: ['# number', '# numbers'], pt: ['# número', '# números'] });
    return {
      en: `${numbers.en} of ${name} neither issued here nor known to be disabled: ${shownRanges(broken, 'serie')}`,
      pt: `${numbers.pt} de ${name} sem nota emitida aqui e sem inutilização conhecida: ${shownRanges(broken, 'série')}`,
    };
  },
  numbersUnknown: ({ name, coverage }) => ({
    en: `the numbers of issued ${name} without a readable access key are unknown (${coverage.withoutNumber}), so the series cannot be checked`,
    pt: `os números das ${name} emitidas sem chave de acesso legível são desconhecidos (${coverage.withoutNumber}), e as séries não podem ser conferidas`,
  }),
  rowsUnreadable: ({ name, coverage }) => {
    const { documents = 0, seenAt = '' } = coverage.unreadable ?? {};
    const seen = timeInWords(seenAt);
    return {
      en: `the list of issued ${name} had rows without an invoice (${documents}) when a sync read it (${seen.en})`,
      pt: `a lista de ${name} emitidas tinha linhas sem nota (${documents}) quando um sync a leu (${seen.pt})`,
    };
  },
} as const satisfies Readonly<Record<string, (wording: Wording) => Text>>;

/** More stand in the records. */
const MAX_RANGES = 5;

function shownRanges(series: readonly SerieNumbers[], word: string): string {
  const ranges = series.flatMap(({ serie, missingRanges }) =>
    missingRanges.map(([from, to]) => `${word} ${serie}: ${from === to ? from : `${from}–${to}`}`),
  );
  const more = ranges.length > MAX_RANGES ? [', …'] : [];
  return ranges.slice(0, MAX_RANGES).join(', ') + more.join('');
}

export const issuedRules: Rules = {
  version: 2,
  date: '2026-11-28',
  assumptions: [
    assumption('issued-at-the-service', 'service document §1', [
      'The service lists the invoices that were issued through it. What another program issued is seen only as a gap in the numbers of a serie.',
      'O serviço lista as notas emitidas por ele. O que outro sistema emitiu só aparece como lacuna na numeração da série.',
    ]),
    assumption('month-of-the-document', 'MOC 7.0', [
      'An invoice belongs to the month of its date of issue, else of its access key, and to both where they differ. A month ends at midnight in Brasília (UTC-3).',
      'A nota pertence ao mês da sua data de emissão, senão da chave de acesso, e aos dois quando são diferentes. O mês termina à meia-noite em Brasília (UTC-3).',
    ]),
    assumption('production', 'service document §2', [
      'Only invoices of the production environment count.',
      'Contam só as notas do ambiente de produção.',
    ]),
    assumption('not-final', 'published', [
      'An invoice whose state may still change by itself is a gap. Rejected and denied invoices have no document.',
      'Uma nota cuja situação ainda pode mudar sozinha é uma divergência. Notas rejeitadas e denegadas não têm documento.',
    ]),
    assumption('numbers', 'Ajuste SINIEF 7/2005', [
      'The numbers of a serie run without gaps, except those that are disabled. Denied and cancelled invoices use their number, rejected ones do not. The service lists no disabled ranges: those of other programs are known only as a person declares them.',
      'A numeração de uma série não tem lacunas, exceto as inutilizadas. Notas denegadas e canceladas usam o seu número; as rejeitadas, não. O serviço não lista as faixas inutilizadas: as de outros sistemas só são conhecidas como alguém as declara.',
    ]),
    assumption('service-numbers', 'assumed', [
      'The city gives the number of an NFS-e: gaps in it are not judged.',
      'O número da NFS-e é dado pelo município: lacunas nele não são julgadas.',
    ]),
    assumption('events', 'published', [
      'The events of each NF-e and NFC-e of the month were asked for after it ended; what was registered later is not part of the proof, nor are the events of NFS-e other than the cancellation.',
      'Os eventos de cada NF-e e NFC-e do mês foram consultados depois do fim dele; o que foi registrado mais tarde não faz parte da prova, nem os eventos de NFS-e além do cancelamento.',
    ]),
    assumption('signature', 'XMLDSig', [
      'A signature is checked when the file is archived; whether its certificate was trusted on that day is not judged.',
      'A assinatura é conferida quando o arquivo é guardado; se o certificado era confiável naquele dia não é julgado.',
    ]),
  ],
};
