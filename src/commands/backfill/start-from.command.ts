import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { sweepOptions } from './backfill-options.js';

const { allCompanies, confirm } = sweepOptions;
const { retryBillable, onError, maxFailures, lockWait, report } = batchOptions;

export const command = defineCommand({
  summary: { en: 'Move the capture cut-off', pt: 'Altera a data de corte da captura' },
  description: {
    en: 'A later date hides NFS-e that were issued before it, an earlier one shows hidden ones; while a release is in force nothing moves. What it will do is said before it is sent, as far as the service tells it. Needs the role Management.',
    pt: 'Uma data posterior oculta NFS-e emitidas antes dela, uma anterior mostra as ocultas; com uma liberação em vigor nada muda. O efeito é dito antes do envio, até onde o serviço informa. Precisa do papel Management.',
  },
  arguments: [
    {
      name: 'date',
      required: true,
      summary: {
        en: 'A day (2024-01-01 is its midnight in UTC) or a UTC time, not in the future',
        pt: 'Um dia (2024-01-01 é a meia-noite em UTC) ou um horário UTC, não no futuro',
      },
    },
  ],
  options: { allCompanies, confirm, retryBillable, onError, maxFailures, lockWait, report },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal backfill start-from 2024-01-01 --company c1 --dry-run',
      summary: { en: 'What it would do', pt: 'O que faria' },
    },
    {
      command: 'fiscal backfill start-from 2024-01-01 --company c1 --confirm c1 --yes',
      summary: { en: 'For one company', pt: 'Para uma empresa' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.held, ExitCode.limitReached],
  idField: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { date = '' } }) {
    const { moveCutOff } = await import('./start-from.js');
    return moveCutOff(context, {
      ...{ date, allCompanies: options.allCompanies, confirm: options.confirm },
      options: batchOptionsOf({
        ...options,
        ...{ wait: false, timeout: 0, interval: 1_000 },
        ...{ maxBillable: undefined, stats: undefined, metricsFile: undefined },
      }),
    });
  },
});
