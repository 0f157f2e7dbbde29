import type { ArgumentSpec, OptionSpecs, OptionValues } from '../../cli/command.js';
import type { WrittenCompany } from './read-written.js';

/** The company that a verb is about. */
export const companyArgument: ArgumentSpec = {
  name: 'companyId',
  required: true,
  summary: {
    en: 'Id, CNPJ, beginning of the name, or alias',
    pt: 'Id, CNPJ, começo do nome ou apelido',
  },
};

/** A file and fields over it. */
export const contentOptions = {
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The company as JSON or YAML; - for stdin',
      pt: 'A empresa em JSON ou YAML; - para o stdin',
    },
  },
  name: { kind: 'text', value: 'text', summary: { en: 'Registered name', pt: 'Razão social' } },
  tradeName: { kind: 'text', value: 'text', summary: { en: 'Trade name', pt: 'Nome fantasia' } },
  taxRegime: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Tax regime, e.g. RealProfit', pt: 'Regime tributário, p. ex. RealProfit' },
  },
} as const satisfies OptionSpecs;

export function writtenOf(
  { file, name, tradeName, taxRegime }: OptionValues<typeof contentOptions>,
  cnpj?: string,
): WrittenCompany {
  return { file, name, tradeName, taxRegime, cnpj };
}
