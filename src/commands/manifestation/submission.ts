import type { Text } from '../../contract/text.js';
import { type EventType, findEvent, highestSequence, refusalOf, rejectionReasons } from '../../domain/event-codes.js';
import { detailProblems } from '../../domain/event-detail.js';
import { parseKeepingNumbers } from '../../domain/json-numbers.js';
import { justificationProblem } from '../../domain/justification.js';
import { isRecord } from '../../domain/record.js';
import { nfeCall, nfseCall, type Submission } from '../../jobs/kinds/manifestation.js';
import { type DryRun, previewOne } from '../../services/calls/one-call.js';
import type { Context } from '../../services/context.js';
import { readDocument } from '../../services/input/records.js';
import { type InputContext, openSource, type Source } from '../../services/input/source.js';
import { type EventKey, type Finding, readEventKey } from './event-key.js';

/** An event from flags, a row or a record, not validated. */
interface WrittenSubmission {
  readonly accessKey: unknown;
  readonly event: unknown;
  readonly sequence?: unknown;
  readonly justification?: unknown;
  readonly reason?: unknown;
  readonly detail?: unknown;
}

export interface SubmissionRules {
  /** The company of the event. Required for NFS-e, whose address contains it. */
  readonly companyId: string | undefined;
  /** `--company-unchecked`: sent without proof that the company captured the document. */
  readonly companyUnchecked: boolean;
  /** Skips the checks of detail, justification and rule 594. */
  readonly detailUnchecked: boolean;
}

/** An empty cell counts as an absent field. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

type CheckedSubmission =
  | { readonly submission: Submission; readonly notes: readonly Finding[] }
  | { readonly problems: readonly Finding[] };

/** The synchronous checks of the service (§4), so that an invalid event is never sent. */
export function checkSubmission(written: WrittenSubmission, rules: SubmissionRules): CheckedSubmission {
  const key = readEventKey(written.accessKey);
  const event = readEvent(written.event);
  const problems: Finding[] = ['problem' in key ? key.problem : [], 'problem' in event ? event.problem : []].flat();
  if ('problem' in event) return { problems };
  const sequence = readSequence(written.sequence, event, rules.detailUnchecked);
  if ('problem' in sequence) problems.push(sequence.problem);
  if (!('problem' in key) && key.family !== event.family) return { problems: [...problems, mixed(key, event)] };
  const rest = event.family === 'nfe' ? checkDetail(written, event, rules) : readRejection(written, event, rules);
  if ('problems' in rest) return { problems: [...problems, ...rest.problems] };
  if ('problem' in key || 'problem' in sequence || problems.length > 0) return { problems };
  const head = { accessKey: key.value, eventCode: event.code };
  const vouched = rules.companyUnchecked ? ({ companyUnchecked: true } as const) : {};
  const company = rules.companyId === undefined ? {} : { companyId: rules.companyId };
  const submission: Submission =
    'detail' in rest
      ? { family: 'nfe', ...head, nSequencia: sequence.value, detail: rest.detail, ...company, ...vouched }
      : { family: 'nfse', companyId: rest.companyId, ...head, ...rest.fields, ...vouched };
  return { submission, notes: key.notes };
}

function readEvent(written: unknown): EventType | { readonly problem: Finding } {
  const text = typeof written === 'number' ? String(written) : written;
  if (typeof text !== 'string' || text.trim() === '')
    return problem('event', { en: 'is required', pt: 'é obrigatório' });
  const refusal = refusalOf(text);
  if (refusal !== undefined) {
    const code = text.trim();
    return problem('event', {
      en: `${code} cannot be sent: ${refusal.en}`,
      pt: `${code} não pode ser enviado: ${refusal.pt}`,
    });
  }
  const shown = text.trim().slice(0, 40);
  return (
    findEvent(text) ??
    problem('event', {
      en: `"${shown}" is not an event; see: fiscal manifestation codes`,
      pt: `"${shown}" não é um evento; veja: fiscal manifestation codes`,
    })
  );
}

function readSequence(
  written: unknown,
  event: EventType,
  detailUnchecked: boolean,
): { readonly value: number } | { readonly problem: Finding } {
  if (written === undefined || written === '') return { value: 1 };
  const text = typeof written === 'number' || typeof written === 'string' ? String(written).trim() : '';
  if (!/^\d{1,6}$/.test(text) || Number(text) < 1) {
    return problem('sequence', {
      en: 'must be a whole number of at least 1',
      pt: 'deve ser um número inteiro de pelo menos 1',
    });
  }
  const highest = highestSequence(event);
  const isOver = highest !== undefined && Number(text) > highest;
  if (!isOver || (detailUnchecked && event.family === 'nfe')) return { value: Number(text) };
  return problem('sequence', {
    en: `may be at most ${highest} for ${event.name} (rule 594 of the authority)`,
    pt: `pode ser no máximo ${highest} para ${event.name} (regra 594 da autoridade)`,
  });
}

type CheckedDetail = { readonly detail: Readonly<Record<string, unknown>> } | { readonly problems: readonly Finding[] };

function checkDetail(written: WrittenSubmission, event: EventType, rules: SubmissionRules): CheckedDetail {
  const problems: Finding[] = [];
  if (isGiven(written.reason)) {
    problems.push({ field: 'reason', message: { en: 'belongs to an NFS-e', pt: 'pertence a uma NFS-e' } });
  }
  const detail = isGiven(written.detail) ? written.detail : {};
  if (!isRecord(detail)) {
    return { problems: [...problems, ...detailProblems(event.code, detail)] };
  }
  if (isGiven(written.justification) && 'justification' in detail) {
    const message = { en: 'is in detail as well', pt: 'já está em detail' };
    problems.push({ field: 'justification', message });
  }
  const whole = isGiven(written.justification) ? { ...detail, justification: written.justification } : detail;
  if (!rules.detailUnchecked) problems.push(...detailProblems(event.code, whole));
  return problems.length > 0 ? { problems } : { detail: whole };
}

function mixed(key: EventKey, event: EventType): Finding {
  const names = { nfe: 'NF-e', nfse: 'NFS-e' } as const;
  return {
    field: 'event',
    message: {
      en: `${event.code} (${event.name}) is an event of an ${names[event.family]}, and accessKey is the key of an ${names[key.family]}`,
      pt: `${event.code} (${event.name}) é um evento de ${names[event.family]}, e accessKey é a chave de uma ${names[key.family]}`,
    },
  };
}

function problem(field: string, message: Text): { readonly problem: Finding } {
  return { problem: { field, message } };
}

const REJECTION = 203206;
const OTHER_REASON = 9;

type ReadRejection =
  | { readonly companyId: string; readonly fields: { readonly reasonCode?: number; readonly justification?: string } }
  | { readonly problems: readonly Finding[] };

/** The content of an event of the taker besides key and code (§4, facts §2). */
export function readRejection(
  written: WrittenSubmission,
  event: EventType,
  { companyId, detailUnchecked }: SubmissionRules,
): ReadRejection {
  const problems: Finding[] = [];
  const say = (field: string, message: Text): void => void problems.push({ field, message });
  if (companyId === undefined) say('company', companyRequired);
  if (isGiven(written.detail)) say('detail', { en: 'belongs to an NF-e', pt: 'pertence a uma NF-e' });
  if (event.code !== REJECTION) {
    if (isGiven(written.reason)) say('reason', onlyForRejection);
    if (isGiven(written.justification)) say('justification', onlyForRejection);
    return problems.length > 0 || companyId === undefined ? { problems } : { companyId, fields: {} };
  }
  const reasonCode = reasonOf(written.reason);
  if (reasonCode === undefined) say('reason', reasonRequired);
  const { justification } = written;
  if (isGiven(justification) && !detailUnchecked) {
    const message = justificationProblem(justification);
    if (message !== undefined) say('justification', message);
  } else if (reasonCode === OTHER_REASON && !isGiven(justification)) {
    say('justification', { en: 'is required for reason 9', pt: 'é obrigatória para o motivo 9' });
  }
  if (problems.length > 0 || companyId === undefined || reasonCode === undefined) return { problems };
  const text = typeof justification === 'string' && justification !== '' ? { justification } : {};
  return { companyId, fields: { reasonCode, ...text } };
}

function reasonOf(written: unknown): number | undefined {
  const text = typeof written === 'number' || typeof written === 'string' ? String(written).trim() : '';
  return rejectionReasons.find(({ code }) => String(code) === text)?.code;
}

const companyRequired: Text = {
  en: 'is required for an NFS-e: give --company, set FISCAL_COMPANY, or keep it in the profile',
  pt: 'é obrigatória para uma NFS-e: informe --company, defina FISCAL_COMPANY ou guarde no perfil',
};

const onlyForRejection: Text = {
  en: 'is valid only for the event 203206 (reject)',
  pt: 'pertence somente ao evento 203206 (reject)',
};

const reasonRequired: Text = {
  en: `is required for 203206: one of ${rejectionReasons.map(({ code }) => code).join(', ')}`,
  pt: `é obrigatório para 203206: um de ${rejectionReasons.map(({ code }) => code).join(', ')}`,
};

/** `--detail`: JSON as typed, a file, or `-` for standard input. Errors: `input.*`. */
export async function readDetail(context: InputContext, text: string): Promise<unknown> {
  const isJson = /^\s*[{[]/.test(text);
  const source = isJson ? typed(text) : await openSource(context, text, { again: false });
  return await readDocument(source, parseKeepingNumbers);
}

/** One JSON text of a cell or an option; throws `SyntaxError`. Depth and numbers are held as in every other input. */
export function parseDetail(text: string): unknown {
  return parseKeepingNumbers(text);
}

function typed(text: string): Source {
  return {
    name: '--detail',
    extension: '.json',
    async *bytes() {
      yield await Promise.resolve(new TextEncoder().encode(text));
    },
    close: () => Promise.resolve(),
  };
}

/** The request that would submit it. */
export async function previewSubmission(context: Context, submission: Submission): Promise<DryRun> {
  return submission.family === 'nfe'
    ? await previewOne(context, 'nfe.manifestation.submit', nfeCall(submission))
    : await previewOne(context, 'nfse.manifestation.submit', nfseCall(submission));
}
