import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import { importOptions, uncheckedOption } from '../../cli/import-options.js';
import type { Text } from '../../contract/text.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { environmentOption, followOptions, names } from './options.js';

const description: Text = {
  en: 'From a folder of JSON or YAML files (one invoice each), CSV (a header of fields or paths such as items[0].quantity), NDJSON, or a JSON or YAML list. Every record is checked before the first one is sent. The same content again goes on with the same job; a record whose externalId was used before is skipped. Records without an externalId get one made of their content. A field company names the company of a record; without it, the company of the command issues it.',
  pt: 'De uma pasta de arquivos JSON ou YAML (uma nota cada), CSV (cabeçalho com campos ou caminhos como items[0].quantity), NDJSON ou uma lista JSON ou YAML. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo trabalho; um registro cujo externalId já foi usado é pulado. Registros sem externalId recebem um formado do conteúdo. Um campo empresa indica a empresa do registro; sem ele, emite a empresa do comando.',
};

const options = {
  format: importOptions.format,
  ...environmentOption,
  skipInvalid: importOptions.skipInvalid,
  ...uncheckedOption,
  ...batchOptions,
  wait: followOptions.wait,
} as const satisfies OptionSpecs;

/** `fiscal invoice nfe|nfce|nfse import`. */
export function importCommand(model: InvoiceModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `Issue many ${name}`, pt: `Emite muitas ${name}` },
    description,
    arguments: [
      {
        name: 'path',
        required: true,
        summary: { en: 'The file or folder; - for stdin', pt: 'O arquivo ou a pasta; - para o stdin' },
      },
    ],
    options,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} import notas.csv --wait --yes --report result.csv`,
        summary: { en: 'Until all have ended', pt: 'Até o fim de todas' },
      },
      {
        command: `fiscal invoice ${model} import notas/ --dry-run`,
        summary: { en: 'Check a folder only', pt: 'Só confere uma pasta' },
      },
    ],
    exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
    view: async () => (await import('../../presenters/batch.js')).batchView,
    async run({ context, options, arguments: { path = '' } }) {
      const { importInvoices } = await import('./import.js');
      const { format, environment, skipInvalid, unchecked } = options;
      const request = { model, path, format, environment, skipInvalid, unchecked };
      return importInvoices(context, { ...request, options: batchOptionsOf(options) });
    },
  });
}
