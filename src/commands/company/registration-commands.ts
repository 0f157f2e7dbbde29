import { type ArgumentSpec, defineCommand, type OptionSpecs, type OptionValues } from '../../cli/command.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import {
  authorizers,
  municipalTaxEnvironments,
  stateTaxEnvironments,
  stateTaxTypes,
} from '../../contract/tax-registration.js';
import { ExitCode } from '../../errors/exit-code.js';

const kindOption = {
  kind: {
    kind: 'choice',
    choices: ['state', 'municipal'],
    summary: {
      en: 'Of a state or of a municipality, where nothing else tells',
      pt: 'Estadual ou municipal, onde nada mais o diz',
    },
  },
} as const satisfies OptionSpecs;

const idArgument: ArgumentSpec = {
  name: 'registrationId',
  required: true,
  summary: {
    en: 'Id of the registration (company registration list)',
    pt: 'Id da inscrição (company registration list)',
  },
};

/** A file, and fields that override it. */
const contentOptions = {
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The registration as JSON or YAML; - for stdin',
      pt: 'A inscrição em JSON ou YAML; - para o stdin',
    },
  },
  taxNumber: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Number of the registration (IE, CCM)', pt: 'Número da inscrição (IE, CCM)' },
  },
  environment: {
    kind: 'choice',
    choices: [...new Set([...stateTaxEnvironments, ...municipalTaxEnvironments])],
    summary: {
      en: 'Where invoices are authorised (state: not Development, Staging; municipal: not Test, None)',
      pt: 'Onde as notas são autorizadas (estadual: exceto Development, Staging; municipal: exceto Test, None)',
    },
  },
  serie: {
    kind: 'text',
    value: 'serie',
    summary: { en: 'Serie of its invoices, or RPS', pt: 'Série das notas, ou do RPS' },
  },
  number: {
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'Number of its next invoice, or RPS', pt: 'Número da próxima nota, ou do próximo RPS' },
  },
  state: { kind: 'text', value: 'UF', summary: { en: 'State, e.g. SP', pt: 'UF, p. ex. SP' } },
  type: {
    kind: 'choice',
    choices: stateTaxTypes,
    summary: { en: 'What it issues (state)', pt: 'O que ela emite (estadual)' },
  },
  cscId: {
    kind: 'count',
    value: 'id',
    summary: { en: 'Id of the CSC (NFC-e)', pt: 'Id do CSC (NFC-e)' },
  },
  cscFile: {
    kind: 'text',
    value: 'file',
    onlyWith: ['cscId'],
    rare: true,
    summary: {
      en: 'A file whose first line is the CSC; - for stdin (default: a prompt)',
      pt: 'Um arquivo cuja primeira linha é o CSC; - para o stdin (padrão: é perguntado)',
    },
  },
  city: {
    kind: 'text',
    value: 'code',
    summary: { en: 'Municipality, by its IBGE code', pt: 'Município, pelo código IBGE' },
  },
  credentialsFile: {
    kind: 'text',
    value: 'file',
    notWith: ['askCredentials'],
    rare: true,
    summary: {
      en: 'A file with loginName, loginPassword, authIssueValue; - for stdin',
      pt: 'Um arquivo com loginName, loginPassword, authIssueValue; - para o stdin',
    },
  },
  askCredentials: {
    kind: 'toggle',
    summary: {
      en: 'Ask for user and password of the city hall',
      pt: 'Pergunta usuário e senha da prefeitura',
    },
  },
  ...kindOption,
} as const satisfies OptionSpecs;

export type RegistrationOptions = OptionValues<typeof contentOptions>;

const writeExitCodes = [ExitCode.partial, ...callExitCodes, ExitCode.conflict];

export const list = defineCommand({
  summary: {
    en: 'List the state and municipal registrations of a company',
    pt: 'Lista as inscrições estaduais e municipais de uma empresa',
  },
  options: kindOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal company registration list --company padaria',
      summary: { en: 'With serie and next number', pt: 'Com série e próximo número' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => (await import('./registration-view.js')).registrationsView,
  async run({ context, options: { kind } }) {
    const { listRegistrations } = await import('./registration-read.js');
    return await listRegistrations(context, kind);
  },
});

export const get = defineCommand({
  summary: { en: 'Show one registration', pt: 'Mostra uma inscrição' },
  description: {
    en: 'The code of its CSC and the credentials of the city hall are never shown.',
    pt: 'O código do CSC e as credenciais da prefeitura nunca são mostrados.',
  },
  arguments: [idArgument],
  options: kindOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal company registration get 5f1c0d2e9b7a4c3d8e6f0a1b --company padaria',
      summary: { en: 'One registration', pt: 'Uma inscrição' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, options: { kind }, arguments: { registrationId = '' } }) {
    const { getRegistration } = await import('./registration-read.js');
    return await getRegistration(context, registrationId, kind);
  },
});

export const create = defineCommand({
  summary: {
    en: 'Create a state or municipal registration',
    pt: 'Cria uma inscrição estadual ou municipal',
  },
  description: {
    en: 'From a file, from flags, or both (flags win). A state registration needs --state, --tax-number and --type, a municipal one --city and --tax-number. The registrations of the company are searched first, and again when the outcome is unknown, so that none is created twice. The CSC and the credentials of the city hall come from a prompt, a file or stdin, never from an argument; they are set by a second request and not stored here.',
    pt: 'De um arquivo, de opções ou de ambos (as opções vencem). A inscrição estadual precisa de --state, --tax-number e --type; a municipal, de --city e --tax-number. As inscrições da empresa são consultadas antes, e de novo se o resultado for desconhecido, para que nenhuma seja criada duas vezes. O CSC e as credenciais da prefeitura são perguntados, ou lidos de um arquivo ou do stdin, nunca de um argumento; vão em uma segunda requisição e não são gravados aqui.',
  },
  options: contentOptions,
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal company registration create --company padaria --state SP --tax-number 110042490114 --type NFe --environment Test --serie 1 --number 1',
      summary: { en: 'For NF-e, in the test environment', pt: 'Para NF-e, em homologação' },
    },
    {
      command: 'fiscal company registration create --file ie.yaml --csc-id 1 --csc-file - < csc.txt',
      summary: { en: 'For NFC-e, the CSC from stdin', pt: 'Para NFC-e, o CSC pelo stdin' },
    },
    {
      command:
        'fiscal company registration create --company padaria --city 3550308 --tax-number 12345678 --environment Development --serie 1 --ask-credentials',
      summary: {
        en: 'For NFS-e; asks for the credentials of the city hall',
        pt: 'Para NFS-e; pergunta as credenciais da prefeitura',
      },
    },
  ],
  exitCodes: [...writeExitCodes, ExitCode.held, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, io, options }) {
    const { createRegistration } = await import('./registration-write.js');
    return await createRegistration(context, io, options);
  },
});

export const update = defineCommand({
  summary: { en: 'Change a registration', pt: 'Altera uma inscrição' },
  description: {
    en: 'Reads the registration, merges the file and the flags into it (null removes a field), and shows the difference before it asks. It is read again before it is sent, and refused (10) when someone changed it meanwhile. Without a terminal it needs --yes.',
    pt: 'Lê a inscrição, aplica o arquivo e as opções (null remove um campo) e mostra a diferença antes de confirmar. É lida de novo antes do envio e recusada (10) se alguém a alterou nesse meio-tempo. Sem terminal, use --yes.',
  },
  arguments: [idArgument],
  options: contentOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal company registration update 5f1c0d2e9b7a4c3d8e6f0a1b --environment Production',
      summary: { en: 'From test to production', pt: 'De homologação para produção' },
    },
    {
      command: 'fiscal company registration update 5f1c0d2e9b7a4c3d8e6f0a1b --number 1501 --dry-run',
      summary: { en: 'Show the difference only', pt: 'Só mostra a diferença' },
    },
    {
      command:
        'fiscal company registration update 5f1c0d2e9b7a4c3d8e6f0a1b --credentials-file - --yes < login.yaml',
      summary: {
        en: 'New credentials of the city hall, from stdin',
        pt: 'Novas credenciais da prefeitura, pelo stdin',
      },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, io, options, arguments: { registrationId = '' } }) {
    const { updateRegistration } = await import('./registration-write.js');
    return await updateRegistration(context, io, { id: registrationId, options });
  },
});

export const switchAuthorizer = defineCommand({
  summary: {
    en: 'Switch to contingency (EPEC), or back',
    pt: 'Entra em contingência (EPEC), ou sai dela',
  },
  description: {
    en: 'Says who authorises the NF-e of a registration from now on: its state (Normal) or the national contingency (EPEC). Asks first; without a terminal it needs --yes. The service shows the authorizer only in the answer. After an unknown outcome run the same command again.',
    pt: 'Define quem autoriza as NF-e de uma inscrição a partir de agora: o estado (Normal) ou a contingência nacional (EPEC). Pede confirmação; sem terminal, use --yes. O serviço só mostra o autorizador na resposta. Se o resultado for desconhecido, execute o mesmo comando de novo.',
  },
  arguments: [{ ...idArgument, name: 'stateTaxId' }],
  options: {
    to: {
      kind: 'choice',
      choices: authorizers,
      summary: { en: 'Who authorises', pt: 'Quem autoriza' },
    },
    reason: {
      kind: 'text',
      value: 'text',
      summary: {
        en: 'Why, 15 to 255 characters; required for EPEC',
        pt: 'O motivo, de 15 a 255 caracteres; obrigatório para EPEC',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal company registration switch-authorizer 5f1c0d2e9b7a4c3d8e6f0a1b --to EPEC --reason "SEFAZ SP fora do ar desde as 9h"',
      summary: { en: 'Into contingency', pt: 'Entra em contingência' },
    },
    {
      command: 'fiscal company registration switch-authorizer 5f1c0d2e9b7a4c3d8e6f0a1b --to Normal --yes',
      summary: { en: 'Back, without a question', pt: 'Sai dela, sem perguntar' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  idField: 'stateTaxId',
  async run({ context, options: { to, reason }, arguments: { stateTaxId = '' } }) {
    const { switchAuthorizer } = await import('./switch-authorizer.js');
    return await switchAuthorizer(context, { stateTaxId, to, reason });
  },
});
