import { argument, choice, define, does, example, text, toggle } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';

export const login = define('Store the keys of a profile', 'Grava as chaves de um perfil', {
  description: {
    en: 'At a terminal, asks which service first, unless an address is given. Keys come from a prompt, or from stdin: lines invoice=…, data=…, jwt=…, or one line with the invoice key. The invoice key is checked by listing the companies; a key that the service refuses is not stored; where the service cannot be reached, the keys are stored unchecked (exit 5). A key is never an argument.',
    pt: 'No terminal, pergunta primeiro qual é o serviço, se nenhum endereço foi informado. As chaves são perguntadas, ou lidas do stdin: linhas invoice=…, data=…, jwt=…, ou uma linha só com a chave de emissão. A chave de emissão é verificada listando as empresas; uma chave recusada não é gravada; se o serviço não puder ser alcançado, as chaves ficam gravadas sem verificação (saída 5). Uma chave nunca é argumento.',
  },
  options: {
    profile: text('name', 'Profile to create or change (default)', 'Perfil a criar ou alterar (default)'),
    preset: choice(['nfe.io'], 'Addresses of a known service', 'Endereços de um serviço conhecido'),
    productUrl: text('https://…', 'Address of the product API', 'Endereço da API de produto'),
    queryUrl: text('https://…', 'Address of the query API', 'Endereço da API de consultas'),
    serviceUrl: text('https://…', 'Address of the service API', 'Endereço da API de serviço'),
    stdin: toggle('Read the keys from stdin', 'Lê as chaves do stdin'),
    noCheck: toggle('Store without checking at the service', 'Grava sem verificar no serviço'),
  },
  examples: [
    example('', 'Asks for the service and the keys', 'Pergunta o serviço e as chaves'),
    example('--preset nfe.io', 'Asks for the keys', 'Pergunta as chaves'),
    example(
      '--profile acme --product-url https://api.example.com --stdin < keys.txt',
      'Keys from a file',
      'Chaves de um arquivo',
    ),
  ],
  exits: ['credentials', 'temporary', 'forbidden', 'rateLimited'],
});

export const status = define('Show which keys are used', 'Mostra quais chaves são usadas', {
  description: {
    en: 'Kind, presence, scheme and source of each key; never a key or a part of one.',
    pt: 'Tipo, presença, esquema e origem de cada chave; nunca a chave ou parte dela.',
  },
  options: {
    check: toggle('Try the invoice key at the service', 'Testa a chave de emissão no serviço'),
    all: toggle(
      'Every profile, which one is in use, and the kinds of its stored keys',
      'Todos os perfis, qual está em uso, e os tipos das chaves gravadas de cada um',
      { notWith: ['check'] },
    ),
  },
  examples: [
    example('--check', 'Does the service accept the key?', 'O serviço aceita a chave?'),
    example('--all', 'The profiles of this machine', 'Os perfis desta máquina'),
  ],
  exits: ['credentials', 'temporary', 'forbidden', 'rateLimited'],
  id: ['profile', 'kind'],
});

const logout = define('Remove the stored keys of a profile', 'Remove as chaves gravadas de um perfil', {
  refusesDryRun: true,
  options: {},
  examples: [example('--profile acme', 'Keeps the other settings', 'Mantém as outras configurações')],
  exits: ['credentials'],
});

export const use = define('Choose the profile to use', 'Escolhe o perfil a usar', {
  refusesDryRun: true,
  takes: { profile: argument('Its name', 'O nome dele') },
  options: {},
  examples: [example('acme', 'For commands without --profile', 'Para comandos sem --profile')],
});

export const group: CommandGroup = {
  verbs: {
    login: does(login, async () => (await import('./login.js')).logIn),
    status: does(status, async ({ all }) =>
      all ? (await import('./profiles.js')).listProfiles : (await import('./status.js')).readKeyStatus,
    ),
    logout: does(logout, async () => (await import('./profiles.js')).logOut),
    use: does(use, async () => (await import('./profiles.js')).chooseProfile),
  },
};
