import type { Text } from '../../contract/text.js';
import type { Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';

interface Words {
  readonly active: Text;
  readonly pending: Text;
}

const words = {
  created: {
    active: { en: 'created and active', pt: 'criado e ativo' },
    pending: { en: 'created, not validated yet', pt: 'criado, ainda não validado' },
  },
  updated: {
    active: { en: 'updated and active', pt: 'alterado e ativo' },
    pending: { en: 'updated, not validated yet', pt: 'alterado, ainda não validado' },
  },
  revalidated: {
    active: { en: 'validated again and active', pt: 'revalidado e ativo' },
    pending: { en: 'is validated again by the service', pt: 'está em nova validação no serviço' },
  },
  waited: {
    active: { en: 'is active', pt: 'está ativo' },
    pending: { en: 'not validated yet', pt: 'ainda não validado' },
  },
  unchanged: {
    active: { en: 'exists already and is active; nothing was sent', pt: 'já existe e está ativo; nada foi enviado' },
    pending: { en: 'exists already; nothing was sent', pt: 'já existe; nada foi enviado' },
  },
} as const satisfies Readonly<Record<string, Words>>;

interface Seen {
  /** The SKU where it is known, else the id. */
  readonly name: string;
  /** As the service last showed it; only `Active` proves that the tax rules are validated. */
  readonly status: string | undefined;
  readonly billedCalls?: number;
}

/** What a command has done to a product. */
export function productSentence(verb: keyof typeof words, { name, status, billedCalls }: Seen): Sentence {
  const isActive = status === 'Active';
  const { en, pt } = words[verb][isActive ? 'active' : 'pending'];
  return sentenceOf(isActive ? 'good' : 'open', { en: `${name} ${en}`, pt: `${name} ${pt}` }, billedCalls);
}
