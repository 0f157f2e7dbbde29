import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';

export const command = defineCommand({
  summary: { en: 'Create many products', pt: 'Cria muitos produtos' },
  description: {
    en: 'From CSV (a header of field names or paths such as customTax.intraState.icms.pICMS), NDJSON or a JSON array. Every record is checked before the first one is sent. The same content again goes on with the same job; a record whose sku was used before is skipped.',
    pt: 'De CSV (cabeçalho com nomes de campos ou caminhos como customTax.intraState.icms.pICMS), NDJSON ou um array JSON. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo trabalho; um registro cujo sku já foi usado é pulado.',
  },
  arguments: [
    {
      name: 'file',
      required: true,
      summary: { en: 'The file; - for stdin', pt: 'O arquivo; - para o stdin' },
    },
  ],
  options: {
    format: {
      kind: 'choice',
      choices: ['csv', 'ndjson', 'json'],
      summary: {
        en: 'Form of the file (default: by its extension, else by how it begins)',
        pt: 'Forma do arquivo (padrão: pela extensão, senão pelo começo)',
      },
    },
    skipInvalid: {
      kind: 'toggle',
      summary: { en: 'Leave invalid records out', pt: 'Deixa de fora os registros inválidos' },
    },
    unchecked: {
      kind: 'toggle',
      summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
    },
    ...batchOptions,
  },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product import products.csv --wait --yes',
      summary: { en: 'Until all are validated', pt: 'Até a validação de todos' },
    },
    {
      command: 'fiscal product import products.ndjson --dry-run',
      summary: { en: 'Check the file only', pt: 'Só confere o arquivo' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { file = '' } }) {
    const { importProducts } = await import('../../services/product/import.js');
    const { format, skipInvalid, unchecked } = options;
    return importProducts(context, {
      ...{ file, format, skipInvalid, unchecked },
      options: batchOptionsOf(options),
    });
  },
});
