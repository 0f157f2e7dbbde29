import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { requiredFamily } from './settings-flags.js';
import { familyOption } from './settings-options.js';

export const command = defineCommand({
  summary: { en: 'End the capture of a family', pt: 'Encerra a captura de uma família' },
  description: {
    en: 'What arrives from then on is not captured. Needs consent (--yes).',
    pt: 'O que chegar a partir daí não é capturado. Precisa de consentimento (--yes).',
  },
  options: familyOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings disable --type cte --company c1 --yes',
      summary: { en: 'Of CT-e', pt: 'De CT-e' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, options: { type } }) {
    const { disableInbound } = await import('../settings-disable.js');
    return disableInbound(context, requiredFamily(type));
  },
});
