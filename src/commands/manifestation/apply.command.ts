import { defineCommand } from '../../cli/command.js';
import { batchOptions, batchOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { knownCompaniesOption } from '../../cli/company-options.js';
import { ExitCode } from '../../errors/exit-code.js';
import { companyUncheckedOption, followOptions } from './follow-options.js';
import { confirmOption } from './import-options.js';
import { documentOptions } from './plan-options.js';

export const command = defineCommand({
  summary: { en: 'Submit the events of a plan', pt: 'Envia os eventos de um plano' },
  description: {
    en: 'Executes exactly the file of manifestation plan, after you have looked through it: rows may be removed. Each row is sent for the company that it names. A row whose document or events changed since is not sent and is reported as changed (exit 3). A plan made from --input is applied with the same --input. The same plan again goes on with the same job.',
    pt: 'Executa exatamente o arquivo de manifestation plan, depois da sua revisão: linhas podem ser removidas. Cada linha é enviada para a empresa que ela indica. Uma linha cujo documento ou eventos mudaram desde então não é enviada e aparece como changed (saída 3). Um plano feito com --input é aplicado com o mesmo --input. O mesmo plano continua o mesmo trabalho.',
  },
  arguments: [
    {
      name: 'plan',
      required: true,
      summary: { en: 'The plan; - for stdin', pt: 'O plano; - para o stdin' },
    },
  ],
  options: {
    ...knownCompaniesOption,
    input: documentOptions.input,
    ...companyUncheckedOption,
    ...confirmOption,
    ...batchOptions,
    wait: followOptions.wait,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation apply plan.csv --dry-run',
      summary: { en: 'What would be sent', pt: 'O que seria enviado' },
    },
    {
      command: 'fiscal manifestation apply plan.csv --wait --yes --report out.csv',
      summary: { en: 'Until all are decided', pt: 'Até a decisão de todos' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/batch.js')).batchView,
  async run({ context, options, arguments: { plan = '' } }) {
    const { applyPlan } = await import('./apply.js');
    const { allCompanies, input, confirm, companyUnchecked } = options;
    return applyPlan(context, {
      ...{ plan, allCompanies, input, confirm, companyUnchecked },
      options: batchOptionsOf(options),
    });
  },
});
