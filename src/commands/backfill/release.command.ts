import { batchOptionsOf } from '../../cli/batch-options.js';
import { defineCommand } from '../../cli/command.js';
import { sweepExitCodes, sweepOptions } from './backfill-options.js';

export const command = defineCommand({
  summary: { en: 'List the hidden NFS-e', pt: 'Passa a listar as NFS-e ocultas' },
  description: {
    en: 'The service accepts it and works in the background; --wait, or backfill wait, follows it until nothing is hidden. Needs the role Management. Several companies are one job, each with its own outcome; the same command again goes on with it, and what is released already is not asked for again. Another request for the opposite meanwhile: exit 13.',
    pt: 'O serviço aceita e trabalha em segundo plano; --wait, ou backfill wait, acompanha até nada ficar oculto. Precisa do papel Management. Várias empresas são um só trabalho, cada uma com o seu resultado; o mesmo comando continua o trabalho, e o que já está liberado não é pedido de novo. Outro pedido do contrário nesse meio-tempo: saída 13.',
  },
  options: {
    plan: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'The releases of this plan (- for stdin), after you have looked through it',
        pt: 'As liberações deste plano (- para o stdin), depois da sua revisão',
      },
    },
    ...sweepOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal backfill release --company c1 --confirm c1 --yes --wait',
      summary: { en: 'One company, to the end', pt: 'Uma empresa, até o fim' },
    },
    {
      command: 'fiscal backfill release --plan plan.csv --confirm 3f9a1c20 --yes --wait',
      summary: { en: 'What a plan proposes', pt: 'O que um plano propõe' },
    },
  ],
  exitCodes: sweepExitCodes,
  idField: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options }) {
    const { plan, allCompanies, confirm } = options;
    const batch = batchOptionsOf(options);
    if (plan !== undefined) {
      const { releasePlan } = await import('./release-plan.js');
      return releasePlan(context, { plan, allCompanies, confirm, options: batch });
    }
    const { releaseHistory } = await import('./release.js');
    return releaseHistory(context, { released: true, allCompanies, confirm, options: batch });
  },
});
