import type { Given } from '../../cli/command.js';
import type { CallInput } from '../../client/client.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { checkKey, looksLikeKey, typeOfKey, wasRounded } from '../../domain/access-key.js';
import { errorIn } from '../../domain/issue.js';
import { present, isRecord } from '../../domain/record.js';
import { odataText } from '../../domain/odata.js';
import { seenRow } from './seen-rows.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { previewOne } from '../../services/calls/one-call.js';
import { type BytesOutcome, readBytes } from '../../services/calls/read-bytes.js';
import { families } from '../../services/company/activity.js';
import { companyOf } from '../../services/scope/companies.js';
import { listDocuments, newReport } from './list-documents.js';
import { listEvents } from './list-events.js';
import type { events, get, pdf, reprocess, xml } from './read-commands.js';
import { sentenceOf } from '../../domain/sentence.js';

/** The requested document. */
interface DocumentName {
  readonly family: InboundFamily;
  /** The access key without punctuation; of an NFS-e it may be the id. */
  readonly key: string;
}

/**
 * Reads the family from the key: 44 characters that contain the model, or the 50 of an NFS-e. Any other text is an id, which
 * only NFS-e have. Errors: `usage.invalid_value` when `type` is another family; `usage.missing`.
 */
export function nameDocument(text: string, type: InboundFamily | undefined): DocumentName {
  const { value: bare, issues } = checkKey(text);
  const ofKey = typeOfKey(bare);
  const wrong = ofKey === undefined && !wasRounded({ issues }) ? undefined : errorIn(issues);
  if (wrong !== undefined) throw invalidValue('KEY', text, wrong);
  const found = families.find((family) => family === ofKey);
  if (found !== undefined) {
    if (type !== undefined && type !== found)
      throw invalidValue('--type', type, { en: `the key is of ${found}`, pt: `a chave é de ${found}` });
    return { family: found, key: bare };
  }
  if (type === 'nfse') return { family: type, key: text };
  if (type !== undefined) throw invalidValue('KEY', text.slice(0, 60), aKey);
  throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no', hint: typeHint });
}

const aKey: Text = {
  en: 'an access key of 44 characters is expected',
  pt: 'espera-se uma chave de acesso de 44 caracteres',
};

const typeHint: Text = {
  en: 'the key does not show the family; add --type nfe, cte or nfse',
  pt: 'a chave não indica a família; acrescente --type nfe, cte ou nfse',
};

/** An operation that the service does not have for the family, with a hint. */
export function notOffered(what: Text, hint: Text): FiscalError {
  return new FiscalError('usage.invalid', { message: what }, { sent: 'no', hint });
}

/** The words that name a document. */
type Named = Given<typeof events>;

/** What the service knows of a document or of one of its events, unchanged, or with `content` the document as JSON. */
export async function showDocument(context: Context, given: Given<typeof get>): Promise<Outcome> {
  const { event } = given;
  if (event !== undefined) return await showEvent(context, { ...given, event });
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(given.key, given.type);
  if (given.content) return await showJson(context, { family, key, companyId });
  return family === 'nfse'
    ? await answer(context, 'nfse.inbound.get', { path: { companyId, idOrAccessKey: key } })
    : await answer(context, `${family}.inbound.get`, { path: { companyId, accessKey: key } });
}

/** What the service answers to one call, unchanged; in a dry run, the request. */
async function answer<Id extends OperationId>(context: Context, operation: Id, input: CallInput<Id>): Promise<Outcome> {
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  return { data: (await client.call(operation, input, { signal: context.interruption })).body };
}

/** A captured NF-e or NFS-e as the service renders it in JSON (public); the XML alone is the legal document. */
async function showJson(
  context: Context,
  { family, key, companyId }: DocumentName & { readonly companyId: string },
): Promise<Outcome> {
  if (family === 'cte') throw noCteJson();
  return family === 'nfse'
    ? await answer(context, 'nfse.inbound.json', { path: { companyId, idOrAccessKey: key } })
    : await answer(context, 'nfe.inbound.json', { path: { companyId, accessKey: key } });
}

function noCteJson(): FiscalError {
  return notOffered(
    { en: 'the service has no JSON of a CT-e', pt: 'o serviço não tem o JSON de um CT-e' },
    { en: 'its XML: fiscal inbound xml <key>', pt: 'o XML: fiscal inbound xml <chave>' },
  );
}

type NamedEvent = Named & { readonly event: string };

async function showEvent(context: Context, { key, type, event: eventKey }: NamedEvent): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key: accessKey } = nameDocument(key, type);
  return family === 'nfse'
    ? await answer(context, 'nfse.inbound.get', { path: { companyId, idOrAccessKey: eventKey } })
    : await answer(context, `${family}.inbound.event.get`, { path: { companyId, accessKey, eventKey } });
}

/** The events of one document, unchanged. */
export async function showEvents(context: Context, given: Named): Promise<Outcome> {
  const companyId = await companyOf(context);
  const { family, key: accessKey } = nameDocument(given.key, given.type);
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

/** Makes the service process an NFS-e again (202: it continues in the background), or resend the webhook of a document. */
export async function reprocessDocument(context: Context, given: Given<typeof reprocess>): Promise<Outcome> {
  if (given.webhook) return await resendWebhook(context, given);
  const companyId = await companyOf(context);
  const { family, key: id } = nameDocument(given.key, given.type);
  if (family !== 'nfse') throw onlyNfse();
  const accepted = {
    en: `reprocessing of ${id} accepted, not done yet`,
    pt: `reprocessamento de ${id} aceito, ainda não concluído`,
  };
  const { data, status } = await asked(context, id, 'nfse.inbound.reprocess', { path: { companyId, id } });
  return status === undefined ? { data } : { data, sentence: sentenceOf('open', accepted), notices: [goesOn] };
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

/** An NF-e may be named by its NSU. */
async function resendWebhook(context: Context, { key: word, type }: Named): Promise<Outcome> {
  const companyId = await companyOf(context);
  const isNsu = type === 'nfe' && /^\d{1,15}$/.test(word);
  const { family, key } = isNsu ? { family: type, key: word } : nameDocument(word, type);
  if (family === 'cte') throw notForCte();
  const { data, status } =
    family === 'nfse'
      ? await asked(context, key, 'nfse.inbound.resendWebhook', { path: { companyId, id: key } })
      : await asked(context, key, 'nfe.inbound.reprocessWebhook', { path: { companyId, accessKeyOrNsu: key } });
  const resent = {
    en: `the webhook of ${key} was asked for again; the service sends it in the background`,
    pt: `o webhook de ${key} foi pedido de novo; o serviço o envia em segundo plano`,
  };
  return status === undefined ? { data } : { data, sentence: sentenceOf('open', resent) };
}

/** A request that the service takes and works on in the background: its answer with the status, or that of a dry run without one. */
async function asked<
  Id extends 'nfse.inbound.reprocess' | 'nfse.inbound.resendWebhook' | 'nfe.inbound.reprocessWebhook',
>(
  context: Context,
  id: string,
  operation: Id,
  input: CallInput<Id>,
): Promise<{ readonly data: unknown; readonly status?: number }> {
  if ((await context.settings()).dryRun) return { data: await previewOne(context, operation, input) };
  const client = await context.client();
  const { body, status } = await client.call(operation, input, { signal: context.interruption });
  return { data: { id, accepted: status, ...body }, status };
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

async function readEventXml(
  context: Context,
  { event: eventKey, out, ...given }: Given<typeof xml> & NamedEvent,
): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(given.key, given.type);
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

/** The XML of a document, or of one of its events, byte for byte. */
export async function readXml(context: Context, given: Given<typeof xml>): Promise<BytesOutcome> {
  const { event, out } = given;
  if (event !== undefined) return await readEventXml(context, { ...given, event });
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(given.key, given.type);
  // A captured NFS-e may be named by its id, which its XML does not show.
  const accessKey = looksLikeKey(key) ? key : undefined;
  const expected = { family, part: 'document', accessKey } as const;
  const common = { what: { en: 'XML', pt: 'XML' }, key, out, expected };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    const ofAnyCity = { ...common, expected: { ...expected, anyLayout: true } } as const;
    return await readBytes(context, { operation: 'nfse.inbound.xml', input, ...ofAnyCity });
  }
  const input = { path: { companyId, accessKey: key } };
  return await readBytes(context, { operation: `${family}.inbound.xml`, input, ...common });
}

/** The PDF of a document: an image, not the legal document. */
export async function readPdf(context: Context, given: Given<typeof pdf>): Promise<BytesOutcome> {
  const companyId = await companyOf(context);
  const { family, key } = nameDocument(given.key, given.type);
  const { out, timeout } = given;
  const common = { what: { en: 'PDF', pt: 'PDF' }, key, out, timeout };
  if (family === 'nfse') {
    const input = { path: { companyId, idOrAccessKey: key } };
    return await readBytes(context, { operation: 'nfse.inbound.pdf', input, ...common });
  }
  const input = { path: { companyId, accessKey: key } };
  return await readBytes(context, { operation: `${family}.inbound.pdf`, input, ...common });
}
