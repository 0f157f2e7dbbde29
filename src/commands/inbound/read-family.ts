import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { bareKey } from '../../domain/access-key.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';

/** A document as it is asked for. */
export interface DocumentName {
  readonly family: InboundFamily;
  /** The access key without punctuation; of an NFS-e it may be the id. */
  readonly key: string;
}

const FAMILY_OF_MODEL: Readonly<Record<string, InboundFamily>> = { '55': 'nfe', '57': 'cte', '67': 'cte' };

/**
 * Tells the family by the key: 44 characters with the model in them, or the 50 of an NFS-e. Any other text is an id, which
 * NFS-e alone have. Errors: `usage.invalid_value` when the told family does not fit; `usage.missing`.
 */
export function nameDocument(text: string, told: InboundFamily | undefined): DocumentName {
  const bare = bareKey(text);
  const found = familyIn(bare);
  if (found !== undefined) {
    if (told !== undefined && told !== found) throw otherFamily(told, found);
    return { family: found, key: bare };
  }
  if (told === 'nfse') return { family: told, key: text };
  if (told !== undefined) throw noKey(text);
  throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no', hint: typeHint });
}

function familyIn(key: string): InboundFamily | undefined {
  if (/^[0-9]{9}[0-9A-Z]{14}[0-9]{27}$/.test(key)) return 'nfse';
  return /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/.test(key) ? FAMILY_OF_MODEL[key.slice(20, 22)] : undefined;
}

function otherFamily(told: InboundFamily, found: InboundFamily): FiscalError {
  const expected: Text = { en: `the key is of ${found}`, pt: `a chave é de ${found}` };
  return invalidValue('--type', told, expected);
}

function noKey(text: string): FiscalError {
  const expected: Text = {
    en: 'an access key of 44 characters is expected',
    pt: 'espera-se uma chave de acesso de 44 caracteres',
  };
  const value = text.slice(0, 60);
  return invalidValue('KEY', value, expected);
}

const typeHint: Text = {
  en: 'the key does not tell the family; add --type nfe, cte or nfse',
  pt: 'a chave não diz a família; acrescente --type nfe, cte ou nfse',
};

/** What the family does not have at the service, with the words that help. */
export function notOffered(what: Text, hint: Text): FiscalError {
  return new FiscalError('usage.invalid', { message: what }, { sent: 'no', hint });
}
