import type { Text } from '../contract/text.js';
import { formatUtc } from '../domain/dates.js';
import { absenceReason, conflictReason, reasonWords, rowReasons } from '../errors/reasons.js';
import type { ItemStep } from '../domain/item-step.js';

/** What happened to an item, as a sentence. */
export function itemStepWords(step: ItemStep): Text {
  const { en, pt } = wordsOf(step);
  const status = step.status === undefined ? '' : `: ${step.status}`;
  if (step.keptSince === undefined) return { en: `${en}${status}`, pt: `${pt}${status}` };
  const at = formatUtc(step.keptSince);
  return {
    en: `${en}${status} (of ${at}, kept on a machine)`,
    pt: `${pt}${status} (de ${at}, guardada em uma máquina)`,
  };
}

// eslint-disable-next-line complexity -- one case for each step
function wordsOf(step: ItemStep): Text {
  switch (step.is) {
    case 'sent': {
      const { attempt: number, perhaps } = step;
      if (perhaps === undefined) return { en: `send ${number}`, pt: `envio ${number}` };
      const { en, pt } = perhaps === 'went-back' ? rowReasons['store-went-back'] : rowReasons['server-changed'];
      return { en: `send ${number}, perhaps: ${en}`, pt: `envio ${number}, talvez: ${pt}` };
    }
    case 'answered':
      if (step.said === undefined) return { en: 'answered', pt: 'respondido' };
      return { en: `the service says: ${step.said}`, pt: `o serviço diz: ${step.said}` };
    case 'taken-unnamed':
      return reasonWords(step.reason ?? { is: 'another-subject' });
    case 'failed':
      return { en: step.code, pt: step.code };
    case 'held-up':
      return rowReasons['held-up'];
    case 'interrupted':
      return step.otherContent === true ? interruptedOtherwise : interrupted;
    case 'found':
      return found(step);
    case 'not-found':
      return notFound;
    case 'absent':
      return reasonWords(absenceReason(step.because, step));
    case 'several-alike':
      return reasonWords({ is: 'several-alike', about: step.candidates });
    case 'already-there': {
      const { httpStatus, named } = step;
      return {
        en: `already there (${httpStatus})${named === true ? ', and named' : ''}`,
        pt: `já existe (${httpStatus})${named === true ? ', e foi indicado' : ''}`,
      };
    }
    case 'there-unread':
      return step.looksAgain === true ? looksAgain : reasonWords(conflictReason(step.words));
    case 'read':
      return readBy[step.by ?? 'run'];
    case 'person-decided':
      return { en: `a person says: ${step.verdict}`, pt: `uma pessoa diz: ${verdicts[step.verdict]}` };
    case 'cancelled':
      return cancelled[step.because ?? 'person'];
    case 'contradicted': {
      const [at, created] = [formatUtc(step.at), step.resourceId === undefined ? '' : ` ${step.resourceId}`];
      return {
        en: `an answer of ${at}, kept on a machine, says otherwise: ${step.state}${created}`,
        pt: `uma resposta de ${at}, guardada em uma máquina, diz outra coisa: ${step.state}${created}`,
      };
    }
  }
}

function found({ after, beforeAnySend }: Extract<ItemStep, { is: 'found' }>): Text {
  if (beforeAnySend === true)
    return { en: 'at the service before anything was sent', pt: 'já estava no serviço antes de qualquer envio' };
  if (after === undefined) return { en: 'found at the service', pt: 'encontrado no serviço' };
  if (after === 'refusal')
    return { en: 'found at the service after a refusal', pt: 'encontrado no serviço depois de uma recusa' };
  return { en: `found at the service after ${after}`, pt: `encontrado no serviço depois de ${after}` };
}

const interrupted: Text = { en: 'its send was interrupted', pt: 'o envio foi interrompido' };

const interruptedOtherwise: Text = {
  en: 'its send was interrupted, and the product has other content',
  pt: 'o envio foi interrompido, e o produto tem outro conteúdo',
};

const notFound: Text = {
  en: 'not found yet; the service may still be at work on it',
  pt: 'ainda não encontrado; o serviço pode estar trabalhando nisso',
};

const looksAgain: Text = {
  en: 'it exists (409); how it stands is not found yet',
  pt: 'já existe (409); a situação ainda não foi encontrada',
};

const readBy: Readonly<Record<'run' | 'person' | 'resume' | 'apply', Text>> = {
  run: { en: 'read', pt: 'consultado' },
  person: { en: 'read by hand', pt: 'consultado por uma pessoa' },
  resume: { en: 'read again', pt: 'consultado de novo' },
  apply: { en: 'the product was read', pt: 'o produto foi consultado' },
};

const verdicts = { succeeded: 'deu certo', failed: 'falhou', 'not-sent': 'não foi enviado' } as const;

const cancelled = {
  person: { en: 'cancelled by a person', pt: 'cancelado por uma pessoa' },
  'may-have-arrived': {
    en: 'cancelled after a send that may have arrived',
    pt: 'cancelado depois de um envio que pode ter chegado',
  },
  opposite: { en: 'a newer command requests the opposite', pt: 'um comando mais novo pede o contrário' },
  'planned-again': {
    en: 'planned again by a later company apply',
    pt: 'planejado de novo por um company apply mais novo',
  },
  'sent-again': { en: 'sent by a later product apply', pt: 'enviado por um product apply mais novo' },
  'plan-changed': { en: 'changed since the plan', pt: 'mudou desde o plano' },
} as const satisfies Readonly<Record<string, Text>>;
