import { defineCommand, type OptionSpecs, type OptionValues } from '../../cli/command.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { authorizers, stateTaxEnvironments, stateTaxTypes } from '../../contract/tax-registration.js';
import { ExitCode } from '../../errors/exit-code.js';
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

const stateTax = {
  noun: 'state-tax',
  reads: async () => (await import('./state-tax.js')).stateTaxReads,
} as const;

export const list = listCommand({
  ...stateTax,
  summary: {
    en: 'List the state registrations of a company',
    pt: 'Lista as inscrições estaduais de uma empresa',
  },
  example: {
    command: 'fiscal company state-tax list --company padaria',
    summary: { en: 'With serie and next number', pt: 'Com série e próximo número' },
  },
  columns: ['id', 'code', 'taxNumber', 'type', 'environmentType', 'serie', 'number', 'status'],
});

export const get = getCommand({
  ...stateTax,
  summary: { en: 'Show one state registration', pt: 'Mostra uma inscrição estadual' },
  description: {
    en: 'The code of its CSC is never shown.',
    pt: 'O código do CSC nunca é mostrado.',
  },
  example: {
    command: 'fiscal company state-tax get 5f1c0d2e9b7a4c3d8e6f0a1b --company padaria',
    summary: { en: 'One registration', pt: 'Uma inscrição' },
  },
});

const contentOptions = {
  ...fileOption,
  state: { kind: 'text', value: 'UF', summary: { en: 'State, e.g. SP', pt: 'UF, p. ex. SP' } },
  taxNumber: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Number of the registration (IE)', pt: 'Número da inscrição estadual (IE)' },
  },
  type: {
    kind: 'choice',
    choices: stateTaxTypes,
    summary: { en: 'What it issues', pt: 'O que ela emite' },
  },
  environment: {
    kind: 'choice',
    choices: stateTaxEnvironments,
    summary: { en: 'Where its invoices are authorised', pt: 'Onde as notas são autorizadas' },
  },
  serie: {
    kind: 'count',
    value: 'n',
    summary: { en: 'Serie of its invoices', pt: 'Série das notas' },
  },
  number: {
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'Number of its next invoice', pt: 'Número da próxima nota' },
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
    summary: {
      en: 'A file whose first line is the CSC; - for stdin (default: a prompt)',
      pt: 'Um arquivo cuja primeira linha é o CSC; - para o stdin (padrão: é perguntado)',
    },
  },
} as const satisfies OptionSpecs;

/** Reads the CSC, too. */
async function writtenOf(
  context: Context,
  io: Io,
  options: OptionValues<typeof contentOptions>,
): Promise<WrittenRegistration> {
  const { file, state, taxNumber, type, environment, serie, number, cscId, cscFile } = options;
  const { gatherCsc } = await import('./state-tax.js');
  const securityCredential = await gatherCsc(context, io, { id: cscId, file: cscFile });
  return {
    file,
    fields: {
      ...{ code: state?.toUpperCase(), taxNumber, type, environmentType: environment },
      ...{ serie, number, securityCredential },
    },
  };
}

export const create = defineCommand({
  summary: { en: 'Create a state registration', pt: 'Cria uma inscrição estadual' },
  description: {
    en: 'From a file, from flags, or both (flags win). State, number and type are required. The registrations of the company are searched first, and again when the outcome is unknown, so that none is created twice. The CSC comes from a prompt, a file or stdin, never from an argument; it is set by a second request and not stored here.',
    pt: 'De um arquivo, de opções ou de ambos (as opções vencem). UF, número e tipo são obrigatórios. As inscrições da empresa são consultadas antes, e de novo se o resultado for desconhecido, para que nenhuma seja criada duas vezes. O CSC é perguntado, ou lido de um arquivo ou do stdin, nunca de um argumento; vai em uma segunda requisição e não é gravado aqui.',
  },
  options: contentOptions,
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal company state-tax create --company padaria --state SP --tax-number 110042490114 --type NFe --environment Test --serie 1 --number 1',
      summary: { en: 'For NF-e, in the test environment', pt: 'Para NF-e, em homologação' },
    },
    {
      command: 'fiscal company state-tax create --file ie.yaml --csc-id 1 --csc-file - < csc.txt',
      summary: { en: 'For NFC-e, the CSC from stdin', pt: 'Para NFC-e, o CSC pelo stdin' },
    },
  ],
  exitCodes: createExitCodes,
  idField: 'id',
  async run({ context, io, options }) {
    const { createStateTax } = await import('./state-tax.js');
    return await createStateTax(context, await writtenOf(context, io, options));
  },
});

export const update = defineCommand({
  summary: { en: 'Change a state registration', pt: 'Altera uma inscrição estadual' },
  description: updateDescription,
  arguments: [idArgument('state-tax')],
  options: contentOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal company state-tax update 5f1c0d2e9b7a4c3d8e6f0a1b --environment Production',
      summary: { en: 'From test to production', pt: 'De homologação para produção' },
    },
    {
      command: 'fiscal company state-tax update 5f1c0d2e9b7a4c3d8e6f0a1b --number 1501 --dry-run',
      summary: { en: 'Show the difference only', pt: 'Só mostra a diferença' },
    },
  ],
  exitCodes: updateExitCodes,
  idField: 'id',
  async run({ context, io, options, arguments: { stateTaxId = '' } }) {
    const { updateStateTax } = await import('./state-tax.js');
    return await updateStateTax(context, stateTaxId, await writtenOf(context, io, options));
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
  arguments: [idArgument('state-tax')],
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
        'fiscal company state-tax switch-authorizer 5f1c0d2e9b7a4c3d8e6f0a1b --to EPEC --reason "SEFAZ SP fora do ar desde as 9h"',
      summary: { en: 'Into contingency', pt: 'Entra em contingência' },
    },
    {
      command: 'fiscal company state-tax switch-authorizer 5f1c0d2e9b7a4c3d8e6f0a1b --to Normal --yes',
      summary: { en: 'Back, without a question', pt: 'Sai dela, sem perguntar' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  idField: 'stateTaxId',
  async run({ context, options: { to, reason }, arguments: { stateTaxId = '' } }) {
    const { switchAuthorizer } = await import('./state-tax.js');
    return await switchAuthorizer(context, { stateTaxId, to, reason });
  },
});
