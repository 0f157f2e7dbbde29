import { defineCommand } from '../../cli/command.js';
import { companiesOption } from '../../cli/company-options.js';
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
    en: 'Lists the service again, compares it with the archive, reads every file again, and writes for each company manifest.jsonl (every file with its hash) and close.json (the verdict, and the coverage that it rests on) under proofs/ in the archive. The verdict is complete, incomplete (one record per gap) or not-provable (with the reasons: the month is not over, the capture was enabled after it began, the cut-off hides documents, …). Only complete ends 0. Months are those of Brasília, by the date of issue.',
    pt: 'Lista o serviço de novo, compara com o arquivo local, relê todos os arquivos e grava, para cada empresa, manifest.jsonl (cada arquivo com o seu hash) e close.json (o veredito e a cobertura em que ele se apoia) em proofs/ no arquivo local. O veredito é complete (completo), incomplete (um registro por falta) ou not-provable (com os motivos: o mês não terminou, a captura foi habilitada depois do início, a data de corte oculta documentos, …). Só complete termina com 0. Os meses são os de Brasília, pela data de emissão.',
  },
  arguments: [{ name: 'month', required: true, summary: { en: 'e.g. 2026-10', pt: 'p. ex. 2026-10' } }],
  options: {
    ...companiesOption,
    type: {
      kind: 'list',
      value: 'types',
      summary: { en: 'Only these: nfe, cte, nfse', pt: 'Só estes: nfe, cte, nfse' },
    },
    allowInvalidSignatures: {
      kind: 'toggle',
      summary: {
        en: 'A document that was changed after it was signed does not keep the month open',
        pt: 'Um documento alterado depois de assinado não impede o fechamento',
      },
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
      'companyName',
      'family',
      'kind',
      'key',
      'verdict',
      'listed',
      'archived',
      'problems',
    ]);
  },
  async run({ context, options, arguments: { month = '' } }) {
    const { closeMonth } = await import('./close.js');
    const { familiesOf } = await import('./close-families.js');
    const { allCompanies, allowInvalidSignatures, archive } = options;
    return closeMonth(context, {
      ...{ month, allCompanies, allowInvalidSignatures, archive, version },
      families: familiesOf(options.type),
    });
  },
});
