import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';

/** Adds to a sentence for how many companies no close proves the month complete: what is written claims no more than the close. */
export function withUnproven({ en, pt }: Text, companies: number): Text {
  if (companies === 0) return { en, pt };
  const of = counted(companies, nouns.company);
  return {
    en: `${en}; the month is not proven complete for ${of.en}`,
    pt: `${pt}; não está provado que o mês está completo para ${of.pt}`,
  };
}
