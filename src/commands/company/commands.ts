import { callExitCodes } from '../../cli/exit-codes.js';
import {
  type ArgumentSpec,
  type CommandGroup,
  defineCommand,
  type OptionSpecs,
  type OptionValues,
} from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { WrittenCompany } from './written-company.js';

/** The company of a command. */
const companyArgument: ArgumentSpec = {
  name: 'companyId',
  required: true,
  pick: 'companyArgument',
  summary: {
    en: 'Id, CNPJ, beginning of the name, or alias',
    pt: 'Id, CNPJ, começo do nome ou apelido',
  },
};

/** A file, and fields that override it. */
const contentOptions = {
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The company as JSON or YAML; - for stdin',
      pt: 'A empresa em JSON ou YAML; - para o stdin',
    },
  },
  name: { kind: 'text', value: 'text', summary: { en: 'Registered name', pt: 'Razão social' } },
  tradeName: { kind: 'text', value: 'text', summary: { en: 'Trade name', pt: 'Nome fantasia' } },
  taxRegime: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'Tax regime, e.g. LucroReal, "simples nacional", MEI',
      pt: 'Regime tributário, p. ex. LucroReal, "simples nacional", MEI',
    },
  },
} as const satisfies OptionSpecs;

function writtenOf(
  { file, name, tradeName, taxRegime }: OptionValues<typeof contentOptions>,
  cnpj?: string,
): WrittenCompany {
  return { file, name, tradeName, taxRegime, cnpj };
}

const list = defineCommand({
  summary: { en: 'List the companies of the account', pt: 'Lista as empresas da conta' },
  description: {
    en: 'Streams page by page; each company appears once. The CNPJ is text, also where the service shows an integer, which loses leading zeros.',
    pt: 'Lista página a página; cada empresa aparece uma vez. O CNPJ sai como texto, mesmo quando o serviço o mostra como número inteiro, que perde os zeros à esquerda.',
  },
  options: {
    limit: {
      notWith: ['all'],
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'Show at most this many (100)', pt: 'Mostra no máximo esta quantidade (100)' },
    },
    all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal company list --all -o csv',
      summary: { en: 'All of them, for a spreadsheet', pt: 'Todas, para uma planilha' },
    },
    { command: 'fiscal company list -o id', summary: { en: 'Their ids', pt: 'Os ids' } },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['name', 'federalTaxNumber', 'status', 'alias', 'id'], {
      required: ['name', 'federalTaxNumber', 'status'],
    });
  },
  async run({ context, options: { limit, all } }) {
    const { listCompanies } = await import('./read.js');
    return listCompanies(context, { limit, all });
  },
});

const get = defineCommand({
  summary: { en: 'Show one company', pt: 'Mostra uma empresa' },
  arguments: [companyArgument],
  options: {},
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal company get 55df4dc6b6cd9007e4f13ee8',
      summary: { en: 'One company', pt: 'Uma empresa' },
    },
    {
      command: 'fiscal company get "padaria sol"',
      summary: { en: 'By the beginning of its name', pt: 'Pelo começo do nome' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, arguments: { companyId = '' } }) {
    const { getCompany } = await import('./read.js');
    return getCompany(context, companyId);
  },
});

const create = defineCommand({
  summary: { en: 'Create a company', pt: 'Cria uma empresa' },
  description: {
    en: 'From a file and flags (flags take precedence). Name, CNPJ, tax regime and address are required and checked here first. The published body takes the CNPJ as an integer, which cannot carry letters; for a service that takes text: fiscal config set sends.taxNumbers text. A create whose outcome is unknown is looked up by its CNPJ before anything is sent again.',
    pt: 'De um arquivo e de opções (as opções prevalecem). Razão social, CNPJ, regime tributário e endereço são obrigatórios e conferidos aqui antes do envio. O corpo publicado leva o CNPJ como número inteiro, que não comporta letras; se o serviço aceita texto: fiscal config set sends.taxNumbers text. Uma criação de resultado desconhecido é procurada pelo CNPJ antes de qualquer novo envio.',
  },
  options: {
    ...contentOptions,
    cnpj: {
      kind: 'text',
      value: 'cnpj',
      summary: { en: 'CNPJ, with or without punctuation', pt: 'CNPJ, com ou sem pontuação' },
    },
    sample: {
      notWith: ['file', 'name', 'tradeName', 'taxRegime', 'cnpj'],
      kind: 'toggle',
      summary: {
        en: 'Print a minimal valid company and send nothing',
        pt: 'Mostra uma empresa mínima válida e não envia nada',
      },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal company create --sample > padaria.json',
      summary: { en: 'A file to fill in', pt: 'Um arquivo para preencher' },
    },
    {
      command:
        'fiscal company create --file padaria.json --cnpj 12.345.678/0001-95 --tax-regime "lucro real"',
      summary: { en: 'From the file, with other values', pt: 'Do arquivo, com outros valores' },
    },
    {
      command: 'fiscal company create --file padaria.json --dry-run',
      summary: { en: 'Show the request only', pt: 'Só mostra a requisição' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict, ExitCode.held, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options }) {
    const { createCompany } = await import('./write.js');
    return createCompany(context, { ...writtenOf(options, options.cnpj), sample: options.sample });
  },
});

const update = defineCommand({
  summary: { en: 'Change the data of a company', pt: 'Altera os dados de uma empresa' },
  description: {
    en: 'Reads the company, merges the file and the flags into it (null removes a field), and shows the difference before it asks. Other fields do not change; those that only the service sets are not sent. Without a terminal it needs --yes.',
    pt: 'Lê a empresa, aplica o arquivo e as opções (null remove um campo) e mostra a diferença antes de confirmar. Campos não citados não mudam; os que só o serviço define não são enviados. Sem terminal, use --yes.',
  },
  arguments: [companyArgument],
  options: contentOptions,
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal company update 55df4dc6b6cd9007e4f13ee8 --trade-name "Padaria Sol"',
      summary: { en: 'One field', pt: 'Um campo' },
    },
    {
      command: 'fiscal company update 55df4dc6b6cd9007e4f13ee8 --file address.yaml --dry-run',
      summary: { en: 'Show the difference only', pt: 'Só mostra a diferença' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { companyId = '' } }) {
    const { updateCompany } = await import('./write.js');
    return updateCompany(context, { company: companyId, ...writtenOf(options) });
  },
});

const remove = defineCommand({
  summary: { en: 'Delete a company', pt: 'Exclui uma empresa' },
  description: {
    en: 'The service no longer captures or issues anything for it. Type the id again to confirm; without a terminal it needs --yes and --confirm with the id.',
    pt: 'O serviço deixa de capturar e emitir para ela. Digite o id de novo para confirmar; sem terminal, use --yes e --confirm com o id.',
  },
  arguments: [companyArgument],
  options: {
    confirm: {
      kind: 'text',
      value: 'companyId',
      summary: { en: 'The id, to confirm', pt: 'O id, para confirmar' },
    },
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal company delete 55df4dc6b6cd9007e4f13ee8 --confirm 55df4dc6b6cd9007e4f13ee8 --yes',
      summary: { en: 'Without a prompt', pt: 'Sem perguntar' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, options: { confirm }, arguments: { companyId = '' } }) {
    const { deleteCompany } = await import('./write.js');
    return deleteCompany(context, { company: companyId, confirm });
  },
});

const alias = defineCommand({
  summary: {
    en: 'List, set or remove the aliases of companies',
    pt: 'Lista, define ou remove os apelidos das empresas',
  },
  description: {
    en: 'An alias is stored in the profile with the id of the company, and stands wherever a company is expected. Without an argument the aliases are listed. Removing one does not change the company.',
    pt: 'O apelido fica no perfil, com o id da empresa, e vale onde quer que se indique uma empresa. Sem argumento, os apelidos são listados. Remover um deles não altera a empresa.',
  },
  arguments: [
    {
      name: 'alias',
      required: false,
      summary: {
        en: 'A word that begins with a letter, without commas; not an id or a CNPJ',
        pt: 'Uma palavra que começa com letra, sem vírgulas; nem id nem CNPJ',
      },
    },
    {
      name: 'company',
      required: false,
      summary: { en: 'Id, CNPJ or beginning of the name', pt: 'Id, CNPJ ou início do nome' },
    },
  ],
  options: {
    remove: {
      kind: 'text',
      value: 'alias',
      notWith: ['<alias>'],
      summary: { en: 'Remove this alias from the profile', pt: 'Remove este apelido do perfil' },
    },
  },
  examples: [
    {
      command: 'fiscal company alias padaria 12.345.678/0001-95',
      summary: { en: 'Then: --company padaria', pt: 'Depois: --company padaria' },
    },
    {
      command: 'fiscal company alias',
      summary: { en: 'Each alias with its company', pt: 'Cada apelido com a sua empresa' },
    },
    {
      command: 'fiscal company alias --remove padaria',
      summary: { en: 'The alias is free again', pt: 'O apelido fica livre' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'companyId',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['alias', 'companyId', 'companyName', 'companyTaxNumber']);
  },
  async run({ context, options: { remove }, arguments: { alias, company } }) {
    const { listAliases, removeAlias, setAlias } = await import('./alias.js');
    if (remove !== undefined) return await removeAlias(context, remove);
    if (alias === undefined) return await listAliases(context);
    if (company !== undefined) return await setAlias(context, alias, company);
    throw new FiscalError('usage.missing', { names: '<company>' }, { sent: 'no' });
  },
});

const clients = () => import('./clients-commands.js');

const registrations = () => import('./registration-commands.js');

export const group: CommandGroup = {
  parts: {
    registration: { en: 'State and municipal registrations', pt: 'Inscrições estaduais e municipais' },
  },
  verbs: {
    list,
    get,
    create,
    update,
    delete: remove,
    apply: async () => ({ command: (await clients()).apply }),
    export: async () => ({ command: (await clients()).exportCommand }),
    'registration list': async () => ({ command: (await registrations()).list }),
    'registration get': async () => ({ command: (await registrations()).get }),
    'registration create': async () => ({ command: (await registrations()).create }),
    'registration update': async () => ({ command: (await registrations()).update }),
    'registration switch-authorizer': async () => ({ command: (await registrations()).switchAuthorizer }),
    alias,
  },
};
