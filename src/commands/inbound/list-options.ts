import type { OptionSpecs } from '../../cli/command.js';
import { companiesOption } from '../../cli/company-options.js';
import { filterOptions } from './filter-options.js';

/** How much of the list, and in which words. */
export const listOptions = {
  ...companiesOption,
  ...filterOptions,
  filter: {
    kind: 'text',
    value: 'odata',
    summary: {
      en: 'Further condition in OData, joined by "and"',
      pt: 'Mais uma condição em OData, unida por "and"',
    },
  },
  orderBy: {
    kind: 'text',
    value: 'odata',
    summary: {
      en: 'Order in OData; what arrives meanwhile may then be missed',
      pt: 'Ordem em OData; o que chega durante a leitura pode então ficar de fora',
    },
  },
  limit: {
    notWith: ['all'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'At most so many (100)', pt: 'No máximo tantos (100)' },
  },
  all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
  maxPages: {
    notWith: ['local', 'summaries'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: {
      en: 'A longer list ends with 14 (20000)',
      pt: 'Uma lista mais longa termina com 14 (20000)',
    },
  },
  local: {
    kind: 'toggle',
    summary: {
      en: 'Only what this machine knows, without network',
      pt: 'Só o que esta máquina conhece, sem rede',
    },
  },
  summaries: {
    kind: 'toggle',
    summary: {
      en: 'Only NF-e that wait for their full XML, as this machine knows, with the days that are left',
      pt: 'Só NF-e que aguardam o XML completo, como esta máquina conhece, com os dias que restam',
    },
  },
} as const satisfies OptionSpecs;
