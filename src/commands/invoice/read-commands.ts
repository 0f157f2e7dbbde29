import { flowStatuses } from '../../contract/invoice-service.js';
import { merchandiseStatuses } from '../../contract/invoice.js';
import { followOptionsOf } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { openOption, openWritten, writeBytes, outOption } from '../../cli/output-bytes.js';
import { documents, everyModel, followOptions, goods, invoiceArgument, modelOption } from './options.js';

export const get = defineCommand({
  summary: { en: 'Show one issued invoice', pt: 'Mostra uma nota emitida' },
  arguments: [{ ...invoiceArgument, required: false }],
  options: {
    ...modelOption(everyModel),
    externalId: {
      notWith: ['<id>'],
      kind: 'text',
      value: 'id',
      models: ['nfse'],
      summary: { en: 'Find an NFS-e by your own id', pt: 'Encontra uma NFS-e pelo seu próprio id' },
    },
    ...followOptions,
    exitStatus: {
      kind: 'toggle',
      summary: {
        en: 'Show the state in the exit code: 8 while it is being issued, 13 if it is rejected',
        pt: 'Mostra a situação no código de saída: 8 durante a emissão, 13 se for rejeitada',
      },
    },
  },
  scope: ['company'],
  modelWithoutCompany: 'general',
  examples: [
    {
      command: 'fiscal invoice get 6f1c0a2e --model nfe --wait',
      summary: { en: 'Wait for the result', pt: 'Espera o resultado' },
    },
    {
      command: 'fiscal invoice get 35261011222333000181550010000001231000001230',
      summary: { en: 'By its access key, after a sync', pt: 'Pela chave de acesso, depois de um sync' },
    },
    {
      command: 'fiscal invoice get --external-id PEDIDO-1001',
      summary: { en: 'An NFS-e by your own id', pt: 'Uma NFS-e pelo seu próprio id' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { id } }) {
    const { getInvoice } = await import('./get.js');
    const { model, externalId, exitStatus } = options;
    return getInvoice(context, { model, id, externalId, exitStatus, ...followOptionsOf(options) });
  },
});

const invoiceStatuses = [...new Set([...merchandiseStatuses, ...flowStatuses])];

/** The names are those of `inbound list`. */
const filterOptions = {
  since: {
    kind: 'text',
    value: 'time',
    summary: {
      en: 'Issued from this day, month, UTC time, or age (30d) on; created, if not issued',
      pt: 'Emitidas a partir deste dia, mês, horário UTC ou idade (30d); criadas, se não emitidas',
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
  status: {
    kind: 'choice',
    choices: invoiceStatuses,
    summary: { en: 'Only this state, e.g. Issued', pt: 'Só esta situação, p. ex. Issued' },
  },
  text: {
    kind: 'text',
    value: 'text',
    summary: {
      en: 'Only with this in the number, key, id, buyer or taker, whatever its accents and case',
      pt: 'Só com isto no número, chave, id, destinatário ou tomador, com ou sem acentos e maiúsculas',
    },
  },
} as const satisfies OptionSpecs;

export const list = defineCommand({
  summary: { en: 'List the issued invoices of a model', pt: 'Lista as notas emitidas de um modelo' },
  description: {
    en: 'Streams page by page; each invoice appears once, unchanged. --since, --until, --status and --text are applied on this machine, after each page is read. On a terminal the list ends with the number of invoices and their sum. With --local and without --model: those of every model.',
    pt: 'Lista página a página; cada nota aparece uma vez, sem alterações. --since, --until, --status e --text são aplicados nesta máquina, depois da leitura de cada página. No terminal a lista termina com a quantidade de notas e a soma. Com --local e sem --model: as de todos os modelos.',
  },
  options: {
    model: {
      ...modelOption(documents).model,
      summary: {
        en: 'The model; without it, --local lists all three',
        pt: 'O modelo; sem ele, --local lista os três',
      },
    },
    ...filterOptions,
    local: {
      kind: 'toggle',
      summary: {
        en: 'Only what this machine knows from invoice sync, without network',
        pt: 'Só o que esta máquina conhece por invoice sync, sem rede',
      },
    },
    limit: {
      notWith: ['all'],
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'At most this many (100)', pt: 'No máximo esta quantidade (100)' },
    },
    all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
    environment: {
      kind: 'choice',
      choices: ['Production', 'Test'],
      default: 'Production',
      models: goods,
      summary: {
        en: 'Environment of the authority; the service lists one at a time',
        pt: 'Ambiente da autoridade; o serviço lista um por vez',
      },
    },
    search: {
      notWith: ['local'],
      kind: 'text',
      value: 'text',
      models: ['nfe'],
      summary: {
        en: 'Only the NF-e that the service finds by this text',
        pt: 'Só as NF-e que o serviço encontra por este texto',
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice list --model nfe --all -o ndjson',
      summary: { en: 'All of them, as a stream', pt: 'Todas, em fluxo' },
    },
    {
      command:
        'fiscal invoice list --model nfce --since 2026-10-01 --until 2026-11-01 --status Cancelled --all',
      summary: { en: 'Issued in October and cancelled', pt: 'Emitidas em outubro e canceladas' },
    },
    {
      command: 'fiscal invoice list --local --all',
      summary: {
        en: 'What the last sync has seen, of every model',
        pt: 'O que o último sync viu, de todo modelo',
      },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes],
  exitMeanings: {
    [ExitCode.partial]: {
      en: 'with --local: no sync of this machine has read the whole list',
      pt: 'com --local: nenhuma sincronização desta máquina leu a lista inteira',
    },
  },
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    const parties = ['buyer.name', 'borrower.name'];
    const columns = ['number', 'serie', 'flowStatus', 'status', ...parties, 'createdOn', 'externalId', 'id'];
    return columnsView(columns, { required: ['flowStatus', 'status', 'id'] });
  },
  async run({ context, options }) {
    const { listInvoices } = await import('./list.js');
    return listInvoices(context, options);
  },
});

export const events = defineCommand({
  summary: { en: 'The events of an issued NF-e or NFC-e', pt: 'Os eventos de uma NF-e ou NFC-e emitida' },
  arguments: [invoiceArgument],
  options: modelOption(goods),
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice events 6f1c0a2e --model nfe',
      summary: { en: 'Cancellation and corrections', pt: 'Cancelamento e correções' },
    },
  ],
  exitCodes: callExitCodes,
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['type', 'sequence', 'status', 'reason', 'errorMessage', 'createdOn', 'protocol'], {
      required: ['type', 'status', 'reason', 'errorMessage'],
      below: ['reason', 'errorMessage'],
    });
  },
  async run({ context, options: { model }, arguments: { id = '' } }) {
    const { listInvoiceEvents } = await import('./list.js');
    return listInvoiceEvents(context, { model, id });
  },
});

/** A document of an invoice, and how long to wait until the service has made it. */
const bytesOptions = {
  ...modelOption(documents),
  ...outOption,
  timeout: {
    kind: 'duration',
    value: 'time',
    default: '2m',
    summary: {
      en: 'Longest time to wait for the document',
      pt: 'Tempo máximo de espera pelo documento',
    },
  },
} as const satisfies OptionSpecs;

const bytesExitCodes = [...callExitCodes, ExitCode.pending, ExitCode.conflict];

const ofSummary = {
  en: 'The invoice, its last accepted correction letter (NF-e)',
  pt: 'A nota, a última carta de correção aceita (NF-e)',
};

export const xml = defineCommand({
  summary: {
    en: 'The XML of an issued invoice, byte for byte',
    pt: 'O XML de uma nota emitida, byte a byte',
  },
  description: {
    en: 'An XML is checked before it is given: it must be that document of that invoice. The last correction letter holds every correction. A rejection is for the diagnosis of an NF-e or NFC-e that the tax authority refused; exits 9 for any other. The XML of a cancellation of an NFS-e is its proof in the national environment; exits 9 where there is none, which is usual in cities with a system of their own.',
    pt: 'O XML é conferido antes: precisa ser esse documento dessa nota. A última carta de correção reúne todas as correções. A rejeição serve ao diagnóstico de uma NF-e ou NFC-e que a autoridade fiscal recusou; para qualquer outra, termina em 9. O XML do cancelamento de uma NFS-e é a prova dele no ambiente nacional; termina em 9 quando não há, o que é comum em municípios com sistema próprio.',
  },
  arguments: [invoiceArgument],
  options: {
    ...bytesOptions,
    of: {
      kind: 'choice',
      choices: ['invoice', 'letter', 'rejection', 'cancellation'],
      default: 'invoice',
      summary: {
        en: `${ofSummary.en}, its rejection (NF-e, NFC-e), or its cancellation (NFS-e)`,
        pt: `${ofSummary.pt}, a rejeição (NF-e, NFC-e) ou o cancelamento (NFS-e)`,
      },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice xml 6f1c0a2e --model nfe --out nota.xml',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
    {
      command: 'fiscal invoice xml 6f1c0a2e --of letter --out carta.xml',
      summary: { en: 'Of its correction letter', pt: 'Da carta de correção' },
    },
  ],
  exitCodes: bytesExitCodes,
  async run({ context, io, options, arguments: { id = '' } }) {
    const { readInvoiceBytes } = await import('./documents.js');
    const bytes = await readInvoiceBytes(context, { ...options, id, form: 'xml', force: false });
    return writeBytes(bytes, io, 'xml');
  },
});

export const pdf = defineCommand({
  summary: { en: 'The PDF of an issued invoice', pt: 'O PDF de uma nota emitida' },
  arguments: [invoiceArgument],
  options: {
    ...bytesOptions,
    of: { kind: 'choice', choices: ['invoice', 'letter'], default: 'invoice', summary: ofSummary },
    force: {
      kind: 'toggle',
      models: goods,
      notWith: ['of letter'],
      summary: {
        en: 'Have the service make the PDF of the invoice anew',
        pt: 'Pede ao serviço que gere o PDF da nota de novo',
      },
    },
    // What is issued has no place of its own: the file is the one of `--out`.
    open: { ...openOption.open, onlyWith: ['out'] },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice pdf 6f1c0a2e --model nfe --out nota.pdf',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
    {
      command: 'fiscal invoice pdf 6f1c0a2e --of letter --out carta.pdf',
      summary: { en: 'Of its correction letter', pt: 'Da carta de correção' },
    },
  ],
  exitCodes: bytesExitCodes,
  async run({ context, io, options, arguments: { id = '' } }) {
    const { readInvoiceBytes } = await import('./documents.js');
    const show = options.open ? io.opener() : undefined;
    const bytes = await readInvoiceBytes(context, { ...options, id, form: 'pdf' });
    return openWritten(await writeBytes(bytes, io, 'pdf'), show);
  },
});

export const email = defineCommand({
  summary: { en: 'Send an NFS-e to its taker by e-mail', pt: 'Envia uma NFS-e ao tomador por e-mail' },
  description: {
    en: 'The service sends it to the e-mail address in the invoice. Every call sends another e-mail.',
    pt: 'O serviço envia ao e-mail que consta na nota. Cada chamada envia outro e-mail.',
  },
  arguments: [invoiceArgument],
  options: {},
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice email 6f1c0a2e',
      summary: { en: 'One e-mail', pt: 'Um e-mail' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.conflict, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, arguments: { id = '' } }) {
    const { emailInvoice } = await import('./documents.js');
    return emailInvoice(context, id);
  },
});
