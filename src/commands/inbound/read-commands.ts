import { documentStatuses, webhookStatuses } from '../../contract/inbound.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { type ArgumentSpec, defineCommand, type OptionSpecs } from '../../cli/command.js';
import { companiesOption, serviceWatchOptions } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';
import { openOption, openWritten, writeBytes, outOption } from '../../cli/output-bytes.js';

/** The document of a command. */
const documentArgument: ArgumentSpec = {
  name: 'key',
  required: true,
  summary: {
    en: 'Access key (44 or 50 characters); the id of an NFS-e with --type nfse',
    pt: 'Chave de acesso (44 ou 50 caracteres); o id de uma NFS-e com --type nfse',
  },
};

const typeOption = {
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: {
      en: 'Family of the document (default: the one in the key)',
      pt: 'Família do documento (padrão: a que a chave indica)',
    },
  },
} as const satisfies OptionSpecs;

/** The filters of a list, for the service and for the store. */
const filterOptions = {
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: { en: 'Family of the documents (default: all)', pt: 'Família dos documentos (padrão: todas)' },
  },
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'From this day, month, UTC time, or age (30d) on',
      pt: 'A partir deste dia, mês, horário UTC ou idade (30d)',
    },
  },
  until: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Before this day, month, UTC time, or age',
      pt: 'Antes deste dia, mês, horário UTC ou idade',
    },
  },
  by: {
    onlyWith: ['since', 'until'],
    kind: 'choice',
    choices: ['issued', 'created', 'modified', 'seen'],
    default: 'issued',
    summary: {
      en: 'The date that --since and --until filter: issue, capture, last change, or (with --local) when this machine first saw it',
      pt: 'A data de --since e --until: emissão, captura, última alteração ou (com --local) quando esta máquina o viu pela primeira vez',
    },
    rare: true,
  },
  status: {
    kind: 'choice',
    choices: documentStatuses,
    summary: { en: 'Only this status, e.g. Received', pt: 'Só este status, p. ex. Received' },
  },
  webhookStatus: {
    rare: true,
    kind: 'choice',
    choices: webhookStatuses,
    summary: {
      en: 'Only this webhook status, e.g. Skipped',
      pt: 'Só este status de webhook, p. ex. Skipped',
    },
  },
  issuer: {
    kind: 'text',
    value: 'cnpj',
    summary: { en: 'Only of this CNPJ or CPF', pt: 'Só deste CNPJ ou CPF' },
  },
  supplier: {
    kind: 'text',
    value: 'name',
    summary: {
      en: 'Only suppliers with this in their name, whatever its accents and case',
      pt: 'Só fornecedores com isto no nome, com ou sem acentos e maiúsculas',
    },
  },
  value: {
    kind: 'text',
    value: 'range',
    summary: {
      en: 'Only amounts within this range, e.g. 100..500 or 100,50..500',
      pt: 'Só valores nesta faixa, p. ex. 100..500 ou 100,50..500',
    },
  },
  nsuAfter: {
    rare: true,
    kind: 'text',
    value: 'nsu',
    summary: {
      en: 'Only with a larger NSU (documents without one are left out)',
      pt: 'Só com NSU maior (documentos sem NSU ficam de fora)',
    },
  },
} as const satisfies OptionSpecs;

/** The length and the order of the list. */
const listOptions = {
  ...companiesOption,
  ...filterOptions,
  environment: {
    notWith: ['local', 'summaries'],
    kind: 'choice',
    choices: ['Production', 'Development'],
    summary: {
      en: 'Only of this environment (NFS-e)',
      pt: 'Só deste ambiente (NFS-e)',
    },
    rare: true,
  },
  filter: {
    kind: 'text',
    value: 'odata',
    summary: {
      en: 'Further condition in OData, joined by "and"',
      pt: 'Mais uma condição em OData, unida por "and"',
    },
    rare: true,
  },
  orderBy: {
    rare: true,
    kind: 'text',
    value: 'odata',
    summary: {
      en: 'Order in OData; documents that arrive meanwhile may be missed',
      pt: 'Ordem em OData; o que chega durante a leitura pode então ficar de fora',
    },
  },
  limit: {
    notWith: ['all'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'Show at most this many (100)', pt: 'Mostra no máximo esta quantidade (100)' },
  },
  all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
  maxPages: {
    rare: true,
    notWith: ['local', 'summaries'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: {
      en: 'Exit with 14 when the list is longer (20000)',
      pt: 'Sair com 14 se a lista for mais longa (20000)',
    },
  },
  local: {
    kind: 'toggle',
    summary: {
      en: 'Only what this machine knows, without network',
      pt: 'Só o que esta máquina conhece, sem rede',
    },
  },
  summaries: {
    kind: 'toggle',
    summary: {
      en: 'Only NF-e that wait for their full XML, from the store of this machine, with the days left',
      pt: 'Só NF-e que aguardam o XML completo, conforme o banco desta máquina, com os dias restantes',
    },
  },
  ...serviceWatchOptions,
} as const satisfies OptionSpecs;

const eventOption = {
  event: {
    kind: 'text',
    value: 'key',
    summary: {
      en: 'An event of the document, by its key (fiscal inbound events)',
      pt: 'Um evento do documento, pela chave dele (fiscal inbound events)',
    },
  },
} as const satisfies OptionSpecs;

export const list = defineCommand({
  summary: { en: 'List the captured documents', pt: 'Lista os documentos capturados' },
  description: {
    en: 'Reads page by page and returns each document once, with all its fields, even while others arrive. --supplier and --value are applied on this machine, after each page is read. On a terminal the list ends with the number of documents and their sum. With --local, the documents that this machine knows from fiscal inbound sync, without network.',
    pt: 'Lê página a página e mostra cada documento uma vez, com todos os campos, mesmo enquanto outros chegam. --supplier e --value são aplicados nesta máquina, depois da leitura de cada página. No terminal a lista termina com a quantidade de documentos e a soma. Com --local, os documentos que esta máquina conhece por fiscal inbound sync, sem rede.',
  },
  options: listOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound list --type nfe --since 2026-10-01 --until 2026-11-01 --all',
      summary: { en: 'All NF-e issued in October', pt: 'Todas as NF-e emitidas em outubro' },
    },
    {
      command: 'fiscal inbound list --type cte --filter "startswith(accessKey,\'35\')" -o id',
      summary: { en: 'The keys of CT-e from São Paulo', pt: 'As chaves dos CT-e de São Paulo' },
    },
    {
      command: 'fiscal inbound list --supplier oficina --value 100..500 --since 2026-10-01',
      summary: {
        en: 'Of every family, by the name of the supplier and the amount',
        pt: 'De todas as famílias, pelo nome do fornecedor e pelo valor',
      },
    },
    {
      command: 'fiscal inbound list --summaries',
      summary: {
        en: 'NF-e that wait for awareness or for their full XML',
        pt: 'NF-e que aguardam a Ciência da Operação ou o XML completo',
      },
    },
    {
      command: 'fiscal inbound list --local --status Failed',
      summary: { en: 'Offline, of all families', pt: 'Sem rede, de todas as famílias' },
    },
    {
      command: 'fiscal inbound list --local --by seen --since yesterday --all',
      summary: {
        en: 'What syncs have brought since yesterday',
        pt: 'O que as sincronizações trouxeram desde ontem',
      },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.limitReached],
  exitMeanings: {
    [ExitCode.partial]: {
      en: 'rows could not be read, or, without network, a company was never synced on this machine',
      pt: 'linhas não puderam ser lidas ou, sem rede, uma empresa nunca foi sincronizada nesta máquina',
    },
  },
  // An event among the documents, and an NFS-e of a city, may have no key.
  idField: ['accessKey', 'id'],
  view: async () => {
    return (await import('../../presenters/inbound-list.js')).inboundListView;
  },
  async run({ context, options }) {
    const { listInbound } = await import('./list.js');
    return listInbound(context, options);
  },
});

export const get = defineCommand({
  summary: {
    en: 'Show what the service knows about a document',
    pt: 'Mostra o que o serviço sabe de um documento',
  },
  description: {
    en: 'The metadata as the service returns it; with --content the document itself as JSON, for a quick look. The legal document is the XML: fiscal inbound xml.',
    pt: 'Os metadados como o serviço os informa; com --content o próprio documento em JSON, para uma consulta rápida. O documento legal é o XML: fiscal inbound xml.',
  },
  arguments: [documentArgument],
  options: {
    ...typeOption,
    ...eventOption,
    content: {
      kind: 'toggle',
      notWith: ['event'],
      summary: {
        en: 'The content of a captured NF-e or NFS-e as JSON',
        pt: 'O conteúdo de uma NF-e ou NFS-e capturada, em JSON',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound get 35250530057049000141550010000280181030656857',
      summary: { en: 'One NF-e', pt: 'Uma NF-e' },
    },
    {
      command: 'fiscal inbound get 35250530057049000141550010000280181030656857 --event e1',
      summary: { en: 'One of its events', pt: 'Um de seus eventos' },
    },
    {
      command: 'fiscal inbound get 6f1c0a2e --type nfse --query status -o json',
      summary: { en: 'The state of an NFS-e, by its id', pt: 'O estado de uma NFS-e, pelo id' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'accessKey',
  async run({ context, options: { type, event, content }, arguments: { key = '' } }) {
    const { getDocument, getEvent, readJson } = await import('./document.js');
    if (event !== undefined) return getEvent(context, { key, eventKey: event, type });
    return content ? readJson(context, { key, type }) : getDocument(context, { key, type });
  },
});

export const xml = defineCommand({
  summary: {
    en: 'The XML of a document or of an event, byte for byte',
    pt: 'O XML de um documento ou evento, byte a byte',
  },
  arguments: [documentArgument],
  options: { ...typeOption, ...eventOption, ...outOption },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound xml 35250530057049000141550010000280181030656857 --out nota.xml',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
    {
      command: 'fiscal inbound xml 35250530057049000141550010000280181030656857 --event e1 --out evento.xml',
      summary: { en: 'Of one of its events', pt: 'De um de seus eventos' },
    },
  ],
  exitCodes: callExitCodes,
  async run({ context, io, options: { type, event, out }, arguments: { key = '' } }) {
    const { readEventXml, readXml } = await import('./document.js');
    const bytes =
      event === undefined
        ? readXml(context, { key, type, out })
        : readEventXml(context, { key, eventKey: event, type, out });
    return writeBytes(await bytes, io, 'xml');
  },
});

export const pdf = defineCommand({
  summary: { en: 'The PDF of a document', pt: 'O PDF de um documento' },
  description: {
    en: 'Waits while the service prepares it (202). On a terminal and with --open, the PDF of a document of the archive is stored beside its XML, and one that is there is not fetched again; elsewhere it goes to stdout. The PDF is only an image: the legal document is the XML. A CT-e has no PDF.',
    pt: 'Aguarda enquanto o serviço o prepara (202). No terminal e com --open, o PDF de um documento já baixado é gravado ao lado do XML, e o que já está lá não é baixado de novo; fora do terminal ele vai para o stdout. O PDF é uma imagem: o documento legal é o XML. Um CT-e não tem PDF.',
  },
  arguments: [documentArgument],
  options: {
    ...typeOption,
    ...outOption,
    ...openOption,
    timeout: {
      kind: 'duration',
      value: 'time',
      default: '2m',
      summary: { en: 'Longest time to wait for the PDF', pt: 'Tempo máximo de espera pelo PDF' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound pdf 33045572211905971000105000000000014625124504258429 --out nota.pdf',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
    {
      command: 'fiscal inbound pdf 33045572211905971000105000000000014625124504258429 --open',
      summary: { en: 'Into the archive, and onto the screen', pt: 'Para a pasta de documentos, e na tela' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending],
  async run({ context, io, options: { type, out, open, timeout }, arguments: { key = '' } }) {
    const show = open ? io.opener() : undefined;
    const request = { key, type, timeoutMs: timeout };
    if (out === undefined && (open || io.stdout.isTerminal)) {
      const { archivedPdf } = await import('./archived-pdf.js');
      return openWritten(
        await writeBytes(await archivedPdf(context, { ...request, opens: open }), io, 'pdf'),
        show,
      );
    }
    const { readPdf } = await import('./document.js');
    return openWritten(await writeBytes(await readPdf(context, { ...request, out }), io, 'pdf'), show);
  },
});

export const events = defineCommand({
  summary: { en: 'The events of a document', pt: 'Os eventos de um documento' },
  arguments: [documentArgument],
  options: typeOption,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound events 35250530057049000141550010000280181030656857',
      summary: { en: 'All, as the service lists them', pt: 'Todos, como o serviço os lista' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'eventKey',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(
      ['type', 'eventCode', 'description', 'issuedOn', 'sequence', 'protocol', 'eventKey', 'nsu'],
      {
        required: ['type', 'eventCode', 'description', 'protocol', 'eventKey'],
      },
    );
  },
  async run({ context, options: { type }, arguments: { key = '' } }) {
    const { showEvents } = await import('./document.js');
    return showEvents(context, { key, type });
  },
});

export const reprocess = defineCommand({
  summary: {
    en: 'Reprocess an NFS-e, or resend the webhook of a document',
    pt: 'Reprocessa uma NFS-e, ou reenvia o webhook de um documento',
  },
  description: {
    en: 'The service reprocesses NFS-e only, and resends the webhook of NF-e and NFS-e. With --webhook an NF-e may also be named by its NSU, with --type nfe.',
    pt: 'O serviço só reprocessa NFS-e, e reenvia o webhook de NF-e e NFS-e. Com --webhook uma NF-e também pode ser indicada pelo NSU, com --type nfe.',
  },
  arguments: [documentArgument],
  options: {
    ...typeOption,
    webhook: { kind: 'toggle', summary: { en: 'Only its webhook again', pt: 'Só o webhook de novo' } },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal inbound reprocess 33045572211905971000105000000000014625124504258429',
      summary: { en: 'One NFS-e', pt: 'Uma NFS-e' },
    },
    {
      command: 'fiscal inbound reprocess 35250530057049000141550010000280181030656857 --webhook',
      summary: { en: 'The webhook of one NF-e', pt: 'O webhook de uma NF-e' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict],
  idField: 'id',
  async run({ context, options: { type, webhook }, arguments: { key = '' } }) {
    const { reprocessDocument, resendWebhook } = await import('./document.js');
    return webhook ? resendWebhook(context, { key, type }) : reprocessDocument(context, { key, type });
  },
});
