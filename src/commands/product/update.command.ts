import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { followOptionsOf, retryBillableOption, waitOptions } from '../../cli/batch-options.js';
import { contentOptions, fieldsOf, productArgument } from './product-argument.js';

export const command = defineCommand({
  summary: { en: 'Replace a product', pt: 'Substitui um produto' },
  description: {
    en: 'The whole product is replaced by the file, by flags, or by both (flags win). A product with customTax is billed by the tax engine.',
    pt: 'O produto inteiro é substituído pelo arquivo, pelas opções ou por ambos (as opções vencem). Um produto com customTax é cobrado pelo motor de cálculo.',
  },
  arguments: [productArgument],
  options: { ...contentOptions, ...waitOptions, ...retryBillableOption },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product update CAFE-1 --file coffee.json --wait',
      summary: { en: 'Until the new rules are validated', pt: 'Até a validação das novas regras' },
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
  async run({ context, options, arguments: { product = '' } }) {
    const { updateProduct } = await import('./update.js');
    const { file, unchecked, retryBillable } = options;
    return updateProduct(context, {
      ...{ product, file, unchecked, retryBillable, fields: fieldsOf(options) },
      ...followOptionsOf(options),
    });
  },
});
