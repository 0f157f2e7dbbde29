import { type ArgumentSpec, type CommandGroup, defineCommand } from '../../cli/command.js';

const nameArgument: ArgumentSpec = {
  name: 'name',
  summary: {
    en: 'e.g. tenant, connect-timeout, hosts.product, paths.product.get, shapes.company.list, sends.taxNumbers',
    pt: 'ex.: tenant, connect-timeout, hosts.product, paths.product.get, shapes.company.list, sends.taxNumbers',
  },
  required: true,
};

const list = defineCommand({
  summary: { en: 'List the current settings', pt: 'Lista as configurações em vigor' },
  description: {
    en: 'Precedence: flag, environment (FISCAL_…), profile, default. A project file .fiscalrc.json chooses what is shown, fills an open scope and tightens what protects. Keys are never shown; see: fiscal auth status.',
    pt: 'Precedência: opção, ambiente (FISCAL_…), perfil, padrão. Um arquivo de projeto .fiscalrc.json escolhe o que é mostrado, preenche um escopo em aberto e reforça o que protege. Chaves nunca são mostradas; veja: fiscal auth status.',
  },
  showsSettings: true,
  options: {
    showOrigin: {
      kind: 'toggle',
      summary: { en: 'Show where each value comes from', pt: 'Mostra de onde vem cada valor' },
    },
  },
  examples: [
    {
      command: 'fiscal config list --show-origin',
      summary: { en: 'Why is this value used?', pt: 'Por que este valor é usado?' },
    },
  ],
  exitCodes: [],
  idField: 'name',
  async run({ options, context }) {
    const { listSettings } = await import('./settings.js');
    return await listSettings(context, options.showOrigin);
  },
});

const get = defineCommand({
  summary: { en: 'Show one setting of the profile', pt: 'Mostra uma configuração do perfil' },
  arguments: [nameArgument],
  options: {},
  examples: [
    {
      command: 'fiscal config get hosts.product --profile acme',
      summary: { en: 'An address', pt: 'Um endereço' },
    },
  ],
  exitCodes: [4],
  async run({ arguments: { name = '' }, context }) {
    const { getSetting } = await import('./settings.js');
    return await getSetting(context, name);
  },
});

const set = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Set a setting of the profile', pt: 'Define uma configuração do perfil' },
  description: {
    en: 'Checks the value first. Keys are not set here, where other users could see them: fiscal auth login. A path (archive, budget, caCert) is stored absolute. How values are sent: sends.taxNumbers (integer, text), sends.decimals (number, text), sends.externalId (false, true).',
    pt: 'O valor é conferido antes. Chaves não são definidas aqui, onde outros usuários poderiam vê-las: fiscal auth login. Um caminho (archive, budget, caCert) é guardado como absoluto. Como os valores são enviados: sends.taxNumbers (integer, text), sends.decimals (number, text), sends.externalId (false, true).',
  },
  arguments: [
    nameArgument,
    { name: 'value', summary: { en: 'The new value', pt: 'O novo valor' }, required: true },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal config set tenant 5f2c…',
      summary: { en: 'The tenant of the profile in use', pt: 'O tenant do perfil em uso' },
    },
    {
      command: 'fiscal config set hosts.query https://query.example.com --profile acme',
      summary: { en: 'An address', pt: 'Um endereço' },
    },
    {
      command: 'fiscal config set sends.taxNumbers text',
      summary: { en: 'Send CNPJ and CPF as text', pt: 'Envia CNPJ e CPF como texto' },
    },
  ],
  exitCodes: [4],
  async run({ arguments: { name = '', value = '' }, context }) {
    const { setSetting } = await import('./settings.js');
    return await setSetting(context, name, value);
  },
});

const unset = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Remove a setting from the profile', pt: 'Remove uma configuração do perfil' },
  arguments: [nameArgument],
  options: {},
  examples: [
    {
      command: 'fiscal config unset company',
      summary: { en: 'Back to the default', pt: 'De volta ao padrão' },
    },
  ],
  exitCodes: [4],
  async run({ arguments: { name = '' }, context }) {
    const { unsetSetting } = await import('./settings.js');
    return await unsetSetting(context, name);
  },
});

const path = defineCommand({
  summary: { en: 'Show where the files are', pt: 'Mostra onde ficam os arquivos' },
  options: {},
  examples: [
    {
      command: 'fiscal config path',
      summary: { en: 'Configuration, state and data', pt: 'Configuração, estado e dados' },
    },
  ],
  exitCodes: [],
  idField: 'config',
  async run({ context }) {
    const { showPaths } = await import('./settings.js');
    return await showPaths(context);
  },
});

export const group: CommandGroup = {
  verbs: {
    list,
    get,
    set,
    unset,
    path,
  },
};
