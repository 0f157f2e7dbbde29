import { callExitCodes } from '../../cli/exit-codes.js';
import { type CommandGroup, type ArgumentSpec, type OptionSpecs, defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

/** The webhook that a command is about. */
const webhookArgument: ArgumentSpec = {
  name: 'id',
  summary: { en: 'Id of the webhook', pt: 'Id do webhook' },
  required: true,
};

/** The fields of a webhook, for create and update. */
const contentOptions = {
  events: {
    kind: 'list',
    value: 'names',
    summary: {
      en: 'Events to send, * for any part of a name (fiscal webhook event-types)',
      pt: 'Eventos a enviar, * para qualquer parte do nome (fiscal webhook event-types)',
    },
  },
  status: {
    kind: 'choice',
    choices: ['active', 'inactive'],
    summary: { en: 'Send events, or pause them', pt: 'Envia os eventos ou os pausa' },
  },
  headersFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'Headers of every delivery: "Name: value" lines',
      pt: 'Cabeçalhos de cada entrega: linhas "Nome: valor"',
    },
  },
  insecureSsl: {
    kind: 'choice',
    choices: ['true', 'false'],
    summary: {
      en: 'true: do not check the certificate of the address',
      pt: 'true: não verifica o certificado do endereço',
    },
  },
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The webhook as JSON; flags take precedence',
      pt: 'O webhook em JSON; as opções prevalecem',
    },
  },
  secretFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'File with its secret, 32 to 64 characters',
      pt: 'Arquivo com o segredo, de 32 a 64 caracteres',
    },
  },
  secretOut: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'New file for the secret that is created (0600)',
      pt: 'Arquivo novo que recebe o segredo criado (0600)',
    },
  },
} as const satisfies OptionSpecs;

/** The service writes its statuses with a capital letter. */
function statusWord(choice: 'active' | 'inactive' | undefined): 'Active' | 'Inactive' | undefined {
  if (choice === undefined) return undefined;
  return choice === 'active' ? 'Active' : 'Inactive';
}

const list = defineCommand({
  summary: { en: 'List the webhooks of the account', pt: 'Lista os webhooks da conta' },
  options: {},
  refusesCompany: true,
  examples: [
    { command: 'fiscal webhook list', summary: { en: 'All of them', pt: 'Todos eles' } },
    {
      command: 'fiscal webhook list --query "[?status!=\'Active\'].id"',
      summary: { en: 'The ids of the inactive ones', pt: 'Os ids dos inativos' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['status', 'uri', 'filters', 'modifiedOn', 'id'], {
      required: ['status', 'uri', 'id'],
    });
  },
  async run({ context }) {
    const { listWebhooks } = await import('./read-webhook.js');
    return listWebhooks(context);
  },
});

const create = defineCommand({
  summary: { en: 'Create a webhook', pt: 'Cria um webhook' },
  description: {
    en: 'The service calls the address immediately, and it must answer 2xx: start "fiscal webhook listen" first. Without --secret-file a secret is created; it is stored with the keys of the profile before the request is sent, and shown once on a terminal. After an interrupted run, the webhook is found again by its address.',
    pt: 'O serviço chama o endereço imediatamente, e ele deve responder 2xx: inicie antes "fiscal webhook listen". Sem --secret-file, um segredo é criado; ele é guardado com as chaves do perfil antes do envio e mostrado uma vez no terminal. Uma execução interrompida é retomada pelo endereço.',
  },
  arguments: [
    {
      name: 'uri',
      summary: { en: 'The address that the service calls', pt: 'O endereço que o serviço chama' },
      required: false,
    },
  ],
  options: {
    ...contentOptions,
    again: {
      kind: 'toggle',
      summary: {
        en: 'Create another webhook for the same address',
        pt: 'Cria outro webhook para o mesmo endereço',
      },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal webhook create https://erp.example.com/hooks --events "product_invoice.*"',
      summary: {
        en: 'All events of NF-e, with a new secret',
        pt: 'Todos os eventos de NF-e, com segredo novo',
      },
    },
    {
      command: 'fiscal webhook create https://erp.example.com/hooks --secret-out webhook.secret',
      summary: {
        en: 'All events; the secret goes to a file',
        pt: 'Todos os eventos; o segredo vai para um arquivo',
      },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, io, options: { status, ...options }, arguments: { uri } }) {
    const { createWebhook } = await import('./create.js');
    return createWebhook(context, {
      ...options,
      uri,
      status: statusWord(status),
      allEvents: false,
      showsSecret: io.stderr.isTerminal,
    });
  },
});

const get = defineCommand({
  summary: { en: 'Show a webhook', pt: 'Mostra um webhook' },
  description: {
    en: 'Its secret is never shown: the service does not reveal it.',
    pt: 'O segredo nunca é mostrado: o serviço não o revela.',
  },
  arguments: [webhookArgument],
  options: {},
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal webhook get 6f1c0a2e -o json',
      summary: { en: 'As JSON, for an update with --file', pt: 'Em JSON, para um update com --file' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { getWebhook } = await import('./read-webhook.js');
    return getWebhook(context, id);
  },
});

const update = defineCommand({
  summary: { en: 'Change a webhook', pt: 'Altera um webhook' },
  description: {
    en: 'The service replaces the whole webhook. So the current one is read first, merged with the changes, shown as old → new on stderr, and written after consent, with the secret stored on this machine.',
    pt: 'O serviço substitui o webhook inteiro. Por isso o atual é lido antes, mesclado com as alterações, mostrado no formato antigo → novo no stderr e gravado após o consentimento, com o segredo guardado nesta máquina.',
  },
  arguments: [webhookArgument],
  options: {
    uri: { kind: 'text', value: 'url', summary: { en: 'New address', pt: 'Endereço novo' } },
    ...contentOptions,
    allEvents: {
      kind: 'toggle',
      summary: { en: 'All events, without a filter', pt: 'Todos os eventos, sem filtro' },
    },
    newSecret: {
      kind: 'toggle',
      summary: { en: 'Create a new secret', pt: 'Cria um segredo novo' },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal webhook update 6f1c0a2e --status inactive',
      summary: { en: 'Pause it', pt: 'Pausa o webhook' },
    },
    {
      command: 'fiscal webhook update 6f1c0a2e --new-secret --secret-out webhook.secret --yes',
      summary: { en: 'Change the secret', pt: 'Troca o segredo' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, io, options: { status, ...options }, arguments: { id = '' } }) {
    const { updateWebhook } = await import('./update.js');
    return updateWebhook(context, {
      ...options,
      id,
      status: statusWord(status),
      showsSecret: io.stderr.isTerminal,
    });
  },
});

const deleteCommand = defineCommand({
  summary: { en: 'Delete a webhook', pt: 'Exclui um webhook' },
  description: {
    en: 'The secret that the profile keeps for it is deleted too. To pause it instead: fiscal webhook update <id> --status inactive.',
    pt: 'O segredo que o perfil guarda para ele também é excluído. Para apenas pausar: fiscal webhook update <id> --status inactive.',
  },
  arguments: [webhookArgument],
  options: {},
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal webhook delete 6f1c0a2e --yes',
      summary: { en: 'Without a confirmation prompt', pt: 'Sem pedir confirmação' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { deleteWebhook } = await import('./manage.js');
    return deleteWebhook(context, id);
  },
});

const ping = defineCommand({
  summary: {
    en: 'Ask the service for a test delivery',
    pt: 'Pede ao serviço uma entrega de teste',
  },
  arguments: [webhookArgument],
  options: {},
  refusesCompany: true,
  examples: [
    { command: 'fiscal webhook ping 6f1c0a2e', summary: { en: 'To one webhook', pt: 'A um webhook' } },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { pingWebhook } = await import('./manage.js');
    return pingWebhook(context, id);
  },
});

const eventTypes = defineCommand({
  summary: {
    en: 'List the events that a webhook can subscribe to',
    pt: 'Lista os eventos que um webhook pode assinar',
  },
  options: {},
  refusesCompany: true,
  examples: [
    { command: 'fiscal webhook event-types', summary: { en: 'All events', pt: 'Todos os eventos' } },
    { command: 'fiscal webhook event-types -o id', summary: { en: 'Their names', pt: 'Os nomes' } },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context }) {
    const { listEventTypes } = await import('./read-webhook.js');
    return listEventTypes(context);
  },
});

export const group: CommandGroup = {
  verbs: {
    list,
    create,
    get,
    update,
    delete: deleteCommand,
    ping,
    'event-types': eventTypes,
    listen: async () => ({ command: (await import('./listen-commands.js')).listen }),
    verify: async () => ({ command: (await import('./listen-commands.js')).verify }),
    events: async () => ({ command: (await import('./event-commands.js')).events }),
    resend: async () => ({ command: (await import('./event-commands.js')).resend }),
    missed: async () => ({ command: (await import('./event-commands.js')).missed }),
  },
};
