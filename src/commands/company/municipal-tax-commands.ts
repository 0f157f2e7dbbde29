import { defineCommand, type OptionSpecs, type OptionValues } from '../../cli/command.js';
import { municipalTaxEnvironments } from '../../contract/tax-registration.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import type { WrittenRegistration } from './registration-write.js';
import {
  createExitCodes,
  fileOption,
  getCommand,
  idArgument,
  listCommand,
  updateDescription,
  updateExitCodes,
} from './registration-commands.js';

const municipalTax = {
  noun: 'municipal-tax',
  reads: async () => (await import('./municipal-tax.js')).municipalTaxReads,
} as const;

export const list = listCommand({
  ...municipalTax,
  summary: {
    en: 'List the municipal registrations of a company',
    pt: 'Lista as inscrições municipais de uma empresa',
  },
  example: {
    command: 'fiscal company municipal-tax list --company padaria',
    summary: { en: 'With city, RPS serie and next number', pt: 'Com município, série e próximo RPS' },
  },
  columns: [
    ...['id', 'city.code', 'city.name', 'taxNumber', 'environment'],
    ...['rpsSerialNumber', 'rpsNumber', 'fiscalStatus'],
  ],
});

export const get = getCommand({
  ...municipalTax,
  summary: { en: 'Show one municipal registration', pt: 'Mostra uma inscrição municipal' },
  description: {
    en: 'The credentials of the city hall are never shown.',
    pt: 'As credenciais da prefeitura nunca são mostradas.',
  },
  example: {
    command: 'fiscal company municipal-tax get 5f1c0d2e9b7a4c3d8e6f0a1b --company padaria',
    summary: { en: 'One registration', pt: 'Uma inscrição' },
  },
});

const contentOptions = {
  ...fileOption,
  city: {
    kind: 'text',
    value: 'code',
    summary: { en: 'City, by its IBGE code', pt: 'Município, pelo código IBGE' },
  },
  taxNumber: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Number of the registration (CCM)', pt: 'Número da inscrição municipal (CCM)' },
  },
  environment: {
    kind: 'choice',
    choices: municipalTaxEnvironments,
    summary: { en: 'Environment of its NFS-e', pt: 'Ambiente das NFS-e' },
  },
  rpsSerie: {
    kind: 'text',
    value: 'serie',
    summary: { en: 'Serie of its RPS', pt: 'Série do RPS' },
  },
  rpsNumber: {
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'Number of its next RPS', pt: 'Número do próximo RPS' },
  },
  credentialsFile: {
    kind: 'text',
    value: 'file',
    notWith: ['askCredentials'],
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
} as const satisfies OptionSpecs;

/** Reads the credentials, too. */
async function writtenOf(
  context: Context,
  io: Io,
  options: OptionValues<typeof contentOptions>,
): Promise<WrittenRegistration> {
  const { file, city, taxNumber, environment, rpsSerie, rpsNumber } = options;
  const { gatherCredentials } = await import('./municipal-tax.js');
  const source = { file: options.credentialsFile, ask: options.askCredentials };
  const credentials = await gatherCredentials(context, io, source);
  return {
    file,
    fields: {
      ...{ city: city === undefined ? undefined : { code: city }, taxNumber, environment },
      ...{ rpsSerialNumber: rpsSerie, rpsNumber, ...credentials },
    },
  };
}

export const create = defineCommand({
  summary: { en: 'Create a municipal registration', pt: 'Cria uma inscrição municipal' },
  description: {
    en: 'From a file, from flags, or both (flags win). City and number are required. The registrations of the company are searched first, and again when the outcome is unknown, so that none is created twice. The credentials of the city hall come from a prompt, a file or stdin, never from an argument; they are set by a second request and not stored here.',
    pt: 'De um arquivo, de opções ou de ambos (as opções vencem). Município e número são obrigatórios. As inscrições da empresa são consultadas antes, e de novo se o resultado for desconhecido, para que nenhuma seja criada duas vezes. As credenciais da prefeitura são perguntadas, ou lidas de um arquivo ou do stdin, nunca de um argumento; vão em uma segunda requisição e não são gravadas aqui.',
  },
  options: contentOptions,
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal company municipal-tax create --company padaria --city 3550308 --tax-number 12345678 --environment Development --rps-serie 1',
      summary: { en: 'In the test environment', pt: 'Em ambiente de teste' },
    },
    {
      command: 'fiscal company municipal-tax create --file im.yaml --ask-credentials',
      summary: { en: 'Asks for the credentials', pt: 'Pergunta as credenciais' },
    },
  ],
  exitCodes: createExitCodes,
  idField: 'id',
  async run({ context, io, options }) {
    const { createMunicipalTax } = await import('./municipal-tax.js');
    return await createMunicipalTax(context, await writtenOf(context, io, options));
  },
});

export const update = defineCommand({
  summary: { en: 'Change a municipal registration', pt: 'Altera uma inscrição municipal' },
  description: updateDescription,
  arguments: [idArgument('municipal-tax')],
  options: contentOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal company municipal-tax update 5f1c0d2e9b7a4c3d8e6f0a1b --environment Production',
      summary: { en: 'From test to production', pt: 'De teste para produção' },
    },
    {
      command:
        'fiscal company municipal-tax update 5f1c0d2e9b7a4c3d8e6f0a1b --credentials-file - --yes < login.yaml',
      summary: { en: 'New credentials, from stdin', pt: 'Novas credenciais, pelo stdin' },
    },
  ],
  exitCodes: updateExitCodes,
  idField: 'id',
  async run({ context, io, options, arguments: { municipalTaxId = '' } }) {
    const { updateMunicipalTax } = await import('./municipal-tax.js');
    return await updateMunicipalTax(context, municipalTaxId, await writtenOf(context, io, options));
  },
});
