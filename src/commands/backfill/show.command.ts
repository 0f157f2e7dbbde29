import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { companiesOption } from '../../cli/company-options.js';

export const command = defineCommand({
  summary: {
    en: 'Cut-off, release and hidden NFS-e',
    pt: 'Data de corte, liberação e NFS-e ocultas',
  },
  description: {
    en: 'NFS-e from before the cut-off are captured, and billed as history, but hidden from the lists until they are released. For several companies, one that cannot be read stands in the result with its reason (exit 3).',
    pt: 'As NFS-e anteriores à data de corte são capturadas, e cobradas como histórico, mas ficam fora das listas até serem liberadas. Com várias empresas, a que não puder ser lida aparece no resultado com o motivo (saída 3).',
  },
  options: companiesOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal backfill show --company c1,c2',
      summary: { en: 'Of two companies', pt: 'De duas empresas' },
    },
    {
      command: 'fiscal backfill show --all-companies -o csv',
      summary: { en: 'Of the whole account', pt: 'Da conta inteira' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  idField: 'companyId',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['companyName', 'startFromDate', 'released', 'hiddenDocumentsCount', 'error']);
  },
  async run({ context, options: { allCompanies } }) {
    const { showBackfill } = await import('./show.js');
    return showBackfill(context, { allCompanies });
  },
});
