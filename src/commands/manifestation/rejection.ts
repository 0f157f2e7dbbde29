import type { Text } from '../../contract/text.js';
import { rejectionReasons, type EventType } from '../../domain/event-code-list.js';
import { justificationProblem } from '../../domain/justification.js';
import { isGiven, type Finding, type SubmissionRules, type WrittenSubmission } from './written-submission.js';

const REJECTION = 203206;
const OTHER_REASON = 9;

export type ReadRejection =
  | {
      readonly companyId: string;
      readonly fields: { readonly reasonCode?: number; readonly justification?: string };
    }
  | { readonly problems: readonly Finding[] };

/** What an event of the taker carries besides key and code (§4, facts §2). */
export function readRejection(
  written: WrittenSubmission,
  event: EventType,
  { companyId, unchecked }: SubmissionRules,
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
  if (isGiven(justification) && !unchecked) {
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
  en: 'belongs to the event 203206 (reject) only',
  pt: 'pertence somente ao evento 203206 (reject)',
};

const reasonRequired: Text = {
  en: `is required for 203206: one of ${rejectionReasons.map(({ code }) => code).join(', ')}`,
  pt: `é obrigatório para 203206: um de ${rejectionReasons.map(({ code }) => code).join(', ')}`,
};
