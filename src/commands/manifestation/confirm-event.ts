import type { Text } from '../../contract/text.js';
import { checkKey } from '../../domain/access-key.js';
import { eventOfCode, isDenial } from '../../domain/event-codes.js';
import { formatCnpj } from '../../domain/tax-number.js';
import { readNoteFacts, type NoteFacts } from '../../jobs/kinds/received-note.js';
import type { Submission } from '../../jobs/kinds/manifestation.js';
import type { Context } from '../../services/context.js';
import { companyNamed } from '../../services/scope/text.js';

const CANCELLATION = 110001;

/**
 * Asks before one event that denies a document (210220, 210240, 203206) or cancels an earlier event (110001), with what is
 * known of the document. Errors: `usage.confirmation_required`, `usage.declined`.
 */
export async function confirmEvent(context: Context, submission: Submission): Promise<void> {
  const { eventCode } = submission;
  if (!isDenial(eventCode) && eventCode !== CANCELLATION) return;
  const { storeNamespace: profile } = await context.settings();
  const facts = await readNoteFacts({ store: await context.store(), profile }, submission);
  const event = eventText(submission);
  const note = noteText(submission, facts);
  const company = await companyText(context, submission);
  await context.consent({
    what: {
      en: `submitting ${event.en} to the tax authority about ${note.en}, for ${company.en} (profile ${profile})`,
      pt: `enviar ${event.pt} à autoridade fiscal sobre ${note.pt}, pela ${company.pt} (perfil ${profile})`,
    },
  });
}

function eventText(submission: Submission): Text {
  const { eventCode } = submission;
  const event = eventOfCode(eventCode);
  const name = `${eventCode} (${event?.name ?? '?'})`;
  const officialName = `${eventCode} (${event?.officialName ?? '?'})`;
  const cancelled = submission.family === 'nfe' ? submission.detail['tpEventoAut'] : undefined;
  if (cancelled === undefined) return { en: name, pt: officialName };
  const code = String(cancelled);
  return { en: `${name}, which cancels ${code},`, pt: `${officialName}, que cancela o ${code},` };
}

function noteText(submission: Submission, { issuer, issuerName, amount }: NoteFacts): Text {
  const { accessKey, family } = submission;
  const number = issuer ?? issuerInKey(submission);
  const who = [number === undefined ? undefined : shownNumber(number), issuerName].filter(Boolean).join(' ');
  const kind = family === 'nfe' ? 'NF-e' : 'NFS-e';
  return {
    en: `${kind} ${accessKey} of supplier ${who || '(unknown)'}, value ${amount ?? '(unknown)'}`,
    pt: `a ${kind} ${accessKey} do fornecedor ${who || '(desconhecido)'}, valor ${amount ?? '(desconhecido)'}`,
  };
}

async function companyText(context: Context, { companyId, companyUnchecked }: Submission): Promise<Text> {
  if (companyUnchecked === true && companyId === undefined) {
    return { en: 'the company that the service picks', pt: 'empresa que o serviço escolher' };
  }
  const doubt = companyUnchecked === true ? { en: ' (unchecked)', pt: ' (não conferida)' } : { en: '', pt: '' };
  const name = companyId === undefined ? '' : await companyNamed(context, companyId);
  return { en: `company ${name}${doubt.en}`, pt: `empresa ${name}${doubt.pt}` };
}

/** Facts §1, §2: the key contains the number of its issuer. */
function issuerInKey({ accessKey }: Submission): string | undefined {
  const { parts } = checkKey(accessKey);
  return parts === undefined || (parts.kind !== 'nfse' && parts.registrationOf === 'tax-office')
    ? undefined
    : parts.registration;
}

/** A CPF is masked. */
function shownNumber(number: string): string {
  return /^[0-9A-Z]{14}$/.test(number) && !number.startsWith('000') ? formatCnpj(number) : `***${number.slice(-2)}`;
}
