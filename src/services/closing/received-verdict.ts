import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import { timeInWords } from '../../domain/dates.js';
import { isOfProduction, seenElsewhere, type SeenCapture, seenOff } from '../company/capture.js';
import type { FamilyCoverage } from './coverage.js';
import type { Month } from './month.js';
import { assumption, type Reason, type ReasonCode, type ReceivedFacts, type Rules, typeNames } from './proof-facts.js';

/** Why the received documents of a month cannot be proven. Pure. */
export function receivedReasons(facts: ReceivedFacts): readonly Reason[] {
  const captured = facts.coverage.filter(({ capture }) => capture !== 'off');
  return [
    ...(captured.length === 0 ? [nothingCaptured] : []),
    ...facts.coverage.flatMap((coverage) => reasonsOf(coverage, facts)),
  ];
}

function reasonsOf(coverage: FamilyCoverage, { month, requested }: ReceivedFacts): readonly Reason[] {
  const { family, capture, list } = coverage;
  if (capture === 'off') return requested.includes(family) ? [reason('not-captured', coverage, texts.notCaptured)] : [];
  return [
    ...(capture === 'inactive' ? [reason('capture-inactive', coverage, texts.inactive)] : beginning(coverage, month)),
    ...(capture === 'unclear' ? [reason('capture-unclear', coverage, texts.unclear)] : []),
    ...environmentReasons(coverage, month),
    ...interruption(coverage, month),
    ...cutOff(coverage, month),
    ...(coverage.spacedUntil === null ? [] : [reason('capture-spaced', coverage, texts.spaced)]),
    ...(list.readAt === null ? [reason('list-unread', coverage, texts.unread)] : []),
    ...(list.readAt !== null && archivedIn(coverage) > list.documents
      ? [reason('list-lacks-archived', coverage, texts.lacksArchived)]
      : []),
    ...eventReasons(coverage),
    ...(coverage.unreadable === null ? [] : [reason('rows-unreadable', coverage, texts.rowsUnreadable)]),
  ];
}

/** A month captured from two environments proves neither. */
function environmentReasons(coverage: FamilyCoverage, month: Month): readonly Reason[] {
  if (!isOfProduction(coverage.environment))
    return [reason('capture-of-test-environment', coverage, texts.testEnvironment)];
  const seen = seenElsewhere(coverage.history, month);
  if (seen === undefined) return [];
  return seen.environment === undefined
    ? [reason('environment-unknown', { ...coverage, seen }, texts.environmentUnknown)]
    : [reason('environment-changed', { ...coverage, seen }, texts.environmentChanged)];
}

/** Without its events a cancelled document looks valid. */
function eventReasons(coverage: FamilyCoverage): readonly Reason[] {
  const { events, xml } = coverage;
  if (events === null || events.readAt === null) return [reason('events-unread', coverage, texts.eventsUnread)];
  return xml.event > events.events ? [reason('events-lack-archived', coverage, texts.eventsLackArchived)] : [];
}

/** Archived documents of the month, without events. */
function archivedIn({ xml }: FamilyCoverage): number {
  return xml.full + xml.summary;
}

function beginning(coverage: FamilyCoverage, month: Month): readonly Reason[] {
  const { enabledSince } = coverage;
  if (enabledSince === null) return [reason('enabled-since-unknown', coverage, texts.enabledUnknown)];
  if (Date.parse(enabledSince) <= month.since) return [];
  return [reason('enabled-after-month-began', coverage, texts.enabledLate)];
}

/** This machine saw the capture switched off, or not clearly on, at a time that is, or may be, within the month. */
function interruption(coverage: FamilyCoverage, month: Month): readonly Reason[] {
  const seen = coverage.capture === 'on' ? seenOff(coverage.history, month) : undefined;
  if (seen === undefined) return [];
  return seen.state === 'unclear'
    ? [reason('capture-unclear', { ...coverage, seen }, texts.wasUnclear)]
    : [reason('capture-interrupted', { ...coverage, seen }, texts.interrupted)];
}

/** §4: documents issued before the cut-off are captured, but not listed until they are released. */
function cutOff(coverage: FamilyCoverage, month: Month): readonly Reason[] {
  const { history, hidden, family, capture } = coverage;
  if (hidden?.count === 0) return [];
  const isLater = (time: string | null): boolean => time !== null && Date.parse(time) > month.since;
  // Without a readable cut-off, nothing dates what is hidden.
  const isUndated = (hidden?.count ?? 0) > 0 && Number.isNaN(Date.parse(coverage.cutOff ?? ''));
  if (isLater(coverage.cutOff) || (isUndated && hidden?.released === true)) {
    if (hidden?.released === true) return [reason('release-behind', coverage, texts.releaseBehind)];
    return [reason('hidden-by-cut-off', coverage, texts.hidden)];
  }
  const wasLater = history.some(({ startFromDate }) => isLater(startFromDate));
  if (wasLater) return [reason('cut-off-changed', coverage, texts.cutOffChanged)];
  const isUnknown = family === 'nfse' && capture !== 'inactive' && (hidden?.count ?? undefined) === undefined;
  return isUnknown || isUndated ? [reason('hidden-unknown', coverage, texts.hiddenUnknown)] : [];
}

/** With the relevant row of the history. */
interface ReasonedCoverage extends FamilyCoverage {
  readonly seen?: SeenCapture;
}

interface Wording {
  readonly name: string;
  readonly coverage: FamilyCoverage;
  /** The environment that was seen, and when it was first and last seen. */
  readonly environment: string;
  readonly times: Text;
  readonly spacedUntil: Text;
  readonly enabledSince: Text;
  readonly cutOff: Text;
  /** The hidden documents, as text. */
  readonly hidden: Text;
}

function reason(code: ReasonCode, coverage: ReasonedCoverage, text: (wording: Wording) => Text): Reason {
  const { family, seen } = coverage;
  const { firstSeenAt = '', lastSeenAt = '', environment } = seen ?? {};
  const [first, last] = [timeInWords(firstSeenAt), timeInWords(lastSeenAt)];
  const times: Text = { en: `${first.en} to ${last.en}`, pt: `${first.pt} a ${last.pt}` };
  const count = coverage.hidden?.count;
  const hidden: Text =
    count === undefined || count === null
      ? { en: 'an unknown number of documents', pt: 'um número desconhecido de documentos' }
      : counted(count, nouns.document);
  const message = text({
    name: typeNames[family],
    coverage,
    hidden,
    times,
    environment: environment ?? '',
    spacedUntil: timeInWords(coverage.spacedUntil ?? ''),
    enabledSince: timeInWords(coverage.enabledSince ?? ''),
    cutOff: timeInWords(coverage.cutOff ?? ''),
  });
  return { code, family, message };
}

const nothingCaptured: Reason = {
  code: 'nothing-captured',
  message: {
    en: 'no family of documents is captured for this company',
    pt: 'nenhum tipo de documento é capturado para esta empresa',
  },
};

const texts = {
  notCaptured: ({ name }) => ({ en: `${name} are not captured`, pt: `${name} não são capturadas` }),
  inactive: ({ name }) => ({
    en: `the capture of ${name} is not active, and it is unknown since when`,
    pt: `a captura de ${name} não está ativa, e não se sabe desde quando`,
  }),
  unclear: ({ name, coverage }) => ({
    en: `the settings of the capture of ${name} show ${coverage.unclearStatus ?? 'no status'}: it is unknown whether it is active`,
    pt: `a configuração da captura de ${name} mostra ${(coverage.unclearStatus ?? 'no status').replace(/^no status$/, 'nenhum status')}: não se sabe se ela está ativa`,
  }),
  wasUnclear: ({ name, times }) => ({
    en: `the settings of the capture of ${name} did not say whether it was active when this machine checked (${times.en}), so it may not have been on for the whole month`,
    pt: `a configuração da captura de ${name} não dizia se ela estava ativa quando esta máquina verificou (${times.pt}), e ela pode não ter ficado ligada o mês inteiro`,
  }),
  testEnvironment: ({ name, coverage }) => ({
    en: `the capture of ${name} uses the environment "${coverage.environment ?? ''}", not production`,
    pt: `a captura de ${name} usa o ambiente "${coverage.environment ?? ''}", e não o de produção`,
  }),
  environmentChanged: ({ name, environment, times }) => ({
    en: `${name} were captured from the environment "${environment}" when this machine checked (${times.en}), so some of the month may come from there`,
    pt: `as ${name} eram capturadas do ambiente "${environment}" quando esta máquina verificou (${times.pt}), e alguma do mês pode ter vindo de lá`,
  }),
  environmentUnknown: ({ name, times }) => ({
    en: `the environment from which ${name} were captured is unknown: an earlier version of this program checked (${times.en}) but did not record it`,
    pt: `não se sabe de qual ambiente as ${name} eram capturadas: uma versão anterior deste programa verificou (${times.pt}), mas não o registrou`,
  }),
  interrupted: ({ name, times }) => ({
    en: `the capture of ${name} was switched off when this machine checked (${times.en}), so it may not have been on for the whole month`,
    pt: `a captura de ${name} estava desligada quando esta máquina verificou (${times.pt}) e pode não ter ficado ligada o mês inteiro`,
  }),
  spaced: ({ name, spacedUntil }) => ({
    en: `the capture of ${name} is spaced until ${spacedUntil.en}: the service itself may not have all documents yet`,
    pt: `a captura de ${name} está bloqueada por consumo indevido até ${spacedUntil.pt}: o próprio serviço pode ainda não ter todos os documentos`,
  }),
  enabledLate: ({ name, enabledSince }) => ({
    en: `the capture of ${name} was enabled on ${enabledSince.en}, after the month began`,
    pt: `a captura de ${name} foi habilitada em ${enabledSince.pt}, depois do início do mês`,
  }),
  enabledUnknown: ({ name }) => ({
    en: `it is unknown since when ${name} are captured`,
    pt: `não se sabe desde quando ${name} são capturadas`,
  }),
  hidden: ({ name, cutOff, hidden }) => ({
    en: `the cut-off of ${name} (${cutOff.en}) is after the beginning of the month: ${hidden.en} issued before it are captured, but hidden from the list`,
    pt: `a data de corte de ${name} (${cutOff.pt}) é posterior ao início do mês: ${hidden.pt} com emissão anterior foram capturados, mas estão ocultos da lista`,
  }),
  releaseBehind: ({ name, hidden }) => ({
    en: `the release of hidden ${name} is still in progress: ${hidden.en} are still hidden`,
    pt: `a liberação de ${name} ocultas não terminou: ${hidden.pt} ainda estão ocultos`,
  }),
  cutOffChanged: ({ name, hidden }) => ({
    en: `the cut-off of ${name} was once later, and ${hidden.en} from that period may still be hidden`,
    pt: `a data de corte de ${name} já foi posterior, e ${hidden.pt} daquele período podem continuar ocultos`,
  }),
  hiddenUnknown: ({ name }) => ({
    en: `it is unknown whether ${name} from before the cut-off are hidden from the list: fiscal backfill show`,
    pt: `não se sabe se há ${name} anteriores à data de corte ocultas da lista: fiscal backfill show`,
  }),
  unread: ({ name, coverage }) => ({
    en: `the list of ${name} could not be read: ${coverage.list.problem ?? ''}`,
    pt: `a lista de ${name} não pôde ser lida: ${coverage.list.problem ?? ''}`,
  }),
  rowsUnreadable: ({ name, coverage }) => {
    const { documents = 0, events = 0, seenAt = '' } = coverage.unreadable ?? {};
    const seen = timeInWords(seenAt);
    return {
      en: `the lists of ${name} had rows that name no document (${documents}) or no event (${events}) when a sync read them (${seen.en}), and no sync has read the same part of the list without them since: fiscal inbound sync --full`,
      pt: `as listas de ${name} tinham linhas que não nomeiam documento (${documents}) ou evento (${events}) quando um sync as leu (${seen.pt}), e nenhum sync leu desde então a mesma parte da lista sem elas: fiscal inbound sync --full`,
    };
  },
  lacksArchived: ({ name, coverage }) => {
    const archived = counted(archivedIn(coverage), nouns.document);
    return {
      en: `the archive has ${archived.en} of ${name} in the month and the list shows ${coverage.list.documents}: the list does not show everything`,
      pt: `a pasta de documentos tem ${archived.pt} de ${name} no mês e a lista mostra ${coverage.list.documents}: a lista não mostra tudo`,
    };
  },
  eventsUnread: ({ name, coverage }) => ({
    en: `the list of events of ${name} could not be read, so a document may have been cancelled: ${coverage.events?.problem ?? ''}`,
    pt: `a lista de eventos de ${name} não pôde ser lida, portanto algum documento pode ter sido cancelado: ${coverage.events?.problem ?? ''}`,
  }),
  eventsLackArchived: ({ name, coverage }) => {
    const archived = counted(coverage.xml.event, nouns.event);
    return {
      en: `the archive has ${archived.en} of ${name} in the month and the list shows ${coverage.events?.events ?? 0}: the list does not show everything`,
      pt: `a pasta de documentos tem ${archived.pt} de ${name} no mês e a lista mostra ${coverage.events?.events ?? 0}: a lista não mostra tudo`,
    };
  },
} as const satisfies Readonly<Record<string, (wording: Wording) => Text>>;

export const receivedRules: Rules = {
  version: 6,
  date: '2026-11-28',
  assumptions: [
    assumption('month-of-brasilia', 'Decreto 9.772/2019', [
      'A month runs from midnight to midnight in Brasília (UTC-3, without summer time since 2019); a document belongs to the month of the date of issue in its XML, else in the list, else of its access key, and to each of them where they differ.',
      'O mês vai de meia-noite a meia-noite em Brasília (UTC-3, sem horário de verão desde 2019); o documento pertence ao mês da data de emissão do seu XML, senão da lista, senão da chave de acesso, e a cada um deles quando são diferentes.',
    ]),
    assumption('enabled-since', 'service document §2', [
      'The capture runs without interruption from the creation of its settings, unless this machine saw it switched off: it may have been off since it was last seen on, and until it was seen on again.',
      'A captura corre sem interrupção desde a criação da configuração, a não ser que esta máquina a tenha visto desligada: ela pode ter estado desligada desde a última vez em que foi vista ligada, e até ser vista ligada de novo.',
    ]),
    assumption('environment', 'service document §2', [
      'Settings that say no environment are those of the production environment. The environment is that of today, unless this machine saw another one.',
      'A configuração que não informa o ambiente é a do ambiente de produção. O ambiente é o de hoje, a não ser que esta máquina tenha visto outro.',
    ]),
    assumption('cut-off', 'service document §4', [
      'Documents issued before the cut-off are captured but not listed; none issued from it on is hidden.',
      'Documentos emitidos antes da data de corte são capturados, mas não listados; nenhum emitido a partir dela fica oculto.',
    ]),
    assumption('late-arrivals', 'NT 2014.002', [
      'What the tax authority distributes after the close is not part of it.',
      'O que a SEFAZ distribuir depois do fechamento não faz parte dele.',
    ]),
    assumption('events', 'service document §4', [
      'The events of NF-e and CT-e are listed by the time of their capture, from the day before the month on. Those of NFS-e are listed among the NFS-e, as documents of another type.',
      'Os eventos de NF-e e CT-e são listados pelo horário da captura, desde o dia anterior ao mês. Os de NFS-e são listados entre as NFS-e, como documentos de outro tipo.',
    ]),
    assumption('unreadable-rows', 'service document §4', [
      'A row of a list that names no document may be a document of any month.',
      'Uma linha da lista que não nomeia documento pode ser um documento de qualquer mês.',
    ]),
    assumption('nsu', 'NT 2014.002', [
      'Documents, summaries and events of a CNPJ share one sequence of NSU: an unknown number is shown, but is no gap by itself.',
      'Documentos, resumos e eventos de um CNPJ compartilham uma sequência de NSU: um número desconhecido é mostrado, mas não é, por si só, uma falta.',
    ]),
    assumption('summary', 'NT 2014.002 v1.10', [
      'A summary (resNFe) has no signature and no items: it is not the document. The full XML follows after event 210210, 210200 or 210240.',
      'O resumo (resNFe) não tem assinatura nem itens: não é o documento. O XML completo vem depois do evento 210210, 210200 ou 210240.',
    ]),
    assumption('signature', 'XMLDSig', [
      'A signature is checked when the file is archived; whether its certificate was trusted on that day is not judged.',
      'A assinatura é conferida quando o arquivo é guardado; se o certificado era confiável naquele dia não é julgado.',
    ]),
  ],
};
