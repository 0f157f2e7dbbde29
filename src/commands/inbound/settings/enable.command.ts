import { callExitCodes } from '../../../cli/call-exit-codes.js';
import { defineCommand } from '../../../cli/command.js';
import { companiesOption } from '../../../cli/company-options.js';
import { ExitCode } from '../../../errors/exit-code.js';
import { requiredFamily, settingsFlags } from './settings-flags.js';
import { settingsOptions } from './settings-options.js';

export const command = defineCommand({
  summary: { en: 'Begin the capture of a family', pt: 'Começa a captura de uma família' },
  description: {
    en: 'The cut-off (--start-from-date) is given here once; afterwards only "fiscal backfill start-from" moves it. Where the capture stands already, settings that are not named stay as they are, and the difference is shown and asked about (--yes). --minutes-to-unknown-operation makes the service disown operations on its own and also needs --confirm. For several companies the difference of each is shown and asked about once; one that fails keeps its row, and the others go on (exit 3).',
    pt: 'A data de corte (--start-from-date) é dada aqui uma vez; depois, só "fiscal backfill start-from" a altera. Onde a captura já existe, as configurações não citadas ficam como estão, e a diferença é mostrada e confirmada (--yes). Com --minutes-to-unknown-operation o serviço passa a desconhecer operações sozinho, o que também exige --confirm. Para várias empresas, a diferença de cada uma é mostrada e a confirmação é pedida uma vez; a que falha mantém sua linha, e as demais continuam (saída 3).',
  },
  options: { ...companiesOption, ...settingsOptions },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal inbound settings enable --type nfe --environment Production --start-from-date 2026-10-01',
      summary: { en: 'NF-e since October', pt: 'NF-e desde outubro' },
    },
    {
      command: 'fiscal inbound settings enable --type nfse --start-from-nsu 0 --outbound-enabled true',
      summary: { en: 'NFS-e, issued ones too', pt: 'NFS-e, inclusive as emitidas' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.conflict],
  async run({ context, options }) {
    const { enableInbound } = await import('../settings-change.js');
    const { allCompanies, type, confirm } = options;
    return enableInbound(context, {
      ...{ family: requiredFamily(type), allCompanies, confirm },
      flags: settingsFlags(options),
    });
  },
});
