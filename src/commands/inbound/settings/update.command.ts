import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { companiesOption } from '../../../cli/company-options.js';
import { ExitCode } from '../../../errors/exit-code.js';
import { requiredFamily, settingsFlags } from './settings-flags.js';
import { settingsOptions } from './settings-options.js';

export const command = defineCommand({
  summary: {
    en: 'Change how a company’s capture is set',
    pt: 'Altera como a captura de uma empresa está definida',
  },
  description: {
    en: 'The settings are read first; those that are not named stay as they are, also inside automaticManifesting. The difference is shown and asked about (--yes); --minutes-to-unknown-operation makes the service disown operations on its own and also needs --confirm. For several companies the difference of each is shown and asked about once; one that fails keeps its row, and the others go on (exit 3). null in a file takes a setting away. The cut-off is not changed here: fiscal backfill start-from.',
    pt: 'As configurações são lidas antes; as não citadas ficam como estão, também dentro de automaticManifesting. A diferença é mostrada e confirmada (--yes); com --minutes-to-unknown-operation o serviço passa a desconhecer operações sozinho, o que também exige --confirm. Para várias empresas, a diferença de cada uma é mostrada e a confirmação é pedida uma vez; a que falha mantém sua linha, e as demais continuam (saída 3). null em um arquivo retira uma configuração. A data de corte não muda aqui: fiscal backfill start-from.',
  },
  options: { ...companiesOption, ...settingsOptions },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound settings update --type nfe --minutes-to-operation-confirmation 60',
      summary: { en: 'Confirm after an hour', pt: 'Confirma depois de uma hora' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict],
  async run({ context, options }) {
    const { updateInbound } = await import('../settings-change.js');
    const { allCompanies, type, confirm } = options;
    return updateInbound(context, {
      ...{ family: requiredFamily(type), allCompanies, confirm },
      flags: settingsFlags(options),
    });
  },
});
