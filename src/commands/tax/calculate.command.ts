import { retryBillableOption } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand, inModes } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'Calculate the taxes of an operation', pt: 'Calcula os tributos de uma operação' },
  description: {
    en: 'From JSON or YAML. The body is checked here first. The answer holds a group of values per item and tax, as text and untouched; a terminal shows a line for each. Every call is billed by the tax engine, and one whose outcome is unknown is not made again without --retry-billable.',
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
