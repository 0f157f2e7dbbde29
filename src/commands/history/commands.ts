import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'What this machine sent, redacted', pt: 'O que esta máquina enviou, sem segredos' },
  description: {
    en: 'Each request with its response, newest first, with the machine, the user and the CI run that sent it, and the deprecation that the service announces for an operation. Secrets and CPF are masked before they are stored.',
    pt: 'O registro de chamadas: cada requisição com a resposta, a mais nova primeiro, com a máquina, o usuário e a execução de CI que a enviou, e a descontinuação que o serviço anuncia para uma operação (deprecation). Segredos e CPF são mascarados antes da gravação.',
  },
  options: {
    since: {
      kind: 'text',
      value: 'time',
      summary: {
        en: 'From this day, month, UTC time, or age (1h) on',
        pt: 'A partir deste dia, mês, horário UTC ou idade (1h)',
      },
    },
    operation: {
      kind: 'text',
      value: 'name',
      summary: {
        en: 'Only this operation, such as product.create',
        pt: 'Só esta operação, como product.create',
      },
    },
    limit: {
      kind: 'count',
      value: 'n',
      default: 50,
      min: 1,
      summary: { en: 'Show at most this many', pt: 'Mostra no máximo esta quantidade' },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal history --since 1h --operation product.create',
      summary: { en: 'The creations of the last hour', pt: 'As criações da última hora' },
    },
  ],
  exitCodes: [],
  idField: 'requestId',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    const actor = ['machine', 'user', 'ciRun'];
    return columnsView(
      [
        'at',
        'operation',
        'status',
        'sent',
        'errorCode',
        'attempt',
        'durationMs',
        'requestId',
        'deprecation.since',
        'deprecation.sunset',
        ...actor,
      ],
      { required: ['at', 'operation', 'status', 'sent', 'errorCode'], varying: actor },
    );
  },
  async run({ context, options: { since, operation, limit } }) {
    const { listHistory } = await import('./list.js');
    return await listHistory(context, { since, operation, limit });
  },
});
