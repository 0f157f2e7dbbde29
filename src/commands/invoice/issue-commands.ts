import { define, example, optionalArgument, text, textsOf, toggle } from '../../cli/define.js';
import {
  batchOptions,
  importOptions,
  tableOptions,
  templateOption,
  retryBillableOption,
  uncheckedOption,
} from '../../cli/options.js';
import { inModes } from '../../cli/command.js';
import { documents, environmentOption, everyModel, followOptions, goods, modelOption, writeExits } from './options.js';

/** The body of one invoice. */
const contentOptions = {
  file: text('file', 'The invoice as JSON or YAML; - for stdin', 'A nota em JSON ou YAML; - para o stdin', {
    notWith: ['sample'],
  }),
  set: textsOf(
    'path=value',
    'A field that overrides the file, e.g. items[0].quantity=2; JSON where it is JSON, else text; "2" in quotes is text',
    'Um campo que substitui o do arquivo, p. ex. items[0].quantity=2; JSON quando for JSON, senão texto; "2" entre aspas é texto',
    { notWith: ['sample'] },
  ),
  sample: toggle(
    'Print a minimal valid body of --model and send nothing',
    'Mostra um corpo mínimo válido de --model e não envia nada',
  ),
  again: toggle(
    'Issue another one even if this machine has already issued the same content',
    'Emite outra, mesmo que esta máquina já tenha emitido o mesmo conteúdo',
    { notWith: ['sample'] },
  ),
  unchecked: { ...uncheckedOption.unchecked, notWith: ['sample'] },
};

/** An NFS-e always carries its externalId, which its published body has. */
const goodsOptions = {
  stateTax: text(
    'id',
    'The state registration that issues it (company registration list; default: stateTax of the record, else the service chooses)',
    'A inscrição estadual que emite (company registration list; padrão: stateTax do registro, senão o serviço escolhe)',
    { models: goods },
  ),
  externalIdInBody: toggle(
    'Send externalId and environment in the body, which the published one does not have (default: sends.externalId of the profile)',
    'Envia externalId e environment no corpo, que o corpo publicado não tem (padrão: sends.externalId do perfil)',
    { rare: true, models: goods },
  ),
};

export const issue = define(
  'Issue an NF-e, NFC-e or NFS-e, or an invoice from few fields',
  'Emite uma NF-e, NFC-e ou NFS-e, ou uma nota com poucos campos',
  {
    description: {
      en: 'From JSON or YAML, from --set, or both. A body with cliente and itens is a general invoice, one with cityServiceCode or servicesAmount an NFS-e; NF-e and NFC-e have the same fields and need --model. Checked here before anything is sent; unknown fields pass unchanged. Before it sends, it asks with amount, recipient and environment (--yes agrees beforehand), except a body that is sent with environment Test. This machine never issues the same content twice, unless you give --again. NF-e, NFC-e and NFS-e: the externalId (yours, or one derived from the content) is stored before the send. When the outcome is unknown, the invoice is looked up before anything is sent again (an NFS-e by its externalId; NF-e and NFC-e in the list of the service by buyer, total and time, or by the externalId where additionalInformation.order holds it), and if that does not settle it, the program asks you. NF-e and NFC-e: the published body has neither externalId nor environment: both stay on this machine, and the state registration of the company decides the environment. So the service cannot tell whether another machine has issued the same order: let one machine issue, put the order number in additionalInformation.order as well, or, where the account takes the two fields, use --external-id-in-body. General: the service chooses the company, and the request names none. The Idempotency-Key is derived from the invoice and stored before the send, so that the service recognises the same order from two machines, in whatever order and number format it is written. A send whose outcome is unknown is never repeated automatically: the program asks you.',
      pt: 'De JSON ou YAML, de --set ou de ambos. O corpo com cliente e itens é uma nota geral, o que tem cityServiceCode ou servicesAmount, uma NFS-e; NF-e e NFC-e têm os mesmos campos e precisam de --model. É conferida aqui antes do envio; campos desconhecidos passam como estão. Antes do envio, pergunta com valor, destinatário e ambiente (--yes confirma de antemão), salvo um corpo enviado com environment Test. Esta máquina nunca emite duas vezes o mesmo conteúdo, salvo com --again. NF-e, NFC-e e NFS-e: o externalId (o seu, ou um derivado do conteúdo) é gravado antes do envio. Quando o resultado é desconhecido, a nota é procurada antes de qualquer novo envio (a NFS-e pelo externalId; a NF-e e a NFC-e na lista do serviço, por comprador, total e hora, ou pelo externalId, se additionalInformation.order o contiver), e, se isso não esclarecer, o programa pergunta a você. NF-e e NFC-e: o corpo publicado não tem externalId nem environment: os dois ficam nesta máquina, e quem decide o ambiente é a inscrição estadual da empresa. Por isso o serviço não sabe dizer se outra máquina já emitiu o mesmo pedido: emita de uma só máquina, repita o número do pedido em additionalInformation.order ou, se a conta aceitar os dois campos, use --external-id-in-body. Geral: o serviço escolhe a empresa, e a requisição não indica nenhuma. A Idempotency-Key é derivada da nota e gravada antes do envio, para que o mesmo pedido, vindo de duas máquinas, seja um só no serviço, em qualquer ordem e formato de número. Um envio de resultado desconhecido nunca é repetido automaticamente: o programa pergunta a você.',
    },
    options: {
      ...modelOption(everyModel),
      ...contentOptions,
      externalId: text(
        'id',
        'Your own id for the invoice, e.g. the order number',
        'Seu próprio id da nota, p. ex. o número do pedido',
        { models: documents },
      ),
      ...environmentOption,
      ...inModes(goodsOptions, { notWith: ['sample'] }),
      idempotencyKey: text(
        'key',
        'Your own Idempotency-Key, e.g. the order number (default: derived from the externalId or the content)',
        'Sua própria Idempotency-Key, p. ex. o número do pedido (padrão: derivada do externalId ou do conteúdo)',
        { rare: true, models: ['general'] },
      ),
      ...followOptions,
      retryBillable: { ...retryBillableOption.retryBillable, models: documents },
    },
    scope: ['company'],
    modelWithoutCompany: 'general',
    examples: [
      example('--model nfe --sample > nota.json', 'A minimal body', 'Um corpo mínimo'),
      example('--model nfe --file nota.json --external-id PEDIDO-1001 --wait', 'Until it is issued', 'Até ser emitida'),
      example('--model nfce --file nota.yaml --dry-run', 'Show the request only', 'Só mostra a requisição'),
      example(
        '--file nota.json --set itens[0].quantidade=3 --wait',
        'A body with cliente and itens tells its model',
        'Um corpo com cliente e itens já diz o modelo',
      ),
    ],
    exits: writeExits,
    id: 'id',
  },
);

export const apply = define(
  'Issue the invoices of a file or a folder',
  'Emite as notas de um arquivo ou de uma pasta',
  {
    description: {
      en: 'From a folder of JSON or YAML files (one invoice each), CSV or .xlsx (a header of fields or paths such as items[0].quantity), NDJSON, or a JSON or YAML list, all of one model: records with cityServiceCode or servicesAmount are NFS-e; NF-e and NFC-e need --model. Every record is checked before the first one is sent. The same content again continues the same job; a record whose externalId was used before is skipped. Records without an externalId get one derived from their content. A field company names the company of a record; without it, the company of the command issues it. Of NF-e and NFC-e the published body has neither externalId nor environment: both stay on this machine, as with fiscal invoice issue.',
      pt: 'De uma pasta de arquivos JSON ou YAML (uma nota cada), CSV ou .xlsx (cabeçalho com campos ou caminhos como items[0].quantity), NDJSON ou uma lista JSON ou YAML, tudo de um só modelo: registros com cityServiceCode ou servicesAmount são NFS-e; NF-e e NFC-e precisam de --model. Todos os registros são conferidos antes do primeiro envio. O mesmo conteúdo continua o mesmo lote; um registro cujo externalId já foi usado é pulado. Registros sem externalId recebem um derivado do conteúdo. Um campo empresa indica a empresa do registro; sem ele, emite a empresa do comando. Na NF-e e na NFC-e o corpo publicado não tem externalId nem environment: os dois ficam nesta máquina, como em fiscal invoice issue.',
    },
    takes: { path: optionalArgument('The file or folder; - for stdin', 'O arquivo ou a pasta; - para o stdin') },
    options: {
      ...modelOption(documents),
      format: { ...importOptions.format, rare: true },
      ...tableOptions,
      ...templateOption,
      ...environmentOption,
      ...goodsOptions,
      stateTax: { ...goodsOptions.stateTax, rare: true },
      skipInvalid: importOptions.skipInvalid,
      ...uncheckedOption,
      ...batchOptions,
      wait: followOptions.wait,
    },
    scope: ['company'],
    examples: [
      example(
        'notas.csv --model nfe --wait --yes --report result.csv',
        'Until all are finished',
        'Até a conclusão de todas',
      ),
      example('--model nfse --template notas.xlsx', 'A sheet to fill in', 'Uma planilha para preencher'),
      example('notas/ --model nfce --dry-run', 'Check a folder only', 'Só confere uma pasta'),
    ],
    exits: ['partial', 'calls', 'pending', 'held', 'limitReached'],
    view: async () => (await import('../../presenters/batch.js')).batchView,
  },
);
