import {
  argument,
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
import type { CommandGroup } from '../../cli/command.js';

/** The company of a command. */
const companyArgument = argument('Id, CNPJ, beginning of the name, or alias', 'Id, CNPJ, começo do nome ou apelido', {
  pick: 'companyArgument',
});

/** A file, and fields that override it. */
export const contentOptions = {
  file: text('file', 'The company as JSON or YAML; - for stdin', 'A empresa em JSON ou YAML; - para o stdin'),
  name: text('text', 'Registered name', 'Razão social'),
  tradeName: text('text', 'Trade name', 'Nome fantasia'),
  taxRegime: text(
    'name',
    'Tax regime, e.g. LucroReal, "simples nacional", MEI',
    'Regime tributário, p. ex. LucroReal, "simples nacional", MEI',
  ),
};

export const list = define('List the companies of the account', 'Lista as empresas da conta', {
  description: {
    en: 'Streams page by page; each company appears once. The CNPJ is text, also where the service shows an integer, which loses leading zeros.',
    pt: 'Lista página a página; cada empresa aparece uma vez. O CNPJ sai como texto, mesmo quando o serviço o mostra como número inteiro, que perde os zeros à esquerda.',
  },
  options: {
    limit: count('n', 'Show at most this many (100)', 'Mostra no máximo esta quantidade (100)', {
      notWith: ['all'],
      min: 1,
    }),
    all: toggle('Without a limit', 'Sem limite'),
  },
  refusesCompany: true,
  examples: [
    example('--all -o csv', 'All of them, for a spreadsheet', 'Todas, para uma planilha'),
    example('-o id', 'Their ids', 'Os ids'),
  ],
  exits: ['calls'],
  id: 'id',
  view: columns('name federalTaxNumber status alias id', { required: 'name federalTaxNumber status' }),
});

export const get = define('Show one company', 'Mostra uma empresa', {
  takes: { companyId: companyArgument },
  options: {},
  refusesCompany: true,
  examples: [
    example('55df4dc6b6cd9007e4f13ee8', 'One company', 'Uma empresa'),
    example('"padaria sol"', 'By the beginning of its name', 'Pelo começo do nome'),
  ],
  exits: ['calls'],
  id: 'id',
});

export const create = define('Create a company', 'Cria uma empresa', {
  description: {
    en: 'From a file and flags (flags take precedence). Name, CNPJ, tax regime and address are required and checked here first. The published body takes the CNPJ as an integer, which cannot carry letters; for a service that takes text: fiscal config set sends.taxNumbers text. A create whose outcome is unknown is looked up by its CNPJ before anything is sent again.',
    pt: 'De um arquivo e de opções (as opções prevalecem). Razão social, CNPJ, regime tributário e endereço são obrigatórios e conferidos aqui antes do envio. O corpo publicado leva o CNPJ como número inteiro, que não comporta letras; se o serviço aceita texto: fiscal config set sends.taxNumbers text. Uma criação de resultado desconhecido é procurada pelo CNPJ antes de qualquer novo envio.',
  },
  options: {
    ...contentOptions,
    cnpj: text('cnpj', 'CNPJ, with or without punctuation', 'CNPJ, com ou sem pontuação'),
    sample: toggle(
      'Print a minimal valid company and send nothing',
      'Mostra uma empresa mínima válida e não envia nada',
      { notWith: ['file', 'name', 'tradeName', 'taxRegime', 'cnpj'] },
    ),
  },
  refusesCompany: true,
  examples: [
    example('--sample > padaria.json', 'A file to fill in', 'Um arquivo para preencher'),
    example(
      '--file padaria.json --cnpj 12.345.678/0001-95 --tax-regime "lucro real"',
      'From the file, with other values',
      'Do arquivo, com outros valores',
    ),
    example('--file padaria.json --dry-run', 'Show the request only', 'Só mostra a requisição'),
  ],
  exits: ['partial', 'calls', 'conflict', 'held', 'endedBadly'],
  id: 'id',
});

export const update = define('Change the data of a company', 'Altera os dados de uma empresa', {
  description: {
    en: 'Reads the company, merges the file and the flags into it (null removes a field), and shows the difference before it asks. Other fields do not change; those that only the service sets are not sent. Without a terminal it needs --yes.',
    pt: 'Lê a empresa, aplica o arquivo e as opções (null remove um campo) e mostra a diferença antes de confirmar. Campos não citados não mudam; os que só o serviço define não são enviados. Sem terminal, use --yes.',
  },
  takes: { companyId: companyArgument },
  options: contentOptions,
  refusesCompany: true,
  examples: [
    example('55df4dc6b6cd9007e4f13ee8 --trade-name "Padaria Sol"', 'One field', 'Um campo'),
    example(
      '55df4dc6b6cd9007e4f13ee8 --file address.yaml --dry-run',
      'Show the difference only',
      'Só mostra a diferença',
    ),
  ],
  exits: ['calls'],
  id: 'id',
});

export const remove = define('Delete a company', 'Exclui uma empresa', {
  description: {
    en: 'The service no longer captures or issues anything for it. Type the id again to confirm; without a terminal it needs --yes and --confirm with the id.',
    pt: 'O serviço deixa de capturar e emitir para ela. Digite o id de novo para confirmar; sem terminal, use --yes e --confirm com o id.',
  },
  takes: { companyId: companyArgument },
  options: { confirm: text('companyId', 'The id, to confirm', 'O id, para confirmar') },
  refusesCompany: true,
  examples: [
    example('55df4dc6b6cd9007e4f13ee8 --confirm 55df4dc6b6cd9007e4f13ee8 --yes', 'Without a prompt', 'Sem perguntar'),
  ],
  exits: ['calls'],
  id: 'id',
});

export const alias = define(
  'List, set or remove the aliases of companies',
  'Lista, define ou remove os apelidos das empresas',
  {
    description: {
      en: 'An alias is stored in the profile with the id of the company, and stands wherever a company is expected. Without an argument the aliases are listed. Removing one does not change the company.',
      pt: 'O apelido fica no perfil, com o id da empresa, e vale onde quer que se indique uma empresa. Sem argumento, os apelidos são listados. Remover um deles não altera a empresa.',
    },
    takes: {
      alias: optionalArgument(
        'A word that begins with a letter, without commas; not an id or a CNPJ',
        'Uma palavra que começa com letra, sem vírgulas; nem id nem CNPJ',
      ),
      company: optionalArgument('Id, CNPJ or beginning of the name', 'Id, CNPJ ou início do nome'),
    },
    options: {
      remove: text('alias', 'Remove this alias from the profile', 'Remove este apelido do perfil', {
        notWith: ['<alias>'],
      }),
    },
    examples: [
      example('padaria 12.345.678/0001-95', 'Then: --company padaria', 'Depois: --company padaria'),
      example('', 'Each alias with its company', 'Cada apelido com a sua empresa'),
      example('--remove padaria', 'The alias is free again', 'O apelido fica livre'),
    ],
    exits: ['calls'],
    id: 'companyId',
    view: columns('alias companyId companyName companyTaxNumber'),
  },
);

const clients = () => import('./clients-commands.js');

const registrations = () => import('./registration-commands.js');

export const group: CommandGroup = {
  parts: { registration: { en: 'State and municipal registrations', pt: 'Inscrições estaduais e municipais' } },
  verbs: {
    list: does(list, async () => (await import('./read.js')).listCompanies),
    get: does(get, async () => (await import('./read.js')).getCompany),
    create: does(create, async () => (await import('./write.js')).createCompany),
    update: does(update, async () => (await import('./write.js')).updateCompany),
    delete: does(remove, async () => (await import('./write.js')).deleteCompany),
    apply: later(
      async () => (await clients()).apply,
      async () => (await import('./clients-apply.js')).applyClients,
    ),
    export: later(
      async () => (await clients()).exportDefinition,
      async () => (await import('./clients-export.js')).exportClients,
    ),
    'registration list': later(
      async () => (await registrations()).list,
      async () => (await import('./registration-read.js')).listRegistrations,
    ),
    'registration get': later(
      async () => (await registrations()).get,
      async () => (await import('./registration-read.js')).getRegistration,
    ),
    'registration create': later(
      async () => (await registrations()).create,
      async () => (await import('./registration-write.js')).createRegistration,
    ),
    'registration update': later(
      async () => (await registrations()).update,
      async () => (await import('./registration-write.js')).updateRegistration,
    ),
    'registration switch-authorizer': later(
      async () => (await registrations()).switchAuthorizer,
      async () => (await import('./switch-authorizer.js')).switchAuthorizer,
    ),
    alias: does(alias, async ({ remove: unwanted, alias: word }) => {
      const work = await import('./alias.js');
      if (unwanted !== undefined) return work.removeAlias;
      return word === undefined ? work.listAliases : work.setAlias;
    }),
  },
};
