import { isRecord } from '../../domain/record.js';
import type { Text } from '../../contract/text.js';
import { highestSequence, findEvent, refusalOf } from '../../domain/event-code.js';
import type { EventType } from '../../domain/event-code-list.js';
import { detailProblems } from '../../domain/event-detail.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import { readEventKey, type EventKey } from './event-key.js';
import { readRejection } from './rejection.js';
import { isGiven, type Finding, type SubmissionRules, type WrittenSubmission } from './written-submission.js';

export type CheckedSubmission =
  | { readonly submission: Submission; readonly notes: readonly Finding[] }
  | { readonly problems: readonly Finding[] };

/** The synchronous checks of the service (§4) made here, so that what cannot be taken is never sent. */
export function checkSubmission(written: WrittenSubmission, rules: SubmissionRules): CheckedSubmission {
  const key = readEventKey(written.accessKey);
  const event = readEvent(written.event);
  const problems: Finding[] = [
    'problem' in key ? key.problem : [],
    'problem' in event ? event.problem : [],
  ].flat();
  if ('problem' in event) return { problems };
  const sequence = readSequence(written.sequence, event, rules.unchecked);
  if ('problem' in sequence) problems.push(sequence.problem);
  if (!('problem' in key) && key.family !== event.family)
    return { problems: [...problems, mixed(key, event)] };
  const rest =
    event.family === 'nfe' ? readDetail(written, event, rules) : readRejection(written, event, rules);
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
      en: `"${shown}" is no event; see: fiscal manifestation codes`,
      pt: `"${shown}" não é um evento; veja: fiscal manifestation codes`,
    })
  );
}

function readSequence(
  written: unknown,
  event: EventType,
  unchecked: boolean,
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
  if (!isOver || (unchecked && event.family === 'nfe')) return { value: Number(text) };
  return problem('sequence', {
    en: `may be at most ${highest} for ${event.name} (rule 594 of the authority)`,
    pt: `pode ser no máximo ${highest} para ${event.name} (regra 594 da autoridade)`,
  });
}

type ReadDetail =
  | { readonly detail: Readonly<Record<string, unknown>> }
  | { readonly problems: readonly Finding[] };

function readDetail(written: WrittenSubmission, event: EventType, rules: SubmissionRules): ReadDetail {
  const problems: Finding[] = [];
  if (isGiven(written.reason)) {
    problems.push({ field: 'reason', message: { en: 'belongs to an NFS-e', pt: 'pertence a uma NFS-e' } });
  }
  const detail = isGiven(written.detail) ? written.detail : {};
  if (!isRecord(detail)) {
    return { problems: [...problems, ...detailProblems(event.code, detail)] };
  }
  if (isGiven(written.justification) && 'justification' in detail) {
    const message = { en: 'stands in detail as well', pt: 'já está em detail' };
    problems.push({ field: 'justification', message });
  }
  const whole = isGiven(written.justification) ? { ...detail, justification: written.justification } : detail;
  if (!rules.unchecked) problems.push(...detailProblems(event.code, whole));
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
