import { callExitCodes } from '../../cli/call-exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: { en: 'Check when the certificates end', pt: 'Verifica quando os certificados vencem' },
  description: {
    en: 'Of every company of the account, or of those that are named; what ends first stands on top. Ends 13 when one has expired or does so within --warn, so that a daily run can raise the alarm; 3 when a company could not be read.',
    pt: 'De todas as empresas da conta, ou das indicadas; o que vence primeiro fica no topo. Termina em 13 quando algum venceu ou vence dentro de --warn, para que uma execução diária possa dar o alarme; 3 quando alguma empresa não pôde ser lida.',
  },
  options: {
    warn: {
      kind: 'duration',
      value: 'time',
      default: '30d',
      summary: { en: 'Tell of what ends within this time', pt: 'Avisa do que vence dentro deste prazo' },
    },
    companies: {
      notWith: ['company'],
      kind: 'list',
      value: 'ids',
      summary: { en: 'Only these companies (default: all)', pt: 'Só estas empresas (padrão: todas)' },
    },
  },
  examples: [
    {
      command: 'fiscal certificate check --warn 30d',
      summary: { en: 'The whole account', pt: 'A conta inteira' },
    },
    {
      command: 'fiscal certificate check --warn 60d -o csv',
      summary: { en: 'For a spreadsheet', pt: 'Para uma planilha' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.endedBadly],
  idField: 'companyId',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['companyName', 'state', 'validUntil', 'daysLeft', 'companyTaxNumber', 'companyId']);
  },
  async run({ context, options: { warn, companies } }) {
    const { checkCertificates } = await import('./check.js');
    return checkCertificates(context, { warnMs: warn, companies });
  },
});
