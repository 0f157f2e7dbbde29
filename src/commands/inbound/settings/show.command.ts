import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { companiesOption } from '../../../cli/company-options.js';
import { ExitCode } from '../../../errors/exit-code.js';
import { requiredFamily } from './settings-flags.js';
import { familyOption } from './settings-options.js';

export const command = defineCommand({
  summary: {
    en: 'Show how a company’s capture is set',
    pt: 'Mostra como a captura de uma empresa está definida',
  },
  description: {
    en: 'Every field as the service gives it. A capture that is spaced (rateLimitedUntil) is told with its possible causes. For one company it ends 9 when the family is not enabled; of several each has a row, and one that is not enabled says enabled: false.',
    pt: 'Todos os campos como o serviço os informa. Uma captura espaçada (rateLimitedUntil) é avisada com as causas possíveis. Para uma empresa termina em 9 quando a família não está ativada; de várias, cada uma tem uma linha, e a que não está ativada traz enabled: false.',
  },
  options: { ...companiesOption, ...familyOption },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings show --type nfe --company c1',
      summary: { en: 'Of NF-e', pt: 'De NF-e' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  async run({ context, options: { type, allCompanies } }) {
    const { showSettings } = await import('../settings-show.js');
    return showSettings(context, requiredFamily(type), allCompanies);
  },
});
