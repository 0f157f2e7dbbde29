import type { ExitName } from '../../cli/command.js';
import { choice, columns, count, define, duration, example, optional, text, toggle } from '../../cli/define.js';
import { flowStatuses } from '../../contract/invoice-service.js';
import { merchandiseStatuses } from '../../contract/invoice.js';
import { openOption, outOption } from '../../cli/output-bytes.js';
import { documents, everyModel, followOptions, goods, invoiceArgument, modelOption } from './options.js';

export const get = define('Show one issued invoice', 'Mostra uma nota emitida', {
  takes: { id: optional(invoiceArgument) },
  options: {
    ...modelOption(everyModel),
    externalId: text('id', 'Find an NFS-e by your own id', 'Encontra uma NFS-e pelo seu próprio id', {
      notWith: ['<id>'],
      models: ['nfse'],
    }),
    ...followOptions,
    exitStatus: toggle(
      'Show the state in the exit code: 8 while it is being issued, 13 if it is rejected',
      'Mostra a situação no código de saída: 8 durante a emissão, 13 se for rejeitada',
    ),
  },
  scope: ['company'],
  modelWithoutCompany: 'general',
  examples: [
    example('6f1c0a2e --model nfe --wait', 'Wait for the result', 'Espera o resultado'),
    example(
      '35261011222333000181550010000001231000001230',
      'By its access key, after a sync',
      'Pela chave de acesso, depois de um sync',
    ),
    example('--external-id PEDIDO-1001', 'An NFS-e by your own id', 'Uma NFS-e pelo seu próprio id'),
  ],
  exits: ['calls', 'pending', 'endedBadly'],
  id: 'id',
});

const invoiceStatuses = [...new Set([...merchandiseStatuses, ...flowStatuses])];

/** The names are those of `inbound list`. */
const filterOptions = {
  since: text(
    'time',
    'Issued from this day, month, UTC time, or age (30d) on; created, if not issued',
    'Emitidas a partir deste dia, mês, horário UTC ou idade (30d); criadas, se não emitidas',
  ),
  until: text('time', 'Before this day, month, UTC time, or age', 'Antes deste dia, mês, horário UTC ou idade'),
  status: choice(invoiceStatuses, 'Only this state, e.g. Issued', 'Só esta situação, p. ex. Issued'),
  text: text(
    'text',
    'Only with this in the number, key, id, buyer or taker, whatever its accents and case',
    'Só com isto no número, chave, id, destinatário ou tomador, com ou sem acentos e maiúsculas',
  ),
};

export const list = define('List the issued invoices of a model', 'Lista as notas emitidas de um modelo', {
  description: {
    en: 'Streams page by page; each invoice appears once, unchanged. --since, --until, --status and --text are applied on this machine, after each page is read. On a terminal the list ends with the number of invoices and their sum. With --local and without --model: those of every model.',
    pt: 'Lista página a página; cada nota aparece uma vez, sem alterações. --since, --until, --status e --text são aplicados nesta máquina, depois da leitura de cada página. No terminal a lista termina com a quantidade de notas e a soma. Com --local e sem --model: as de todos os modelos.',
  },
  options: {
    model: {
      ...modelOption(documents).model,
      summary: { en: 'The model; without it, --local lists all three', pt: 'O modelo; sem ele, --local lista os três' },
    },
    ...filterOptions,
    local: toggle(
      'Only what this machine knows from invoice sync, without network',
      'Só o que esta máquina conhece por invoice sync, sem rede',
    ),
    limit: count('n', 'At most this many (100)', 'No máximo esta quantidade (100)', { notWith: ['all'], min: 1 }),
    all: toggle('Without a limit', 'Sem limite'),
    environment: choice(
      ['Production', 'Test'],
      'Environment of the authority; the service lists one at a time',
      'Ambiente da autoridade; o serviço lista um por vez',
      { default: 'Production', models: goods },
    ),
    search: text(
      'text',
      'Only the NF-e that the service finds by this text',
      'Só as NF-e que o serviço encontra por este texto',
      { notWith: ['local'], models: ['nfe'] },
    ),
  },
  scope: ['company'],
  examples: [
    example('--model nfe --all -o ndjson', 'All of them, as a stream', 'Todas, em fluxo'),
    example(
      '--model nfce --since 2026-10-01 --until 2026-11-01 --status Cancelled --all',
      'Issued in October and cancelled',
      'Emitidas em outubro e canceladas',
    ),
    example('--local --all', 'What the last sync has seen, of every model', 'O que o último sync viu, de todo modelo'),
  ],
  exits: ['partial', 'calls'],
  exitMeanings: {
    partial: {
      en: 'with --local: no sync of this machine has read the whole list',
      pt: 'com --local: nenhuma sincronização desta máquina leu a lista inteira',
    },
  },
  id: 'id',
  view: columns('number serie flowStatus status buyer.name borrower.name createdOn externalId id', {
    required: 'flowStatus status id',
  }),
});

export const events = define('The events of an issued NF-e or NFC-e', 'Os eventos de uma NF-e ou NFC-e emitida', {
  takes: { id: invoiceArgument },
  options: modelOption(goods),
  scope: ['company'],
  examples: [example('6f1c0a2e --model nfe', 'Cancellation and corrections', 'Cancelamento e correções')],
  exits: ['calls'],
  view: columns('type sequence status reason errorMessage createdOn protocol', {
    required: 'type status reason errorMessage',
    below: 'reason errorMessage',
  }),
});

/** A document of an invoice, and how long to wait until the service has made it. */
const bytesOptions = {
  ...modelOption(documents),
  ...outOption,
  timeout: duration('time', 'Longest time to wait for the document', 'Tempo máximo de espera pelo documento', {
    default: '2m',
  }),
};

const bytesExits: readonly ExitName[] = ['calls', 'pending', 'conflict'];

const ofSummary = {
  en: 'The invoice, its last accepted correction letter (NF-e)',
  pt: 'A nota, a última carta de correção aceita (NF-e)',
};

export const xml = define('The XML of an issued invoice, byte for byte', 'O XML de uma nota emitida, byte a byte', {
  description: {
    en: 'An XML is checked before it is given: it must be that document of that invoice. The last correction letter holds every correction. A rejection is for the diagnosis of an NF-e or NFC-e that the tax authority refused; exits 9 for any other. The XML of a cancellation of an NFS-e is its proof in the national environment; exits 9 where there is none, which is usual in cities with a system of their own.',
    pt: 'O XML é conferido antes: precisa ser esse documento dessa nota. A última carta de correção reúne todas as correções. A rejeição serve ao diagnóstico de uma NF-e ou NFC-e que a autoridade fiscal recusou; para qualquer outra, termina em 9. O XML do cancelamento de uma NFS-e é a prova dele no ambiente nacional; termina em 9 quando não há, o que é comum em municípios com sistema próprio.',
  },
  takes: { id: invoiceArgument },
  options: {
    ...bytesOptions,
    of: choice(
      ['invoice', 'letter', 'rejection', 'cancellation'],
      `${ofSummary.en}, its rejection (NF-e, NFC-e), or its cancellation (NFS-e)`,
      `${ofSummary.pt}, a rejeição (NF-e, NFC-e) ou o cancelamento (NFS-e)`,
      { default: 'invoice' },
    ),
  },
  scope: ['company'],
  examples: [
    example('6f1c0a2e --model nfe --out nota.xml', 'Into a file', 'Para um arquivo'),
    example('6f1c0a2e --of letter --out carta.xml', 'Of its correction letter', 'Da carta de correção'),
  ],
  exits: bytesExits,
});

export const pdf = define('The PDF of an issued invoice', 'O PDF de uma nota emitida', {
  takes: { id: invoiceArgument },
  options: {
    ...bytesOptions,
    of: { kind: 'choice', choices: ['invoice', 'letter'], default: 'invoice', summary: ofSummary },
    force: toggle(
      'Have the service make the PDF of the invoice anew',
      'Pede ao serviço que gere o PDF da nota de novo',
      { models: goods, notWith: ['of letter'] },
    ),
    // What is issued has no place of its own: the file is the one of `--out`.
    open: { ...openOption.open, onlyWith: ['out'] },
  },
  scope: ['company'],
  examples: [
    example('6f1c0a2e --model nfe --out nota.pdf', 'Into a file', 'Para um arquivo'),
    example('6f1c0a2e --of letter --out carta.pdf', 'Of its correction letter', 'Da carta de correção'),
  ],
  exits: bytesExits,
});

export const email = define('Send an NFS-e to its taker by e-mail', 'Envia uma NFS-e ao tomador por e-mail', {
  description: {
    en: 'The service sends it to the e-mail address in the invoice. Every call sends another e-mail.',
    pt: 'O serviço envia ao e-mail que consta na nota. Cada chamada envia outro e-mail.',
  },
  takes: { id: invoiceArgument },
  options: {},
  scope: ['company'],
  examples: [example('6f1c0a2e', 'One e-mail', 'Um e-mail')],
  exits: ['calls', 'conflict', 'endedBadly'],
  id: 'id',
});
