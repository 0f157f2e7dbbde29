import { defineCommand } from '../../cli/command.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { version } from '../../cli/version.js';
import { ExitCode } from '../../errors/exit-code.js';
import { archiveOption } from './archive-option.js';

export const command = defineCommand({
  summary: {
    en: 'Prove that a month is complete',
    pt: 'Prova que um mês está completo',
  },
  description: {
    en: 'Lists the service again, compares it with the archive, reads every file again, and writes for each company manifest.jsonl (key, type, status, hash, size, events) and close.json (the verdict) under proofs/ in the archive. Ends 0 only if nothing is missing. Months are those of Brasília, by the date of issue; documents hidden before the cut-off are not listed, so they are not part of it.',
    pt: 'Lista o serviço de novo, compara com o arquivo local, relê todos os arquivos e grava, para cada empresa, manifest.jsonl (chave, tipo, situação, hash, tamanho, eventos) e close.json (o veredito) em proofs/ no arquivo local. Só termina com 0 se não falta nada. Os meses são os de Brasília, pela data de emissão; documentos ocultos antes do corte não são listados e não entram na conta.',
  },
  arguments: [{ name: 'month', required: true, summary: { en: 'e.g. 2026-10', pt: 'p. ex. 2026-10' } }],
  options: {
    allCompanies: {
      kind: 'toggle',
      summary: {
        en: 'All companies of the account (else --company a,b)',
        pt: 'Todas as empresas da conta (senão --company a,b)',
      },
    },
    type: {
      kind: 'list',
      value: 'types',
      summary: { en: 'Only these: nfe, cte, nfse', pt: 'Só estes: nfe, cte, nfse' },
    },
    ...archiveOption,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound close 2026-10 --all-companies',
      summary: { en: 'Every company, all three types', pt: 'Todas as empresas, os três tipos' },
    },
    {
      command: 'fiscal inbound close 2026-10 --company a,b --type nfe',
      summary: { en: 'The NF-e of two companies', pt: 'As NF-e de duas empresas' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView([
      'type',
      'company',
      'family',
      'kind',
      'key',
      'complete',
      'listed',
      'archived',
      'problems',
    ]);
  },
  async run({ context, options, arguments: { month = '' } }) {
    const { closeMonth } = await import('../../services/inbound/close.js');
    const { familiesOf } = await import('../../services/inbound/close-families.js');
    const { allCompanies, archive } = options;
    return closeMonth(context, {
      ...{ month, allCompanies, archive, version },
      families: familiesOf(options.type),
    });
  },
});
