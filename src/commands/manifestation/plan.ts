import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { knownCompaniesOption } from '../../cli/company-options.js';
import { documentOptions, requireOption } from './plan-options.js';

export const command = defineCommand({
  summary: {
    en: 'Propose an event per document, by rules',
    pt: 'Propõe um evento por documento, por regras',
  },
  description: {
    en: 'Reads the documents that this machine knows, or --input, and writes a plan to look through; nothing is sent. The first rule that matches decides; without one nothing is proposed. What is manifested already and the notes of the company itself are left out. The rules file: rules: [{ name, when: { supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state }, event, justification, reason }], default: none.',
    pt: 'Lê os documentos que esta máquina conhece, ou --input, e grava um plano para revisão; nada é enviado. A primeira regra que se aplica decide; sem regra, nada é proposto. O que já foi manifestado e as notas da própria empresa ficam de fora. O arquivo de regras: rules: [{ name, when: { supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state }, event, justification, reason }], default: none.',
  },
  options: {
    rules: {
      kind: 'text',
      value: 'file',
      summary: { en: 'The rules, as YAML', pt: 'As regras, em YAML' },
    },
    out: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'Write the plan to this .csv or .json file',
        pt: 'Grava o plano neste arquivo .csv ou .json',
      },
    },
    ...knownCompaniesOption,
    ...documentOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation plan --rules rules.yaml --out plan.csv',
      summary: { en: 'From what this machine knows', pt: 'Do que esta máquina conhece' },
    },
    {
      command: 'fiscal manifestation plan --rules rules.yaml --input documents.csv --own 11222333000181',
      summary: { en: 'From a file, to stdout', pt: 'De um arquivo, para o stdout' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ExitCode.credentials,
    ExitCode.temporary,
    ExitCode.forbidden,
    ExitCode.rateLimited,
  ],
  idField: 'accessKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/columns.js');
    return columnsView(['accessKey', 'event', 'deadline', 'supplier', 'amount', 'rule', 'out', 'planned']);
  },
  async run({ context, options }) {
    const { planManifestations } = await import('../../services/manifestation/plan.js');
    const { allCompanies, input, own, deadlineRules, checkService, out } = options;
    const rules = requireOption('--rules', options.rules);
    return planManifestations(context, {
      ...{ rules, allCompanies, input, own, deadlineRules, checkService, out },
    });
  },
});
