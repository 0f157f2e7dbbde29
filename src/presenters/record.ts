import type { Language, Text } from '../contract/text.js';
import { isRecord } from '../domain/record.js';

/** The part of JSON Schema 2020-12 that describes the output of commands, with what people see of it. `{}` is any JSON. */
export interface OutputSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: 'date' | 'date-time';
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly properties?: Fields;
  readonly required?: readonly string[];
  /** `true`: the service may give fields that are not listed. */
  readonly additionalProperties?: boolean | OutputSchema;
  readonly items?: OutputSchema;
  readonly anyOf?: readonly OutputSchema[];
  readonly $ref?: string;
  /** What people call it: a field in tables, details and workbooks, or the records of a type. Absent: by its name. */
  readonly titles?: Text;
  /** How people see a value, where its JSON type does not tell. */
  readonly shown?: Shown;
  /** Portuguese words of its own. */
  readonly words?: Readonly<Record<string, string>>;
  /** What people see besides the fields of the schema: see `record`. */
  readonly seen?: Fields;
}

/**
 * `state`: with a sign and a word. `word`: of a short list, with a word in Portuguese. `reason`: a stored English sentence of this
 * program. `name`: typed again, so never cut.
 */
export type Shown = 'state' | 'word' | 'reason' | 'name' | 'money' | 'cnpj';

export type Fields = Readonly<Record<string, OutputSchema>>;

/** What a command prints: the tables, the workbook, `fiscal schema`, the reference and the tests read it. */
export interface Output {
  /**
   * The document of `-o json`. `either`: an object, or a list where several things are asked for. `text`: one text.
   * `bytes`: a file, as it is. `any`: what the service or another program gives.
   */
  readonly prints: 'one' | 'list' | 'either' | 'text' | 'bytes' | 'any';
  /** The records by their `type`, each a line of `-o ndjson`. */
  readonly records: Readonly<Record<string, OutputSchema>>;
}

/** The records of one command, and the noun that those without a type are named for. */
export interface Described {
  readonly records: Output['records'];
  readonly noun: string;
}

/** The outputs of the commands of a noun, by the whole name: `product create`. */
export type Outputs = Readonly<Record<string, Output>>;

const bothTexts = { type: 'object', properties: { en: { type: 'string' }, pt: { type: 'string' } } } as const;

/** The schemas that a field names. */
const kinds = {
  anything: {},
  text: { type: 'string' },
  time: { type: 'string', format: 'date-time' },
  day: { type: 'string', format: 'date' },
  count: { type: 'integer' },
  decimal: { type: 'number' },
  flag: { type: 'boolean' },
  textOrNumber: { type: ['string', 'number'] },
  /** In both languages. */
  sentence: { ...bothTexts, required: ['en', 'pt'] },
  state: { type: 'string', shown: 'state' },
  word: { type: 'string', shown: 'word' },
  /** Whether a request went out. */
  sent: { type: 'string', shown: 'word', words: { yes: 'sim', no: 'não', unknown: 'sem confirmação' } },
  reason: { type: 'string', shown: 'reason' },
  name: { type: 'string', shown: 'name' },
  money: { type: 'string', shown: 'money' },
  cnpj: { type: 'string', shown: 'cnpj' },
} as const satisfies Fields;

type Kind = keyof typeof kinds;

function schemaOf(given: Kind | OutputSchema): OutputSchema {
  return typeof given === 'string' ? kinds[given] : given;
}

/**
 * One schema for several fields with their titles: `each('count', 'done: concluídos, bad: failed | com falha, seed')`. The English
 * title is the name in words where none stands before the bar; a field without a title is shown by its name.
 */
export function each(given: Kind | OutputSchema, fields: string): Fields {
  const schema = schemaOf(given);
  return Object.fromEntries(
    fields.split(',').map((field) => {
      const [name = '', titles] = field.trim().split(/: +/);
      return [name, titles === undefined ? schema : titled(titles, schema, name)];
    }),
  );
}

/** With its title in English and Portuguese: `titled('In total | No total', record(…))`. */
export function titled(titles: string, schema: OutputSchema, name = ''): OutputSchema {
  const [pt = '', en = inWords(name)] = titles.split(' | ').toReversed();
  return { ...schema, titles: { en, pt } };
}

/** `companyId` → `company id`. */
function inWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

export function orNull(given: Kind | OutputSchema): OutputSchema {
  const { titles, ...schema } = schemaOf(given);
  const titled = titles && { titles };
  if (typeof schema.type === 'string' && schema.properties === undefined)
    return { ...schema, type: [schema.type, 'null'], ...titled };
  return { anyOf: [schema, { type: 'null' }], ...titled };
}

export function listOf(items: Kind | OutputSchema): OutputSchema {
  return { type: 'array', items: schemaOf(items) };
}

/** An object whose field names are data. */
export function mapOf(values: Kind | OutputSchema): OutputSchema {
  return { type: 'object', additionalProperties: schemaOf(values) };
}

/**
 * An object with the fields that it always has, and those that it has where they apply; usual ones by their names alone. `seen`: what
 * people see without a promise: other fields of the service, columns of inner fields (`issuer.name`) and those that a view makes.
 */
export function record(always: string | Fields, sometimes: string | Fields = {}, seen?: Fields): OutputSchema {
  const sure = fieldsOf(always);
  const required = Object.keys(sure);
  return {
    type: 'object',
    properties: { ...sure, ...fieldsOf(sometimes) },
    ...(required.length === 0 ? {} : { required }),
    ...(seen && { seen }),
  };
}

/** A record whose rows stand under a heading where a command prints several types: `called('Totals | Totais', …)`. */
export function called(titles: string, always: string | Fields, sometimes: string | Fields = {}): OutputSchema {
  return titled(titles, record(always, sometimes));
}

/** What the service answered, unchanged: it may have other fields too, only `always` are sure, and no format is checked. */
export function fromService(fields: string | Fields = {}, always: string | Fields = {}, seen?: Fields): OutputSchema {
  const schema = record(always, fields, seen);
  const properties = mapped(schema.properties ?? {}, ({ format: _format, ...field }) => field);
  return { ...schema, properties, additionalProperties: true };
}

function mapped(fields: Fields, change: (field: OutputSchema) => OutputSchema): Fields {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, change(field)]));
}

function fieldsOf(given: string | Fields): Fields {
  return typeof given === 'string' ? usual(given) : given;
}

export function one(records: Output['records']): Output {
  return { prints: 'one', records };
}

export function list(records: Output['records']): Output {
  return { prints: 'list', records };
}

export function either(records: Output['records']): Output {
  return { prints: 'either', records };
}

/** The field of a record by its name, or by the path to a field of an inner one. */
export function fieldAt(record: OutputSchema | undefined, path: string): OutputSchema | undefined {
  const own = ownField(record, path);
  if (own !== undefined || !path.includes('.')) return own;
  return path.split('.').reduce<OutputSchema | undefined>(ownField, record);
}

/** The field that the record describes under this very name. */
export function ownField(record: OutputSchema | undefined, name: string): OutputSchema | undefined {
  const { seen, properties } = innerOf(record) ?? {};
  return seen?.[name] ?? properties?.[name] ?? (record !== undefined && name === 'type' ? kindOfRecord : undefined);
}

/** In every record that has a kind: no description names it. */
const kindOfRecord: OutputSchema = { type: 'string', titles: { en: 'type', pt: 'tipo' } };

/** Of a list, its entries; of a value that may be null, the value. */
export function innerOf(schema: OutputSchema | undefined): OutputSchema | undefined {
  if (schema?.items !== undefined) return innerOf(schema.items);
  return schema?.anyOf === undefined ? schema : innerOf(schema.anyOf[0]);
}

/** What people call a field; by its name where the record does not describe it. */
export function titleOf(record: OutputSchema | undefined, field: string, language: Language): string {
  return fieldAt(record, field)?.titles?.[language] ?? field;
}

/**
 * The record that describes a row of a command: of its `type`, else the one with most of its fields. Of several with as many, the one
 * that is named for the noun, else the first.
 */
export function recordOf(row: unknown, described: Described | undefined): OutputSchema | undefined {
  if (described === undefined) return undefined;
  const { records, noun } = described;
  const type = isRecord(row) ? row['type'] : undefined;
  if (typeof type === 'string' && Object.hasOwn(records, type)) return records[type];
  const usual = records[noun] ?? Object.values(records)[0];
  const fields = isRecord(row) ? Object.keys(row) : [];
  const known = (record: OutputSchema | undefined): number =>
    fields.filter((field) => fieldAt(record, field) !== undefined).length;
  return Object.values(records).reduce((best, record) => (known(record) > known(best) ? record : best), usual);
}

/** The schema alone, without what people see. */
export function schemaOnly({
  titles: _titles,
  shown: _shown,
  words: _words,
  seen: _seen,
  ...schema
}: OutputSchema): OutputSchema {
  const { properties, items, anyOf, additionalProperties } = schema;
  return {
    ...schema,
    ...(properties && { properties: mapped(properties, schemaOnly) }),
    ...(items && { items: schemaOnly(items) }),
    ...(anyOf && { anyOf: anyOf.map(schemaOnly) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: schemaOnly(additionalProperties) }),
  };
}

/** Fields that mean the same in many records, which take them by their names: `usual('id state createdAt')`. */
export const usualFields: Fields = {
  ...each(
    'text',
    `accessKey: key | chave, alias: apelido, amount: valor, answerCode: código da resposta (cStat),
    answerText: answer of the authority | resposta da autoridade,
    answeredCompany: company in the answer | empresa na resposta, archive: files are in | arquivos em,
    capture, check, ciRun: CI run | execução de CI, code: código, company: empresa, companyId: id da empresa,
    companyName: company | empresa, companyTaxNumber: CNPJ of the company | CNPJ da empresa,
    contentType: tipo de conteúdo, description: descrição, documentId, documentType: type | tipo,
    duplicateOf: same as | igual a, environment: ambiente,
    environmentType: environment | ambiente, errorCode: código do erro, eventId,
    eventKey: chave do evento, expected: esperado, externalId: id externo, family: type | tipo,
    federalTaxNumber: CNPJ | CNPJ, field: campo, file: arquivo, fingerprint, found: encontrado, from: origem,
    hookId: webhook id | id do webhook, host: endereço, id,
    idempotencyKey: Idempotency-Key | Idempotency-Key, invoiceId, jobId: job | lote, key: chave,
    label: identificação, lookup: looked up | consulta, machine: máquina, manifest: manifesto,
    message: mensagem, method: método, model: modelo, month: mês, name: nome, next: próximo passo,
    operationNature: nature of the operation | natureza da operação, operationType, origin: origem, out: file | arquivo, path: caminho, problem: problema, productId,
    profile: perfil, quantity: quantidade, reasonCode: reason code | código do motivo, requestId: id da requisição, resource: recurso,
    resourceId: id at the service | id no serviço, rpsSerialNumber: RPS series | série do RPS, rule: regra, scheme: esquema, service,
    series: série, severity: gravidade, sha256: SHA-256 | SHA-256, signature, source: fonte, stateCode: código da UF, step: etapa, subject: titular,
    table: tabela, taxNumber: registration | inscrição, tenantId: id do tenant,
    thumbprint: impressão digital, title: título, to: destino, totalAmount: amount | valor, tradeName: nome fantasia, type: tipo,
    unitAmount: valor unitário,
    url: address | endereço, user: usuário, value: valor`,
  ),
  ...each('reason', 'error: erro, errorMessage: error | erro, reason: motivo'),
  ...each(
    'count',
    `accepted: aceito, archived: arquivadas, attempts: tentativas, billed: cobrado,
    billedCalls: chamadas cobradas, billedUnknown: billed without an answer | cobradas sem resultado,
    blocked: bloqueados, bytes: bytes, cancelled: cancelados, changed: atualizados, companies: empresas,
    complete: completas, copies: repetidos, count, create: a criar, daysLeft: days | dias,
    different: diferentes, documents: documentos, earlier, eventCode: código do evento, events: eventos,
    exitCode: código de saída, failed: com falha, files: arquivos, first, freeRepeats: repetições,
    gone: sumiram, hiddenDocumentsCount: hidden NFS-e | NFS-e ocultas, incomplete: incompletas,
    invalid: inválidos, items: itens, last, leftOut, line: linha, listed: na lista,
    lookupNotPossible: cannot be looked up | sem consulta possível, lost, missing: ausentes,
    nSequencia: no. | sequência, notProvable: sem comprovação, number: número, open, own: próprios,
    pdfs: PDF | PDF, pending: pendentes, pid: processo, prepared: preparados, presumed, problems: problemas,
    refused: recusados, rejected: rejeitados, requests: requisições, rows: linhas, sending: em envio,
    sequence: no. | sequência, serie: series | série, skipped: ignorados, succeeded: concluídos,
    summaries: resumos, total: total, uncertain: sem confirmação, unchanged: sem mudança,
    unknown: unknown outcome | sem resultado, unproven: events not known | eventos não conhecidos,
    unread: without fields | sem campos, unreadable: ilegíveis, update: a alterar, valid: válidos,
    waiting: aguardando, webhooks`,
  ),
  ...each('anything', 'body: corpo'),
  ...each('name', 'operation: operação, protocol: protocolo, sku: SKU | SKU'),
  ...each('state', 'state: situação, status: situação, verdict: conferência, webhookStatus: webhook | webhook'),
  ...each('decimal', 'elapsedSeconds: seconds | segundos, rate: a second | por segundo'),
  ...each(
    'word',
    `action: ação, asked: pedido, direction: documents | documentos, event: evento, kind: tipo,
    stopped: encerramento`,
  ),
  ...each(
    'flag',
    `companyUnproven: company not proven | empresa não comprovada, current: in use | em uso,
    deleted: excluído, dryRun, isActive: active | ativa, newStore: arquivo de estado novo,
    released: liberadas, removed: removido`,
  ),
  ...each(
    'time',
    `asOf, at: time | horário, authorizedOn: authorized | autorização, closedAt: closed | fechado em, createdAt: created | criado em,
    createdOn: created | criado em, dueAt: next step at | próximo passo em, fetchedAt, firstSeenAt,
    issuedOn: issued | emissão, lastSyncAt, modifiedOn: modified | alterado em, rateLimitedUntil, readAt,
    receiptOn: received | recebida em, receivedAt: received | recebido em, seenAt: seen | visto em, settledAt: ended | encerrado em,
    since: desde, spacedUntil, startFromDate: cut-off | data de corte, until: até,
    updatedAt: updated | atualizado em, validUntil: válido até`,
  ),
  ...each('sentence', 'advice'),
  ...each('sent', 'sent: enviada'),
  ...each('textOrNumber', 'nsu: NSU | NSU, servicesAmount: amount | valor'),
  ...each('day', 'deadline: prazo, nextDeadline'),
  ...each('cnpj', 'supplier: fornecedor'),
};

/** These of the usual fields. */
export function usual(names: string): Fields {
  return Object.fromEntries(
    names.split(/\s+/).map((name) => {
      const field = usualFields[name];
      if (field === undefined) throw new Error(`no usual field is called ${name}`);
      return [name, field];
    }),
  );
}

/** The same, each of which may be null. */
export function nullable(names: string): Fields {
  return mapped(usual(names), orNull);
}
