import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { fileArgument, importOptions, uncheckedOption } from '../../cli/import-options.js';

const { metricsFile: _onePerJob, ...applyOptions } = batchOptions;

export const command = defineCommand({
  summary: {
    en: 'Make the registry as a file says',
    pt: 'Deixa o cadastro como o arquivo diz',
  },
  description: {
    en: 'A product is known by its SKU within the tenant. What is missing is created, what differs is replaced by the record of the file, and the rest is left alone; products that the file does not name are never touched. The difference is shown first. The service has no list of products: this machine knows which id a SKU has, and a SKU that it does not know is created. Every known product is read, which is free. A difference of letter case, or of 18 and "18.00", is none. Ends 3 while a SKU of the file is in Error or may have been sent without an answer.',
    pt: 'O produto é conhecido pelo SKU dentro do tenant. O que falta é criado, o que difere é substituído pelo registro do arquivo e o resto fica como está; produtos que o arquivo não cita nunca são tocados. A diferença é mostrada antes. O serviço não tem lista de produtos: esta máquina sabe qual id tem cada SKU, e um SKU que ela não conhece é criado. Cada produto conhecido é lido, o que é gratuito. Diferença só de maiúsculas, ou entre 18 e "18.00", não conta. Termina em 3 enquanto um SKU do arquivo estiver em Error ou tiver um envio sem resposta.',
  },
  arguments: [fileArgument],
  options: { ...importOptions, ...uncheckedOption, ...applyOptions },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product apply products.csv --dry-run',
      summary: { en: 'Show what differs', pt: 'Mostra o que difere' },
    },
    {
      command: 'fiscal product apply products.csv --wait --yes',
      summary: { en: 'Until all are validated', pt: 'Até a validação de todos' },
    },
    {
      command: 'fiscal product apply products.csv --dry-run -o json --query "[?action==\'update\'].changes"',
      summary: { en: 'The fields that change', pt: 'Os campos que mudam' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/product-apply.js')).applyView,
  async run({ context, options, arguments: { file = '' } }) {
    const { applyProducts } = await import('./apply.js');
    const { format, skipInvalid, unchecked } = options;
    return applyProducts(context, {
      ...{ file, format, skipInvalid, unchecked },
      options: batchOptionsOf({ ...options, metricsFile: undefined }),
    });
  },
});
