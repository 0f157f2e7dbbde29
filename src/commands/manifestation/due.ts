import { resolve } from 'node:path';
import type { Given } from '../../cli/command.js';
import type { Language, Text } from '../../contract/text.js';
import { dayAt, addDays } from '../../domain/dates.js';
import { counted, type Forms } from '../../domain/counted.js';
import {
  type DeadlineRule,
  deadlinesOf,
  deadlineWarnings,
  type DeadlineWarning,
  eventsOfClass,
} from '../../domain/deadline.js';
import { calendarText, type CalendarEntry } from '../../domain/ics.js';
import { beforeInWords, horizonAt, type TermHorizon } from '../../domain/term-horizon.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Io } from '../../io/io.js';
import { localCompanies } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { readDeadlineRules } from '../../services/documents/deadline-rules.js';
import { DocumentEvents } from '../../services/documents/events.js';
import { type OpenSubjects, readOpenSubjects, typesWithTerms } from '../../services/documents/open-subjects.js';
import type { OpenTerm, TermState } from '../../services/documents/open-terms.js';
import { TermLedger } from '../../services/documents/terms.js';
import { syncLine } from '../../services/documents/facts.js';
import { notWritten, replaceFile } from '../../io/output-file.js';
import { askEvents } from '../ask-events.js';
import { readDocuments, readOwn, storeEvidence } from './documents.js';
import type { due } from './plan-commands.js';

type DueGiven = Given<typeof due>;

/**
 * The terms, expired ones first. Exit 13 when a term within the horizon expired without an event; 3 when that is unknown, because
 * events of others were not read, no document is known, or no sync has run in the last 24 hours. Sends nothing.
 */
export async function dueManifestations(context: Context, given: DueGiven, io: Io): Promise<Outcome> {
  const rules = await readDeadlineRules(context, given.deadlineRules);
  const today = dayAt(context.clock.now());
  const horizon = horizonAt(today, { withinMs: given.within, overdueUpToMs: given.overdueUpTo });
  const { subjects, known, isProven, notices } = await readDueSubjects(context, given, { rules, horizon });
  const ledger = new TermLedger({ today, horizon, eventClass: given.class });
  const asked = given.checkService
    ? await askEvents(
        context,
        known,
        subjects.filter((subject) => ledger.isNear(subject)).map(({ fact }) => fact),
        await localCompanies(context, given.allCompanies),
      )
    : [];
  for (const subject of subjects) ledger.add(subject, known.of(subject.fact));
  const { rows, all } = ledger;
  const sorted = inOrder(rows.filter((term) => isIn(term, given.state)));
  const { ics: out } = given;
  const { dryRun } = await context.settings();
  if (out !== undefined && !dryRun) await writeCalendar(context, sorted, { out, language: io.language });
  const allNotices = [
    ...notices,
    ...asked,
    ...doubts(sorted),
    ...(await stateNotices(context, given.state === undefined ? rows : sorted)),
    ...(all.earlier === 0 ? [] : [earlierText(all.earlier, horizon)]),
    ...(out !== undefined && dryRun ? [notWritten] : []),
  ];
  const label = await (await context.scope()).labels();
  const data = sorted.map((row) => ({ ...row, ...label(row.companyId) }));
  return { data, exitCode: exitCodeOf(sorted, isProven), notices: allNotices };
}

/** The documents with a term until the end of the horizon, and what is known of their events. */
interface DueSubjects extends OpenSubjects {
  readonly known: DocumentEvents;
  /** True when the absence of a document proves that there is none. */
  readonly isProven: boolean;
  readonly notices: readonly Text[];
}

/** Errors: `usage.invalid_value` for `--own`, and those of the file. */
async function readDueSubjects(
  context: Context,
  given: DueGiven,
  { rules, horizon }: { readonly rules: readonly DeadlineRule[]; readonly horizon: TermHorizon },
): Promise<DueSubjects> {
  const isOwn = await readOwn(context, given.own);
  const families = typesWithTerms(rules);
  const lastDay = horizon.last;
  const eventsOf = ({ subjects }: Pick<OpenSubjects, 'subjects'>) =>
    DocumentEvents.about(
      context,
      subjects.map(({ fact }) => fact),
    );
  if (given.input === undefined) {
    const companies = (await localCompanies(context, given.allCompanies))?.map(({ id }) => id);
    const found = await readOpenSubjects(context, { rules, lastDay, companies, isOwn });
    const { isKnown, isFresh, notices } = await storeEvidence(context, {
      ...{ companies, families },
      unreadable: [...found.unreadable.values()].reduce((sum, count) => sum + count, 0),
    });
    return { ...found, known: await eventsOf(found), isProven: isKnown && isFresh, notices };
  }
  const { facts, notices } = await readDocuments(context, { ...given, families });
  const subjects = facts
    .filter((fact) => !isOwn(fact))
    .map((fact) => ({ fact, deadlines: deadlinesOf(fact, rules) }))
    .filter(({ deadlines }) => deadlines.some((deadline) => deadline.lastDay <= lastDay));
  return { subjects, unreadable: new Map(), known: await eventsOf({ subjects }), isProven: true, notices };
}

function exitCodeOf(rows: readonly OpenTerm[], isProven: boolean): ExitCode {
  if (rows.some(({ state }) => state === 'lost' || state === 'presumed')) return ExitCode.endedBadly;
  return isProven && rows.every(({ state }) => state !== 'unknown') ? ExitCode.ok : ExitCode.partial;
}

/** What no event is due for is listed only where that is asked for. */
function isIn({ state }: OpenTerm, wanted: TermState | undefined): boolean {
  return wanted === undefined ? state !== 'not-owed' : state === wanted;
}

/** `19 before October`. */
function earlierText(count: number, horizon: TermHorizon): Text {
  const { en, pt } = beforeInWords(horizon);
  return counted(count, {
    en: [
      `# more term had passed ${en}: --overdue-up-to shows it`,
      `# more terms had passed ${en}: --overdue-up-to shows them`,
    ],
    pt: [
      `outro # prazo venceu ${pt}: --overdue-up-to o mostra`,
      `outros # prazos venceram ${pt}: --overdue-up-to os mostra`,
    ],
  });
}

/** Expired terms first, then doubtful ones, then open ones. */
const stateOrder: Readonly<Record<TermState, number>> = {
  presumed: 0,
  lost: 0,
  unknown: 1,
  open: 2,
  sent: 2,
  'not-owed': 3,
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
      : [counted(count, { en: [`# term: ${en}`, `# terms: ${en}`], pt: [`# prazo: ${pt}`, `# prazos: ${pt}`] })];
  });
}

/** The meaning of the states, each once, with its count and the next command. */
async function stateNotices(context: Context, rows: readonly OpenTerm[]): Promise<readonly Text[]> {
  const unknown = rows.filter(({ state }) => state === 'unknown');
  const sync = await syncLine(
    context,
    unknown.map(({ companyId }) => companyId),
  );
  const states: readonly (keyof typeof stateTexts)[] = ['presumed', 'lost', 'unknown', 'not-owed'];
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
  'not-owed': {
    en: [
      'term is not owed, because its document does not stand, such as one that its issuer cancelled',
      'terms are not owed, because their documents do not stand, such as those that their issuer cancelled',
    ],
    pt: [
      'prazo não é devido, pois o documento não está em vigor, como o cancelado pelo emitente',
      'prazos não são devidos, pois os documentos não estão em vigor, como os cancelados pelo emitente',
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
  const due = rows.filter(({ state }) => state !== 'not-owed');
  const entries = due.map((row) => entryOf(row, language));
  const path = resolve(context.cwd, out);
  const text = calendarText(name, entries, context.clock.now());
  await replaceFile(path, text, context.random);
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
