import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { ExitCode } from '../../../errors/exit-code.js';
import { requiredFamily, settingsFlags } from './settings-flags.js';
import { settingsOptions } from './settings-options.js';

export const command = defineCommand({
  summary: {
    en: 'Change how a company’s capture is set',
    pt: 'Altera como a captura de uma empresa está definida',
  },
  description: {
    en: 'Settings that are not named stay as they are. The cut-off is not changed here: fiscal backfill start-from.',
    pt: 'As configurações não citadas ficam como estão. A data de corte não muda aqui: fiscal backfill start-from.',
  },
  options: settingsOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings update --type nfe --minutes-to-operation-confirmation 60',
      summary: { en: 'Confirm after an hour', pt: 'Confirma depois de uma hora' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  async run({ context, options }) {
    const { updateInbound } = await import('../../../services/inbound/settings-update.js');
    return updateInbound(context, requiredFamily(options.type), settingsFlags(options));
  },
});
