import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { bareKey } from '../../domain/access-key.js';
import { present, isRecord } from '../../domain/record.js';
import { odataText } from '../../domain/odata.js';
import { seenRow } from './seen-rows.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { type BytesOutcome, readBytes } from '../../services/calls/read-bytes.js';
import { companyOf } from '../../services/scope/companies.js';
import { listDocuments, newReport } from './list-documents.js';
import { listEvents } from './list-events.js';
import { sentenceOf } from '../../domain/sentence.js';
import type { Sentence } from '../../domain/outcome.js';

/** The requested document. */
interface DocumentName {
  readonly family: InboundFamily;
  /** The access key without punctuation; of an NFS-e it may be the id. */
  readonly key: string;
}

const FAMILY_OF_MODEL: Readonly<Record<string, InboundFamily>> = { '55': 'nfe', '57': 'cte', '67': 'cte' };

/**
 * Reads the family from the key: 44 characters that contain the model, or the 50 of an NFS-e. Any other text is an id, which
 * only NFS-e have. Errors: `usage.invalid_value` when `type` is another family; `usage.missing`.
 */
export function nameDocument(text: string, type: InboundFamily | undefined): DocumentName {
  const bare = bareKey(text);
  const found = familyIn(bare);
  if (found !== undefined) {
    if (type !== undefined && type !== found) throw otherFamily(type, found);
    return { family: found, key: bare };
  }
  if (type === 'nfse') return { family: type, key: text };
  if (type !== undefined) throw noKey(text);
  throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no', hint: typeHint });
}

function familyIn(key: string): InboundFamily | undefined {
  if (/^[0-9]{9}[0-9A-Z]{14}[0-9]{27}$/.test(key)) return 'nfse';
  return /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/.test(key) ? FAMILY_OF_MODEL[key.slice(20, 22)] : undefined;
}

function otherFamily(type: InboundFamily, found: InboundFamily): FiscalError {
  const expected: Text = { en: `the key is of ${found}`, pt: `a chave é de ${found}` };
  return invalidValue('--type', type, expected);
}

function noKey(text: string): FiscalError {
  const expected: Text = {
    en: 'an access key of 44 characters is expected',
    pt: 'espera-se uma chave de acesso de 44 caracteres',
  };
  const value = text.slice(0, 60);
  return invalidValue('KEY', value, expected);
}

const typeHint: Text = {
  en: 'the key does not show the family; add --type nfe, cte or nfse',
  pt: 'a chave não indica a família; acrescente --type nfe, cte ou nfse',
};

/** An operation that the service does not have for the family, with a hint. */
export function notOffered(what: Text, hint: Text): FiscalError {
  return new FiscalError('usage.invalid', { message: what }, { sent: 'no', hint });
}

interface GetRequest {
  readonly key: string;
  readonly type: InboundFamily | undefined;
}

/** The metadata of one document, unchanged. */
export async function getDocument(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  const { dryRun } = await context.settings();
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    if (dryRun) return { data: await previewOne(context, 'nfse.inbound.get', input) };
    return { data: (await client.call('nfse.inbound.get', input, how)).body };
  }
  const input = { path: { companyId, accessKey: key } };
  if (dryRun) return { data: await previewOne(context, `${family}.inbound.get`, input) };
  return { data: (await client.call(`${family}.inbound.get`, input, how)).body };
}

/** A captured NF-e or NFS-e as the service renders it in JSON (public); the XML alone is the legal document. */
export async function readJson(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  if (family === 'cte') throw noCteJson();
  const { dryRun } = await context.settings();
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    if (dryRun) return { data: await previewOne(context, 'nfse.inbound.json', input) };
    return { data: (await client.call('nfse.inbound.json', input, how)).body };
  }
  const input = { path: { companyId, accessKey: key } };
  if (dryRun) return { data: await previewOne(context, 'nfe.inbound.json', input) };
  return { data: (await client.call('nfe.inbound.json', input, how)).body };
}

function noCteJson(): FiscalError {
  return notOffered(
    { en: 'the service has no JSON of a CT-e', pt: 'o serviço não tem o JSON de um CT-e' },
    { en: 'its XML: fiscal inbound xml <key>', pt: 'o XML: fiscal inbound xml <chave>' },
  );
}

interface EventRequest extends GetRequest {
  readonly eventKey: string;
}

/** One event of a document, unchanged. */
export async function getEvent(context: Context, request: EventRequest): Promise<Outcome> {
  const { family, key: accessKey } = nameDocument(request.key, request.type);
  if (family === 'nfse') return await getDocument(context, { key: request.eventKey, type: 'nfse' });
  const companyId = await companyOf(context);
  const operation = `${family}.inbound.event.get` as const;
  const input = { path: { companyId, accessKey, eventKey: request.eventKey } };
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  return { data: (await client.call(operation, input, { signal: context.interruption })).body };
}

/** The events of one document, unchanged. */
export async function showEvents(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key: accessKey } = nameDocument(request.key, request.type);
  if (family === 'nfse') return await showServiceEvents(context, { companyId, key: accessKey });
  if ((await context.settings()).dryRun) {
    const query = { $filter: `accessKey eq ${odataText(accessKey)}` };
    return { data: await previewOne(context, `${family}.inbound.events`, { path: { companyId }, query }) };
  }
  return { data: listEvents(context, { family, companyId, accessKey }) };
}

/**
 * Events of an NFS-e are documents of their own (public): those that the service lists under the key of the note, as it lists them,
 * and those that only this machine knows of, by what a sync has read.
 */
async function showServiceEvents(
  context: Context,
  { companyId, key }: { readonly companyId: string; readonly key: string },
): Promise<Outcome> {
  const family = 'nfse';
  if ((await context.settings()).dryRun) {
    const query = { type: 'Event', pageIndex: 1, pageCount: 100 };
    return { data: await previewOne(context, 'nfse.inbound.list', { path: { companyId }, query }) };
  }
  const { storeNamespace: profile } = await context.settings();
  const store = await context.store();
  const synced = await store.events.of({ profile, companyId, family }, key);
  const ids = new Set(synced.map(({ eventKey }) => eventKey));
  const listed = new Map<string, Readonly<Record<string, unknown>>>();
  const take = (row: unknown, named: readonly string[]): void => {
    for (const eventKey of named) listed.set(eventKey, { eventKey, ...(isRecord(row) ? row : {}) });
  };
  const report = newReport();
  for await (const row of listDocuments(context, { family, companyId, rowType: 'Event' }, report)) {
    const { document, events = [] } = seenRow(row) ?? {};
    const ofNote = events.filter(({ documentId }) => documentId === key).map(({ eventKey }) => eventKey);
    for (const id of ofNote) ids.add(id);
    if (document === undefined) take(row, ofNote);
  }
  const stored = new Map(synced.map((event) => [event.eventKey, event]));
  const rows = [...ids].map((eventKey) => {
    const { facts, type, description, issuedOn } = stored.get(eventKey) ?? {};
    const { code, sequence, protocol } = facts ?? {};
    const eventCode = code === undefined ? undefined : String(code);
    const known = { eventKey, accessKey: key, type, eventCode, description, sequence, protocol, issuedOn };
    return { ...present(known), ...listed.get(eventKey) };
  });
  return { data: rows };
}

/** Makes the service process an NFS-e again (202: it continues in the background). */
export async function reprocessDocument(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key: id } = nameDocument(request.key, request.type);
  if (family !== 'nfse') throw onlyNfse();
  const input = { path: { companyId, id } };
  if ((await context.settings()).dryRun) {
    return { data: await previewOne(context, 'nfse.inbound.reprocess', input) };
  }
  const client = await context.client();
  const { body, status } = await client.call('nfse.inbound.reprocess', input, {
    signal: context.interruption,
  });
  const accepted = {
    en: `reprocessing of ${id} accepted, not done yet`,
    pt: `reprocessamento de ${id} aceito, ainda não concluído`,
  };
  return {
    data: { id, accepted: status, ...body },
    sentence: sentenceOf('open', accepted),
    notices: [goesOn],
  };
}

function onlyNfse() {
  return notOffered(
    { en: 'only NFS-e can be processed again', pt: 'só NFS-e podem ser reprocessadas' },
    {
      en: 'to resend the webhook of an NF-e: fiscal inbound reprocess <key> --webhook',
      pt: 'para receber de novo o webhook de uma NF-e: fiscal inbound reprocess <chave> --webhook',
    },
  );
}

const goesOn = {
  en: 'accepted; the service continues in the background (status: fiscal inbound get <key>)',
  pt: 'aceito; o serviço continua em segundo plano (status: fiscal inbound get <chave>)',
};

/** Makes the service resend the webhook of a document. An NF-e may be named by its NSU. */
export async function resendWebhook(context: Context, request: GetRequest): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key } = named(request);
  if (family === 'cte') throw notForCte();
  const { dryRun } = await context.settings();
  const client = await context.client();
  const how = { signal: context.interruption };
  if (family === 'nfse') {
    const input = { path: { companyId, id: key } };
    if (dryRun) return { data: await previewOne(context, 'nfse.inbound.resendWebhook', input) };
    const { body, status } = await client.call('nfse.inbound.resendWebhook', input, how);
    return { data: { id: key, accepted: status, ...body }, sentence: resent(key) };
  }
  const input = { path: { companyId, accessKeyOrNsu: key } };
  if (dryRun) return { data: await previewOne(context, 'nfe.inbound.reprocessWebhook', input) };
  const { body, status } = await client.call('nfe.inbound.reprocessWebhook', input, how);
  return { data: { id: key, accepted: status, ...body }, sentence: resent(key) };
}

function resent(key: string): Sentence {
  return sentenceOf('open', {
    en: `the webhook of ${key} was asked for again; the service sends it in the background`,
    pt: `o webhook de ${key} foi pedido de novo; o serviço o envia em segundo plano`,
  });
}

function named({ key, type }: GetRequest): { readonly family: InboundFamily; readonly key: string } {
  const isNsu = type === 'nfe' && /^\d{1,15}$/.test(key);
  return isNsu ? { family: 'nfe', key } : nameDocument(key, type);
}

function notForCte() {
  return notOffered(
    {
      en: 'the service cannot resend the webhook of a CT-e',
      pt: 'o serviço não tem operação que envie de novo o webhook de um CT-e',
    },
    { en: 'read it instead: fiscal inbound xml <key>', pt: 'leia-o: fiscal inbound xml <chave>' },
  );
}

interface EventXmlRequest extends XmlRequest {
  readonly eventKey: string;
}

/** The XML of one event of a document, byte for byte. */
export async function readEventXml(context: Context, request: EventXmlRequest): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { eventKey, out } = request;
  const { family, key } = nameDocument(request.key, request.type);
  const common = {
    what: { en: `XML of the event ${eventKey}`, pt: `XML do evento ${eventKey}` },
    ...{ key, out },
    // The national environment also returns summaries of events, whose layout is not checked.
    expected: { family, part: 'event', accessKey: key, eventKey, anyLayout: true },
  } as const;
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: eventKey } };
    return await readBytes(context, { operation: 'nfse.inbound.xml', input, ...common });
  }
  const input = { path: { companyId, accessKey: key, eventKey } };
  return await readBytes(context, { operation: `${family}.inbound.event.xml`, input, ...common });
}

interface XmlRequest {
  readonly key: string;
  readonly type: InboundFamily | undefined;
  readonly out: string | undefined;
}

/** The XML of a document, byte for byte. */
export async function readXml(context: Context, request: XmlRequest): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  const expected = { family, part: 'document', accessKey: accessKeyIn(key) } as const;
  const common = { what: { en: 'XML', pt: 'XML' }, key, out: request.out, expected };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    const ofAnyCity = { ...common, expected: { ...expected, anyLayout: true } } as const;
    return await readBytes(context, { operation: 'nfse.inbound.xml', input, ...ofAnyCity });
  }
  const input = { path: { companyId, accessKey: key } };
  return await readBytes(context, { operation: `${family}.inbound.xml`, input, ...common });
}

/** A captured NFS-e may be named by its id, which its XML does not show. */
function accessKeyIn(key: string): string | undefined {
  return /^(?:[0-9A-Z]{44}|[0-9A-Z]{50})$/.test(key) ? key : undefined;
}

export interface PdfRequest extends XmlRequest {
  /** How long to wait while the service prepares it (202). */
  readonly timeout: number;
}

/** The PDF of a document: an image, not the legal document. */
export async function readPdf(context: Context, request: PdfRequest): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(request.key, request.type);
  const { out, timeout } = request;
  const common = { what: { en: 'PDF', pt: 'PDF' }, key, out, timeout };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    return await readBytes(context, { operation: 'nfse.inbound.pdf', input, ...common });
  }
  const input = { path: { companyId, accessKey: key } };
  return await readBytes(context, { operation: `${family}.inbound.pdf`, input, ...common });
}
