import { flowStatuses } from '../../contract/invoice-service.js';
import { merchandiseStatuses } from '../../contract/invoice.js';
import { followOptionsOf } from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { InvoiceModel, MerchandiseModel } from '../../jobs/kinds/invoice-items.js';
import { openOption, openWritten, writeBytes, outOption } from '../../cli/output-bytes.js';
import { followOptions, invoiceArgument, names } from './options.js';

const statusOption = {
  exitStatus: {
    kind: 'toggle',
    summary: {
      en: 'Show the state in the exit code: 8 while it is being issued, 13 if it is rejected',
      pt: 'Mostra a situação no código de saída: 8 durante a emissão, 13 se for rejeitada',
    },
  },
} as const;

const getExitCodes = [...callExitCodes, ExitCode.pending, ExitCode.endedBadly];

/** `fiscal invoice get` and `fiscal invoice nfe|nfce get`. */
export function getCommand(model: MerchandiseModel | 'general') {
  const words = model === 'general' ? 'fiscal invoice get' : `fiscal invoice ${model} get`;
  const name = model === 'general' ? undefined : names[model];
  return defineCommand({
    summary:
      name === undefined
        ? { en: 'Show one invoice of invoice create', pt: 'Mostra uma nota emitida por invoice create' }
        : { en: `Show one issued ${name}`, pt: `Mostra uma ${name} emitida` },
    arguments: [invoiceArgument],
    options: { ...followOptions, ...statusOption },
    ...(model === 'general' ? { refusesCompany: true as const } : { scope: ['company'] as const }),
    examples: [
      { command: `${words} 6f1c0a2e`, summary: { en: 'Its current state', pt: 'A situação atual' } },
      {
        command: `${words} 6f1c0a2e --wait`,
        summary: { en: 'Wait for the result', pt: 'Espera o resultado' },
      },
    ],
    exitCodes: getExitCodes,
    idField: 'id',
    async run({ context, options, arguments: { id } }) {
      const { getInvoice } = await import('./get.js');
      const { exitStatus } = options;
      return getInvoice(context, {
        model,
        id,
        externalId: undefined,
        exitStatus,
        ...followOptionsOf(options),
      });
    },
  });
}

export const serviceGet = defineCommand({
  summary: { en: 'Show one issued NFS-e', pt: 'Mostra uma NFS-e emitida' },
  arguments: [{ ...invoiceArgument, required: false }],
  options: {
    externalId: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Find it by your own id', pt: 'Encontra pelo seu próprio id' },
    },
    ...followOptions,
    ...statusOption,
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice nfse get 6f1c0a2e --wait',
      summary: { en: 'Wait for the result', pt: 'Espera o resultado' },
    },
    {
      command: 'fiscal invoice nfse get --external-id PEDIDO-1001',
      summary: { en: 'By your own id', pt: 'Pelo seu próprio id' },
    },
  ],
  exitCodes: getExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { id } }) {
    const { getInvoice } = await import('./get.js');
    const { externalId, exitStatus } = options;
    return getInvoice(context, { model: 'nfse', id, externalId, exitStatus, ...followOptionsOf(options) });
  },
});

const pages = {
  limit: {
    notWith: ['all'],
    kind: 'count',
    value: 'n',
    min: 1,
    summary: { en: 'At most this many (100)', pt: 'No máximo esta quantidade (100)' },
  },
  all: { kind: 'toggle', summary: { en: 'Without a limit', pt: 'Sem limite' } },
} as const;

const listEnvironment = {
  environment: {
    kind: 'choice',
    choices: ['Production', 'Test'],
    default: 'Production',
    summary: {
      en: 'Environment of the authority; the service lists one at a time',
      pt: 'Ambiente da autoridade; o serviço lista um por vez',
    },
  },
} as const;

const searchOption = {
  search: {
    notWith: ['local'],
    kind: 'text',
    value: 'text',
    summary: {
      en: 'Only what the service finds by this text',
      pt: 'Só o que o serviço encontra por este texto',
    },
  },
} as const;

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
  local: {
    kind: 'toggle',
    summary: {
      en: 'Only what this machine knows from invoice sync, without network',
      pt: 'Só o que esta máquina conhece por invoice sync, sem rede',
    },
  },
} as const;

function listOptions(model: InvoiceModel) {
  const common = { ...filterOptions, ...pages };
  if (model === 'nfse') return common;
  const ofEnvironment = { ...common, ...listEnvironment };
  return model === 'nfe' ? { ...ofEnvironment, ...searchOption } : ofEnvironment;
}

/** `fiscal invoice nfe|nfce|nfse list`. */
export function listCommand(model: InvoiceModel) {
  const name = names[model];
  const options = listOptions(model);
  return defineCommand({
    summary: { en: `List the issued ${name}`, pt: `Lista as ${name} emitidas` },
    description: {
      en: 'Streams page by page; each invoice appears once, unchanged. --since, --until, --status and --text are applied on this machine, after each page is read. On a terminal the list ends with the number of invoices and their sum.',
      pt: 'Lista página a página; cada nota aparece uma vez, sem alterações. --since, --until, --status e --text são aplicados nesta máquina, depois da leitura de cada página. No terminal a lista termina com a quantidade de notas e a soma.',
    },
    options,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} list --all -o ndjson`,
        summary: { en: 'All of them, as a stream', pt: 'Todas, em fluxo' },
      },
      {
        command: `fiscal invoice ${model} list --since 2026-10-01 --until 2026-11-01 --status Cancelled --all`,
        summary: { en: 'Issued in October and cancelled', pt: 'Emitidas em outubro e canceladas' },
      },
      { command: `fiscal invoice ${model} list -o id`, summary: { en: 'Their ids', pt: 'Os ids' } },
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
      const party = model === 'nfse' ? 'borrower.name' : 'buyer.name';
      const columns = ['number', 'serie', 'flowStatus', 'status', party, 'createdOn', 'externalId', 'id'];
      return columnsView(columns, { required: ['flowStatus', 'status', 'id'] });
    },
    async run({ context, options: given }) {
      const { listInvoices } = await import('./list.js');
      const { limit, all, since, until, status, text, local } = given;
      const chosen = 'environment' in given && given.environment === 'Test' ? 'Test' : 'Production';
      const search = 'search' in given && typeof given.search === 'string' ? given.search : undefined;
      const filter = { since, until, status, text };
      return listInvoices(context, { model, environment: chosen, search, limit, all, local, ...filter });
    },
  });
}

/** `fiscal invoice nfe|nfce events`. */
export function eventsCommand(model: MerchandiseModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `The events of an issued ${name}`, pt: `Os eventos de uma ${name} emitida` },
    arguments: [invoiceArgument],
    options: {},
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} events 6f1c0a2e`,
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
    async run({ context, arguments: { id = '' } }) {
      const { listInvoiceEvents } = await import('./list.js');
      return listInvoiceEvents(context, { model, id });
    },
  });
}

const bytesSummaries = {
  xml: { en: 'The XML of an issued {name}, byte for byte', pt: 'O XML de uma {name} emitida, byte a byte' },
  pdf: { en: 'The PDF of an issued {name}', pt: 'O PDF de uma {name} emitida' },
} as const;

const bytesOptions = {
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
} as const;

/** What is issued has no place of its own: the file is the one of `--out`. */
const pdfOptions = { ...bytesOptions, open: { ...openOption.open, onlyWith: ['out'] } } as const;

const forceOption = {
  force: {
    kind: 'toggle',
    summary: {
      en: 'Have the service make the PDF anew',
      pt: 'Pede ao serviço que gere o PDF de novo',
    },
  },
} as const;

/** `fiscal invoice nfe|nfce|nfse xml|pdf`. */
export function bytesCommand(model: InvoiceModel, form: 'xml' | 'pdf') {
  const { en, pt } = bytesSummaries[form];
  const name = names[model];
  const ofPdf = model === 'nfse' ? pdfOptions : { ...pdfOptions, ...forceOption };
  return defineCommand({
    summary: { en: en.replace('{name}', name), pt: pt.replace('{name}', name) },
    arguments: [invoiceArgument],
    options: form === 'pdf' ? ofPdf : bytesOptions,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} ${form} 6f1c0a2e --out nota.${form}`,
        summary: { en: 'Into a file', pt: 'Para um arquivo' },
      },
    ],
    exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.conflict],
    async run({ context, io, options: given, arguments: { id = '' } }) {
      const { readInvoiceBytes } = await import('./documents.js');
      const { out, timeout: timeoutMs } = given;
      const force = 'force' in given && given.force === true;
      const show = 'open' in given && given.open === true ? io.opener() : undefined;
      const bytes = await readInvoiceBytes(context, { model, id, form, force, out, timeoutMs });
      return openWritten(await writeBytes(bytes, io, form), show);
    },
  });
}

const letterExamples = {
  xml: 'fiscal invoice nfe letter-xml 6f1c0a2e --out carta.xml',
  pdf: 'fiscal invoice nfe letter-pdf 6f1c0a2e --out carta.pdf',
} as const;

/** `fiscal invoice nfe letter-xml|letter-pdf`. */
export function letterCommand(form: 'xml' | 'pdf') {
  const name = form.toUpperCase();
  return defineCommand({
    summary: {
      en: `The ${name} of the correction letter of an NF-e`,
      pt: `O ${name} da carta de correção de uma NF-e`,
    },
    description: {
      en: 'Of the last accepted letter, which holds every correction. An XML is checked before it is given: it must be that event of that invoice.',
      pt: 'Da última carta aceita, que reúne todas as correções. O XML é conferido antes: precisa ser esse evento dessa nota.',
    },
    arguments: [invoiceArgument],
    options: form === 'pdf' ? pdfOptions : bytesOptions,
    scope: ['company'],
    examples: [
      {
        command: letterExamples[form],
        summary: { en: 'Into a file', pt: 'Para um arquivo' },
      },
    ],
    exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.conflict],
    async run({ context, io, options: given, arguments: { id = '' } }) {
      const { readLetterBytes } = await import('./documents.js');
      const { out, timeout: timeoutMs } = given;
      const show = 'open' in given && given.open === true ? io.opener() : undefined;
      return openWritten(
        await writeBytes(await readLetterBytes(context, { id, form, out, timeoutMs }), io, form),
        show,
      );
    },
  });
}

/** `fiscal invoice nfe|nfce rejection-xml`. */
export function rejectionCommand(model: MerchandiseModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `The XML of the rejection of an ${name}`, pt: `O XML da rejeição de uma ${name}` },
    description: {
      en: 'For the diagnosis of an invoice that the tax authority refused. Exits 9 for any other invoice.',
      pt: 'Para o diagnóstico de uma nota que a autoridade fiscal recusou. Para qualquer outra nota, termina em 9.',
    },
    arguments: [invoiceArgument],
    options: bytesOptions,
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} rejection-xml 6f1c0a2e --out rejeicao.xml`,
        summary: { en: 'Into a file', pt: 'Para um arquivo' },
      },
    ],
    exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.conflict],
    async run({ context, io, options: { out, timeout }, arguments: { id = '' } }) {
      const { readRejectionXml } = await import('./documents.js');
      return writeBytes(await readRejectionXml(context, { model, id, out, timeoutMs: timeout }), io, 'xml');
    },
  });
}

export const cancellationXml = defineCommand({
  summary: { en: 'The XML of the cancellation of an NFS-e', pt: 'O XML do cancelamento de uma NFS-e' },
  description: {
    en: 'The proof of a cancellation in the national environment. Exits 9 where there is none, which is usual in cities with a system of their own.',
    pt: 'A prova do cancelamento no ambiente nacional. Termina em 9 quando não há, o que é comum em municípios com sistema próprio.',
  },
  arguments: [invoiceArgument],
  options: bytesOptions,
  scope: ['company'],
  examples: [
    {
      command: 'fiscal invoice nfse cancellation-xml 6f1c0a2e --out cancelamento.xml',
      summary: { en: 'Into a file', pt: 'Para um arquivo' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.conflict],
  async run({ context, io, options: { out, timeout }, arguments: { id = '' } }) {
    const { readCancellationXml } = await import('./documents.js');
    return writeBytes(await readCancellationXml(context, { id, out, timeoutMs: timeout }), io, 'xml');
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
      command: 'fiscal invoice nfse email 6f1c0a2e',
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
