import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { followOptionsOf, retryBillableOption, waitOptions } from '../../cli/batch-options.js';
import { contentOptions, fieldsOf } from './product-argument.js';

export const command = defineCommand({
  summary: { en: 'Create a product', pt: 'Cria um produto' },
  description: {
    en: 'From a JSON file, from flags, or both (flags win). Names and enum values may be in any letter case; numbers in tax groups become text. The product is checked here before anything is sent, and the same product is never created twice by this machine. A product with customTax is billed by the tax engine.',
    pt: 'De um arquivo JSON, de opções ou de ambos (as opções vencem). Nomes e valores de listas podem vir com maiúsculas ou minúsculas; números nos grupos de tributos viram texto. O produto é conferido aqui antes do envio, e esta máquina nunca cria o mesmo produto duas vezes. Um produto com customTax é cobrado pelo motor de cálculo.',
  },
  options: {
    ...contentOptions,
    ...waitOptions,
    again: {
      kind: 'toggle',
      summary: {
        en: 'Create another one, though this machine has created it before',
        pt: 'Cria outro, mesmo que esta máquina já o tenha criado',
      },
    },
    ...retryBillableOption,
  },
  scope: ['tenant'],
  examples: [
    {
      command:
        'fiscal product create --sku CAFE-1 --description "Café torrado" --origin National --ncm 09012100',
      summary: { en: 'From flags', pt: 'A partir de opções' },
    },
    {
      command: 'fiscal product create --file coffee.json --wait',
      summary: { en: 'With tax rules, until validated', pt: 'Com regras fiscais, até a validação' },
    },
    {
      command: 'fiscal product create --file coffee.json --dry-run',
      summary: { en: 'Show the request only', pt: 'Só mostra a requisição' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.endedBadly,
  ],
  idField: 'id',
  async run({ context, options }) {
    const { createProduct } = await import('./create.js');
    const { file, again, unchecked, retryBillable } = options;
    return createProduct(context, {
      ...{ file, again, unchecked, retryBillable, fields: fieldsOf(options) },
      ...followOptionsOf(options),
    });
  },
});
