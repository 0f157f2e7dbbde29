import { columns, count, define, does, example, text } from '../../cli/define.js';

export const history = define('What this machine sent, redacted', 'O que esta máquina enviou, sem segredos', {
  description: {
    en: 'Each request with its response, newest first, with the machine, the user and the CI run that sent it, and the deprecation that the service announces for an operation. Secrets and CPF are masked before they are stored.',
    pt: 'O registro de chamadas: cada requisição com a resposta, a mais nova primeiro, com a máquina, o usuário e a execução de CI que a enviou, e a descontinuação que o serviço anuncia para uma operação (deprecation). Segredos e CPF são mascarados antes da gravação.',
  },
  options: {
    since: text(
      'time',
      'From this day, month, UTC time, or age (1h) on',
      'A partir deste dia, mês, horário UTC ou idade (1h)',
    ),
    operation: text('name', 'Only this operation, such as product.create', 'Só esta operação, como product.create'),
    limit: count('n', 'Show at most this many', 'Mostra no máximo esta quantidade', { default: 50, min: 1 }),
  },
  refusesCompany: true,
  examples: [
    example('--since 1h --operation product.create', 'The creations of the last hour', 'As criações da última hora'),
  ],
  id: 'requestId',
  view: columns(
    'at operation status sent errorCode attempt durationMs requestId deprecation.since deprecation.sunset machine user ciRun',
    { required: 'at operation status sent errorCode', varying: 'machine user ciRun' },
  ),
});

export const command = does(history, async () => (await import('./list.js')).listHistory);
