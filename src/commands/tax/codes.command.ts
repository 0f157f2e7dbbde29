import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the codes of the tax engine', pt: 'Lista os códigos do motor de cálculo' },
  description: {
    en: 'The lists are operation-code, acquisition-purpose, issuer-tax-profile and recipient-tax-profile. Reading them is not billed.',
    pt: 'As listas são operation-code, acquisition-purpose, issuer-tax-profile e recipient-tax-profile. A leitura não é cobrada.',
  },
  arguments: [
    {
      name: 'list',
      required: true,
      summary: { en: 'Name of the list, e.g. operation-code', pt: 'Nome da lista, p. ex. operation-code' },
    },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal tax codes operation-code',
      summary: { en: 'What kind of operation it is', pt: 'A natureza da operação' },
    },
    {
      command: 'fiscal tax codes recipient-tax-profile -o id',
      summary: { en: 'The codes only', pt: 'Só os códigos' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'code',
  async run({ context, arguments: { list = '' } }) {
    const { listTaxCodes } = await import('./codes.js');
    return listTaxCodes(context, list);
  },
});
