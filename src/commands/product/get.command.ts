import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { productArgument } from './product-argument.js';

export const command = defineCommand({
  summary: { en: 'Show one product', pt: 'Mostra um produto' },
  arguments: [productArgument],
  options: {
    exitStatus: {
      kind: 'toggle',
      summary: {
        en: 'Let the exit code tell the state: 8 while validated, 13 for Error',
        pt: 'O código de saída diz o estado: 8 durante a validação, 13 para Error',
      },
    },
  },
  scope: ['tenant'],
  examples: [
    { command: 'fiscal product get CAFE-1', summary: { en: 'One product', pt: 'Um produto' } },
    {
      command: 'fiscal product get CAFE-1 --query status -o json',
      summary: { en: 'Its state only', pt: 'Só o estado' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { getProduct } = await import('./get.js');
    return getProduct(context, { product, exitStatus: options.exitStatus });
  },
});
