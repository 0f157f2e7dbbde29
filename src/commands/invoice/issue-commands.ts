import {
  batchOptions,
  batchOptionsOf,
  followOptionsOf,
  importOptions,
  requiredFile,
  tableOptions,
  templateOption,
  retryBillableOption,
  uncheckedOption,
} from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import { defineCommand, type OptionSpecs } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { environmentOption, followOptions, names, writeExitCodes } from './options.js';

/** The body of one invoice. */
const contentOptions = {
  file: {
    notWith: ['sample'],
    kind: 'text',
    value: 'file',
    summary: { en: 'The invoice as JSON or YAML; - for stdin', pt: 'A nota em JSON ou YAML; - para o stdin' },
  },
  set: {
    notWith: ['sample'],
    kind: 'texts',
    value: 'path=value',
    summary: {
      en: 'A field that overrides the file, e.g. items[0].quantity=2; JSON where it is JSON, else text; "2" in quotes is text',
      pt: 'Um campo que substitui o do arquivo, p. ex. items[0].quantity=2; JSON quando for JSON, senão texto; "2" entre aspas é texto',
    },
  },
  sample: {
    kind: 'toggle',
    summary: {
      en: 'Print a minimal valid body and send nothing',
      pt: 'Mostra um corpo mínimo válido e não envia nada',
    },
  },
  again: {
    notWith: ['sample'],
    kind: 'toggle',
    summary: {
      en: 'Issue another one even if this machine has already issued the same content',
      pt: 'Emite outra, mesmo que esta máquina já tenha emitido o mesmo conteúdo',
    },
  },
  unchecked: {
    notWith: ['sample'],
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;

const inList: Text = {
  en: 'it is looked up in the list of the service (by buyer, total and time, or by its externalId where additionalInformation.order holds it)',
  pt: 'ela é procurada na lista do serviço (por comprador, total e hora, ou pelo externalId, se additionalInformation.order o contiver)',
};

const findings: Readonly<Record<InvoiceModel, Text>> = {
  nfe: inList,
  nfce: inList,
  nfse: {
    en: 'it is looked up by its externalId',
    pt: 'ela é procurada pelo externalId',
  },
};

/** What is not sent, and what follows from it. */
const kept: Text = {
  en: ' The published body has neither externalId nor environment: both stay on this machine, and the state registration of the company decides the environment. So the service cannot tell whether another machine has issued the same order: let one machine issue, put the order number in additionalInformation.order as well, or, where the account takes the two fields, use --external-id-in-body.',
  pt: ' O corpo publicado não tem externalId nem environment: os dois ficam nesta máquina, e quem decide o ambiente é a inscrição estadual da empresa. Por isso o serviço não sabe dizer se outra máquina já emitiu o mesmo pedido: emita de uma só máquina, repita o número do pedido em additionalInformation.order ou, se a conta aceitar os dois campos, use --external-id-in-body.',
};

const issueOptions = {
  ...contentOptions,
  externalId: {
    kind: 'text',
    value: 'id',
    summary: {
      en: 'Your own id for the invoice, e.g. the order number',
      pt: 'Seu próprio id da nota, p. ex. o número do pedido',
    },
  },
  ...environmentOption,
  ...followOptions,
  ...retryBillableOption,
} as const satisfies OptionSpecs;

/** Of NF-e and NFC-e. An NFS-e always carries its externalId, which its published body has. */
const merchandiseImportOptions = {
  stateTax: {
    kind: 'text',
    value: 'id',
    summary: {
      en: 'The state registration that issues it (company registration list; default: stateTax of the record, else the service chooses)',
      pt: 'A inscrição estadual que emite (company registration list; padrão: stateTax do registro, senão o serviço escolhe)',
    },
  },
  externalIdInBody: {
    rare: true,
    kind: 'toggle',
    summary: {
      en: 'Send externalId and environment in the body, which the published one does not have (default: sends.externalId of the profile)',
      pt: 'Envia externalId e environment no corpo, que o corpo publicado não tem (padrão: sends.externalId do perfil)',
    },
  },
} as const satisfies OptionSpecs;

const merchandiseOptions = {
  stateTax: { ...merchandiseImportOptions.stateTax, notWith: ['sample'] },
  externalIdInBody: { ...merchandiseImportOptions.externalIdInBody, notWith: ['sample'] },
} as const satisfies OptionSpecs;

/** `fiscal invoice nfe|nfce|nfse issue`. */
export function issueCommand(model: InvoiceModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `Issue an ${name}`, pt: `Emite uma ${name}` },
    description: describe(model),
    options: model === 'nfse' ? issueOptions : { ...issueOptions, ...merchandiseOptions },
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} issue --sample > nota.json`,
        summary: { en: 'A minimal body', pt: 'Um corpo mínimo' },
      },
      {
        command: `fiscal invoice ${model} issue --file nota.json --external-id PEDIDO-1001 --wait`,
        summary: { en: 'Until it is issued', pt: 'Até ser emitida' },
      },
      {
        command: `fiscal invoice ${model} issue --file nota.yaml --dry-run`,
        summary: { en: 'Show the request only', pt: 'Só mostra a requisição' },
      },
    ],
    exitCodes: writeExitCodes,
    idField: 'id',
    async run({ context, options }) {
      const { issueInvoice } = await import('./issue.js');
      const { file, set, sample, again, unchecked, externalId, environment, retryBillable } = options;
      const idInBody = 'externalIdInBody' in options && options.externalIdInBody === true;
      const named = 'stateTax' in options ? options.stateTax : undefined;
      const stateTaxId = typeof named === 'string' ? named : undefined;
      return issueInvoice(context, {
        ...{ model, file, set, sample, again, unchecked, externalId, environment, idInBody },
        stateTaxId,
        ...followOptionsOf(options),
        retryBillable,
      });
    },
  });
}

function describe(model: InvoiceModel): Text {
  const found = findings[model];
  const more = model === 'nfse' ? { en: '', pt: '' } : kept;
  return {
    en: `From JSON or YAML, from --set, or both. Checked here before anything is sent; unknown fields pass unchanged. The externalId (yours, or one derived from the content) is stored before the send: when the outcome is unknown, ${found.en} before anything is sent again, and if that does not settle it, the program asks you. This machine never issues the same content, written the same way, twice.${more.en}`,
    pt: `De JSON ou YAML, de --set ou de ambos. É conferida aqui antes do envio; campos desconhecidos passam como estão. O externalId (o seu, ou um derivado do conteúdo) é gravado antes do envio; quando o resultado é desconhecido, ${found.pt} antes de qualquer novo envio, e, se isso não esclarecer, o programa pergunta a você. Esta máquina nunca emite duas vezes o mesmo conteúdo escrito da mesma forma.${more.pt}`,
  };
}

export const create = defineCommand({
  summary: {
    en: 'Issue an invoice from few fields (cliente, itens)',
    pt: 'Emite uma nota com poucos campos (cliente, itens)',
  },
  description: {
    en: 'From JSON or YAML, from --set, or both; checked here before anything is sent. The service chooses the company: the request names none. The Idempotency-Key is derived from the invoice and stored before the send, so that the service recognises the same order from two machines. A send whose outcome is unknown is never repeated automatically: the program asks you. This machine never issues the same content twice, in whatever order and number format it is written, unless you give --again or another --idempotency-key. For full control of the layout: fiscal invoice nfe|nfce|nfse issue.',
    pt: 'De JSON ou YAML, de --set ou de ambos; é conferida aqui antes do envio. O serviço escolhe a empresa: a requisição não indica nenhuma. A Idempotency-Key é derivada da nota e gravada antes do envio, para que o mesmo pedido, vindo de duas máquinas, seja um só no serviço; um envio de resultado desconhecido nunca é repetido automaticamente: o programa pergunta a você. O mesmo conteúdo nunca é emitido duas vezes por esta máquina, em qualquer ordem e formato de número, salvo com --again ou com uma --idempotency-key própria. Para o leiaute completo: fiscal invoice nfe|nfce|nfse issue.',
  },
  options: {
    ...contentOptions,
    idempotencyKey: {
      kind: 'text',
      value: 'key',
      summary: {
        en: 'Your own Idempotency-Key, e.g. the order number (default: derived from the externalId or the content)',
        pt: 'Sua própria Idempotency-Key, p. ex. o número do pedido (padrão: derivada do externalId ou do conteúdo)',
      },
    },
    ...followOptions,
  },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal invoice create --sample > nota.json',
      summary: { en: 'A minimal body', pt: 'Um corpo mínimo' },
    },
    {
      command: 'fiscal invoice create --file nota.json --set itens[0].quantidade=3 --wait',
      summary: { en: 'Until it is issued', pt: 'Até ser emitida' },
    },
  ],
  exitCodes: writeExitCodes,
  idField: 'id',
  async run({ context, options }) {
    const { createInvoice } = await import('./create.js');
    const { file, set, sample, again, unchecked, idempotencyKey } = options;
    return createInvoice(context, {
      ...{ file, set, sample, again, unchecked, idempotencyKey, retryBillable: false },
      ...followOptionsOf(options),
    });
  },
});

const importDescription: Text = {
  en: 'From a folder of JSON or YAML files (one invoice each), CSV or .xlsx (a header of fields or paths such as items[0].quantity), NDJSON, or a JSON or YAML list. Every record is checked before the first one is sent. The same content again continues the same job; a record whose externalId was used before is skipped. Records without an externalId get one derived from their content. A field company names the company of a record; without it, the company of the command issues it.',
  pt: 'De uma pasta de arquivos JSON ou YAML (uma nota cada), CSV ou .xlsx (cabeçalho com campos ou caminhos como items[0].quantity), NDJSON ou uma lista JSON ou YAML. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo lote; um registro cujo externalId já foi usado é pulado. Registros sem externalId recebem um derivado do conteúdo. Um campo empresa indica a empresa do registro; sem ele, emite a empresa do comando.',
};

/** Of NF-e and NFC-e, whose published bodies have no externalId. */
const importWithout: Text = {
  en: importDescription.en + kept.en,
  pt: importDescription.pt + kept.pt,
};

const importFileOptions = {
  format: importOptions.format,
  ...tableOptions,
  ...templateOption,
  ...environmentOption,
  skipInvalid: importOptions.skipInvalid,
  ...uncheckedOption,
  ...batchOptions,
  wait: followOptions.wait,
} as const satisfies OptionSpecs;

/** `fiscal invoice nfe|nfce|nfse import`. */
export function importCommand(model: InvoiceModel) {
  const name = names[model];
  return defineCommand({
    summary: { en: `Issue many ${name}`, pt: `Emite muitas ${name}` },
    description: model === 'nfse' ? importDescription : importWithout,
    arguments: [
      {
        name: 'path',
        required: false,
        summary: { en: 'The file or folder; - for stdin', pt: 'O arquivo ou a pasta; - para o stdin' },
      },
    ],
    options: model === 'nfse' ? importFileOptions : { ...importFileOptions, ...merchandiseImportOptions },
    scope: ['company'],
    examples: [
      {
        command: `fiscal invoice ${model} import notas.csv --wait --yes --report result.csv`,
        summary: { en: 'Until all are finished', pt: 'Até a conclusão de todas' },
      },
      {
        command: `fiscal invoice ${model} import --template notas.xlsx`,
        summary: { en: 'A sheet to fill in', pt: 'Uma planilha para preencher' },
      },
      {
        command: `fiscal invoice ${model} import notas/ --dry-run`,
        summary: { en: 'Check a folder only', pt: 'Só confere uma pasta' },
      },
    ],
    exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
    view: async () => (await import('../../presenters/batch.js')).batchView,
    async run({ context, options, arguments: given }) {
      if (options.template !== undefined) {
        const { writeInvoiceTemplate } = await import('./template.js');
        return writeInvoiceTemplate(context, options.template, model);
      }
      const path = requiredFile(given['path'], '<path>');
      const { importInvoices } = await import('./import.js');
      const { format, encoding, sheet, decimal, environment, skipInvalid, unchecked } = options;
      const idInBody = 'externalIdInBody' in options && options.externalIdInBody === true;
      const named = 'stateTax' in options ? options.stateTax : undefined;
      const stateTaxId = typeof named === 'string' ? named : undefined;
      const read = { model, path, format, encoding, sheet, decimal };
      const request = { ...read, environment, idInBody, stateTaxId, skipInvalid, unchecked };
      return importInvoices(context, { ...request, options: batchOptionsOf(options) });
    },
  });
}
