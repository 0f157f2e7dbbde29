import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { fileArgument, importOptions, uncheckedOption } from '../../cli/import-options.js';

export const command = defineCommand({
  summary: { en: 'Create many products', pt: 'Cria muitos produtos' },
  description: {
    en: 'From CSV (a header of field names or paths such as customTax.intraState.icms.pICMS), NDJSON or a JSON array. Every record is checked before the first one is sent. The same content again goes on with the same job. A record whose sku exists as it says is skipped; one that exists with other content, is in Error, or may have been sent without an answer is named, and the exit code is 3: --update, or fiscal product apply, brings it to the file.',
    pt: 'De CSV (cabeçalho com nomes de campos ou caminhos como customTax.intraState.icms.pICMS), NDJSON ou um array JSON. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo trabalho. Um registro cujo sku já existe como está é pulado; um que existe com outro conteúdo, está em Error ou teve um envio sem resposta é citado, e o código de saída é 3: --update, ou fiscal product apply, o deixa como no arquivo.',
  },
  arguments: [fileArgument],
  options: {
    ...importOptions,
    ...uncheckedOption,
    update: {
      kind: 'toggle',
      summary: {
        en: 'Also update the products that differ, as fiscal product apply does',
        pt: 'Também altera os produtos que diferem, como faz fiscal product apply',
      },
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
    {
      command: 'fiscal product import products.csv --update --wait --yes',
      summary: { en: 'After a correction', pt: 'Depois de uma correção' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/product-apply.js')).importView,
  async run({ context, options, arguments: { file = '' } }) {
    const { format, skipInvalid, unchecked } = options;
    const request = { ...{ file, format, skipInvalid, unchecked }, options: batchOptionsOf(options) };
    if (!options.update) {
      const { importProducts } = await import('./import.js');
      return importProducts(context, request);
    }
    if (options.metricsFile !== undefined) throw noMetrics();
    const { applyProducts } = await import('./apply.js');
    return applyProducts(context, request);
  },
});

function noMetrics(): FiscalError {
  const message = {
    en: '--metrics-file is about one job, and --update may write two: leave one of them out',
    pt: '--metrics-file trata de um trabalho, e --update pode gravar dois: deixe um deles de fora',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
