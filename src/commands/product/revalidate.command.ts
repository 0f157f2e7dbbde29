import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { followOptionsOf, waitOptions } from '../../cli/batch-options.js';
import { productArgument } from './product-argument.js';

export const command = defineCommand({
  summary: {
    en: 'Validate the tax rules of a product again',
    pt: 'Valida de novo as regras fiscais de um produto',
  },
  arguments: [productArgument],
  options: waitOptions,
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product revalidate CAFE-1 --wait',
      summary: { en: 'Until it has ended', pt: 'Até o fim' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { revalidateProduct } = await import('./revalidate.js');
    return revalidateProduct(context, { product, ...followOptionsOf(options) });
  },
});
