import { manifestationStatuses } from '../../contract/manifestation.js';
import { followOptionsOf, knownCompaniesOption, waitTimes, serviceWatchOptions } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import {
  type CommandGroup,
  type ArgumentSpec,
  type OptionSpecs,
  defineCommand,
  type OptionValues,
} from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { companyUncheckedOption, uncheckedOption, followOptions } from './options.js';
import type { NamedEvent } from './read-event.js';

const keyArgument: ArgumentSpec = {
  name: 'accessKey',
  required: true,
  summary: {
    en: 'Access key: 44 characters (NF-e) or 50 (NFS-e)',
    pt: 'Chave de acesso: 44 caracteres (NF-e) ou 50 (NFS-e)',
  },
};

/** The content of an event besides its key. */
const contentOptions = {
  event: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'The event by name or number, e.g. confirmation, 210210, reject',
      pt: 'O evento por nome ou número, p. ex. confirmacao, 210210, rejeitar',
    },
  },
  sequence: {
    kind: 'text',
    value: 'n',
    summary: { en: 'Sequence of the event (1); 2 rectifies', pt: 'Sequência do evento (1); 2 retifica' },
  },
  justification: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Why, in 15 to 255 characters', pt: 'O motivo, de 15 a 255 caracteres' },
  },
  reason: {
    kind: 'text',
    value: 'n',
    summary: {
      en: 'Reason of a rejection (NFS-e): 1, 2, 3, 4, 5 or 9',
      pt: 'Motivo da rejeição (NFS-e): 1, 2, 3, 4, 5 ou 9',
    },
  },
  detail: {
    kind: 'text',
    value: 'file|json',
    summary: {
      en: 'The detail of the event, as JSON or a file; - for stdin',
      pt: 'O conteúdo do evento, em JSON ou arquivo; - para o stdin',
    },
  },
  cancels: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'The event that 110001 cancels; its protocol is looked up',
      pt: 'O evento que o 110001 cancela; o protocolo é buscado',
    },
  },
  ...uncheckedOption,
  ...companyUncheckedOption,
  legacy: {
    rare: true,
    kind: 'toggle',
    summary: { en: 'Use the deprecated route', pt: 'Usa a rota obsoleta' },
  },
} as const satisfies OptionSpecs;

const submit = defineCommand({
  summary: { en: 'Submit one event', pt: 'Envia um evento' },
  description: {
    en: 'The length of the key decides between NF-e (44) and NFS-e (50); "fiscal manifestation codes" lists the events. Runs all checks of the service here first. An active event is never sent twice; after Rejected or Failed the same command sends it again. 110001 cancels an earlier event, named with --cancels. Events that deny (210220, 210240, 203206) or cancel (110001) need consent (--yes). Sends nothing for a company that did not capture the document, unless --company-unchecked is given.',
    pt: 'O tamanho da chave indica se é NF-e (44) ou NFS-e (50); "fiscal manifestation codes" lista os eventos. Tudo o que o serviço confere é conferido aqui antes. Um evento vigente nunca é enviado duas vezes; depois de Rejected ou Failed, o mesmo comando o envia de novo. O 110001 cancela um evento anterior, indicado com --cancels. Eventos que negam (210220, 210240, 203206) ou cancelam (110001) precisam de consentimento (--yes). Nada é enviado por uma empresa que não capturou a nota, a menos que se use --company-unchecked.',
  },
  arguments: [keyArgument],
  options: { ...contentOptions, ...followOptions },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal manifestation submit 35250530057049000141550010000280181030656857 --event confirmation --wait',
      summary: { en: 'Until the authority has decided', pt: 'Até a decisão da autoridade' },
    },
    {
      command:
        'fiscal manifestation submit 35250530057049000141550010000280181030656857 --event not-performed --justification "Goods were never delivered" --yes',
      summary: { en: 'With a justification', pt: 'Com justificativa' },
    },
    {
      command:
        'fiscal manifestation submit 21113002200574753000100000000000146726037032711025 --event reject --reason 3 --yes',
      summary: { en: 'Reject an NFS-e', pt: 'Rejeita uma NFS-e' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.endedBadly,
  ],
  idField: 'id',
  async run({ context, options, arguments: { accessKey = '' } }) {
    const { submitManifestation } = await import('./submit.js');
    const { event, sequence, detail, justification, reason, cancels, legacy, detailUnchecked } = options;
    const { companyUnchecked } = options;
    return submitManifestation(context, {
      ...{ accessKey, event, sequence, detail, justification, reason, cancels, legacy, companyUnchecked },
      ...{ unchecked: detailUnchecked, ...followOptionsOf(options) },
    });
  },
});

/** The event, by its id or by key and event. */
const eventArgument: ArgumentSpec = {
  name: 'event',
  required: true,
  summary: {
    en: 'Id of the event; or an access key, with --event',
    pt: 'Id do evento; ou uma chave de acesso, com --event',
  },
};

const eventOptions = {
  event: contentOptions.event,
  sequence: {
    onlyWith: ['event'],
    kind: 'count',
    value: 'n',
    min: 1,
    default: 1,
    summary: { en: 'Sequence of the event', pt: 'Sequência do evento' },
  },
  type: {
    notWith: ['event'],
    kind: 'choice',
    choices: ['nfe', 'nfse'],
    summary: {
      en: 'Kind of document, for an id unknown to this machine (nfe)',
      pt: 'Tipo do documento, para um id que esta máquina não conhece (nfe)',
    },
  },
} as const satisfies OptionSpecs;

function namedEventOf(name: string, options: OptionValues<typeof eventOptions>): NamedEvent {
  const { event, sequence, type } = options;
  return { name, event, sequence, type };
}

const get = defineCommand({
  summary: { en: 'Show one event', pt: 'Mostra um evento' },
  arguments: [eventArgument],
  options: {
    ...eventOptions,
    exitStatus: {
      kind: 'toggle',
      summary: {
        en: 'Show the state in the exit code: 8 while Pending, 13 for Rejected or Failed',
        pt: 'Mostra o estado no código de saída: 8 em Pending, 13 em Rejected ou Failed',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation get 7b0c2b9e-0f8e-4a57-9d0a-1f6b2c3d4e5f',
      summary: { en: 'By its id', pt: 'Pelo id' },
    },
    {
      command:
        'fiscal manifestation get 35250530057049000141550010000280181030656857 --event confirmation --query status -o json',
      summary: { en: 'The state, by key and event', pt: 'O estado, por chave e evento' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { event = '' } }) {
    const { getManifestation } = await import('./get.js');
    const { exitStatus } = options;
    return getManifestation(context, { ...namedEventOf(event, options), exitStatus });
  },
});

const poll = defineCommand({
  summary: { en: 'Wait for the decision on an event', pt: 'Espera a decisão sobre um evento' },
  description: {
    en: 'Exits 0 when the event is Accepted (or was registered before, 573), 13 when it is Rejected or Failed, 8 on timeout.',
    pt: 'Termina com 0 quando o evento está Accepted (ou já estava registrado, 573), com 13 quando está Rejected ou Failed, com 8 quando o tempo limite se esgota.',
  },
  arguments: [eventArgument],
  options: { ...eventOptions, ...waitTimes },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation poll 7b0c2b9e-0f8e-4a57-9d0a-1f6b2c3d4e5f --timeout 2m',
      summary: { en: 'At most two minutes', pt: 'No máximo dois minutos' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { event = '' } }) {
    const { pollManifestation } = await import('./get.js');
    const { timeout: timeoutMs, interval: intervalMs } = options;
    return pollManifestation(context, { ...namedEventOf(event, options), timeoutMs, intervalMs });
  },
});

const list = defineCommand({
  summary: { en: 'List events', pt: 'Lista eventos' },
  description: {
    en: 'With the key of an NFS-e, lists its events at the service. Otherwise lists the events that this machine knows, with their last known state: the service has no list of NF-e events.',
    pt: 'Com a chave de uma NFS-e, lista os eventos dela no serviço. Sem ela, lista os eventos que esta máquina conhece, com o último estado conhecido: o serviço não tem lista de eventos de NF-e.',
  },
  arguments: [
    {
      name: 'accessKey',
      required: false,
      summary: { en: 'Only the events of this key', pt: 'Só os eventos desta chave' },
    },
  ],
  options: {
    ...knownCompaniesOption,
    status: {
      kind: 'choice',
      // Those of the service, and those of an event whose answer is not known.
      choices: [
        ...manifestationStatuses,
        ...(['sending', 'uncertain', 'rejected', 'failed', 'unknown'] as const),
      ],
      summary: { en: 'Only this state, e.g. Rejected', pt: 'Só este estado, p. ex. Rejected' },
    },
    limit: {
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'Maximum number of events', pt: 'Quantidade máxima de eventos' },
    },
    ...serviceWatchOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation list --status Rejected',
      summary: { en: 'What was rejected, newest first', pt: 'O que foi rejeitado, o mais novo primeiro' },
    },
    {
      command: 'fiscal manifestation list 21113002200574753000100000000000146726037032711025',
      summary: { en: 'The events of an NFS-e', pt: 'Os eventos de uma NFS-e' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    const names = ['event', 'status', 'accessKey', 'protocol', 'errorMessage', 'companyName', 'seenAt'];
    const others = ['answerCode', 'answerText', 'eventCode', 'nSequencia', 'jobId', 'id'];
    return columnsView([...names, ...others], {
      required: ['event', 'status', 'accessKey', 'protocol', 'errorMessage'],
      below: ['errorMessage'],
    });
  },
  async run({ context, options, arguments: { accessKey } }) {
    const { listManifestations } = await import('./list.js');
    return listManifestations(context, { accessKey, ...options });
  },
});

const codes = defineCommand({
  summary: {
    en: 'List the events, their names and their details',
    pt: 'Lista os eventos, seus nomes e seu conteúdo',
  },
  description: {
    en: 'Works without the service. The names inside detail, except justification, are assumed: --detail-unchecked sends what you write.',
    pt: 'Funciona sem o serviço. Os nomes dentro de detail, exceto justification, são supostos: --detail-unchecked envia o que você escrever.',
  },
  options: {},
  examples: [
    { command: 'fiscal manifestation codes', summary: { en: 'All events', pt: 'Todos os eventos' } },
    {
      command: 'fiscal manifestation codes -o csv --fields code,name,detail',
      summary: { en: 'For a spreadsheet', pt: 'Para uma planilha' },
    },
  ],
  exitCodes: [],
  idField: 'code',
  view: async () => (await import('../../presenters/manifestation-codes.js')).manifestationCodesView,
  async run() {
    const { listCodes } = await import('./codes.js');
    return listCodes();
  },
});

export const group: CommandGroup = {
  verbs: {
    submit,
    get,
    poll,
    list,
    plan: async () => ({ command: (await import('./plan-commands.js')).plan }),
    apply: async () => ({ command: (await import('./plan-commands.js')).apply }),
    due: async () => ({ command: (await import('./plan-commands.js')).due }),
    codes,
  },
};
