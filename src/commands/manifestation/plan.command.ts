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
    en: 'Reads the documents that this machine knows, or --input, and writes a plan to look through; nothing is sent. The first rule that matches decides; without one nothing is proposed. With --new no rules are needed. Left out: what is manifested already, by whomever, as the last sync brought it; what its issuer cancelled; the notes of the company itself. The rules file: rules: [{ name, when: { supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state }, event, justification, reason }], default: none.',
    pt: 'Lê os documentos que esta máquina conhece, ou --input, e grava um plano para revisão; nada é enviado. A primeira regra que se aplica decide; sem regra, nada é proposto. Com --new não é preciso arquivo de regras. Ficam de fora: o que já foi manifestado, por quem quer que seja, conforme a última sincronização; o que o emitente cancelou; as notas da própria empresa. O arquivo de regras: rules: [{ name, when: { supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state }, event, justification, reason }], default: none.',
  },
  options: {
    rules: {
      kind: 'text',
      value: 'file',
      summary: { en: 'The rules, as YAML', pt: 'As regras, em YAML' },
    },
    new: {
      kind: 'toggle',
      summary: {
        en: 'Without rules: --event for every document that has no event yet and whose term is not over',
        pt: 'Sem regras: --event para todo documento ainda sem evento e com prazo em aberto',
      },
    },
    event: {
      kind: 'text',
      value: 'event',
      summary: {
        en: 'The event of --new, e.g. awareness',
        pt: 'O evento de --new, p. ex. awareness (ciência)',
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
    ...knownCompaniesOption,
    ...documentOptions,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation plan --new --event awareness --out plan.csv',
      summary: {
        en: 'The acknowledgement of every new NF-e, so that the full XML comes',
        pt: 'A ciência de toda NF-e nova, para que venha o XML completo',
      },
    },
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
    return columnsView([
      'accessKey',
      'companyName',
      'event',
      'deadline',
      'supplier',
      'amount',
      'rule',
      'out',
      'planned',
    ]);
  },
  async run({ context, options }) {
    const { planManifestations } = await import('./plan.js');
    const { allCompanies, rules, input, own, deadlineRules, checkService, out } = options;
    const event = options.new ? requireOption('--event', options.event) : undefined;
    if (options.event !== undefined) requireOption('--new', event);
    return planManifestations(context, {
      ...{ rules, event, allCompanies, input, own, deadlineRules, checkService, out },
    });
  },
});
