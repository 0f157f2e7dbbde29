import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Capture an NFS-e by its key (billed)', pt: 'Captura uma NFS-e pela chave (cobrado)' },
  description: {
    en: 'The answer is the document. Each call is billed as GetDocByKey. 403 means fiscal secrecy: the company is neither provider nor taker nor intermediary (exit 7). With -, keys are read from stdin, one a line, and become a job that the same keys go on with.',
    pt: 'A resposta é o documento. Cada chamada é cobrada como GetDocByKey. 403 significa sigilo fiscal: a empresa não é prestadora, tomadora nem intermediária (saída 7). Com -, as chaves vêm do stdin, uma por linha, e viram um trabalho que as mesmas chaves continuam.',
  },
  arguments: [
    {
      name: 'key',
      required: true,
      summary: {
        en: 'Access key of 50 characters; - for keys on stdin',
        pt: 'Chave de acesso de 50 caracteres; - para chaves no stdin',
      },
    },
  ],
  options: batchOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound fetch-by-key 33045572211905971000105000000000014625124504258429 --yes',
      summary: { en: 'One note, one billed call', pt: 'Uma nota, uma chamada cobrada' },
    },
    {
      command: 'fiscal inbound fetch-by-key - --max-billable 100 --yes < keys.txt',
      summary: { en: 'Many, at most 100 billed calls', pt: 'Muitas, no máximo 100 chamadas cobradas' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.limitReached,
  ],
  idField: 'id',
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { key = '' } }) {
    const { fetchDocuments } = await import('./fetch-by-key.js');
    return fetchDocuments(context, { key, options: batchOptionsOf(options) });
  },
});
