import { defineCommand, type OptionSpecs } from '../../cli/command.js';

const seedOptions = {
  scenario: {
    kind: 'choice',
    choices: ['month', 'history'],
    summary: {
      en: 'A month of an accounting office, or a history of NFS-e from the two years before a cut-off',
      pt: 'Um mês de um escritório contábil, ou um histórico de NFS-e dos dois anos anteriores a uma data de corte',
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
      en: 'How many documents the company receives; if it already has some, the new ones are captured now, so that the next sync finds them',
      pt: 'Quantos documentos a empresa recebe; se ela já tem algum, os novos são capturados agora, e o próximo sync os encontra',
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
      en: 'NF-e as summaries (resNFe), which become full after the awareness event, or full from the start (default: full)',
      pt: 'NF-e como resumos (resNFe), que ficam completas depois da Ciência da Operação, ou completas desde o início (padrão: full)',
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
    summary: { en: 'Seed of the invented data', pt: 'Semente dos dados inventados' },
  },
} as const satisfies OptionSpecs;

export const seed = defineCommand({
  refusesDryRun: true,
  summary: {
    en: 'Add invented companies, products and captured documents',
    pt: 'Acrescenta empresas, produtos e documentos capturados inventados',
  },
  options: seedOptions,
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal sandbox seed --scenario month --documents 10000 --companies 20',
      summary: { en: 'A month to capture', pt: 'Um mês para capturar' },
    },
    {
      command: 'fiscal sandbox seed --documents 20 --stage summary',
      summary: { en: 'NF-e that wait for awareness', pt: 'NF-e que aguardam a Ciência da Operação' },
    },
    {
      command: 'fiscal sandbox seed --scenario history --documents 5000 --companies 5',
      summary: { en: 'A hidden history to release', pt: 'Um histórico oculto para liberar' },
    },
    {
      command: 'fiscal sandbox seed --companies 25 --products 1000',
      summary: { en: 'Companies and products to list', pt: 'Empresas e produtos para listar' },
    },
    {
      command: 'fiscal sandbox seed --documents 500 -o id > keys.txt',
      summary: { en: 'Keys to manifest', pt: 'Chaves para manifestar' },
    },
  ],
  exitCodes: [5, 6],
  idField: 'accessKey',
  async run({ options: { spread, ...options }, context }) {
    const { seedSandbox } = await import('./data.js');
    return { data: await seedSandbox(context, { ...options, spreadMs: spread }) };
  },
});

export const deliver = defineCommand({
  refusesDryRun: true,
  summary: {
    en: 'Send an event to the webhooks of the sandbox now',
    pt: 'Envia agora um evento aos webhooks do sandbox',
  },
  description: {
    en: 'Use it to test a receiver. The sandbox also sends events on its own: for products, captured documents, invoices and manifestations of NFS-e.',
    pt: 'Use para testar um receptor. O sandbox também envia eventos sozinho: de produtos, documentos capturados, notas e manifestações de NFS-e.',
  },
  arguments: [
    {
      name: 'event',
      summary: {
        en: 'Name of the event, e.g. product.active ("fiscal webhook event-types" lists them)',
        pt: 'Nome do evento, ex. product.active ("fiscal webhook event-types" lista todos)',
      },
      required: true,
    },
  ],
  options: {
    resource: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Id of the resource of the event', pt: 'Id do recurso do evento' },
    },
    payload: {
      kind: 'text',
      value: 'json',
      summary: { en: 'Fields of the payload', pt: 'Campos do conteúdo' },
    },
    count: {
      kind: 'count',
      value: 'number',
      min: 1,
      default: 1,
      summary: { en: 'How many events', pt: 'Quantos eventos' },
    },
    resources: {
      kind: 'count',
      value: 'number',
      min: 1,
      default: 1,
      summary: { en: 'How many invented ids to use', pt: 'Quantos ids inventados usar' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox deliver product.active',
      summary: {
        en: 'One event to every webhook that subscribes to it',
        pt: 'Um evento a cada webhook que o assina',
      },
    },
    {
      command: 'fiscal sandbox deliver product.active --count 1000 --resources 50',
      summary: { en: 'A load test for a receiver', pt: 'Um teste de carga para um receptor' },
    },
  ],
  exitCodes: [5, 6],
  idField: 'id',
  async run({ arguments: { event = '' }, options, context }) {
    const { deliverFromSandbox } = await import('./data.js');
    return { data: await deliverFromSandbox(context, { event, ...options }) };
  },
});
