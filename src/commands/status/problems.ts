import type { Settings } from '../../config/settings.js';
import { familyNames, type InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { type CommandParts, fiscalLine } from '../../domain/command-words.js';
import { counted, type Forms, nouns } from '../../domain/counted.js';
import { dayInWords, formatDuration, timeInWords } from '../../domain/dates.js';
import { isOfProduction, otherEnvironment, unclearCapture } from '../../services/company/capture.js';
import { certificateInWords, endsBy, type CertificateState } from '../../services/company/certificate.js';
import type { Unread } from './read-company.js';
import { families } from '../../services/company/activity.js';
import { beforeInWords, type TermHorizon } from '../../domain/term-horizon.js';
import type { FamilyState, CompanyCheck, Problem, ProblemCode } from './row.js';

/** Thresholds for a company. */
export interface Thresholds {
  readonly idleDays: number;
  /** A certificate that ends by then is a problem. */
  readonly warnUntil: number;
  /** Families that every company should capture. */
  readonly expect: readonly InboundFamily[];
}

/** What the findings of one company rest on. */
interface Judging extends Thresholds {
  readonly horizon: TermHorizon;
  /** Families whose terms are unknown, because no sync has read their lists lately. */
  readonly unsynced: readonly InboundFamily[];
}

/** A finding without its next command. */
export type Finding = Omit<Problem, 'next'>;

export type Found = Omit<CompanyCheck, 'state' | 'problems'>;

/** Pure. The problems of a company, the gravest first. */
export function findingsOf(found: Found, unread: readonly Unread[], judging: Judging): readonly Finding[] {
  const all = [
    ...unread.map(({ code, message }) => finding([code, 'critical'], message)),
    ...families.flatMap((family) => ofFamily({ found, unread }, family, judging)),
    ...ofCertificate(found, unread, judging),
    ...ofTerms(found, judging),
    ...ofBackfill(found, unread),
  ];
  const place = { critical: 0, warning: 1, info: 2 };
  return all.toSorted((one, other) => place[one.level] - place[other.level]);
}

export function stateOf(findings: readonly Pick<Finding, 'level'>[]): CompanyCheck['state'] {
  if (findings.some(({ level }) => level === 'critical')) return 'critical';
  return findings.some(({ level }) => level === 'warning') ? 'warning' : 'ok';
}

function ofFamily(
  { found, unread }: { readonly found: Found; readonly unread: readonly Unread[] },
  family: InboundFamily,
  { idleDays, expect }: Thresholds,
): readonly Finding[] {
  const state = found[family];
  const name = familyNames[family];
  const isOff = state.capture === 'off' || state.capture === 'inactive';
  if (isOff) {
    if (!expect.includes(family)) return [];
    return [
      finding(
        ['capture_off', 'critical'],
        { en: `${name} are not captured`, pt: `a captura de ${name} está desligada` },
        family,
      ),
    ];
  }
  if (state.capture === 'unknown') return [];
  const elsewhere = isOfProduction(state.environment)
    ? []
    : [finding(['other_environment', 'warning'], otherEnvironment(name, state.environment), family)];
  return [
    ...(state.capture === 'unclear' ? [finding(['capture_unclear', 'warning'], unclearCapture(name), family)] : []),
    ...elsewhere,
    ...(state.rateLimitedUntil === null
      ? []
      : [finding(['spaced', 'warning'], spacedText(name, state.rateLimitedUntil, state.rateLimitedCause), family)]),
    ...idleFindings(state, idleDays, { name, family, isRead: unread.length === 0 }),
  ];
}

/** There are settings: the capture is on, or may be. */
export function isRegistered({ capture }: FamilyState): boolean {
  return capture === 'on' || capture === 'unclear';
}

function idleFindings(
  state: FamilyState,
  idleDays: number,
  { name, family, isRead }: { readonly name: string; readonly family: InboundFamily; readonly isRead: boolean },
): readonly Finding[] {
  const { idleDays: idle } = state;
  if (idle !== null) return idle < idleDays ? [] : [finding(['idle', 'warning'], idleText(name, state, idle), family)];
  // A list that could not be read is a problem of its own.
  return isRead ? [finding(['idle_unknown', 'warning'], idleUnknownText(name), family)] : [];
}

function idleUnknownText(name: string): Text {
  return {
    en: `it is unknown since when no ${name} came: neither the list nor the settings say a time`,
    pt: `não se sabe há quanto tempo não chegam ${name}: nem a lista nem a configuração informam uma data`,
  };
}

/** Facts §5. */
function idleText(name: string, { lastDocumentIsNewest }: FamilyState, days: number): Text {
  const age = counted(days, nouns.day);
  if (lastDocumentIsNewest === false)
    return {
      en: `the newest of the ${name} that were read is ${age.en} old; the service does not list the newest first, so there may be newer ones`,
      pt: `a mais recente das ${name} lidas tem ${age.pt}; o serviço não lista as mais recentes primeiro, por isso pode haver outras mais novas`,
    };
  return {
    en: `no ${name} for ${age.en}; after 60 idle days the source stops numbering, and that time is lost`,
    pt: `${age.pt} sem ${name}; após 60 dias sem consulta a origem para de numerar, e esse período se perde`,
  };
}

function spacedText(name: string, until: string, cause: string | null): Text {
  const why = causeTexts[cause ?? 'unknown'] ?? unknownCause;
  const end = timeInWords(until);
  return {
    en: `the capture of ${name} is spaced until ${end.en}: ${why.en}`,
    pt: `a captura de ${name} está bloqueada por consumo indevido até ${end.pt}: ${why.pt}`,
  };
}

const unknownCause: Text = { en: 'the service does not report the cause', pt: 'o serviço não informa a causa' };

const causeTexts: Readonly<Record<string, Text>> = {
  certificate_missing: { en: 'there was no certificate', pt: 'faltava o certificado' },
  certificate_expired: { en: 'the certificate had expired', pt: 'o certificado estava vencido' },
  source_limit: { en: 'the national environment limits it', pt: 'bloqueio por consumo indevido no ambiente nacional' },
};

/** A company that captures nothing needs no certificate. */
function ofCertificate(found: Found, unread: readonly Unread[], { warnUntil, expect }: Thresholds): readonly Finding[] {
  const isNeeded = expect.length > 0 || families.some((family) => isRegistered(found[family]));
  const { certificate } = found;
  const { state } = certificate;
  if (!isNeeded || (state === 'unknown' && unread.length > 0)) return [];
  if (state === 'valid' && !endsBy(certificate, warnUntil)) return [];
  return [finding(certificateFindings[state], certificateInWords(certificate))];
}

const certificateFindings = {
  valid: ['certificate_expiring', 'warning'],
  unknown: ['certificate_unknown', 'warning'],
  missing: ['certificate_missing', 'critical'],
  expired: ['certificate_expired', 'critical'],
  other: ['certificate_other', 'critical'],
} as const satisfies Readonly<Record<CertificateState['state'], readonly [ProblemCode, Finding['level']]>>;

function ofTerms({ manifestations }: Found, { horizon, unsynced }: Judging): readonly Finding[] {
  const of = (name: Exclude<keyof Found['manifestations'], 'nextDeadline'>) => manifestations[name] ?? 0;
  const [presumed, unknown, unreadable, open] = [of('presumed'), of('unknown'), of('unreadable'), of('open')];
  const lost = of('lost') + presumed;
  const past = counted(lost, overdueForms);
  const soon = counted(open, nearForms);
  const next = dayInWords(manifestations.nextDeadline ?? '–');
  const before = beforeInWords(horizon);
  return [
    ...(lost === 0
      ? []
      : [
          finding(['deadline_overdue', presumed === 0 ? 'warning' : 'critical'], {
            en: `${past.en}; for ${presumed} the operation is presumed`,
            pt: `${past.pt}; em ${presumed} a operação é presumida`,
          }),
        ]),
    ...(unknown === 0 ? [] : [finding(['deadline_unknown', 'warning'], counted(unknown, unknownForms))]),
    ...(unreadable === 0 ? [] : [finding(['deadline_unreadable', 'warning'], counted(unreadable, unreadableForms))]),
    ...unsynced.map((family) => finding(['deadline_unsynced', 'warning'], unsyncedText(familyNames[family]), family)),
    ...(open === 0
      ? []
      : [
          finding(['deadline_near', 'warning'], {
            en: `${soon.en}, the next on ${next.en}`,
            pt: `${soon.pt}, o próximo em ${next.pt}`,
          }),
        ]),
    ...(of('earlier') === 0
      ? []
      : [
          finding(['deadline_overdue', 'info'], {
            en: `${counted(of('earlier'), overdueForms).en} ${before.en}`,
            pt: `${counted(of('earlier'), overdueForms).pt} ${before.pt}`,
          }),
        ]),
  ];
}

function unsyncedText(name: string): Text {
  return {
    en: `no sync has read the lists of ${name} to their end in the last 24 hours on this machine: manifestation terms may be missing`,
    pt: `nenhuma sincronização leu as listas de ${name} até o fim nas últimas 24 horas nesta máquina: podem faltar prazos de manifestação`,
  };
}

function ofBackfill({ nfse, backfill }: Found, unread: readonly Unread[]): readonly Finding[] {
  const { released, hiddenDocumentsCount: count } = backfill;
  if (count === null && isRegistered(nfse) && unread.length === 0)
    return [finding(['hidden_unknown', 'warning'], hiddenUnknown, 'nfse')];
  if ((count ?? 0) === 0) return [];
  const text = counted(count ?? 0, hiddenForms);
  const releasing = {
    en: `${text.en}, and ${count === 1 ? 'is' : 'are'} being released`,
    pt: `${text.pt}, em liberação`,
  };
  return [finding(['hidden_documents', 'info'], released === true ? releasing : text, 'nfse')];
}

const hiddenUnknown: Text = {
  en: 'the service does not say how many NFS-e before the cut-off are hidden',
  pt: 'o serviço não diz quantas NFS-e anteriores à data de corte estão ocultas',
};

const unreadableForms: Forms = {
  en: [
    '# document lacks what a manifestation term is computed from, such as its date',
    '# documents lack what a manifestation term is computed from, such as their date',
  ],
  pt: [
    '# documento não tem o que forma o prazo de manifestação, como a data',
    '# documentos não têm o que forma o prazo de manifestação, como a data',
  ],
};

const overdueForms: Forms = {
  en: ['# manifestation term has passed without an event', '# manifestation terms have passed without an event'],
  pt: ['# prazo de manifestação vencido sem evento', '# prazos de manifestação vencidos sem evento'],
};

const unknownForms: Forms = {
  en: [
    '# manifestation term has passed, and no sync has read since then whether an event was registered',
    '# manifestation terms have passed, and no sync has read since then whether events were registered',
  ],
  pt: [
    '# prazo de manifestação vencido, e nenhuma sincronização verificou desde então se houve evento',
    '# prazos de manifestação vencidos, e nenhuma sincronização verificou desde então se houve eventos',
  ],
};

const nearForms: Forms = {
  en: ['# manifestation term expires soon', '# manifestation terms expire soon'],
  pt: ['# prazo de manifestação vence em breve', '# prazos de manifestação vencem em breve'],
};

const hiddenForms: Forms = {
  en: ['# NFS-e before the cut-off is hidden', '# NFS-e before the cut-off are hidden'],
  pt: ['# NFS-e anterior à data de corte está oculta', '# NFS-e anteriores à data de corte estão ocultas'],
};

function finding(
  [code, level]: readonly [ProblemCode, Finding['level']],
  message: Text,
  family: InboundFamily | null = null,
): Finding {
  return { code, level, family, message };
}

interface NextRequest {
  readonly settings: Settings;
  /** Terms that expire within this time are near. */
  readonly withinMs: number;
}

/** The next command for a finding. Ids come from the service, so they are quoted for the shell. */
export function nextCommand(found: Found, { code, family }: Finding, { settings, withinMs }: NextRequest): string {
  return fiscalLine({ ...nextSteps[code]({ found, family, withinMs }), profile: settings.profile });
}

interface Subject {
  readonly found: Found;
  readonly family: Finding['family'];
  readonly withinMs: number;
}

const nextSteps: Readonly<Record<ProblemCode, (subject: Subject) => CommandParts>> = {
  capture_off: ({ found, family }) =>
    family === 'nfse' && found.nfse.capture === 'inactive'
      ? reactivate(found)
      : ofCapture('inbound capture enable', { found, family }),
  capture_unclear: showSettings,
  idle_unknown: showSettings,
  other_environment: showSettings,
  idle: ({ found, family }) =>
    family === 'nfse' ? { command: 'inbound capture run', company: found.companyId } : showSettings({ found, family }),
  spaced: afterSpacing,
  certificate_missing: listCertificates,
  certificate_expired: listCertificates,
  certificate_expiring: listCertificates,
  certificate_other: listCertificates,
  certificate_unknown: listCertificates,
  hidden_documents: ({ found }) => ({ command: 'backfill show', company: found.companyId }),
  hidden_unknown: ({ found }) => ({ command: 'backfill show', company: found.companyId }),
  deadline_near: listDue,
  deadline_overdue: listDue,
  deadline_unknown: syncCompany,
  deadline_unreadable: listDue,
  deadline_unsynced: syncCompany,
  forbidden: () => ({ command: 'auth status', flags: [['--check', true]] }),
  not_found: () => ({ command: 'company list' }),
  other_company: ({ found }) => ({ command: 'company get', positionals: [found.companyId] }),
  unreadable: checkConnection,
  unreachable: checkConnection,
};

type Capture = Pick<Subject, 'found' | 'family'>;

function ofCapture(command: string, { found, family }: Capture): CommandParts {
  return { command, flags: [['--type', family ?? 'nfe']], company: found.companyId };
}

function showSettings(capture: Capture): CommandParts {
  return ofCapture('inbound capture show', capture);
}

/** With a new valid certificate, a pause that the old one caused can be ended. */
function afterSpacing({ found, family }: Capture): CommandParts {
  const cause = family === null ? null : found[family].rateLimitedCause;
  const isByCertificate = cause === 'certificate_missing' || cause === 'certificate_expired';
  if (isByCertificate && found.certificate.state !== 'valid') return listCertificates({ found });
  return isByCertificate && family === 'nfse' ? reactivate(found) : showSettings({ found, family });
}

function reactivate({ companyId }: Found): CommandParts {
  return { command: 'inbound capture reactivate', company: companyId };
}

function listCertificates({ found }: Pick<Subject, 'found'>): CommandParts {
  return { command: 'certificate list', company: found.companyId };
}

function listDue({ found, withinMs }: Subject): CommandParts {
  const flags = [['--within', formatDuration(withinMs)]] as const;
  return { command: 'manifestation due', flags, company: found.companyId };
}

function syncCompany({ found }: Pick<Subject, 'found'>): CommandParts {
  return { command: 'inbound sync', company: found.companyId };
}

function checkConnection(): CommandParts {
  return { command: 'doctor', flags: [['--online', true]] };
}
