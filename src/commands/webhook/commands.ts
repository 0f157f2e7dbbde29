import {
  argument,
  choice,
  columns,
  define,
  does,
  example,
  later,
  listOf,
  optionalArgument,
  text,
  toggle,
} from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';

/** The webhook that a command is about. */
const webhookArgument = argument('Id of the webhook', 'Id do webhook');

/** The fields of a webhook, for create and update. */
export const contentOptions = {
  events: listOf(
    'names',
    'Events to send, * for any part of a name (fiscal webhook events --types)',
    'Eventos a enviar, * para qualquer parte do nome (fiscal webhook events --types)',
  ),
  status: choice(['active', 'inactive'], 'Send events, or pause them', 'Envia os eventos ou os pausa'),
  headersFile: text(
    'file',
    'Headers of every delivery: "Name: value" lines',
    'Cabeçalhos de cada entrega: linhas "Nome: valor"',
  ),
  insecureSsl: choice(
    ['true', 'false'],
    'true: do not check the certificate of the address',
    'true: não verifica o certificado do endereço',
  ),
  file: text('file', 'The webhook as JSON; flags take precedence', 'O webhook em JSON; as opções prevalecem'),
  secretFile: text('file', 'File with its secret, 32 to 64 characters', 'Arquivo com o segredo, de 32 a 64 caracteres'),
  secretOut: text(
    'file',
    'New file for the secret that is created (0600)',
    'Arquivo novo que recebe o segredo criado (0600)',
  ),
};

const list = define('List the webhooks of the account', 'Lista os webhooks da conta', {
  options: {},
  refusesCompany: true,
  examples: [
    example('', 'All of them', 'Todos eles'),
    example('--query "[?status!=\'Active\'].id"', 'The ids of the inactive ones', 'Os ids dos inativos'),
  ],
  exits: ['calls'],
  id: 'id',
  view: columns('status uri filters modifiedOn id', { required: 'status uri id' }),
});

export const create = define('Create a webhook', 'Cria um webhook', {
  description: {
    en: 'The service calls the address immediately, and it must answer 2xx: start "fiscal webhook listen" first. Without --secret-file a secret is created; it is stored with the keys of the profile before the request is sent, and shown once on a terminal. After an interrupted run, the webhook is found again by its address.',
    pt: 'O serviço chama o endereço imediatamente, e ele deve responder 2xx: inicie antes "fiscal webhook listen". Sem --secret-file, um segredo é criado; ele é guardado com as chaves do perfil antes do envio e mostrado uma vez no terminal. Uma execução interrompida é retomada pelo endereço.',
  },
  takes: { uri: optionalArgument('The address that the service calls', 'O endereço que o serviço chama') },
  options: {
    ...contentOptions,
    again: toggle('Create another webhook for the same address', 'Cria outro webhook para o mesmo endereço'),
  },
  refusesCompany: true,
  examples: [
    example(
      'https://erp.example.com/hooks --events "product_invoice.*"',
      'All events of NF-e, with a new secret',
      'Todos os eventos de NF-e, com segredo novo',
    ),
    example(
      'https://erp.example.com/hooks --secret-out webhook.secret',
      'All events; the secret goes to a file',
      'Todos os eventos; o segredo vai para um arquivo',
    ),
  ],
  exits: ['calls', 'conflict'],
  id: 'id',
});

export const get = define('Show a webhook', 'Mostra um webhook', {
  description: {
    en: 'Its secret is never shown: the service does not reveal it.',
    pt: 'O segredo nunca é mostrado: o serviço não o revela.',
  },
  takes: { id: webhookArgument },
  options: {},
  refusesCompany: true,
  examples: [example('6f1c0a2e -o json', 'As JSON, for an update with --file', 'Em JSON, para um update com --file')],
  exits: ['calls'],
  id: 'id',
});

export const update = define('Change a webhook', 'Altera um webhook', {
  description: {
    en: 'The service replaces the whole webhook. So the current one is read first, merged with the changes, shown as old → new on stderr, and written after consent, with the secret stored on this machine.',
    pt: 'O serviço substitui o webhook inteiro. Por isso o atual é lido antes, mesclado com as alterações, mostrado no formato antigo → novo no stderr e gravado após o consentimento, com o segredo guardado nesta máquina.',
  },
  takes: { id: webhookArgument },
  options: {
    uri: text('url', 'New address', 'Endereço novo'),
    ...contentOptions,
    allEvents: toggle('All events, without a filter', 'Todos os eventos, sem filtro'),
    newSecret: toggle('Create a new secret', 'Cria um segredo novo'),
  },
  refusesCompany: true,
  examples: [
    example('6f1c0a2e --status inactive', 'Pause it', 'Pausa o webhook'),
    example('6f1c0a2e --new-secret --secret-out webhook.secret --yes', 'Change the secret', 'Troca o segredo'),
  ],
  exits: ['calls', 'conflict'],
  id: 'id',
});

export const remove = define('Delete a webhook', 'Exclui um webhook', {
  description: {
    en: 'The secret that the profile keeps for it is deleted too. To pause it instead: fiscal webhook update <id> --status inactive.',
    pt: 'O segredo que o perfil guarda para ele também é excluído. Para apenas pausar: fiscal webhook update <id> --status inactive.',
  },
  takes: { id: webhookArgument },
  options: {},
  refusesCompany: true,
  examples: [example('6f1c0a2e --yes', 'Without a confirmation prompt', 'Sem pedir confirmação')],
  exits: ['calls'],
  id: 'id',
});

export const ping = define('Ask the service for a test delivery', 'Pede ao serviço uma entrega de teste', {
  takes: { id: webhookArgument },
  options: {},
  refusesCompany: true,
  examples: [example('6f1c0a2e', 'To one webhook', 'A um webhook')],
  exits: ['calls'],
  id: 'id',
});

export const group: CommandGroup = {
  verbs: {
    list: does(list, async () => (await import('./read.js')).showWebhooks),
    create: does(create, async () => (await import('./write.js')).createWebhook),
    get: does(get, async () => (await import('./read.js')).getWebhook),
    update: does(update, async () => (await import('./write.js')).updateWebhook),
    delete: does(remove, async () => (await import('./write.js')).deleteWebhook),
    ping: does(ping, async () => (await import('./read.js')).pingWebhook),
    listen: later(
      async () => (await import('./listen-commands.js')).listen,
      async () => (await import('./listen.js')).listenToWebhooks,
    ),
    verify: later(
      async () => (await import('./listen-commands.js')).verify,
      async () => (await import('./verify.js')).verifyDelivery,
    ),
    events: later(
      async () => (await import('./event-commands.js')).events,
      async ({ types }) =>
        types ? (await import('./read.js')).listEventTypes : (await import('./events.js')).listEvents,
    ),
    resend: later(
      async () => (await import('./event-commands.js')).resend,
      async () => (await import('./events.js')).resendEvents,
    ),
    missed: later(
      async () => (await import('./event-commands.js')).missed,
      async () => (await import('./missed.js')).missedWebhooks,
    ),
  },
};
