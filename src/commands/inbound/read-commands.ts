import { argument, choice, columns, count, define, duration, example, text, toggle } from '../../cli/define.js';
import { documentStatuses, webhookStatuses } from '../../contract/inbound.js';
import { companiesOption, serviceWatchOptions } from '../../cli/options.js';
import { openOption, outOption } from '../../cli/output-bytes.js';

/** The document of a command. */
const documentArgument = argument(
  'Access key (44 or 50 characters); the id of an NFS-e with --type nfse',
  'Chave de acesso (44 ou 50 caracteres); o id de uma NFS-e com --type nfse',
);

const typeOption = {
  type: choice(
    ['nfe', 'cte', 'nfse'],
    'Family of the document (default: the one in the key)',
    'Família do documento (padrão: a que a chave indica)',
  ),
};

/** The filters of a list, for the service and for the store. */
const filterOptions = {
  type: choice(
    ['nfe', 'cte', 'nfse'],
    'Family of the documents (default: all)',
    'Família dos documentos (padrão: todas)',
  ),
  since: text(
    'time',
    'From this day, month, UTC time, or age (30d) on',
    'A partir deste dia, mês, horário UTC ou idade (30d)',
  ),
  until: text('time', 'Before this day, month, UTC time, or age', 'Antes deste dia, mês, horário UTC ou idade'),
  by: choice(
    ['issued', 'created', 'modified', 'seen'],
    'The date that --since and --until filter: issue, capture, last change, or (with --local) when this machine first saw it',
    'A data de --since e --until: emissão, captura, última alteração ou (com --local) quando esta máquina o viu pela primeira vez',
    { onlyWith: ['since', 'until'], default: 'issued', rare: true },
  ),
  status: choice(documentStatuses, 'Only this status, e.g. Received', 'Só este status, p. ex. Received'),
  webhookStatus: choice(
    webhookStatuses,
    'Only this webhook status, e.g. Skipped',
    'Só este status de webhook, p. ex. Skipped',
    { rare: true },
  ),
  issuer: text('cnpj', 'Only of this CNPJ or CPF', 'Só deste CNPJ ou CPF'),
  supplier: text(
    'name',
    'Only suppliers with this in their name, whatever its accents and case',
    'Só fornecedores com isto no nome, com ou sem acentos e maiúsculas',
  ),
  value: text(
    'range',
    'Only amounts within this range, e.g. 100..500 or 100,50..500',
    'Só valores nesta faixa, p. ex. 100..500 ou 100,50..500',
  ),
  nsuAfter: text(
    'nsu',
    'Only with a larger NSU (documents without one are left out)',
    'Só com NSU maior (documentos sem NSU ficam de fora)',
    { rare: true },
  ),
};

/** The length and the order of the list. */
const listOptions = {
  ...companiesOption,
  ...filterOptions,
  environment: choice(['Production', 'Development'], 'Only of this environment (NFS-e)', 'Só deste ambiente (NFS-e)', {
    notWith: ['local', 'summaries'],
    rare: true,
  }),
  filter: text('odata', 'Further condition in OData, joined by "and"', 'Mais uma condição em OData, unida por "and"', {
    rare: true,
  }),
  orderBy: text(
    'odata',
    'Order in OData; documents that arrive meanwhile may be missed',
    'Ordem em OData; o que chega durante a leitura pode então ficar de fora',
    { rare: true },
  ),
  limit: count('n', 'Show at most this many (100)', 'Mostra no máximo esta quantidade (100)', {
    notWith: ['all'],
    min: 1,
  }),
  all: toggle('Without a limit', 'Sem limite'),
  maxPages: count(
    'n',
    'Exit with 14 when the list is longer (20000)',
    'Sair com 14 se a lista for mais longa (20000)',
    { rare: true, notWith: ['local', 'summaries'], min: 1 },
  ),
  local: toggle('Only what this machine knows, without network', 'Só o que esta máquina conhece, sem rede'),
  summaries: toggle(
    'Only NF-e that wait for their full XML, from the store of this machine, with the days left',
    'Só NF-e que aguardam o XML completo, conforme o banco desta máquina, com os dias restantes',
  ),
  ...serviceWatchOptions,
};

const eventOption = {
  event: text(
    'key',
    'An event of the document, by its key (fiscal inbound events)',
    'Um evento do documento, pela chave dele (fiscal inbound events)',
  ),
};

export const list = define('List the captured documents', 'Lista os documentos capturados', {
  description: {
    en: 'Reads page by page and returns each document once, with all its fields, even while others arrive. --supplier and --value are applied on this machine, after each page is read. On a terminal the list ends with the number of documents and their sum. With --local, the documents that this machine knows from fiscal inbound sync, without network.',
    pt: 'Lê página a página e mostra cada documento uma vez, com todos os campos, mesmo enquanto outros chegam. --supplier e --value são aplicados nesta máquina, depois da leitura de cada página. No terminal a lista termina com a quantidade de documentos e a soma. Com --local, os documentos que esta máquina conhece por fiscal inbound sync, sem rede.',
  },
  options: listOptions,
  scope: ['company'],
  examples: [
    example(
      '--type nfe --since 2026-10-01 --until 2026-11-01 --all',
      'All NF-e issued in October',
      'Todas as NF-e emitidas em outubro',
    ),
    example(
      '--type cte --filter "startswith(accessKey,\'35\')" -o id',
      'The keys of CT-e from São Paulo',
      'As chaves dos CT-e de São Paulo',
    ),
    example(
      '--supplier oficina --value 100..500 --since 2026-10-01',
      'Of every family, by the name of the supplier and the amount',
      'De todas as famílias, pelo nome do fornecedor e pelo valor',
    ),
    example(
      '--summaries',
      'NF-e that wait for awareness or for their full XML',
      'NF-e que aguardam a Ciência da Operação ou o XML completo',
    ),
    example('--local --status Failed', 'Offline, of all families', 'Sem rede, de todas as famílias'),
    example(
      '--local --by seen --since yesterday --all',
      'What syncs have brought since yesterday',
      'O que as sincronizações trouxeram desde ontem',
    ),
  ],
  exits: ['partial', 'calls', 'limitReached'],
  exitMeanings: {
    partial: {
      en: 'rows could not be read, or, without network, a company was never synced on this machine',
      pt: 'linhas não puderam ser lidas ou, sem rede, uma empresa nunca foi sincronizada nesta máquina',
    },
  },
  // An event among the documents, and an NFS-e of a city, may have no key.
  id: ['accessKey', 'id'],
  view: async () => {
    return (await import('../../presenters/inbound-list.js')).inboundListView;
  },
});

export const get = define(
  'Show what the service knows about a document',
  'Mostra o que o serviço sabe de um documento',
  {
    description: {
      en: 'The metadata as the service returns it; with --content the document itself as JSON, for a quick look. The legal document is the XML: fiscal inbound xml.',
      pt: 'Os metadados como o serviço os informa; com --content o próprio documento em JSON, para uma consulta rápida. O documento legal é o XML: fiscal inbound xml.',
    },
    takes: { key: documentArgument },
    options: {
      ...typeOption,
      ...eventOption,
      content: toggle(
        'The content of a captured NF-e or NFS-e as JSON',
        'O conteúdo de uma NF-e ou NFS-e capturada, em JSON',
        { notWith: ['event'] },
      ),
    },
    scope: ['company'],
    examples: [
      example('35250530057049000141550010000280181030656857', 'One NF-e', 'Uma NF-e'),
      example('35250530057049000141550010000280181030656857 --event e1', 'One of its events', 'Um de seus eventos'),
      example(
        '6f1c0a2e --type nfse --query status -o json',
        'The state of an NFS-e, by its id',
        'O estado de uma NFS-e, pelo id',
      ),
    ],
    exits: ['calls'],
    id: 'accessKey',
  },
);

export const xml = define(
  'The XML of a document or of an event, byte for byte',
  'O XML de um documento ou evento, byte a byte',
  {
    takes: { key: documentArgument },
    options: { ...typeOption, ...eventOption, ...outOption },
    scope: ['company'],
    examples: [
      example('35250530057049000141550010000280181030656857 --out nota.xml', 'Into a file', 'Para um arquivo'),
      example(
        '35250530057049000141550010000280181030656857 --event e1 --out evento.xml',
        'Of one of its events',
        'De um de seus eventos',
      ),
    ],
    exits: ['calls'],
  },
);

export const pdf = define('The PDF of a document', 'O PDF de um documento', {
  description: {
    en: 'Waits while the service prepares it (202). On a terminal and with --open, the PDF of a document of the archive is stored beside its XML, and one that is there is not fetched again; elsewhere it goes to stdout. The PDF is only an image: the legal document is the XML. A CT-e has no PDF.',
    pt: 'Aguarda enquanto o serviço o prepara (202). No terminal e com --open, o PDF de um documento já baixado é gravado ao lado do XML, e o que já está lá não é baixado de novo; fora do terminal ele vai para o stdout. O PDF é uma imagem: o documento legal é o XML. Um CT-e não tem PDF.',
  },
  takes: { key: documentArgument },
  options: {
    ...typeOption,
    ...outOption,
    ...openOption,
    timeout: duration('time', 'Longest time to wait for the PDF', 'Tempo máximo de espera pelo PDF', { default: '2m' }),
  },
  scope: ['company'],
  examples: [
    example('33045572211905971000105000000000014625124504258429 --out nota.pdf', 'Into a file', 'Para um arquivo'),
    example(
      '33045572211905971000105000000000014625124504258429 --open',
      'Into the archive, and onto the screen',
      'Para a pasta de documentos, e na tela',
    ),
  ],
  exits: ['calls', 'pending'],
});

export const events = define('The events of a document', 'Os eventos de um documento', {
  takes: { key: documentArgument },
  options: typeOption,
  scope: ['company'],
  examples: [
    example(
      '35250530057049000141550010000280181030656857',
      'All, as the service lists them',
      'Todos, como o serviço os lista',
    ),
  ],
  exits: ['calls'],
  id: 'eventKey',
  view: columns('type eventCode description issuedOn sequence protocol eventKey nsu', {
    required: 'type eventCode description protocol eventKey',
  }),
});

export const reprocess = define(
  'Reprocess an NFS-e, or resend the webhook of a document',
  'Reprocessa uma NFS-e, ou reenvia o webhook de um documento',
  {
    description: {
      en: 'The service reprocesses NFS-e only, and resends the webhook of NF-e and NFS-e. With --webhook an NF-e may also be named by its NSU, with --type nfe.',
      pt: 'O serviço só reprocessa NFS-e, e reenvia o webhook de NF-e e NFS-e. Com --webhook uma NF-e também pode ser indicada pelo NSU, com --type nfe.',
    },
    takes: { key: documentArgument },
    options: { ...typeOption, webhook: toggle('Only its webhook again', 'Só o webhook de novo') },
    scope: ['company'],
    examples: [
      example('33045572211905971000105000000000014625124504258429', 'One NFS-e', 'Uma NFS-e'),
      example(
        '35250530057049000141550010000280181030656857 --webhook',
        'The webhook of one NF-e',
        'O webhook de uma NF-e',
      ),
    ],
    exits: ['calls', 'conflict'],
    id: 'id',
  },
);
