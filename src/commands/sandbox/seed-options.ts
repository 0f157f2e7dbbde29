import type { OptionSpecs } from '../../cli/command.js';

export const seedOptions = {
  scenario: {
    kind: 'choice',
    choices: ['month', 'history'],
    summary: {
      en: 'An accounting office in one month, or the hidden NFS-e of the two years before a cut-off',
      pt: 'Um escritório contábil em um mês, ou as NFS-e ocultas dos dois anos anteriores a uma data de corte',
    },
  },
  month: {
    kind: 'text',
    value: 'yyyy-mm',
    summary: {
      en: 'The month of the scenario, or of its cut-off (default: the last complete one)',
      pt: 'O mês do cenário, ou da sua data de corte (padrão: o último completo)',
    },
  },
  companies: {
    kind: 'count',
    value: 'number',
    default: 0,
    min: 0,
    summary: { en: 'How many companies', pt: 'Quantas empresas' },
  },
  products: {
    kind: 'count',
    value: 'number',
    default: 0,
    min: 0,
    summary: { en: 'How many products, valid and Active', pt: 'Quantos produtos, válidos e Active' },
  },
  documents: {
    kind: 'count',
    value: 'number',
    default: 0,
    min: 0,
    summary: {
      en: 'How many documents received by the company; a company that has some already captures them now, so that the next sync finds them',
      pt: 'Quantos documentos recebidos pela empresa; se ela já tem algum, eles são capturados agora, e o próximo sync os encontra',
    },
  },
  family: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    default: 'nfe',
    summary: { en: 'Which documents', pt: 'Quais documentos' },
  },
  stage: {
    kind: 'choice',
    choices: ['summary', 'full'],
    summary: {
      en: 'NF-e as summaries (resNFe), which become full after the awareness, or full from the start (default: full)',
      pt: 'NF-e como resumos (resNFe), que ficam completas depois da ciência, ou completas desde o início (padrão: full)',
    },
  },
  spread: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'From the newest document to the oldest (default: 7d)',
      pt: 'Do documento mais novo ao mais antigo (padrão: 7d)',
    },
  },
  seed: {
    kind: 'count',
    value: 'number',
    min: 0,
    summary: { en: 'Seed of what follows', pt: 'Semente do que segue' },
  },
} as const satisfies OptionSpecs;
