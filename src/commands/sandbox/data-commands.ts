import { defineCommand, inModes, type OptionSpecs } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';

const inventedOptions = {
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

const seedOptions = {
  from: {
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'XML of your own, from this folder and those below it: notes, summaries (resNFe) and events of any layout, served byte for byte',
      pt: 'XML seus, desta pasta e das que estão dentro dela: notas, resumos (resNFe) e eventos de qualquer layout, entregues byte a byte',
    },
  },
  ...inModes(inventedOptions, { notWith: ['from'] }),
} as const satisfies OptionSpecs;

export const seed = defineCommand({
  refusesDryRun: true,
  summary: {
    en: 'Add invented companies, products and captured documents, or XML of your own',
    pt: 'Acrescenta empresas, produtos e documentos capturados inventados, ou XML seus',
  },
  description: {
    en: 'With --from, each XML goes to the companies of the sandbox whose CNPJ it has: issued by them, or received. An event, and a summary, which does not name its recipient, go to the company that has the note, or to that of --company (id or CNPJ). A file that is there already is not added again.',
    pt: 'Com --from, cada XML vai para as empresas do sandbox cujo CNPJ ele traz: emitido por elas ou recebido. Um evento, e um resumo, que não traz o destinatário, vão para a empresa que tem a nota, ou para a de --company (id ou CNPJ). Um arquivo que já está lá não é acrescentado de novo.',
  },
  options: seedOptions,
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
      command: 'fiscal sandbox seed --from xml/2026-10',
      summary: { en: 'Your own month', pt: 'O seu próprio mês' },
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
  exitCodes: [ExitCode.partial, 5, 6],
  exitMeanings: {
    [ExitCode.partial]: {
      en: 'with --from: the sandbox refused some of the files',
      pt: 'com --from: o sandbox recusou alguns dos arquivos',
    },
  },
  idField: 'accessKey',
  view: async () => (await import('../../presenters/sandbox-files.js')).sandboxFilesView,
  async run({ options: { spread, from, ...options }, context }) {
    const typed = context.flags['company'];
    const company = typeof typed === 'string' ? typed : undefined;
    if (from !== undefined) {
      const { seedFromFolder } = await import('./seed-files.js');
      return await seedFromFolder(context, { folder: from, company });
    }
    if (company !== undefined)
      throw new FiscalError('usage.invalid', { message: onlyWithFrom }, { sent: 'no' });
    const { seedSandbox } = await import('./data.js');
    return { data: await seedSandbox(context, { ...options, spreadMs: spread }) };
  },
});

const onlyWithFrom = {
  en: '--company goes with --from',
  pt: '--company vale com --from',
};

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
