import { argument, define, does, example, toggle } from '../../cli/define.js';
import type { CommandGroup } from '../../cli/command.js';

const nameArgument = argument(
  'e.g. tenant, connect-timeout, hosts.product, paths.product.get, shapes.company.list, sends.taxNumbers',
  'ex.: tenant, connect-timeout, hosts.product, paths.product.get, shapes.company.list, sends.taxNumbers',
);

export const list = define('List the current settings', 'Lista as configurações em vigor', {
  description: {
    en: 'Precedence: flag, environment (FISCAL_…), profile, default. A project file .fiscalrc.json chooses what is shown, fills an open scope and tightens what protects. Keys are never shown; see: fiscal auth status. files.config, files.state and files.data say where the files are.',
    pt: 'Precedência: opção, ambiente (FISCAL_…), perfil, padrão. Um arquivo de projeto .fiscalrc.json escolhe o que é mostrado, preenche um escopo em aberto e reforça o que protege. Chaves nunca são mostradas; veja: fiscal auth status. files.config, files.state e files.data dizem onde ficam os arquivos.',
  },
  showsSettings: true,
  options: { showOrigin: toggle('Show where each value comes from', 'Mostra de onde vem cada valor') },
  examples: [example('--show-origin', 'Why is this value used?', 'Por que este valor é usado?')],
  id: 'name',
});

export const get = define('Show one setting of the profile', 'Mostra uma configuração do perfil', {
  takes: { name: nameArgument },
  options: {},
  examples: [
    example('hosts.product --profile acme', 'An address', 'Um endereço'),
    example('files.state', 'Where the store is', 'Onde fica o banco'),
  ],
  exits: ['credentials'],
});

export const set = define('Set a setting of the profile', 'Define uma configuração do perfil', {
  refusesDryRun: true,
  description: {
    en: 'Checks the value first. Keys are not set here, where other users could see them: fiscal auth login. A path (archive, budget, caCert) is stored absolute. With keys in the environment and no profile it holds for runs without a profile. How values are sent: sends.taxNumbers (integer, text), sends.decimals (number, text), sends.externalId (false, true).',
    pt: 'O valor é conferido antes. Chaves não são definidas aqui, onde outros usuários poderiam vê-las: fiscal auth login. Um caminho (archive, budget, caCert) é guardado como absoluto. Com chaves no ambiente e sem perfil, vale para as execuções sem perfil. Como os valores são enviados: sends.taxNumbers (integer, text), sends.decimals (number, text), sends.externalId (false, true).',
  },
  takes: { name: nameArgument, value: argument('The new value', 'O novo valor') },
  options: {},
  examples: [
    example('tenant 5f2c…', 'The tenant of the profile in use', 'O tenant do perfil em uso'),
    example('hosts.query https://query.example.com --profile acme', 'An address', 'Um endereço'),
    example('sends.taxNumbers text', 'Send CNPJ and CPF as text', 'Envia CNPJ e CPF como texto'),
  ],
  exits: ['credentials'],
});

export const unset = define('Remove a setting from the profile', 'Remove uma configuração do perfil', {
  refusesDryRun: true,
  takes: { name: nameArgument },
  options: {},
  examples: [example('company', 'Back to the default', 'De volta ao padrão')],
  exits: ['credentials'],
});

const settings = async () => await import('./settings.js');

export const group: CommandGroup = {
  verbs: {
    list: does(list, async () => (await settings()).listSettings),
    get: does(get, async () => (await settings()).getSetting),
    set: does(set, async () => (await settings()).setSetting),
    unset: does(unset, async () => (await settings()).unsetSetting),
  },
};
