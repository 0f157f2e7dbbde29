import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the jobs of this machine', pt: 'Lista os trabalhos desta máquina' },
  description: {
    en: 'The newest jobs of the profile in use, or of every profile when none is chosen.',
    pt: 'Os trabalhos mais novos do perfil em uso, ou de todos os perfis quando nenhum foi escolhido.',
  },
  options: {
    all: {
      kind: 'toggle',
      summary: { en: 'Every job of every profile', pt: 'Todos os trabalhos de todos os perfis' },
    },
    kind: {
      kind: 'text',
      value: 'kind',
      summary: { en: 'Only jobs of this kind', pt: 'Só trabalhos deste tipo' },
    },
    state: {
      kind: 'choice',
      choices: ['loading', 'open', 'done', 'cancelled'],
      summary: { en: 'Only jobs in this state', pt: 'Só trabalhos neste estado' },
    },
    limit: {
      notWith: ['all'],
      kind: 'count',
      value: 'n',
      default: 20,
      min: 1,
      summary: { en: 'How many at most', pt: 'Quantos no máximo' },
    },
  },
  examples: [
    { command: 'fiscal job list', summary: { en: 'The newest jobs', pt: 'Os trabalhos mais novos' } },
    {
      command: 'fiscal job list --all --state open -o id',
      summary: { en: 'The ids of all that is not finished', pt: 'Os ids de tudo o que não terminou' },
    },
  ],
  exitCodes: [],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'id',
      'kind',
      'profile',
      'companyName',
      'state',
      'items',
      'done',
      'bad',
      'uncertain',
      'createdAt',
    ]);
  },
  async run({ context, options }) {
    const { listJobs } = await import('./list.js');
    const { all, kind, state, limit } = options;
    return await listJobs(context, { all, kind, limit, states: state === undefined ? undefined : [state] });
  },
});
