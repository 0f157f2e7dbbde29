import { resolve } from 'node:path';
import type { Language, Text } from '../../contract/text.js';
import { dayAt, daysBetween, addDays } from '../../domain/dates.js';
import { counted, type Forms } from '../../domain/counted.js';
import {
  type EventClass,
  eventsOfClass,
  deadlineWarnings,
  type Deadline,
  type DeadlineWarning,
} from '../../domain/deadline.js';
import { calendarText, type CalendarEntry } from '../../domain/ics.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { TableForm } from '../../services/input/cell-reader.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { openTerms, type OpenTerm, type TermState } from '../../services/documents/open-terms.js';
import { syncLine } from '../../services/documents/facts.js';
import { notWritten, replaceFile } from '../../services/output-file.js';
import { askEvents } from '../ask-events.js';
import { readDueSubjects } from './due-subjects.js';

interface DueRequest extends TableForm {
  readonly allCompanies: boolean;
  readonly withinMs: number;
  /** Leaves out terms that expired longer ago; absent: none. */
  readonly overdueUpToMs: number | undefined;
  readonly eventClass: EventClass | undefined;
  readonly state: TermState | undefined;
  readonly input: string | undefined;
  readonly own: readonly string[];
  readonly deadlineRules: string | undefined;
  /** Requests events that no sync has read from the service. */
  readonly checkService: boolean;
  readonly ics: string | undefined;
  /** The language of the calendar. */
  readonly language: Language;
}

const DAY_MS = 86_400_000;

/**
 * The terms, expired ones first. Exit 13 when a term expired without an event; 3 when that is unknown, because
 * events of others were not read, no document is known, or no sync has run in the last 24 hours. Sends nothing.
 */
export async function dueManifestations(context: Context, request: DueRequest): Promise<Outcome> {
  const rules = await readDeadlineRules(context, request.deadlineRules);
  const today = dayAt(context.clock.now());
  const { withinMs, overdueUpToMs = Number.POSITIVE_INFINITY } = request;
  const { subjects, known, isProven, notices } = await readDueSubjects(context, {
    ...{ ...request, rules, today, first: -overdueUpToMs / DAY_MS, last: withinMs / DAY_MS },
    isWanted: (deadline) => isWanted(deadline, request, today),
  });
  const asked = request.checkService
    ? await askEvents(
        context,
        known,
        subjects.map(({ fact }) => fact),
        await localCompanies(context, request.allCompanies),
      )
    : [];
  const rows: OpenTerm[] = [];
  for (const { fact, deadlines } of subjects) {
    const terms = openTerms({ fact, deadlines, known: await known.of(fact), today });
    rows.push(...terms.filter((term) => isWanted(term, request, today) && isIn(term, request.state)));
  }
  const sorted = inOrder(rows);
  const { ics: out, language } = request;
  const { dryRun } = await context.settings();
  if (out !== undefined && !dryRun) await writeCalendar(context, sorted, { out, language });
  const allNotices = [
    ...notices,
    ...asked,
    ...doubts(sorted),
    ...(await stateNotices(context, sorted)),
    ...(out !== undefined && dryRun ? [notWritten] : []),
  ];
  const label = await (await context.scope()).labels();
  const data = sorted.map((row) => ({ ...row, ...label(row.companyId) }));
  return { data, exitCode: exitCodeOf(sorted, isProven), notices: allNotices };
}

function exitCodeOf(rows: readonly OpenTerm[], isProven: boolean): ExitCode {
  if (rows.some(({ state }) => state === 'lost' || state === 'presumed')) return ExitCode.endedBadly;
  return isProven && rows.every(({ state }) => state !== 'unknown') ? ExitCode.ok : ExitCode.partial;
}

function isIn({ state }: OpenTerm, wanted: TermState | undefined): boolean {
  return wanted === undefined || state === wanted;
}

function isWanted(
  {
    eventClass,
    ...term
  }: Pick<Deadline, 'eventClass' | 'lastDay'> | Pick<OpenTerm, 'eventClass' | 'deadline'>,
  request: DueRequest,
  today: string,
): boolean {
  const { withinMs, overdueUpToMs } = request;
  const lastDay = 'lastDay' in term ? term.lastDay : term.deadline;
  if (request.eventClass !== undefined && request.eventClass !== eventClass) return false;
  const daysLeft = daysBetween(today, lastDay);
  const oldest = overdueUpToMs === undefined ? Number.NEGATIVE_INFINITY : -overdueUpToMs / DAY_MS;
  return daysLeft <= withinMs / DAY_MS && daysLeft >= oldest;
}

/** Expired terms first, then doubtful ones, then open ones. */
const stateOrder: Readonly<Record<TermState, number>> = {
  presumed: 0,
  lost: 0,
  unknown: 1,
  open: 2,
  sent: 2,
  cancelled: 3,
};

function inOrder(rows: readonly OpenTerm[]): readonly OpenTerm[] {
  const sortKey = ({ state, deadline, accessKey, eventClass }: OpenTerm) =>
    `${stateOrder[state]} ${deadline} ${accessKey} ${eventClass}`;
  return rows.toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1));
}

/** Each warning once, with its number of terms. */
function doubts(rows: readonly OpenTerm[]): readonly Text[] {
  const kinds: readonly DeadlineWarning[] = ['law-changed', 'longer-than-law', 'counted-from-issue'];
  return kinds.flatMap((kind) => {
    const count = rows.filter(({ warnings }) => warnings?.includes(kind)).length;
    const { en, pt } = deadlineWarnings[kind];
    return count === 0
      ? []
      : [
          counted(count, {
            en: [`# term: ${en}`, `# terms: ${en}`],
            pt: [`# prazo: ${pt}`, `# prazos: ${pt}`],
          }),
        ];
  });
}

/** The meaning of the states, each once, with its count and the next command. */
async function stateNotices(context: Context, rows: readonly OpenTerm[]): Promise<readonly Text[]> {
  const unknown = rows.filter(({ state }) => state === 'unknown');
  const sync = await syncLine(
    context,
    unknown.map(({ companyId }) => companyId),
  );
  const states: readonly (keyof typeof stateTexts)[] = ['presumed', 'lost', 'unknown', 'cancelled'];
  return states.flatMap((state) => {
    const count = rows.filter((row) => row.state === state).length;
    const { en, pt } = counted(count, stateTexts[state]);
    const [more, mais] =
      state === 'unknown' ? [`: ${sync}, or --check-service`, `: ${sync}, ou --check-service`] : ['', ''];
    return count === 0 ? [] : [{ en: `${en}${more}`, pt: `${pt}${mais}` }];
  });
}

const stateTexts = {
  presumed: {
    en: [
      'term of a conclusive event has passed without one: the operation is presumed to have occurred',
      'terms of a conclusive event have passed without one: the operation is presumed to have occurred',
    ],
    pt: [
      'prazo de evento conclusivo vencido sem evento: a operação é presumida como ocorrida',
      'prazos de evento conclusivo vencidos sem evento: a operação é presumida como ocorrida',
    ],
  },
  lost: {
    en: [
      'term has passed without its event, which can no longer be sent; the columns remains and remainsUntil show what is still possible',
      'terms have passed without their event, which can no longer be sent; the columns remains and remainsUntil show what is still possible',
    ],
    pt: [
      'prazo vencido sem o evento, que não pode mais ser enviado; as colunas remains e remainsUntil mostram o que ainda é possível',
      'prazos vencidos sem o evento, que não pode mais ser enviado; as colunas remains e remainsUntil mostram o que ainda é possível',
    ],
  },
  unknown: {
    en: [
      'term has passed, and this machine does not know whether an event was registered',
      'terms have passed, and this machine does not know whether an event was registered',
    ],
    pt: [
      'prazo vencido, e esta máquina não sabe se houve evento',
      'prazos vencidos, e esta máquina não sabe se houve evento',
    ],
  },
  cancelled: {
    en: [
      'term is of a document that its issuer cancelled: no event is due',
      'terms are of documents that their issuer cancelled: no event is due',
    ],
    pt: [
      'prazo é de documento cancelado pelo emitente: nenhum evento é devido',
      'prazos são de documentos cancelados pelo emitente: nenhum evento é devido',
    ],
  },
} as const satisfies Partial<Record<TermState, Forms>>;

const classWords: Readonly<Record<OpenTerm['eventClass'], Text>> = {
  awareness: { en: 'Ciência', pt: 'Ciência' },
  conclusive: { en: 'Conclusive event', pt: 'Evento conclusivo' },
  taker: { en: 'Taker’s event', pt: 'Evento do tomador' },
};

/** Writes the list as a calendar, one entry per document and class; replaced as a whole. */
async function writeCalendar(
  context: Context,
  rows: readonly OpenTerm[],
  target: { readonly out: string; readonly language: Language },
): Promise<void> {
  const { out, language } = target;
  const name = { en: 'Manifestations due', pt: 'Manifestações a vencer' }[language];
  const due = rows.filter(({ state }) => state !== 'cancelled');
  const entries = due.map((row) => entryOf(row, language));
  const path = resolve(context.cwd, out);
  const text = calendarText(name, entries, context.clock.now());
  await replaceFile(path, text, `${path}.${context.random.uuid()}.tmp`);
}

function entryOf(row: OpenTerm, language: Language): CalendarEntry {
  const { accessKey, eventClass, events, deadline, supplier, amount, rule, source, warnings = [] } = row;
  const words = { en: ['Supplier', 'Amount', 'Term'], pt: ['Fornecedor', 'Valor', 'Prazo'] }[language];
  const [supplierWord = '', amountWord = '', termWord = ''] = words;
  const isWhole = events.length === eventsOfClass(eventClass).length;
  const type = accessKey.length === 44 ? 'NF-e' : 'NFS-e';
  const description = [
    accessKey,
    `${supplierWord}: ${supplier}`,
    ...(amount === undefined ? [] : [`${amountWord}: ${amount}`]),
    `${termWord}: ${rule} (${source})`,
    ...warnings.map((warning) => deadlineWarnings[warning][language]),
  ];
  return {
    uid: `${accessKey}-${isWhole ? eventClass : events.join('-')}@fiscal`,
    day: deadline,
    nextDay: addDays(deadline, 1),
    summary: `${classWords[eventClass][language]}: ${type} ${supplier}`,
    description: description.join('\n'),
  };
}
