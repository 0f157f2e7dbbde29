import { argument, define, does, example, text, toggle } from '../../cli/define.js';
import { retryBillableOption } from '../../cli/options.js';
import { type CommandGroup, inModes } from '../../cli/command.js';

export const calculate = define('Calculate the taxes of an operation', 'Calcula os tributos de uma operação', {
  description: {
    en: 'From JSON or YAML. The body is checked here first. The response contains a group of values per item and tax, as unchanged text; a terminal shows a line for each. Every call is billed by the tax engine, and one of unknown outcome is not repeated without --retry-billable.',
    pt: 'De JSON ou YAML. O corpo é conferido aqui antes do envio. A resposta traz um grupo de valores por item e tributo, como texto e sem alteração; o terminal mostra uma linha para cada um. Toda chamada é cobrada pelo motor de cálculo, e uma de resultado desconhecido não é repetida sem --retry-billable.',
  },
  options: {
    file: text('file', 'The operation as JSON or YAML; - for stdin', 'A operação em JSON ou YAML; - para o stdin', {
      notWith: ['sample'],
    }),
    sample: toggle('Print a minimal valid body and send nothing', 'Mostra um corpo mínimo válido e não envia nada'),
    unchecked: toggle('Send as written, without local checks', 'Envia como está, sem conferência local', {
      notWith: ['sample'],
    }),
    ...inModes(retryBillableOption, { notWith: ['sample'] }),
  },
  scope: ['tenant'],
  examples: [
    example('--sample -o json', 'A body to begin with', 'Um corpo para começar'),
    example('--file sale.yaml', 'A line per item and tax', 'Uma linha por item e tributo'),
    example('--file sale.json --query "items[].icms.vICMS" -o json', 'The ICMS of each item', 'O ICMS de cada item'),
  ],
  exits: ['calls'],
  view: async () => (await import('../../presenters/tax.js')).taxView,
});

export const codes = define('List the codes of the tax engine', 'Lista os códigos do motor de cálculo', {
  description: {
    en: 'The lists are operation-code, acquisition-purpose, issuer-tax-profile and recipient-tax-profile. Reading them is not billed.',
    pt: 'As listas são operation-code, acquisition-purpose, issuer-tax-profile e recipient-tax-profile. A leitura não é cobrada.',
  },
  takes: { list: argument('Name of the list, e.g. operation-code', 'Nome da lista, p. ex. operation-code') },
  options: {},
  examples: [
    example('operation-code', 'Kinds of operations', 'Naturezas de operação'),
    example('recipient-tax-profile -o id', 'The codes only', 'Só os códigos'),
  ],
  exits: ['calls'],
  id: 'code',
});

export const group: CommandGroup = {
  verbs: {
    calculate: does(calculate, async () => (await import('./calculate.js')).calculateTaxes),
    codes: does(codes, async () => (await import('./codes.js')).listTaxCodes),
  },
};
