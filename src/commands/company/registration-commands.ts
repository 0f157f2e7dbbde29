import type { ExitName, OptionValues } from '../../cli/command.js';
import { argument, choice, count, define, example, text, toggle } from '../../cli/define.js';
import {
  authorizers,
  municipalTaxEnvironments,
  stateTaxEnvironments,
  stateTaxTypes,
} from '../../contract/tax-registration.js';

const kindOption = {
  kind: choice(
    ['state', 'municipal'],
    'Of a state or of a municipality, where nothing else tells',
    'Estadual ou municipal, onde nada mais o diz',
  ),
};

const idArgument = argument(
  'Id of the registration (company registration list)',
  'Id da inscrição (company registration list)',
);

/** A file, and fields that override it. */
const contentOptions = {
  file: text('file', 'The registration as JSON or YAML; - for stdin', 'A inscrição em JSON ou YAML; - para o stdin'),
  taxNumber: text('number', 'Number of the registration (IE, CCM)', 'Número da inscrição (IE, CCM)'),
  environment: choice(
    [...new Set([...stateTaxEnvironments, ...municipalTaxEnvironments])],
    'Where invoices are authorised (state: not Development, Staging; municipal: not Test, None)',
    'Onde as notas são autorizadas (estadual: exceto Development, Staging; municipal: exceto Test, None)',
  ),
  serie: text('serie', 'Serie of its invoices, or RPS', 'Série das notas, ou do RPS'),
  number: count('n', 'Number of its next invoice, or RPS', 'Número da próxima nota, ou do próximo RPS', { min: 1 }),
  state: text('UF', 'State, e.g. SP', 'UF, p. ex. SP'),
  type: choice(stateTaxTypes, 'What it issues (state)', 'O que ela emite (estadual)'),
  cscId: count('id', 'Id of the CSC (NFC-e)', 'Id do CSC (NFC-e)'),
  cscFile: text(
    'file',
    'A file whose first line is the CSC; - for stdin (default: a prompt)',
    'Um arquivo cuja primeira linha é o CSC; - para o stdin (padrão: é perguntado)',
    { onlyWith: ['cscId'], rare: true },
  ),
  city: text('code', 'Municipality, by its IBGE code', 'Município, pelo código IBGE'),
  credentialsFile: text(
    'file',
    'A file with loginName, loginPassword, authIssueValue; - for stdin',
    'Um arquivo com loginName, loginPassword, authIssueValue; - para o stdin',
    { notWith: ['askCredentials'], rare: true },
  ),
  askCredentials: toggle('Ask for user and password of the city hall', 'Pergunta usuário e senha da prefeitura'),
  ...kindOption,
};

export type RegistrationOptions = OptionValues<typeof contentOptions>;

const writeExits: readonly ExitName[] = ['partial', 'calls', 'conflict'];

export const list = define(
  'List the state and municipal registrations of a company',
  'Lista as inscrições estaduais e municipais de uma empresa',
  {
    options: kindOption,
    scope: ['company'],
    examples: [example('--company padaria', 'With serie and next number', 'Com série e próximo número')],
    exits: ['calls'],
    id: 'id',
    view: async () => (await import('./registration-view.js')).registrationsView,
  },
);

export const get = define('Show one registration', 'Mostra uma inscrição', {
  description: {
    en: 'The code of its CSC and the credentials of the city hall are never shown.',
    pt: 'O código do CSC e as credenciais da prefeitura nunca são mostrados.',
  },
  takes: { registrationId: idArgument },
  options: kindOption,
  scope: ['company'],
  examples: [example('5f1c0d2e9b7a4c3d8e6f0a1b --company padaria', 'One registration', 'Uma inscrição')],
  exits: ['calls'],
  id: 'id',
});

export const create = define('Create a state or municipal registration', 'Cria uma inscrição estadual ou municipal', {
  description: {
    en: 'From a file, from flags, or both (flags win). A state registration needs --state, --tax-number and --type, a municipal one --city and --tax-number. The registrations of the company are searched first, and again when the outcome is unknown, so that none is created twice. The CSC and the credentials of the city hall come from a prompt, a file or stdin, never from an argument; they are set by a second request and not stored here.',
    pt: 'De um arquivo, de opções ou de ambos (as opções vencem). A inscrição estadual precisa de --state, --tax-number e --type; a municipal, de --city e --tax-number. As inscrições da empresa são consultadas antes, e de novo se o resultado for desconhecido, para que nenhuma seja criada duas vezes. O CSC e as credenciais da prefeitura são perguntados, ou lidos de um arquivo ou do stdin, nunca de um argumento; vão em uma segunda requisição e não são gravados aqui.',
  },
  options: contentOptions,
  scope: ['company'],
  examples: [
    example(
      '--company padaria --state SP --tax-number 110042490114 --type NFe --environment Test --serie 1 --number 1',
      'For NF-e, in the test environment',
      'Para NF-e, em homologação',
    ),
    example(
      '--file ie.yaml --csc-id 1 --csc-file - < csc.txt',
      'For NFC-e, the CSC from stdin',
      'Para NFC-e, o CSC pelo stdin',
    ),
    example(
      '--company padaria --city 3550308 --tax-number 12345678 --environment Development --serie 1 --ask-credentials',
      'For NFS-e; asks for the credentials of the city hall',
      'Para NFS-e; pergunta as credenciais da prefeitura',
    ),
  ],
  exits: [...writeExits, 'held', 'endedBadly'],
  id: 'id',
});

export const update = define('Change a registration', 'Altera uma inscrição', {
  description: {
    en: 'Reads the registration, merges the file and the flags into it (null removes a field), and shows the difference before it asks. It is read again before it is sent, and refused (10) when someone changed it meanwhile. Without a terminal it needs --yes.',
    pt: 'Lê a inscrição, aplica o arquivo e as opções (null remove um campo) e mostra a diferença antes de confirmar. É lida de novo antes do envio e recusada (10) se alguém a alterou nesse meio-tempo. Sem terminal, use --yes.',
  },
  takes: { registrationId: idArgument },
  options: contentOptions,
  scope: ['company'],
  examples: [
    example(
      '5f1c0d2e9b7a4c3d8e6f0a1b --environment Production',
      'From test to production',
      'De homologação para produção',
    ),
    example('5f1c0d2e9b7a4c3d8e6f0a1b --number 1501 --dry-run', 'Show the difference only', 'Só mostra a diferença'),
    example(
      '5f1c0d2e9b7a4c3d8e6f0a1b --credentials-file - --yes < login.yaml',
      'New credentials of the city hall, from stdin',
      'Novas credenciais da prefeitura, pelo stdin',
    ),
  ],
  exits: writeExits,
  id: 'id',
});

export const switchAuthorizer = define(
  'Switch to contingency (EPEC), or back',
  'Entra em contingência (EPEC), ou sai dela',
  {
    description: {
      en: 'Says who authorises the NF-e of a registration from now on: its state (Normal) or the national contingency (EPEC). Asks first; without a terminal it needs --yes. The service shows the authorizer only in the answer. After an unknown outcome run the same command again.',
      pt: 'Define quem autoriza as NF-e de uma inscrição a partir de agora: o estado (Normal) ou a contingência nacional (EPEC). Pede confirmação; sem terminal, use --yes. O serviço só mostra o autorizador na resposta. Se o resultado for desconhecido, execute o mesmo comando de novo.',
    },
    takes: { stateTaxId: idArgument },
    options: {
      to: choice(authorizers, 'Who authorises', 'Quem autoriza'),
      reason: text(
        'text',
        'Why, 15 to 255 characters; required for EPEC',
        'O motivo, de 15 a 255 caracteres; obrigatório para EPEC',
      ),
    },
    scope: ['company'],
    examples: [
      example(
        '5f1c0d2e9b7a4c3d8e6f0a1b --to EPEC --reason "SEFAZ SP fora do ar desde as 9h"',
        'Into contingency',
        'Entra em contingência',
      ),
      example('5f1c0d2e9b7a4c3d8e6f0a1b --to Normal --yes', 'Back, without a question', 'Sai dela, sem perguntar'),
    ],
    exits: ['partial', 'calls'],
    id: 'stateTaxId',
  },
);
