import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Query the registry of a company', pt: 'Consulta o cadastro de uma empresa' },
  description: {
    en: 'Uses the data key. The number may have punctuation and, since 2026, letters.',
    pt: 'Usa a chave data. O número pode ter pontuação e, desde 2026, letras.',
  },
  arguments: [
    { name: 'cnpj', summary: { en: 'CNPJ of the company', pt: 'CNPJ da empresa' }, required: true },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal lookup cnpj 12.ABC.345/01DE-35',
      summary: { en: 'One company', pt: 'Uma empresa' },
    },
  ],
  exitCodes: [4, 5, 6, 7, 9, 12],
  idField: 'federalTaxNumber',
  async run({ arguments: { cnpj = '' }, context }) {
    const { lookUpCnpj } = await import('../../services/lookup/cnpj.js');
    return await lookUpCnpj(context, cnpj);
  },
});
