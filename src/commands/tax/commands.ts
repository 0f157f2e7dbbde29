import { retryBillableOption } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { type CommandGroup, defineCommand, inModes } from '../../cli/command.js';

const calculate = defineCommand({
  summary: { en: 'Calculate the taxes of an operation', pt: 'Calcula os tributos de uma operação' },
  description: {
    en: 'From JSON or YAML. The body is checked here first. The response contains a group of values per item and tax, as unchanged text; a terminal shows a line for each. Every call is billed by the tax engine, and one of unknown outcome is not repeated without --retry-billable.',
    pt: 'De JSON ou YAML. O corpo é conferido aqui antes do envio. A resposta traz um grupo de valores por item e tributo, como texto e sem alteração; o terminal mostra uma linha para cada um. Toda chamada é cobrada pelo motor de cálculo, e uma de resultado desconhecido não é repetida sem --retry-billable.',
  },
  options: {
    file: {
      notWith: ['sample'],
      kind: 'text',
      value: 'file',
      summary: {
        en: 'The operation as JSON or YAML; - for stdin',
        pt: 'A operação em JSON ou YAML; - para o stdin',
      },
    },
    sample: {
      kind: 'toggle',
      summary: {
        en: 'Print a minimal valid body and send nothing',
        pt: 'Mostra um corpo mínimo válido e não envia nada',
      },
    },
    unchecked: {
      notWith: ['sample'],
      kind: 'toggle',
      summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
    },
    ...inModes(retryBillableOption, { notWith: ['sample'] }),
  },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal tax calculate --sample -o json',
      summary: { en: 'A body to begin with', pt: 'Um corpo para começar' },
    },
    {
      command: 'fiscal tax calculate --file sale.yaml',
      summary: { en: 'A line per item and tax', pt: 'Uma linha por item e tributo' },
    },
    {
      command: 'fiscal tax calculate --file sale.json --query "items[].icms.vICMS" -o json',
      summary: { en: 'The ICMS of each item', pt: 'O ICMS de cada item' },
    },
  ],
  exitCodes: callExitCodes,
  view: async () => (await import('../../presenters/tax.js')).taxView,
  async run({ context, options: { file, sample, unchecked, retryBillable } }) {
    const { calculateTaxes } = await import('./calculate.js');
    return calculateTaxes(context, { file, sample, unchecked, retryBillable });
  },
});

const codes = defineCommand({
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
      summary: { en: 'Kinds of operations', pt: 'Naturezas de operação' },
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

export const group: CommandGroup = {
  verbs: {
    calculate,
    codes,
  },
};
