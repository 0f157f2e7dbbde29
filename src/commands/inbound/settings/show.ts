import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { requiredFamily } from './settings-flags.js';
import { familyOption } from './settings-options.js';

export const command = defineCommand({
  summary: {
    en: 'Show how a company’s capture is set',
    pt: 'Mostra como a captura de uma empresa está definida',
  },
  description: {
    en: 'Every field as the service gives it. A capture that is spaced (rateLimitedUntil) is told with its possible causes. Ends 9 when the family is not enabled.',
    pt: 'Todos os campos como o serviço os informa. Uma captura espaçada (rateLimitedUntil) é avisada com as causas possíveis. Termina em 9 quando a família não está ativada.',
  },
  options: familyOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings show --type nfe --company c1',
      summary: { en: 'Of NF-e', pt: 'De NF-e' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, options: { type } }) {
    const { showSettings } = await import('../../../services/inbound/settings-show.js');
    return showSettings(context, requiredFamily(type));
  },
});
