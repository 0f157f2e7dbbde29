import type { OptionSpecs } from './command.js';

/** Of commands that act for several companies. */
export const companiesOption = {
  allCompanies: {
    kind: 'toggle',
    summary: {
      en: 'All companies of the account (instead of --company a,b)',
      pt: 'Todas as empresas da conta (em vez de --company a,b)',
    },
  },
} as const satisfies OptionSpecs;

/** The same for commands that work on what this machine knows. */
export const knownCompaniesOption = {
  allCompanies: {
    kind: 'toggle',
    summary: {
      en: 'All companies of which this machine knows documents',
      pt: 'Todas as empresas das quais esta máquina conhece documentos',
    },
  },
} as const satisfies OptionSpecs;
