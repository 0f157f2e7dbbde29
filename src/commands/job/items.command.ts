import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { jobArgument } from './job-argument.js';

export const command = defineCommand({
  summary: { en: 'List the items of a job', pt: 'Lista os itens de um trabalho' },
  arguments: [jobArgument],
  options: {
    state: {
      kind: 'choice',
      choices: [
        'prepared',
        'sending',
        'pending',
        'succeeded',
        'rejected',
        'failed',
        'skipped',
        'uncertain',
        'cancelled',
      ],
      summary: { en: 'Only items in this state', pt: 'Só itens neste estado' },
    },
    limit: {
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'How many at most', pt: 'Quantos no máximo' },
    },
  },
  examples: [
    {
      command: 'fiscal job items 261121-0800-3f2c91 --state failed',
      summary: { en: 'What failed, and why', pt: 'O que falhou, e por quê' },
    },
  ],
  exitCodes: [ExitCode.notFound],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'ordinal',
      'label',
      'companyName',
      'state',
      'remoteStatus',
      'resourceId',
      'errorMessage',
      'id',
    ]);
  },
  async run({ context, options, arguments: { id = '' } }) {
    const { listItems } = await import('./items.js');
    const { state, limit } = options;
    return await listItems(context, { id, limit, states: state === undefined ? undefined : [state] });
  },
});
