import { expect, test } from 'vitest';
import { itemStepWords } from '../../src/presenters/item-steps.js';
import type { ItemStep } from '../../src/domain/item-step.js';

const noon = Date.parse('2026-05-04T12:00:00Z');

test.each<readonly [ItemStep, string, string]>([
  [{ is: 'sent', attempt: 2 }, 'send 2', 'envio 2'],
  [
    { is: 'sent', attempt: 1, perhaps: 'went-back' },
    'send 1, perhaps: the store was put back to an earlier state, which lacks sends of this machine: whether this was sent is unknown',
    'envio 1, talvez: o estado voltou a uma situação anterior, em que faltam envios desta máquina: não se sabe se isto foi enviado',
  ],
  [{ is: 'answered', status: 'Created' }, 'answered: Created', 'respondido: Created'],
  [
    { is: 'answered', keptSince: noon },
    'answered (of 2026-05-04T12:00:00.000Z, kept on a machine)',
    'respondido (de 2026-05-04T12:00:00.000Z, guardada em uma máquina)',
  ],
  [{ is: 'answered', said: 'Done.' }, 'the service says: Done.', 'o serviço diz: Done.'],
  [
    { is: 'taken-unnamed', reason: { is: 'nameless-event' } },
    'the service took the event and did not say which one it is',
    'o serviço recebeu o evento e não disse qual é',
  ],
  [{ is: 'failed', code: 'service.busy' }, 'service.busy', 'service.busy'],
  [{ is: 'held-up' }, 'held up before it was sent', 'ficou retido antes do envio'],
  [{ is: 'interrupted' }, 'its send was interrupted', 'o envio foi interrompido'],
  [
    { is: 'interrupted', otherContent: true },
    'its send was interrupted, and the product has other content',
    'o envio foi interrompido, e o produto tem outro conteúdo',
  ],
  [{ is: 'found', status: 'Issued' }, 'found at the service: Issued', 'encontrado no serviço: Issued'],
  [
    { is: 'found', after: 'refusal' },
    'found at the service after a refusal',
    'encontrado no serviço depois de uma recusa',
  ],
  [{ is: 'found', after: 409 }, 'found at the service after 409', 'encontrado no serviço depois de 409'],
  [
    { is: 'found', beforeAnySend: true },
    'at the service before anything was sent',
    'já estava no serviço antes de qualquer envio',
  ],
  [
    { is: 'not-found' },
    'not found yet; the service may still be at work on it',
    'ainda não encontrado; o serviço pode estar trabalhando nisso',
  ],
  [
    { is: 'absent', because: 'taken', looks: 3, seconds: 90 },
    'the service took it, and nothing of it is found there (3 looks over 90 s)',
    'o serviço a recebeu, e nada dela é encontrado lá (3 consultas em 90 s)',
  ],
  [
    { is: 'several-alike', candidates: ['a', 'b'] },
    'the service has an invoice that may be this one, and nothing that it shows tells for sure: a, b',
    'o serviço tem uma nota que pode ser esta, e nada do que ele mostra permite ter certeza: a, b',
  ],
  [{ is: 'already-there', httpStatus: 400 }, 'already there (400)', 'já existe (400)'],
  [
    { is: 'already-there', httpStatus: 409, named: true },
    'already there (409), and named',
    'já existe (409), e foi indicado',
  ],
  [
    { is: 'there-unread', looksAgain: true, words: 'x' },
    'it exists (409); how it stands is not found yet',
    'já existe (409); a situação ainda não foi encontrada',
  ],
  [
    { is: 'there-unread', words: 'Duplicado.' },
    'the service has it already, or refuses it for another reason (409), and how it ended cannot be read; it says: Duplicado.',
    'o serviço já a tem, ou a recusa por outro motivo (409), e não é possível ler como ela terminou; ele diz: Duplicado.',
  ],
  [{ is: 'read', status: 'Active' }, 'read: Active', 'consultado: Active'],
  [{ is: 'read', by: 'person', status: '?' }, 'read by hand: ?', 'consultado por uma pessoa: ?'],
  [{ is: 'person-decided', verdict: 'not-sent' }, 'a person says: not-sent', 'uma pessoa diz: não foi enviado'],
  [{ is: 'cancelled' }, 'cancelled by a person', 'cancelado por uma pessoa'],
  [
    { is: 'cancelled', because: 'may-have-arrived' },
    'cancelled after a send that may have arrived',
    'cancelado depois de um envio que pode ter chegado',
  ],
  [
    { is: 'contradicted', at: noon, state: 'succeeded', resourceId: 'p-1' },
    'an answer of 2026-05-04T12:00:00.000Z, kept on a machine, says otherwise: succeeded p-1',
    'uma resposta de 2026-05-04T12:00:00.000Z, guardada em uma máquina, diz outra coisa: succeeded p-1',
  ],
])('%j is said in both languages', (step, en, pt) => {
  expect(itemStepWords(step)).toEqual({ en, pt });
});
