import { type CommandGroup, defineCommand, type OptionSpecs, type OptionValues } from '../../cli/command.js';
import type { HostAddresses } from '../../config/files.js';
import type { Text } from '../../contract/text.js';

const loginOptions = {
  profile: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Profile to create or change (default)', pt: 'Perfil a criar ou alterar (default)' },
  },
  preset: {
    kind: 'choice',
    choices: ['nfe.io'],
    summary: { en: 'Addresses of a known service', pt: 'Endereços de um serviço conhecido' },
  },
  productUrl: address({ en: 'Address of the product API', pt: 'Endereço da API de produto' }),
  queryUrl: address({ en: 'Address of the query API', pt: 'Endereço da API de consultas' }),
  serviceUrl: address({ en: 'Address of the service API', pt: 'Endereço da API de serviço' }),
  stdin: {
    kind: 'toggle',
    summary: { en: 'Read the keys from stdin', pt: 'Lê as chaves do stdin' },
  },
  noCheck: {
    kind: 'toggle',
    summary: { en: 'Store without checking at the service', pt: 'Grava sem verificar no serviço' },
  },
} as const satisfies OptionSpecs;

function hostsFrom(options: OptionValues<typeof loginOptions>): HostAddresses {
  const { productUrl, queryUrl, serviceUrl } = options;
  return {
    ...(productUrl === undefined ? {} : { product: productUrl }),
    ...(queryUrl === undefined ? {} : { query: queryUrl }),
    ...(serviceUrl === undefined ? {} : { service: serviceUrl }),
  };
}

function address(summary: Text): { kind: 'text'; value: string; summary: Text } {
  return { kind: 'text', value: 'https://…', summary };
}

const login = defineCommand({
  summary: { en: 'Store the keys of a profile', pt: 'Grava as chaves de um perfil' },
  description: {
    en: 'At a terminal, asks which service first, unless an address is given. Keys come from a prompt, or from stdin: lines invoice=…, data=…, jwt=…, or one line with the invoice key. The invoice key is checked by listing the companies; a key that the service refuses is not stored. A key is never an argument.',
    pt: 'No terminal, pergunta primeiro qual é o serviço, se nenhum endereço foi informado. As chaves são perguntadas, ou lidas do stdin: linhas invoice=…, data=…, jwt=…, ou uma linha só com a chave de emissão. A chave de emissão é verificada listando as empresas; uma chave recusada não é gravada. Uma chave nunca é argumento.',
  },
  options: loginOptions,
  examples: [
    {
      command: 'fiscal auth login',
      summary: { en: 'Asks for the service and the keys', pt: 'Pergunta o serviço e as chaves' },
    },
    {
      command: 'fiscal auth login --preset nfe.io',
      summary: { en: 'Asks for the keys', pt: 'Pergunta as chaves' },
    },
    {
      command: 'fiscal auth login --profile acme --product-url https://api.example.com --stdin < keys.txt',
      summary: { en: 'Keys from a file', pt: 'Chaves de um arquivo' },
    },
  ],
  exitCodes: [4, 5, 7, 12],
  async run({ options, context, io }) {
    const { logIn } = await import('./login.js');
    const { profile, preset, stdin, noCheck } = options;
    return await logIn(
      { context, io },
      { profile, preset, hosts: hostsFrom(options), stdin, check: !noCheck },
    );
  },
});

const status = defineCommand({
  summary: { en: 'Show which keys are used', pt: 'Mostra quais chaves são usadas' },
  description: {
    en: 'Kind, presence, scheme and source of each key; never a key or a part of one.',
    pt: 'Tipo, presença, esquema e origem de cada chave; nunca a chave ou parte dela.',
  },
  options: {
    check: {
      kind: 'toggle',
      summary: { en: 'Try the invoice key at the service', pt: 'Testa a chave de emissão no serviço' },
    },
  },
  examples: [
    {
      command: 'fiscal auth status --check',
      summary: { en: 'Does the service accept the key?', pt: 'O serviço aceita a chave?' },
    },
  ],
  exitCodes: [4, 5, 7, 12],
  idField: 'kind',
  async run({ options, context }) {
    const { readKeyStatus } = await import('./status.js');
    return await readKeyStatus(context, options.check);
  },
});

const logout = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Remove the stored keys of a profile', pt: 'Remove as chaves gravadas de um perfil' },
  options: {},
  examples: [
    {
      command: 'fiscal auth logout --profile acme',
      summary: { en: 'Keeps the other settings', pt: 'Mantém as outras configurações' },
    },
  ],
  exitCodes: [4],
  async run({ context }) {
    const { logOut } = await import('./profiles.js');
    return await logOut(context);
  },
});

const list = defineCommand({
  summary: { en: 'List the profiles', pt: 'Lista os perfis' },
  options: {},
  examples: [
    {
      command: 'fiscal auth list',
      summary: { en: 'With the kinds of their keys', pt: 'Com os tipos das chaves de cada um' },
    },
  ],
  exitCodes: [],
  idField: 'profile',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['profile', 'current', 'keys'], { required: ['profile', 'current', 'keys'] });
  },
  async run({ context }) {
    const { listProfiles } = await import('./profiles.js');
    return await listProfiles(context);
  },
});

const use = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Choose the profile to use', pt: 'Escolhe o perfil a usar' },
  arguments: [{ name: 'profile', summary: { en: 'Its name', pt: 'O nome dele' }, required: true }],
  options: {},
  examples: [
    {
      command: 'fiscal auth use acme',
      summary: { en: 'For commands without --profile', pt: 'Para comandos sem --profile' },
    },
  ],
  exitCodes: [],
  async run({ arguments: { profile = '' }, context }) {
    const { chooseProfile } = await import('./profiles.js');
    return await chooseProfile(context, profile);
  },
});

export const group: CommandGroup = {
  verbs: {
    login,
    status,
    logout,
    list,
    use,
  },
};
