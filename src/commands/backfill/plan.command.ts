import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { companiesOption } from '../../cli/company-options.js';

export const command = defineCommand({
  summary: {
    en: 'What a release or a new cut-off would uncover',
    pt: 'O que uma liberação ou nova data de corte mostraria',
  },
  description: {
    en: 'Writes a file to look through; nothing is sent. Without --from it proposes a release wherever something is hidden, with --from a new cut-off. It notes what was billed as history, which companies have no NFS-e capture, and where the key lacks the role Management. Rows may be removed, not changed: backfill release --plan notices that.',
    pt: 'Grava um arquivo para revisão; nada é enviado. Sem --from propõe liberar onde houver algo oculto; com --from, uma nova data de corte. Anota o que foi cobrado como histórico, quais empresas não têm captura de NFS-e e onde falta à chave o papel Management. Linhas podem ser removidas, não mudadas: backfill release --plan percebe.',
  },
  options: {
    ...companiesOption,
    from: {
      kind: 'text',
      value: 'date',
      summary: {
        en: 'The cut-off that would be set: a day (midnight UTC) or a UTC time',
        pt: 'A data de corte que seria definida: um dia (meia-noite UTC) ou um horário UTC',
      },
    },
    out: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'Write the plan to this .csv or .json file',
        pt: 'Grava o plano neste arquivo .csv ou .json',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal backfill plan --all-companies --out plan.csv',
      summary: { en: 'Releases for the whole account', pt: 'Liberações para a conta inteira' },
    },
    {
      command: 'fiscal backfill plan --company c1 --from 2024-01-01',
      summary: { en: 'A new cut-off of one company', pt: 'Uma nova data de corte de uma empresa' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'company',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['companyName', 'startFromDate', 'released', 'hidden', 'action', 'note']);
  },
  async run({ context, options: { allCompanies, from, out } }) {
    const { planBackfill } = await import('./plan.js');
    return planBackfill(context, { allCompanies, from, out });
  },
});
