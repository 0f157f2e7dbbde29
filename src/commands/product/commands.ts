import {
  batchOptions,
  batchOptionsOf,
  encodingOption,
  fileArgument,
  followOptionsOf,
  importOptions,
  requiredFile,
  retryBillableOption,
  templateOption,
  uncheckedOption,
  waitOptions,
  waitTimes,
} from '../../cli/options.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import {
  type ArgumentSpec,
  type CommandGroup,
  defineCommand,
  type OptionSpecs,
  type OptionValues,
} from '../../cli/command.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import type { ProductFields } from './read-product.js';

const productArgument: ArgumentSpec = {
  name: 'product',
  required: true,
  summary: {
    en: 'Id of the product, or a SKU that this machine knows',
    pt: 'Id do produto, ou seu SKU quando esta máquina o conhece',
  },
};

/** Common fields as flags. They override the same fields of the file. */
const fieldOptions = {
  sku: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Your code for the product', pt: 'Seu código do produto' },
  },
  description: { kind: 'text', value: 'text', summary: { en: 'Description', pt: 'Descrição' } },
  origin: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Origin, e.g. National', pt: 'Origem, p. ex. National' },
  },
  ncm: { kind: 'text', value: 'digits', summary: { en: 'NCM, 8 digits', pt: 'NCM, 8 dígitos' } },
  gtin: { kind: 'text', value: 'digits', summary: { en: 'GTIN', pt: 'GTIN' } },
  cest: { kind: 'text', value: 'digits', summary: { en: 'CEST, 7 digits', pt: 'CEST, 7 dígitos' } },
  collection: { kind: 'text', value: 'id', summary: { en: 'Collection id', pt: 'Id da coleção' } },
  taxRegime: {
    kind: 'text',
    value: 'name',
    summary: { en: 'Tax regime, e.g. RealProfit', pt: 'Regime tributário, p. ex. RealProfit' },
  },
} as const satisfies OptionSpecs;

const contentOptions = {
  ...fieldOptions,
  file: {
    kind: 'text',
    value: 'file',
    summary: { en: 'The product as JSON; - for stdin', pt: 'O produto em JSON; - para o stdin' },
  },
  unchecked: {
    kind: 'toggle',
    summary: { en: 'Send as written, without local checks', pt: 'Envia como está, sem conferência local' },
  },
} as const satisfies OptionSpecs;

function fieldsOf(options: OptionValues<typeof fieldOptions>): ProductFields {
  const { sku, description, origin, ncm, gtin, cest, collection, taxRegime } = options;
  return { sku, description, origin, ncm, gtin, cest, taxRegime, collectionId: collection };
}

const create = defineCommand({
  summary: { en: 'Create a product', pt: 'Cria um produto' },
  description: {
    en: 'From a JSON file, from flags, or both (flags take precedence). Names and enum values may be in any letter case; numbers in tax groups become text. The product is checked here before anything is sent, and the same product is never created twice by this machine. A product with customTax is billed by the tax engine.',
    pt: 'De um arquivo JSON, de opções ou de ambos (as opções prevalecem). Nomes e valores de listas podem vir com maiúsculas ou minúsculas; números nos grupos de tributos viram texto. O produto é conferido aqui antes do envio, e esta máquina nunca cria o mesmo produto duas vezes. Um produto com customTax é cobrado pelo motor de cálculo.',
  },
  options: {
    ...contentOptions,
    ...waitOptions,
    again: {
      kind: 'toggle',
      summary: {
        en: 'Create another one even if this machine has already created it',
        pt: 'Cria outro, mesmo que esta máquina já o tenha criado',
      },
    },
    ...retryBillableOption,
  },
  scope: ['tenant'],
  examples: [
    {
      command:
        'fiscal product create --sku CAFE-1 --description "Café torrado" --origin National --ncm 09012100',
      summary: { en: 'From flags', pt: 'A partir de opções' },
    },
    {
      command: 'fiscal product create --file coffee.json --wait',
      summary: { en: 'With tax rules, until validated', pt: 'Com regras fiscais, até a validação' },
    },
    {
      command: 'fiscal product create --file coffee.json --dry-run',
      summary: { en: 'Show the request only', pt: 'Só mostra a requisição' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.endedBadly,
  ],
  idField: 'id',
  async run({ context, options }) {
    const { createProduct } = await import('./create.js');
    const { file, again, unchecked, retryBillable } = options;
    return createProduct(context, {
      ...{ file, again, unchecked, retryBillable, fields: fieldsOf(options) },
      ...followOptionsOf(options),
    });
  },
});

const get = defineCommand({
  summary: { en: 'Show one product', pt: 'Mostra um produto' },
  arguments: [productArgument],
  options: {
    exitStatus: {
      kind: 'toggle',
      summary: {
        en: 'Show the state in the exit code: 8 while it is validated, 13 for Error',
        pt: 'Mostra o estado no código de saída: 8 durante a validação, 13 para Error',
      },
    },
  },
  scope: ['tenant'],
  examples: [
    { command: 'fiscal product get CAFE-1', summary: { en: 'One product', pt: 'Um produto' } },
    {
      command: 'fiscal product get CAFE-1 --query status -o json',
      summary: { en: 'Its state only', pt: 'Só o estado' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { getProduct } = await import('./get.js');
    return getProduct(context, { product, exitStatus: options.exitStatus });
  },
});

const update = defineCommand({
  summary: { en: 'Replace a product', pt: 'Substitui um produto' },
  description: {
    en: 'The whole product is replaced by the file, by flags, or by both (flags take precedence). A product with customTax is billed by the tax engine.',
    pt: 'O produto inteiro é substituído pelo arquivo, pelas opções ou por ambos (as opções prevalecem). Um produto com customTax é cobrado pelo motor de cálculo.',
  },
  arguments: [productArgument],
  options: { ...contentOptions, ...waitOptions, ...retryBillableOption },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product update CAFE-1 --file coffee.json --wait',
      summary: { en: 'Until the new rules are validated', pt: 'Até a validação das novas regras' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.endedBadly,
  ],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { updateProduct } = await import('./update.js');
    const { file, unchecked, retryBillable } = options;
    return updateProduct(context, {
      ...{ product, file, unchecked, retryBillable, fields: fieldsOf(options) },
      ...followOptionsOf(options),
    });
  },
});

const revalidate = defineCommand({
  summary: {
    en: 'Validate the tax rules of a product again',
    pt: 'Valida de novo as regras fiscais de um produto',
  },
  arguments: [productArgument],
  options: waitOptions,
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product revalidate CAFE-1 --wait',
      summary: { en: 'Until it finishes', pt: 'Até o fim' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { revalidateProduct } = await import('./validation.js');
    return revalidateProduct(context, { product, ...followOptionsOf(options) });
  },
});

const wait = defineCommand({
  summary: { en: 'Wait for the validation of a product', pt: 'Espera a validação de um produto' },
  description: {
    en: 'Exits 0 when the product is Active, 13 when it is Error, 8 when the time is up.',
    pt: 'Termina com 0 quando o produto está Active, com 13 quando está em Error e com 8 quando o tempo acaba.',
  },
  arguments: [productArgument],
  options: waitTimes,
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product wait CAFE-1 --timeout 2m',
      summary: { en: 'At most two minutes', pt: 'No máximo dois minutos' },
    },
  ],
  exitCodes: [...callExitCodes, ExitCode.pending, ExitCode.endedBadly],
  idField: 'id',
  async run({ context, options, arguments: { product = '' } }) {
    const { waitForProduct } = await import('./validation.js');
    return waitForProduct(context, {
      product,
      timeoutMs: options.timeout,
      intervalMs: options.interval,
    });
  },
});

async function template(context: Context, file: string): Promise<Outcome> {
  const { writeProductTemplate } = await import('./template.js');
  return writeProductTemplate(context, file);
}

const { metricsFile: _onePerJob, ...applyOptions } = batchOptions;

const apply = defineCommand({
  summary: {
    en: 'Make the registry match a file',
    pt: 'Atualiza o cadastro conforme o arquivo',
  },
  description: {
    en: 'A product is identified by its SKU within the tenant. Missing products are created, different ones are replaced by the record of the file, and the others do not change; nor do products that the file does not name. The difference is shown first. The service has no list of products: this machine knows which id a SKU has, and creates a SKU that it does not know. Every known product is read, which is free. Differences in letter case, or between 18 and "18.00", are ignored. Exits 3 while a SKU of the file is in Error or may have been sent without an answer.',
    pt: 'O produto é identificado pelo SKU dentro do tenant. O que falta é criado, o que difere é substituído pelo registro do arquivo, e os demais não mudam; tampouco mudam os produtos que o arquivo não cita. A diferença é mostrada antes. O serviço não tem lista de produtos: esta máquina sabe qual id tem cada SKU, e um SKU que ela não conhece é criado. Cada produto conhecido é lido, o que é gratuito. Diferenças só de maiúsculas, ou entre 18 e "18.00", são ignoradas. Termina com 3 enquanto um SKU do arquivo estiver em Error ou tiver um envio sem resposta.',
  },
  arguments: [fileArgument],
  options: { ...importOptions, ...encodingOption, ...templateOption, ...uncheckedOption, ...applyOptions },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product apply products.csv --dry-run',
      summary: { en: 'Show what differs', pt: 'Mostra o que difere' },
    },
    {
      command: 'fiscal product apply products.csv --wait --yes',
      summary: { en: 'Until all are validated', pt: 'Até a validação de todos' },
    },
    {
      command: 'fiscal product apply products.csv --dry-run -o json --query "[?action==\'update\'].changes"',
      summary: { en: 'The fields that change', pt: 'Os campos que mudam' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/product-apply.js')).applyView,
  async run({ context, options, arguments: given }) {
    if (options.template !== undefined) return await template(context, options.template);
    const file = requiredFile(given['file']);
    const { applyProducts } = await import('./apply.js');
    const { format, encoding, sheet, skipInvalid, unchecked } = options;
    return applyProducts(context, {
      ...{ file, format, encoding, sheet, skipInvalid, unchecked },
      options: batchOptionsOf({ ...options, metricsFile: undefined }),
    });
  },
});

const importCommand = defineCommand({
  summary: { en: 'Create many products', pt: 'Cria muitos produtos' },
  description: {
    en: 'From CSV or .xlsx (a header of field names, in Portuguese too, or paths such as customTax.intraState.icms.pICMS), NDJSON or a JSON array. Every record is checked before the first one is sent. The same content again continues the same job. A record whose sku exists with the same content is skipped; one that exists with other content, is in Error, or may have been sent without an answer is listed, and the exit code is 3: --update, or fiscal product apply, updates it from the file.',
    pt: 'De CSV ou .xlsx (cabeçalho com nomes de campos, também em português, ou caminhos como customTax.intraState.icms.pICMS), NDJSON ou um array JSON. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo trabalho. Um registro cujo sku já existe como está é pulado; um que existe com outro conteúdo, está em Error ou teve um envio sem resposta é listado, e o código de saída é 3: --update, ou fiscal product apply, o atualiza conforme o arquivo.',
  },
  arguments: [fileArgument],
  options: {
    ...importOptions,
    ...encodingOption,
    ...templateOption,
    ...uncheckedOption,
    update: {
      kind: 'toggle',
      summary: {
        en: 'Also update the products that differ, as fiscal product apply does',
        pt: 'Também altera os produtos que diferem, como faz fiscal product apply',
      },
    },
    ...batchOptions,
  },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product import products.csv --wait --yes',
      summary: { en: 'Until all are validated', pt: 'Até a validação de todos' },
    },
    {
      command: 'fiscal product import --template products.xlsx',
      summary: { en: 'A sheet to fill in', pt: 'Uma planilha para preencher' },
    },
    {
      command: 'fiscal product import products.ndjson --dry-run',
      summary: { en: 'Check the file only', pt: 'Só confere o arquivo' },
    },
    {
      command: 'fiscal product import products.csv --update --wait --yes',
      summary: { en: 'After a correction', pt: 'Depois de uma correção' },
    },
  ],
  exitCodes: [ExitCode.partial, ...callExitCodes, ExitCode.pending, ExitCode.held, ExitCode.limitReached],
  view: async () => (await import('../../presenters/product-apply.js')).importView,
  async run({ context, options, arguments: given }) {
    if (options.template !== undefined) return await template(context, options.template);
    const file = requiredFile(given['file']);
    const { format, encoding, sheet, skipInvalid, unchecked } = options;
    const read = { file, format, encoding, sheet, skipInvalid, unchecked };
    const request = { ...read, options: batchOptionsOf(options) };
    if (!options.update) {
      const { importProducts } = await import('./import.js');
      return importProducts(context, request);
    }
    if (options.metricsFile !== undefined) throw noMetrics();
    const { applyProducts } = await import('./apply.js');
    return applyProducts(context, request);
  },
});

function noMetrics(): FiscalError {
  const message = {
    en: '--metrics-file describes one job, and --update may start two: omit one of them',
    pt: '--metrics-file descreve um trabalho, e --update pode iniciar dois: use só um deles',
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const list = defineCommand({
  summary: {
    en: 'List the products that this machine knows',
    pt: 'Lista os produtos que esta máquina conhece',
  },
  description: {
    en: 'The service has no list of products: this shows what this machine knows, with the last state seen and when (seenAt). No request is sent. To add a product that was created elsewhere: fiscal product get <id>.',
    pt: 'O serviço não tem lista de produtos: isto é o que esta máquina conhece, com o último estado visto e quando (seenAt). Nenhuma requisição é enviada. Para incluir um produto criado em outro lugar: fiscal product get <id>.',
  },
  options: {
    status: {
      kind: 'text',
      value: 'name',
      summary: { en: 'Only this state, e.g. Error', pt: 'Só este estado, p. ex. Error' },
    },
    limit: {
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'At most this many', pt: 'No máximo esta quantidade' },
    },
  },
  scope: ['tenant'],
  examples: [
    {
      command: 'fiscal product list',
      summary: { en: 'All, newest first', pt: 'Todos, os mais novos primeiro' },
    },
    {
      command: 'fiscal product list --status Error -o id',
      summary: { en: 'The ids of those last seen in Error', pt: 'Os ids dos vistos em Error por último' },
    },
  ],
  exitCodes: [],
  idField: 'id',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(['sku', 'name', 'status', 'seenAt', 'id'], { required: ['sku', 'status'] });
  },
  async run({ context, options }) {
    const { listProducts } = await import('./known-products.js');
    return listProducts(context, { status: options.status, limit: options.limit });
  },
});

export const group: CommandGroup = {
  verbs: {
    create,
    get,
    update,
    revalidate,
    wait,
    apply,
    import: importCommand,
    list,
  },
};
