import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { LineProblems } from '../input/line-problems.js';

/** What is said of the records that `--skip-invalid` leaves out. */
export function leftOutNotices(problems: LineProblems): readonly Text[] {
  if (problems.lines === 0) return [];
  const count = counted(problems.lines, {
    en: ['# record is not valid and is left out', '# records are not valid and are left out'],
    pt: ['# registro não é válido e fica de fora', '# registros não são válidos e ficam de fora'],
  });
  const shown = problems.shown.map(({ field, message }) =>
    typeof message === 'string'
      ? { en: `${field} ${message}`, pt: `${field} ${message}` }
      : { en: `${field} ${message.en}`, pt: `${field} ${message.pt}` },
  );
  return [count, ...shown];
}

export const dryRunOnly: Text = {
  en: 'nothing was sent; the request shown is the first one',
  pt: 'nada foi enviado; a requisição mostrada é a primeira',
};
