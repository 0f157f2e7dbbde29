import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import { timeInWords } from '../../domain/dates.js';
import type { DataRecord, Outcome, Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { ExitCode } from '../../errors/exit-code.js';
import { Prose } from '../../domain/prose.js';
import { reasonWords } from '../../errors/reasons.js';
import type { FiscalError } from '../../errors/fiscal-error.js';
import type { StopReason } from '../../jobs/engine.js';
import { isOfStore } from '../batch/records.js';
import type { Context } from '../context.js';
import type { LabelOf } from '../scope/scope.js';
import { companyOfLabel, groupText } from '../scope/text.js';
import type { SyncTally } from './state.js';

const COUNTS = [
  'added',
  'changed',
  'archived',
  'summaries',
  'pdfs',
  'events',
  'quarantined',
  'gone',
  'failed',
  'outstanding',
  'bytes',
] as const;

type Countable = (typeof COUNTS)[number] | 'repaired' | 'unrepaired' | 'writtenOff' | 'unreadable' | 'notFinal';

export interface SyncEnd {
  readonly tallies: readonly SyncTally[];
  readonly archive: string;
  readonly elapsedMs: number;
  /** What concerns all of them and ended the work. */
  readonly error: FiscalError | undefined;
}

/** Records, notices and exit code of a sync. */
export async function syncOutcome(context: Context, end: SyncEnd, words: NoticeWords): Promise<Outcome> {
  const { tallies, error } = end;
  const label = await labelsFor(context, error);
  return {
    data: stream(syncRecords(end, label)),
    exitCode: exitCodeOf(end),
    sentence: whatIsStored(end),
    notices: syncNotices(tallies, label, words),
    error,
  };
}

/** A store that failed during the work may know no names either: the ids do. */
async function labelsFor(context: Context, error: FiscalError | undefined): Promise<LabelOf> {
  const labels = context.scope().then((scope) => scope.labels());
  return error === undefined ? await labels : await labels.catch(() => () => ({}));
}

function exitCodeOf({ tallies, error }: SyncEnd): ExitCode {
  return error?.exitCode ?? syncExitCode(tallies);
}

/** How the run ended, in the words of every batch. */
function stoppedBy({ tallies, error }: SyncEnd): StopReason {
  if (error === undefined) return syncExitCode(tallies) === ExitCode.held ? 'held' : 'complete';
  switch (error.exitCode) {
    case ExitCode.interrupted:
    case ExitCode.terminated:
      return 'interrupted';
    case ExitCode.credentials:
      return 'credentials';
    case ExitCode.rateLimited:
      return 'rate-limited';
    default:
      return isOfStore(error) ? 'store-failed' : 'error';
  }
}

async function* stream<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
  await Promise.resolve();
}

/** What this run has stored; where, the totals say. */
function whatIsStored(end: SyncEnd): Sentence {
  const { tallies } = end;
  const count = tallies.reduce((sum, { archived }) => sum + archived, 0);
  const stored = counted(count, {
    en: ['# document stored by this run', '# documents stored by this run'],
    pt: ['# documento guardado nesta execução', '# documentos guardados nesta execução'],
  });
  if (exitCodeOf(end) !== ExitCode.ok) return sentenceOf('warn', stored);
  return sentenceOf(count === 0 ? 'none' : 'good', stored);
}

/** One record per company and family that is captured, one per problem, and the summary. */
function* syncRecords(end: SyncEnd, label: LabelOf): Iterable<DataRecord> {
  const { tallies, archive, elapsedMs, error } = end;
  for (const tally of tallies) if (tally.state !== 'off') yield groupRecord(tally, label);
  for (const { problems } of tallies) {
    for (const { reason, companyId, ...problem } of problems)
      yield { type: 'problem', companyId, ...label(companyId), ...problem, reason: new Prose(reasonWords(reason)) };
  }
  const atWork = tallies.filter((tally) => tally.state !== 'off');
  const total = (name: Countable) => atWork.reduce((sum, tally) => sum + tally[name], 0);
  const seconds = elapsedMs / 1000;
  yield {
    type: 'summary',
    companies: new Set(atWork.map((tally) => tally.group.companyId)).size,
    ...Object.fromEntries(COUNTS.map((name) => [name, total(name)])),
    ...(total('repaired') + total('unrepaired') === 0
      ? {}
      : { repaired: total('repaired'), unrepaired: total('unrepaired') }),
    ...(total('writtenOff') === 0 ? {} : { writtenOff: total('writtenOff') }),
    ...(total('unreadable') === 0 ? {} : { unreadable: total('unreadable') }),
    ...(total('notFinal') === 0 ? {} : { notFinal: total('notFinal') }),
    archive,
    elapsedSeconds: Number(seconds.toFixed(3)),
    rate: Number((total('archived') / Math.max(seconds, 0.001)).toFixed(1)),
    stopped: stoppedBy(end),
    ...(error === undefined ? {} : { errorCode: error.code }),
    exitCode: exitCodeOf(end),
  };
}

function groupRecord(tally: SyncTally, label: LabelOf): DataRecord {
  const { group, error, isInactive, spacedUntil, notFinal } = tally;
  const { unreadable, repaired, unrepaired, writtenOff } = tally;
  return {
    type: 'company',
    companyId: group.companyId,
    ...label(group.companyId),
    family: group.family,
    state: tally.isOver ? tally.state : 'open',
    ...Object.fromEntries(COUNTS.map((name) => [name, tally[name]])),
    ...(writtenOff === 0 ? {} : { writtenOff }),
    ...(unreadable === 0 ? {} : { unreadable }),
    ...(notFinal === 0 ? {} : { notFinal }),
    ...(repaired + unrepaired === 0 ? {} : { repaired, unrepaired }),
    ...(isInactive ? { capture: 'inactive' } : {}),
    ...(spacedUntil === undefined ? {} : { spacedUntil }),
    ...(error === undefined ? {} : { errorCode: error.code, error: new Prose(error.text) }),
  };
}

/** 3 when something failed, was quarantined or is outstanding from an earlier run; 11 when the only trouble is that another process is at work. */
function syncExitCode(tallies: readonly SyncTally[]): ExitCode {
  const incomplete = tallies.filter((tally) => tally.isIncomplete);
  if (incomplete.length === 0) return ExitCode.ok;
  return incomplete.every((tally) => tally.state === 'held') ? ExitCode.held : ExitCode.partial;
}

/** Notices of one company beyond so many are only counted. */
const MAX_NOTICES = 20;

/** What the notices of one command add. */
export interface NoticeWords {
  /** Where outstanding documents are listed. */
  readonly listed: Text;
  /** Said when no company has anything to sync. */
  readonly nothing: Text;
}

/** Who failed and why, whose capture is spaced, what to type next. */
function syncNotices(tallies: readonly SyncTally[], label: LabelOf, words: NoticeWords): readonly Text[] {
  const ofCompanies = tallies.flatMap((tally) => {
    const { companyId, family } = tally.group;
    const name = groupText(companyOfLabel(companyId, label(companyId)), family);
    return [
      ...failureNotice(tally, name),
      ...inactiveNotice(tally, name),
      ...spacedNotice(tally, name),
      ...heldNotice(tally, name),
      ...unreadableNotice(tally, name),
    ];
  });
  const hidden = ofCompanies.length - MAX_NOTICES;
  const outstanding = tallies.reduce((sum, tally) => sum + tally.outstanding, 0);
  const quarantined = tallies.reduce((sum, tally) => sum + tally.quarantined, 0);
  const unrepaired = tallies.reduce((sum, tally) => sum + tally.unrepaired, 0);
  const waiting = tallies.reduce((sum, tally) => sum + tally.waiting, 0);
  const notFinal = tallies.reduce((sum, tally) => sum + tally.notFinal, 0);
  const listedByOthers = tallies.filter((tally) => tally.wasListedByOther).length;
  return [
    ...ofCompanies.slice(0, MAX_NOTICES),
    ...(hidden > 0 ? [{ en: `and ${hidden} more of this kind`, pt: `e mais ${hidden} deste tipo` }] : []),
    ...(outstanding > 0 ? [outstandingNotice(outstanding, words.listed)] : []),
    ...(quarantined > 0 ? [quarantineNotice(quarantined)] : []),
    ...(waiting > 0 ? [summaryNotice(waiting)] : []),
    ...(unrepaired > 0 ? [unrepairedNotice(unrepaired)] : []),
    ...(notFinal > 0 ? [notFinalNotice(notFinal)] : []),
    ...(listedByOthers > 0 ? [listedByOthersNotice(listedByOthers)] : []),
    ...(tallies.every((tally) => tally.state === 'off') ? [words.nothing] : []),
  ];
}

function failureNotice({ error }: SyncTally, name: string): readonly Text[] {
  if (error === undefined) return [];
  return [{ en: `${name}: ${error.text.en}`, pt: `${name}: ${error.text.pt}` }];
}

function inactiveNotice({ group, isInactive }: SyncTally, name: string): readonly Text[] {
  if (!isInactive) return [];
  return [
    {
      en: `${name}: the capture is switched off, so the service captures nothing new: fiscal inbound capture show --type ${group.family}`,
      pt: `${name}: a captura está desligada, portanto o serviço não captura nada novo: fiscal inbound capture show --type ${group.family}`,
    },
  ];
}

function spacedNotice({ spacedUntil }: SyncTally, name: string): readonly Text[] {
  if (spacedUntil === undefined) return [];
  const until = timeInWords(spacedUntil);
  return [
    {
      en: `${name}: the service captures nothing new until ${until.en}: a limit of the national environment, or the certificate is missing, expired or unusable (fiscal inbound capture show)`,
      pt: `${name}: o serviço não captura nada novo até ${until.pt}: bloqueio por consumo indevido no ambiente nacional, ou certificado ausente, vencido ou inutilizável (fiscal inbound capture show)`,
    },
  ];
}

function heldNotice({ state }: SyncTally, name: string): readonly Text[] {
  if (state !== 'held') return [];
  return [
    { en: `${name}: another process is syncing it`, pt: `${name}: outro processo está trabalhando nela e continua` },
  ];
}

function unreadableNotice({ unreadable }: SyncTally, name: string): readonly Text[] {
  if (unreadable === 0) return [];
  const { en, pt } = counted(unreadable, {
    en: ['# row of its lists names no document', '# rows of its lists name no document'],
    pt: ['# linha das listas não nomeia documento', '# linhas das listas não nomeiam documento'],
  });
  return [
    {
      en: `${name}: ${en}, so no month can be proven complete until the service lists it correctly; ask its support`,
      pt: `${name}: ${pt}; nenhum mês pode ser provado completo até que o serviço a liste corretamente; fale com o suporte dele`,
    },
  ];
}

function outstandingNotice(count: number, listed: Text): Text {
  return counted(count, {
    en: [
      `# document or event is listed by the service and outstanding here; later syncs try it again. ${listed.en}`,
      `# documents or events are listed by the service and outstanding here; later syncs try them again. ${listed.en}`,
    ],
    pt: [
      `# documento ou evento consta na lista do serviço e está pendente aqui; os próximos syncs tentam de novo. ${listed.pt}`,
      `# documentos ou eventos constam na lista do serviço e estão pendentes aqui; os próximos syncs tentam de novo. ${listed.pt}`,
    ],
  });
}

function quarantineNotice(count: number): Text {
  return counted(count, {
    en: [
      '# document is quarantined; the reason is in its problem record. Try it again with --retry-quarantined',
      '# documents are quarantined; the reasons are in the problem records. Try them again with --retry-quarantined',
    ],
    pt: [
      '# documento está em quarentena; o motivo está no registro "problem". Tente de novo com --retry-quarantined',
      '# documentos estão em quarentena; os motivos estão nos registros "problem". Tente de novo com --retry-quarantined',
    ],
  });
}

function unrepairedNotice(count: number): Text {
  return counted(count, {
    en: [
      '# file is still missing or changed: its problem record says why. Restore it from a backup, or try again later',
      '# files are still missing or changed: the problem records say why. Restore them from a backup, or try again later',
    ],
    pt: [
      '# arquivo ainda falta ou está alterado: o registro "problem" diz por quê. Restaure-o de um backup ou tente de novo mais tarde',
      '# arquivos ainda faltam ou estão alterados: os registros "problem" dizem por quê. Restaure-os de um backup ou tente de novo mais tarde',
    ],
  });
}

function notFinalNotice(count: number): Text {
  return counted(count, {
    en: [
      '# invoice is not final yet; the next sync looks at it again',
      '# invoices are not final yet; the next sync looks at them again',
    ],
    pt: [
      '# nota ainda não tem situação final; o próximo sync olha de novo',
      '# notas ainda não têm situação final; o próximo sync olha de novo',
    ],
  });
}

function listedByOthersNotice(count: number): Text {
  return counted(count, {
    en: [
      'the lists of # company and family were read by another process while this one ran; their new documents are in its report',
      'the lists of # companies and families were read by other processes while this one ran; their new documents are in their reports',
    ],
    pt: [
      'as listas de # empresa e tipo foram lidas por outro processo durante esta execução; os documentos novos constam do relatório dele',
      'as listas de # empresas e tipos foram lidas por outros processos durante esta execução; os documentos novos constam dos relatórios deles',
    ],
  });
}

function summaryNotice(count: number): Text {
  return {
    en: `${count} NF-e came as a summary (resNFe) only; they wait for the full XML, which the tax authority releases after the acknowledgement of the operation (event 210210); plan it: fiscal manifestation plan --new --event awareness --out plan.csv; then send it: fiscal manifestation apply plan.csv`,
    pt: `${count} NF-e vieram só como resumo (resNFe); aguardam o XML completo, que a SEFAZ libera depois da Ciência da Operação (evento 210210); planeje: fiscal manifestation plan --new --event awareness --out plan.csv; depois envie: fiscal manifestation apply plan.csv`,
  };
}
