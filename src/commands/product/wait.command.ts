import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { waitTimes } from '../../cli/batch-options.js';
import { productArgument } from './product-argument.js';

export const command = defineCommand({
  summary: { en: 'Wait for the validation of a product', pt: 'Espera a validação de um produto' },
  description: {
    en: 'Ends 0 when the product is Active, 13 when it is Error, 8 when the time is up.',
    pt: 'Termina em 0 quando o produto está Active, em 13 quando está em Error, em 8 quando o tempo acaba.',
  },
  arguments: [productArgument],
  options: waitTimes,
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product wait CAFE-1 --timeout 2m',
      summary: { en: 'At most two minutes', pt: 'No máximo dois minutos' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { waitForProduct } = await import('./wait.js');
    return waitForProduct(context, {
      product,
      timeoutMs: options.timeout,
      intervalMs: options.interval,
    });
  },
});
