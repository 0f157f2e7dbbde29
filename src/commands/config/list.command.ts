import { defineCommand } from '../../cli/command.js';

export const command = defineCommand({
  summary: { en: 'List the settings in force', pt: 'Lista as configurações em vigor' },
  description: {
    en: 'Precedence: flag, environment (FISCAL_…), project file .fiscalrc.json, profile, default. Keys are never shown; see: fiscal auth status.',
    pt: 'Precedência: opção, ambiente (FISCAL_…), arquivo de projeto .fiscalrc.json, perfil, padrão. Chaves nunca são mostradas; veja: fiscal auth status.',
  },
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
