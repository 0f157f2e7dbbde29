import { defineCommand } from '../../cli/command.js';
import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { companyUncheckedOption, followOptions, uncheckedOption } from './follow-options.js';
import { fileArgument, importOptions } from '../../cli/import-options.js';
import { confirmOption } from './import-options.js';

export const command = defineCommand({
  summary: { en: 'Submit many events', pt: 'Envia muitos eventos' },
  description: {
    en: 'From CSV (accessKey, event, sequence, justification, reason, detail, company; Portuguese names too), NDJSON or a JSON array; NF-e and NFS-e may be mixed. Every record is checked before the first one is sent. The same content again goes on with the same job; an event that is live already is skipped.',
    pt: 'De CSV (chave, evento, sequencia, justificativa, motivo, detalhe, empresa; também em inglês), NDJSON ou um array JSON; NF-e e NFS-e podem vir misturadas. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo trabalho; um evento que já vive é pulado.',
  },
  arguments: [fileArgument],
  options: {
    ...importOptions,
    ...uncheckedOption,
    ...companyUncheckedOption,
    ...confirmOption,
    ...batchOptions,
    wait: followOptions.wait,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation import events.csv --wait --yes --report out.csv',
      summary: { en: 'Until all are decided', pt: 'Até a decisão de todos' },
    },
    {
      command: 'fiscal manifestation import denials.csv --yes --confirm 5f0c2d',
      summary: { en: 'Events that deny documents', pt: 'Eventos que negam documentos' },
    },
    {
      command: 'fiscal manifestation import events.ndjson --dry-run',
      summary: { en: 'Check the file only', pt: 'Só confere o arquivo' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { file = '' } }) {
    const { importManifestations } = await import('./import.js');
    const { format, skipInvalid, detailUnchecked, companyUnchecked, confirm } = options;
    return importManifestations(context, {
      ...{ file, format, skipInvalid, confirm, companyUnchecked, unchecked: detailUnchecked },
      options: batchOptionsOf(options),
    });
  },
});
