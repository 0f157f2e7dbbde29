import { argument, choice, count, define, duration, example, text } from '../../cli/define.js';
import { inModes } from '../../cli/command.js';

const inventedOptions = {
  scenario: choice(
    ['month', 'history'],
    'A month of an accounting office, or a history of NFS-e from the two years before a cut-off',
    'Um mês de um escritório contábil, ou um histórico de NFS-e dos dois anos anteriores a uma data de corte',
  ),
  month: text(
    'yyyy-mm',
    'The month of the scenario, or of its cut-off (default: the last complete one)',
    'O mês do cenário, ou da sua data de corte (padrão: o último completo)',
  ),
  companies: count('number', 'How many companies', 'Quantas empresas', { default: 0, min: 0 }),
  products: count('number', 'How many products, valid and Active', 'Quantos produtos, válidos e Active', {
    default: 0,
    min: 0,
  }),
  documents: count(
    'number',
    'How many documents the company receives; if it already has some, the new ones are captured now, so that the next sync finds them',
    'Quantos documentos a empresa recebe; se ela já tem algum, os novos são capturados agora, e o próximo sync os encontra',
    { default: 0, min: 0 },
  ),
  family: choice(['nfe', 'cte', 'nfse'], 'Which documents', 'Quais documentos', { default: 'nfe' }),
  stage: choice(
    ['summary', 'full'],
    'NF-e as summaries (resNFe), which become full after the awareness event, or full from the start (default: full)',
    'NF-e como resumos (resNFe), que ficam completas depois da Ciência da Operação, ou completas desde o início (padrão: full)',
  ),
  spread: duration(
    'duration',
    'From the newest document to the oldest (default: 7d)',
    'Do documento mais novo ao mais antigo (padrão: 7d)',
  ),
  seed: count('number', 'Seed of the invented data', 'Semente dos dados inventados', { min: 0 }),
};

const seedOptions = {
  from: text(
    'folder',
    'XML of your own, from this folder and those below it: notes, summaries (resNFe) and events of any layout, served byte for byte',
    'XML seus, desta pasta e das que estão dentro dela: notas, resumos (resNFe) e eventos de qualquer layout, entregues byte a byte',
  ),
  ...inModes(inventedOptions, { notWith: ['from'] }),
};

export const seed = define(
  'Add invented companies, products and captured documents, or XML of your own',
  'Acrescenta empresas, produtos e documentos capturados inventados, ou XML seus',
  {
    refusesDryRun: true,
    description: {
      en: 'With --from, each XML goes to the companies of the sandbox whose CNPJ it has: issued by them, or received. An event, and a summary, which does not name its recipient, go to the company that has the note, or to that of --company (id or CNPJ). A file that is there already is not added again.',
      pt: 'Com --from, cada XML vai para as empresas do sandbox cujo CNPJ ele traz: emitido por elas ou recebido. Um evento, e um resumo, que não traz o destinatário, vão para a empresa que tem a nota, ou para a de --company (id ou CNPJ). Um arquivo que já está lá não é acrescentado de novo.',
    },
    options: seedOptions,
    examples: [
      example('--scenario month --documents 10000 --companies 20', 'A month to capture', 'Um mês para capturar'),
      example(
        '--documents 20 --stage summary',
        'NF-e that wait for awareness',
        'NF-e que aguardam a Ciência da Operação',
      ),
      example(
        '--scenario history --documents 5000 --companies 5',
        'A hidden history to release',
        'Um histórico oculto para liberar',
      ),
      example('--from xml/2026-10', 'Your own month', 'O seu próprio mês'),
      example('--companies 25 --products 1000', 'Companies and products to list', 'Empresas e produtos para listar'),
      example('--documents 500 -o id > keys.txt', 'Keys to manifest', 'Chaves para manifestar'),
    ],
    exits: ['partial', 'temporary', 'refused'],
    exitMeanings: {
      partial: {
        en: 'with --from: the sandbox refused some of the files',
        pt: 'com --from: o sandbox recusou alguns dos arquivos',
      },
    },
    id: 'accessKey',
    view: async () => (await import('../../presenters/sandbox.js')).sandboxFilesView,
  },
);

export const deliver = define(
  'Send an event to the webhooks of the sandbox now',
  'Envia agora um evento aos webhooks do sandbox',
  {
    refusesDryRun: true,
    description: {
      en: 'Use it to test a receiver. The sandbox also sends events on its own: for products, captured documents, invoices and manifestations of NFS-e.',
      pt: 'Use para testar um receptor. O sandbox também envia eventos sozinho: de produtos, documentos capturados, notas e manifestações de NFS-e.',
    },
    takes: {
      event: argument(
        'Name of the event, e.g. product.active ("fiscal webhook events --types" lists them)',
        'Nome do evento, ex. product.active ("fiscal webhook events --types" lista todos)',
      ),
    },
    options: {
      resource: text('id', 'Id of the resource of the event', 'Id do recurso do evento'),
      payload: text('json', 'Fields of the payload', 'Campos do conteúdo'),
      count: count('number', 'How many events', 'Quantos eventos', { min: 1, default: 1 }),
      resources: count('number', 'How many invented ids to use', 'Quantos ids inventados usar', { min: 1, default: 1 }),
    },
    examples: [
      example(
        'product.active',
        'One event to every webhook that subscribes to it',
        'Um evento a cada webhook que o assina',
      ),
      example(
        'product.active --count 1000 --resources 50',
        'A load test for a receiver',
        'Um teste de carga para um receptor',
      ),
    ],
    exits: ['temporary', 'refused'],
    id: 'id',
  },
);
