import type { Settings } from '../../config/settings.js';
import { familyNames, type InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { type CommandParts, fiscalLine } from '../../domain/command-words.js';
import { counted, type Forms } from '../../domain/counted.js';
import { dayInWords, dayOf, formatDuration, timeInWords } from '../../domain/dates.js';
import { isOfProduction } from '../../services/company/capture.js';
import type { Unread } from './read-company.js';
import { families, type FamilyState, type FleetRow, type Problem, type ProblemCode } from './row.js';

/** Thresholds for a company. */
export interface Thresholds {
  readonly idleDays: number;
  readonly warnDays: number;
  /** Families that every company should capture. */
  readonly expect: readonly InboundFamily[];
}

/** A finding without its next command. */
export type Finding = Omit<Problem, 'next'>;

export type Found = Omit<FleetRow, 'state' | 'problems'>;

/** Pure. The problems of a company, the gravest first. */
export function findingsOf(
  found: Found,
  unread: readonly Unread[],
  thresholds: Thresholds,
): readonly Finding[] {
  const all = [
    ...unread.map(({ code, message }) => finding([code, 'critical'], message)),
    ...families.flatMap((family) => ofFamily(found, family, thresholds)),
    ...ofCertificate(found, thresholds),
    ...ofTerms(found),
    ...ofBackfill(found),
  ];
  const place = { critical: 0, warning: 1, info: 2 };
  return all.toSorted((one, other) => place[one.level] - place[other.level]);
}

export function stateOf(findings: readonly Pick<Finding, 'level'>[]): FleetRow['state'] {
  if (findings.some(({ level }) => level === 'critical')) return 'critical';
  return findings.some(({ level }) => level === 'warning') ? 'warning' : 'ok';
}

function ofFamily(found: Found, family: InboundFamily, { idleDays, expect }: Thresholds): readonly Finding[] {
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
  const idle = state.idleDays;
  const elsewhere = isOfProduction(state.environment) ? [] : [environmentFinding(family, state.environment)];
  return [
    ...elsewhere,
    ...(state.rateLimitedUntil === null
      ? []
      : [
          finding(
            ['spaced', 'warning'],
            spacedText(name, state.rateLimitedUntil, state.rateLimitedCause),
            family,
          ),
        ]),
    ...(idle === null || idle < idleDays
      ? []
      : [finding(['idle', 'warning'], idleText(name, state, idle), family)]),
  ];
}

/** The capture works, but not in production. */
function environmentFinding(family: InboundFamily, environment: string | null): Finding {
  const name = familyNames[family];
  return finding(
    ['other_environment', 'warning'],
    {
      en: `${name} are captured from the environment "${environment ?? ''}", not from production`,
      pt: `as ${name} são capturadas do ambiente "${environment ?? ''}", e não do de produção`,
    },
    family,
  );
}

/** Facts §5. */
function idleText(name: string, { lastDocumentIsNewest }: FamilyState, days: number): Text {
  const age = counted(days, dayForms);
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

const unknownCause: Text = {
  en: 'the service does not report the cause',
  pt: 'o serviço não informa a causa',
};

const causeTexts: Readonly<Record<string, Text>> = {
  certificate_missing: { en: 'there was no certificate', pt: 'faltava o certificado' },
  certificate_expired: { en: 'the certificate had expired', pt: 'o certificado estava vencido' },
  source_limit: {
    en: 'the national environment limits it',
    pt: 'bloqueio por consumo indevido no ambiente nacional',
  },
};

/** A company that captures nothing needs no certificate. */
function ofCertificate(found: Found, { warnDays, expect }: Thresholds): readonly Finding[] {
  const isNeeded = expect.length > 0 || families.some((family) => found[family].capture === 'on');
  const { state, validUntil, daysLeft } = found.certificate;
  if (!isNeeded || state === 'unknown') return [];
  const day = dayInWords(dayOf(validUntil ?? '') ?? '–');
  if (state === 'missing') {
    return [
      finding(['certificate_missing', 'critical'], {
        en: 'there is no certificate in use',
        pt: 'não há certificado em uso',
      }),
    ];
  }
  if (state === 'expired') {
    return [
      finding(['certificate_expired', 'critical'], {
        en: `the certificate expired on ${day.en}`,
        pt: `o certificado venceu em ${day.pt}`,
      }),
    ];
  }
  if (daysLeft === null || daysLeft > warnDays) return [];
  const left = counted(daysLeft, dayForms);
  return [
    finding(['certificate_expiring', 'warning'], {
      en: `the certificate expires on ${day.en}, in ${left.en}`,
      pt: `o certificado vence em ${day.pt}, em ${left.pt}`,
    }),
  ];
}

function ofTerms({ manifestations }: Found): readonly Finding[] {
  const { near, overdue, presumed, unknown, nextDeadline } = manifestations;
  const past = counted(overdue ?? 0, overdueForms);
  const soon = counted(near ?? 0, nearForms);
  const next = dayInWords(nextDeadline ?? '–');
  return [
    ...((overdue ?? 0) === 0
      ? []
      : [
          finding(['deadline_overdue', (presumed ?? 0) === 0 ? 'warning' : 'critical'], {
            en: `${past.en}; for ${presumed ?? 0} the operation is presumed`,
            pt: `${past.pt}; em ${presumed ?? 0} a operação é presumida`,
          }),
        ]),
    ...((unknown ?? 0) === 0
      ? []
      : [finding(['deadline_unknown', 'warning'], counted(unknown ?? 0, unknownForms))]),
    ...((near ?? 0) === 0
      ? []
      : [
          finding(['deadline_near', 'warning'], {
            en: `${soon.en}, the next on ${next.en}`,
            pt: `${soon.pt}, o próximo em ${next.pt}`,
          }),
        ]),
  ];
}

function ofBackfill({ backfill: { released, hiddenDocumentsCount: count } }: Found): readonly Finding[] {
  if ((count ?? 0) === 0) return [];
  const text = counted(count ?? 0, hiddenForms);
  const releasing = {
    en: `${text.en}, and ${count === 1 ? 'is' : 'are'} being released`,
    pt: `${text.pt}, em liberação`,
  };
  return [finding(['hidden_documents', 'info'], released === true ? releasing : text, 'nfse')];
}

const dayForms: Forms = { en: ['day', 'days'], pt: ['dia', 'dias'] };

const overdueForms: Forms = {
  en: [
    '# manifestation term has passed without an event',
    '# manifestation terms have passed without an event',
  ],
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
export function nextCommand(
  found: Found,
  { code, family }: Finding,
  { settings, withinMs }: NextRequest,
): string {
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
      : ofCapture('inbound settings enable', { found, family }),
  other_environment: showSettings,
  idle: ({ found, family }) =>
    family === 'nfse'
      ? { command: 'inbound maintenance fetch-now', company: found.companyId }
      : showSettings({ found, family }),
  spaced: afterSpacing,
  certificate_missing: listCertificates,
  certificate_expired: listCertificates,
  certificate_expiring: listCertificates,
  hidden_documents: ({ found }) => ({ command: 'backfill show', company: found.companyId }),
  deadline_near: listDue,
  deadline_overdue: listDue,
  deadline_unknown: ({ found }) => ({ command: 'inbound sync', company: found.companyId }),
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
  return ofCapture('inbound settings show', capture);
}

/** With a new valid certificate, a pause that the old one caused can be ended. */
function afterSpacing({ found, family }: Capture): CommandParts {
  const cause = family === null ? null : found[family].rateLimitedCause;
  const isByCertificate = cause === 'certificate_missing' || cause === 'certificate_expired';
  if (isByCertificate && found.certificate.state !== 'valid') return listCertificates({ found });
  return isByCertificate && family === 'nfse' ? reactivate(found) : showSettings({ found, family });
}

function reactivate({ companyId }: Found): CommandParts {
  return { command: 'inbound maintenance reactivate', company: companyId };
}

function listCertificates({ found }: Pick<Subject, 'found'>): CommandParts {
  return { command: 'certificate list', company: found.companyId };
}

function listDue({ found, withinMs }: Subject): CommandParts {
  const flags = [['--within', formatDuration(withinMs)]] as const;
  return { command: 'manifestation due', flags, company: found.companyId };
}

function checkConnection(): CommandParts {
  return { command: 'doctor', flags: [['--online', true]] };
}
