import type { Answer } from '../../client/client.js';
import type { Billing } from '../../contract/operation.js';
import type { Text } from '../../contract/text.js';
import type { Billed } from '../../domain/billing.js';
import type { BilledCounts } from '../../jobs/billed-calls.js';

/** What a person hears of the bill of a batch, or of one call where `as` says what it is billed as. */
export function billedNotices(
  { billed, unknown, repeats }: BilledCounts,
  as?: Exclude<Billing, 'history' | null>,
): readonly Text[] {
  return [
    ...(billed > 0 ? [as === undefined || billed > 1 ? billedText(billed) : oneText[as]] : []),
    ...(unknown > 0 ? [unknownText(unknown)] : []),
    ...(repeats > 0 ? [repeatText(repeats)] : []),
  ];
}

/** What one call of the client cost, with the attempts that it took. */
export function costOf({
  billed,
  billedUnknown = 0,
}: Pick<Answer<unknown>, 'billed' | 'billedUnknown'>): BilledCounts {
  const count = (one: Billed) => (billed === one ? 1 : 0);
  return { billed: count('billed'), unknown: billedUnknown, repeats: count('repeat') };
}

const oneText = {
  engine: {
    en: 'the tax engine bills this call ("fiscal usage" shows it)',
    pt: 'o motor de cálculo cobra esta chamada (veja fiscal usage)',
  },
  'doc-by-key': {
    en: 'this call is billed as GetDocByKey ("fiscal usage" shows it)',
    pt: 'esta chamada é cobrada como GetDocByKey (veja fiscal usage)',
  },
} as const;

function billedText(count: number): Text {
  return count === 1
    ? { en: '1 billed call was made (fiscal usage)', pt: '1 chamada cobrada foi feita (fiscal usage)' }
    : {
        en: `${count} billed calls were made (fiscal usage)`,
        pt: `${count} chamadas cobradas foram feitas (fiscal usage)`,
      };
}

function unknownText(count: number): Text {
  return count === 1
    ? {
        en: '1 call was sent and its outcome is not known: it may have been billed (fiscal usage)',
        pt: '1 chamada foi enviada e o resultado não é conhecido: ela pode ter sido cobrada (fiscal usage)',
      }
    : {
        en: `${count} calls were sent and their outcome is not known: they may have been billed (fiscal usage)`,
        pt: `${count} chamadas foram enviadas e o resultado não é conhecido: elas podem ter sido cobradas (fiscal usage)`,
      };
}

function repeatText(count: number): Text {
  return count === 1
    ? {
        en: '1 call was a free repeat: this machine had captured the same key before',
        pt: '1 chamada foi repetição sem cobrança: esta máquina já havia capturado a mesma chave',
      }
    : {
        en: `${count} calls were free repeats: this machine had captured the same keys before`,
        pt: `${count} chamadas foram repetições sem cobrança: esta máquina já havia capturado as mesmas chaves`,
      };
}
