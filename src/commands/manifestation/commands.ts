import {
  argument,
  choice,
  columns,
  count,
  define,
  does,
  example,
  later,
  optionalArgument,
  text,
  toggle,
} from '../../cli/define.js';
import { manifestationStatuses } from '../../contract/manifestation.js';
import { knownCompaniesOption, serviceWatchOptions, waitOptions, waitTimes } from '../../cli/options.js';
import { type CommandGroup } from '../../cli/command.js';

export const followOptions = {
  ...waitOptions,
  wait: toggle(
    'Wait until the authority has decided; the exit code shows the decision',
    'Aguarda a decisão da autoridade; o código de saída indica o resultado',
  ),
};

export const uncheckedOption = {
  detailUnchecked: toggle(
    'Send detail and justification as written, without local checks',
    'Envia o detalhe e a justificativa como estão, sem conferência local',
    { rare: true },
  ),
};

export const companyUncheckedOption = {
  companyUnchecked: toggle(
    'Send without proof that the company captured the document',
    'Envia sem prova de que a empresa capturou a nota',
    { rare: true },
  ),
};

const keyArgument = argument(
  'Access key: 44 characters (NF-e) or 50 (NFS-e)',
  'Chave de acesso: 44 caracteres (NF-e) ou 50 (NFS-e)',
);

/** The content of an event besides its key. */
const contentOptions = {
  event: text(
    'name',
    'The event by name or number, e.g. confirmation, 210210, reject',
    'O evento por nome ou número, p. ex. confirmacao, 210210, rejeitar',
  ),
  sequence: text('n', 'Sequence of the event (1); 2 rectifies', 'Sequência do evento (1); 2 retifica'),
  justification: text('text', 'Why, in 15 to 255 characters', 'O motivo, de 15 a 255 caracteres'),
  reason: text(
    'n',
    'Reason of a rejection (NFS-e): 1, 2, 3, 4, 5 or 9',
    'Motivo da rejeição (NFS-e): 1, 2, 3, 4, 5 ou 9',
  ),
  detail: text(
    'file|json',
    'The detail of the event, as JSON or a file; - for stdin',
    'O conteúdo do evento, em JSON ou arquivo; - para o stdin',
  ),
  cancels: text(
    'name',
    'The event that 110001 cancels; its protocol is looked up',
    'O evento que o 110001 cancela; o protocolo é buscado',
  ),
  ...uncheckedOption,
  ...companyUncheckedOption,
};

export const submit = define('Submit one event', 'Envia um evento', {
  description: {
    en: 'The length of the key decides between NF-e (44) and NFS-e (50); "fiscal manifestation codes" lists the events. Runs all checks of the service here first. An active event is never sent twice; after Rejected or Failed the same command sends it again. 110001 cancels an earlier event, named with --cancels. Events that deny (210220, 210240, 203206) or cancel (110001) need consent (--yes). Sends nothing for a company that did not capture the document, unless --company-unchecked is given.',
    pt: 'O tamanho da chave indica se é NF-e (44) ou NFS-e (50); "fiscal manifestation codes" lista os eventos. Tudo o que o serviço confere é conferido aqui antes. Um evento vigente nunca é enviado duas vezes; depois de Rejected ou Failed, o mesmo comando o envia de novo. O 110001 cancela um evento anterior, indicado com --cancels. Eventos que negam (210220, 210240, 203206) ou cancelam (110001) precisam de consentimento (--yes). Nada é enviado por uma empresa que não capturou a nota, a menos que se use --company-unchecked.',
  },
  takes: { accessKey: keyArgument },
  options: { ...contentOptions, ...followOptions },
  scope: ['company'],
  examples: [
    example(
      '35250530057049000141550010000280181030656857 --event confirmation --wait',
      'Until the authority has decided',
      'Até a decisão da autoridade',
    ),
    example(
      '35250530057049000141550010000280181030656857 --event not-performed --justification "Goods were never delivered" --yes',
      'With a justification',
      'Com justificativa',
    ),
    example(
      '21113002200574753000100000000000146726037032711025 --event reject --reason 3 --yes',
      'Reject an NFS-e',
      'Rejeita uma NFS-e',
    ),
  ],
  exits: ['partial', 'calls', 'pending', 'conflict', 'held', 'endedBadly'],
  id: 'id',
});

/** The event, by its id or by key and event. */
const eventArgument = argument(
  'Id of the event; or an access key, with --event',
  'Id do evento; ou uma chave de acesso, com --event',
);

const eventOptions = {
  event: contentOptions.event,
  sequence: count('n', 'Sequence of the event', 'Sequência do evento', { onlyWith: ['event'], min: 1, default: 1 }),
  type: choice(
    ['nfe', 'nfse'],
    'Kind of document, for an id unknown to this machine (nfe)',
    'Tipo do documento, para um id que esta máquina não conhece (nfe)',
    { notWith: ['event'] },
  ),
};

export const get = define('Show one event', 'Mostra um evento', {
  takes: { id: eventArgument },
  options: {
    ...eventOptions,
    exitStatus: toggle(
      'Show the state in the exit code: 8 while Pending, 13 for Rejected or Failed',
      'Mostra o estado no código de saída: 8 em Pending, 13 em Rejected ou Failed',
    ),
  },
  scope: ['company'],
  examples: [
    example('7b0c2b9e-0f8e-4a57-9d0a-1f6b2c3d4e5f', 'By its id', 'Pelo id'),
    example(
      '35250530057049000141550010000280181030656857 --event confirmation --query status -o json',
      'The state, by key and event',
      'O estado, por chave e evento',
    ),
  ],
  exits: ['calls', 'pending', 'endedBadly'],
  id: 'id',
});

export const poll = define('Wait for the decision on an event', 'Espera a decisão sobre um evento', {
  description: {
    en: 'Exits 0 when the event is Accepted (or was registered before, 573), 13 when it is Rejected or Failed, 8 on timeout.',
    pt: 'Termina com 0 quando o evento está Accepted (ou já estava registrado, 573), com 13 quando está Rejected ou Failed, com 8 quando o tempo limite se esgota.',
  },
  takes: { id: eventArgument },
  options: { ...eventOptions, ...waitTimes },
  scope: ['company'],
  examples: [
    example('7b0c2b9e-0f8e-4a57-9d0a-1f6b2c3d4e5f --timeout 2m', 'At most two minutes', 'No máximo dois minutos'),
  ],
  exits: ['calls', 'pending', 'endedBadly'],
  id: 'id',
});

export const list = define('List events', 'Lista eventos', {
  description: {
    en: 'With the key of an NFS-e, lists its events at the service. Otherwise lists the events that this machine knows, with their last known state: the service has no list of NF-e events.',
    pt: 'Com a chave de uma NFS-e, lista os eventos dela no serviço. Sem ela, lista os eventos que esta máquina conhece, com o último estado conhecido: o serviço não tem lista de eventos de NF-e.',
  },
  takes: { accessKey: optionalArgument('Only the events of this key', 'Só os eventos desta chave') },
  options: {
    ...knownCompaniesOption,
    status: choice(
      [...manifestationStatuses, ...(['sending', 'uncertain', 'rejected', 'failed', 'unknown'] as const)],
      'Only this state, e.g. Rejected',
      'Só este estado, p. ex. Rejected',
    ),
    limit: count('n', 'Maximum number of events', 'Quantidade máxima de eventos', { min: 1 }),
    ...serviceWatchOptions,
  },
  scope: ['company'],
  examples: [
    example('--status Rejected', 'What was rejected, newest first', 'O que foi rejeitado, o mais novo primeiro'),
    example('21113002200574753000100000000000146726037032711025', 'The events of an NFS-e', 'Os eventos de uma NFS-e'),
  ],
  exits: ['calls'],
  id: 'id',
  view: columns(
    'event status accessKey protocol errorMessage companyName seenAt answerCode answerText eventCode nSequencia jobId id',
    { required: 'event status accessKey protocol errorMessage', below: 'errorMessage' },
  ),
});

export const codes = define(
  'List the events, their names and their details',
  'Lista os eventos, seus nomes e seu conteúdo',
  {
    description: {
      en: 'Works without the service. The names inside detail, except justification, are assumed: --detail-unchecked sends what you write.',
      pt: 'Funciona sem o serviço. Os nomes dentro de detail, exceto justification, são supostos: --detail-unchecked envia o que você escrever.',
    },
    options: {},
    examples: [
      example('', 'All events', 'Todos os eventos'),
      example('-o csv --fields code,name,detail', 'For a spreadsheet', 'Para uma planilha'),
    ],
    id: 'code',
    view: async () => (await import('../../presenters/manifestation-codes.js')).manifestationCodesView,
  },
);

const planning = async () => await import('./plan-commands.js');

export const group: CommandGroup = {
  verbs: {
    submit: does(submit, async () => (await import('./submit.js')).submitManifestation),
    get: does(get, async () => (await import('./get.js')).getManifestation),
    poll: does(poll, async () => (await import('./get.js')).pollManifestation),
    list: does(list, async () => (await import('./list.js')).listManifestations),
    plan: later(
      async () => (await planning()).plan,
      async () => (await import('./plan.js')).planManifestations,
    ),
    apply: later(
      async () => (await planning()).apply,
      async () => (await import('./apply.js')).applyEvents,
    ),
    due: later(
      async () => (await planning()).due,
      async () => (await import('./due.js')).dueManifestations,
    ),
    codes: does(codes, async () => (await import('./codes.js')).listCodes),
  },
};
