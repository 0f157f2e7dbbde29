import { callExitCodes } from '../../cli/exit-codes.js';
import { type OptionSpecs, defineCommand, inModes } from '../../cli/command.js';
import { companiesOption } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';

/** Which of the stored events are shown. */
const eventOptions = {
  failed: {
    kind: 'toggle',
    summary: { en: 'Only those that were given up', pt: 'Só os que foram abandonados' },
  },
  state: {
    kind: 'choice',
    choices: ['received', 'forwarding', 'delivered', 'dead', 'kept'],
    summary: { en: 'Only in this state', pt: 'Só neste estado' },
  },
  event: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Only of this name', pt: 'Só com este nome' },
  },
  resource: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Only about this resource', pt: 'Só sobre este recurso' },
  },
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Received from this day, UTC time, or age (30d) on',
      pt: 'Recebidos a partir deste dia, horário UTC ou idade (30d)',
    },
  },
  limit: {
    notWith: ['all'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'Maximum number of events (100)', pt: 'Quantidade máxima de eventos (100)' },
  },
  all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
} as const satisfies OptionSpecs;

export const events = defineCommand({
  summary: {
    en: 'List the events that this machine received',
    pt: 'Lista os eventos que esta máquina recebeu',
  },
  description: {
    en: 'Newest first, without network. With an id: one event and its body. States: received (waits to be forwarded), forwarding, delivered, dead (given up), kept (stored only, since no listener asked for it).',
    pt: 'Os mais novos primeiro, sem rede. Com um id: um evento e o corpo dele. Estados: received (aguarda encaminhamento), forwarding, delivered, dead (abandonado), kept (só guardado, pois nenhum receptor o pediu).',
  },
  arguments: [
    {
      name: 'id',
      summary: { en: 'One event, with its body', pt: 'Um evento, com o corpo' },
      required: false,
    },
  ],
  options: inModes(eventOptions, { notWith: ['<id>'] }),
  refusesCompany: true,
  examples: [
    { command: 'fiscal webhook events', summary: { en: 'The newest hundred', pt: 'Os cem mais novos' } },
    {
      command: 'fiscal webhook events --failed --since 7d',
      summary: { en: 'Events given up this week', pt: 'O que foi abandonado nesta semana' },
    },
  ],
  exitCodes: [ExitCode.notFound],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['receivedAt', 'state', 'event', 'resource', 'attempts', 'lastError', 'id'], {
      required: ['state', 'event', 'lastError'],
      below: ['lastError'],
    });
  },
  async run({ context, options, arguments: { id } }) {
    const { listEvents } = await import('./events.js');
    return listEvents(context, { id, ...options });
  },
});

export const resend = defineCommand({
  summary: {
    en: 'Forward stored events again',
    pt: 'Encaminha de novo eventos guardados',
  },
  description: {
    en: 'Puts events back into the queue of this machine, from which a running listener forwards them. The service is not called. To find what never arrived: fiscal webhook missed.',
    pt: 'Devolve os eventos à fila desta máquina, de onde um receptor em execução os encaminha. O serviço não é chamado. Para encontrar o que nunca chegou: fiscal webhook missed.',
  },
  arguments: [
    {
      name: 'id',
      summary: { en: 'One event', pt: 'Um evento' },
      required: false,
    },
  ],
  options: {
    since: {
      kind: 'text',
      value: 'time',
      summary: {
        en: 'All that were delivered or given up since this day, UTC time, or age (30d)',
        pt: 'Todos os entregues ou abandonados desde este dia, horário UTC ou idade (30d)',
      },
    },
    failed: {
      kind: 'toggle',
      summary: { en: 'Only those that were given up', pt: 'Só os que foram abandonados' },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal webhook resend --since 2d --failed --yes',
      summary: {
        en: 'What was given up since the day before yesterday',
        pt: 'O que foi abandonado desde anteontem',
      },
    },
    { command: 'fiscal webhook resend 6f1c0a2e', summary: { en: 'One event', pt: 'Um evento' } },
  ],
  exitCodes: [ExitCode.notFound],
  async run({ context, options, arguments: { id } }) {
    const { resendEvents } = await import('./events.js');
    return resendEvents(context, { id, ...options });
  },
});

const missedOptions = {
  ...companiesOption,
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Captured from this day, UTC time, or age (30d) on',
      pt: 'Capturados a partir deste dia, horário UTC ou idade (30d)',
    },
  },
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'Only this family', pt: 'Só esta família' },
  },
  all: {
    kind: 'toggle',
    summary: { en: 'Also those that arrived here', pt: 'Também os que chegaram aqui' },
  },
  resend: {
    kind: 'toggle',
    summary: {
      en: 'Ask the service to deliver those that did not arrive',
      pt: 'Pede ao serviço que entregue os que não chegaram',
    },
  },
} as const satisfies OptionSpecs;

export const missed = defineCommand({
  summary: {
    en: 'Find documents whose webhook never arrived',
    pt: 'Encontra documentos cujo webhook nunca chegou',
  },
  description: {
    en: 'Lists the captured documents of one or more companies that the service does not count as Delivered, except those for which this machine stored an event. --resend asks the service, after consent, to deliver them again; for CT-e it has no such operation.',
    pt: 'Lista os documentos capturados de uma ou mais empresas que o serviço não conta como Delivered, exceto aqueles dos quais esta máquina guardou um evento. --resend pede ao serviço, após o consentimento, que os entregue de novo; para CT-e ele não tem essa operação.',
  },
  options: missedOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal webhook missed --since 7d',
      summary: { en: 'Of the last week, all families', pt: 'Da última semana, todas as famílias' },
    },
    {
      command: 'fiscal webhook missed --since 2026-10-01 --type nfse --resend --yes',
      summary: { en: 'Request the NFS-e again', pt: 'Pede as NFS-e de novo' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.limitReached],
  idField: ['accessKey', 'id'],
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(
      [
        'companyName',
        'family',
        'accessKey',
        'eventKey',
        'webhookStatus',
        'arrived',
        'resend',
        'createdOn',
        'error.message',
      ],
      {
        required: ['accessKey', 'webhookStatus', 'arrived', 'resend', 'error.message'],
        below: ['error.message'],
      },
    );
  },
  async run({ context, options: { type, ...options } }) {
    const { missedWebhooks } = await import('./missed.js');
    return missedWebhooks(context, { ...options, types: type === undefined ? [] : [type] });
  },
});
