import { choice, columns, count, define, example, optionalArgument, text, toggle } from '../../cli/define.js';
import { inModes } from '../../cli/command.js';
import { companiesOption } from '../../cli/options.js';

/** Which of the stored events are shown. */
const eventOptions = {
  failed: toggle('Only those that were given up', 'Só os que foram abandonados'),
  state: choice(['received', 'forwarding', 'delivered', 'dead', 'kept'], 'Only in this state', 'Só neste estado'),
  event: text('name', 'Only of this name', 'Só com este nome'),
  resource: text('id', 'Only about this resource', 'Só sobre este recurso'),
  since: text(
    'time',
    'Received from this day, UTC time, or age (30d) on',
    'Recebidos a partir deste dia, horário UTC ou idade (30d)',
  ),
  limit: count('n', 'Maximum number of events (100)', 'Quantidade máxima de eventos (100)', {
    notWith: ['all'],
    min: 1,
  }),
  all: toggle('Without a limit', 'Sem limite'),
};

export const events = define(
  'List the events that this machine received',
  'Lista os eventos que esta máquina recebeu',
  {
    description: {
      en: 'Newest first, without network. With an id: one event and its body. With --types, what a webhook can subscribe to. States: received (waits to be forwarded), forwarding, delivered, dead (given up), kept (stored only, since no listener asked for it).',
      pt: 'Os mais novos primeiro, sem rede. Com um id: um evento e o corpo dele. Com --types, o que um webhook pode assinar. Estados: received (aguarda encaminhamento), forwarding, delivered, dead (abandonado), kept (só guardado, pois nenhum receptor o pediu).',
    },
    takes: { id: optionalArgument('One event, with its body', 'Um evento, com o corpo') },
    options: {
      ...inModes(eventOptions, { notWith: ['<id>', 'types'] }),
      types: toggle(
        'Instead, the events that a webhook can subscribe to, from the service',
        'Em vez disso, os eventos que um webhook pode assinar, consultados no serviço',
        { notWith: ['<id>'] },
      ),
    },
    refusesCompany: true,
    examples: [
      example('', 'The newest hundred', 'Os cem mais novos'),
      example('--failed --since 7d', 'Events given up this week', 'O que foi abandonado nesta semana'),
      example('--types -o id', 'The names for --events', 'Os nomes para --events'),
    ],
    exits: ['calls'],
    id: 'id',
    view: columns('receivedAt state event resource attempts lastError id', {
      required: 'state event lastError',
      below: 'lastError',
    }),
  },
);

export const resend = define('Forward stored events again', 'Encaminha de novo eventos guardados', {
  description: {
    en: 'Puts events back into the queue of this machine, from which a running listener forwards them. The service is not called. To find what never arrived: fiscal webhook missed.',
    pt: 'Devolve os eventos à fila desta máquina, de onde um receptor em execução os encaminha. O serviço não é chamado. Para encontrar o que nunca chegou: fiscal webhook missed.',
  },
  takes: { id: optionalArgument('One event', 'Um evento') },
  options: {
    since: text(
      'time',
      'All that were delivered or given up since this day, UTC time, or age (30d)',
      'Todos os entregues ou abandonados desde este dia, horário UTC ou idade (30d)',
    ),
    failed: toggle('Only those that were given up', 'Só os que foram abandonados'),
  },
  refusesCompany: true,
  examples: [
    example(
      '--since 2d --failed --yes',
      'What was given up since the day before yesterday',
      'O que foi abandonado desde anteontem',
    ),
    example('6f1c0a2e', 'One event', 'Um evento'),
  ],
  exits: ['notFound'],
});

export const missed = define(
  'Find documents whose webhook never arrived',
  'Encontra documentos cujo webhook nunca chegou',
  {
    description: {
      en: 'Lists the captured documents of one or more companies that the service does not count as Delivered, except those for which this machine stored an event. --resend asks the service, after consent, to deliver them again; for CT-e it has no such operation.',
      pt: 'Lista os documentos capturados de uma ou mais empresas que o serviço não conta como Delivered, exceto aqueles dos quais esta máquina guardou um evento. --resend pede ao serviço, após o consentimento, que os entregue de novo; para CT-e ele não tem essa operação.',
    },
    options: {
      ...companiesOption,
      since: text(
        'time',
        'Captured from this day, UTC time, or age (30d) on',
        'Capturados a partir deste dia, horário UTC ou idade (30d)',
      ),
      type: choice(['nfe', 'cte', 'nfse'], 'Only this family', 'Só esta família'),
      all: toggle('Also those that arrived here', 'Também os que chegaram aqui'),
      resend: toggle(
        'Ask the service to deliver those that did not arrive',
        'Pede ao serviço que entregue os que não chegaram',
      ),
    },
    scope: ['company'],
    examples: [
      example('--since 7d', 'Of the last week, all families', 'Da última semana, todas as famílias'),
      example('--since 2026-10-01 --type nfse --resend --yes', 'Request the NFS-e again', 'Pede as NFS-e de novo'),
    ],
    exits: ['partial', 'calls', 'limitReached'],
    id: ['accessKey', 'id'],
    view: columns('companyName family accessKey eventKey webhookStatus arrived resend createdOn error.message', {
      required: 'accessKey webhookStatus arrived resend error.message',
      below: 'error.message',
    }),
  },
);
