import type { Given } from '../../cli/command.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { Prose } from '../../domain/prose.js';
import { companiesOf } from '../../services/scope/companies.js';
import type { Context } from '../../services/context.js';
import { forEachConcurrent } from '../../jobs/concurrency.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { CompanyLabel, AccountCompany } from '../../services/scope/scope.js';
import { companyText, companiesText, companyOfLabel } from '../../services/scope/text.js';
import { readMoment } from '../../services/input/moment.js';
import type { missed } from './event-commands.js';

/** A document, and whether this machine stored an event about it. */
interface MissedDocument extends Undelivered, CompanyLabel, DataRecord {
  readonly type: 'missed-webhook';
  readonly arrived: boolean;
}

type MissedGiven = Given<typeof missed>;

const families = ['nfe', 'cte', 'nfse'] as const;

/**
 * The documents whose webhook the service did not deliver, compared with what this machine received. With `resend` the service
 * is asked, after consent, to deliver those that did not arrive. Exit 3 when some could not be asked for or read.
 * Errors: `usage.missing`, `usage.invalid_value`, `usage.confirmation_required`, those of a list.
 */
export async function missedWebhooks(context: Context, given: MissedGiven): Promise<Outcome> {
  if (given.since === undefined) throw new FiscalError('usage.missing', { names: '--since' }, { sent: 'no' });
  const since = readMoment('--since', given.since, context.clock.now());
  const companies = await companiesOf(context, { all: given.allCompanies });
  const reading: Reading = { companies, since, arrived: 0, withoutStatus: { documents: 0, events: 0 }, unread: [] };
  if (!given.resend) {
    return {
      data: documents(context, given, reading),
      // Known only after the last document.
      get exitCode() {
        return exitCodeOf(reading);
      },
      get notices() {
        return noticesOf(given, reading);
      },
    };
  }
  const lost: MissedDocument[] = [];
  for await (const row of documents(context, given, reading)) if (!row.arrived) lost.push(row);
  if (lost.length === 0) {
    const exitCode = exitCodeOf(reading);
    const said = exitCode === ExitCode.ok ? [nothingMissed] : [];
    return { data: [], exitCode, notices: [...noticesOf(given, reading), ...said] };
  }
  const { rows, failed } = await resendMissed(context, lost);
  return {
    data: rows,
    exitCode: failed === 0 ? exitCodeOf(reading) : ExitCode.partial,
    notices: noticesOf(given, reading),
  };
}

interface Reading {
  readonly companies: readonly AccountCompany[];
  readonly since: number;
  arrived: number;
  /** Those of which the service does not say whether it delivered their webhook. */
  readonly withoutStatus: Counts;
  readonly unread: UnreadFamily[];
}

/** A family of a company that could not be read. */
interface UnreadFamily {
  readonly company: AccountCompany;
  readonly family: InboundFamily;
  readonly error: FiscalError;
}

async function* documents(context: Context, given: MissedGiven, reading: Reading): AsyncGenerator<MissedDocument> {
  for (const company of reading.companies) yield* documentsOf(context, given, { reading, company });
}

async function* documentsOf(
  context: Context,
  { type, all }: MissedGiven,
  { reading, company }: { readonly reading: Reading; readonly company: AccountCompany },
): AsyncGenerator<MissedDocument> {
  const [{ storeNamespace: profile }, store] = await Promise.all([context.settings(), context.store()]);
  const { since } = reading;
  const { id: companyId } = company;
  for (const family of type === undefined ? families : [type]) {
    try {
      for await (const document of undelivered(context, { family, companyId, since, reading })) {
        const arrived = await hasArrived(document, (resource) => store.deliveries.lastAt(profile, resource));
        if (arrived) reading.arrived += 1;
        if (all || !arrived) yield { type: 'missed-webhook', ...document, ...labelOf(company), arrived };
      }
    } catch (error) {
      if (type !== undefined || !isNotThere(error)) throw error;
      reading.unread.push({ company, family, error });
    }
  }
}

/** A captured document, or an event among the documents, whose webhook, according to the service, was not delivered. */
interface Undelivered {
  readonly family: InboundFamily;
  readonly companyId: string;
  /** The id at the service, or the access key. */
  readonly id: string;
  /** Absent: an event that names no document. */
  readonly accessKey?: string;
  /** Of an event among the documents. */
  readonly eventKey?: string;
  readonly webhookStatus: string;
  readonly createdOn: string | undefined;
}

interface UndeliveredQuery {
  readonly family: InboundFamily;
  readonly companyId: string;
  /** Captured at this time or later, in milliseconds. */
  readonly since: number;
  readonly reading: Pick<Reading, 'withoutStatus'>;
}

const DELIVERED = 'Delivered';

/**
 * The documents captured since then whose `webhookStatus` is not `Delivered`; those without a status are counted. Errors: those
 * of a list.
 */
async function* undelivered(
  context: Pick<Context, 'client' | 'interruption'>,
  { family, companyId, since, reading }: UndeliveredQuery,
): AsyncGenerator<Undelivered> {
  // The list of NFS-e has no "not equal": all of it is read and filtered here.
  const filter = family === 'nfse' ? undefined : `webhookStatus ne '${DELIVERED}'`;
  const query = { family, companyId, by: 'created', since, filter } as const;
  const [{ listDocuments, newReport }, { eventKeyOf, seenRow }] = await Promise.all([
    import('../inbound/list-documents.js'),
    import('../inbound/seen-rows.js'),
  ]);
  const report = newReport();
  for await (const row of listDocuments(context, query, report)) {
    const { accessKey, webhookStatus, createdOn } = row;
    const seen = seenRow(row);
    const eventKey = seen && eventKeyOf(seen);
    if (typeof webhookStatus !== 'string' || webhookStatus.trim() === '') {
      reading.withoutStatus[eventKey === undefined ? 'documents' : 'events'] += 1;
      continue;
    }
    if (isDelivered(webhookStatus)) continue;
    const names = { id: idOf(row) ?? eventKey ?? '', ...(accessKey !== undefined && { accessKey }) };
    const event = eventKey === undefined ? {} : { eventKey };
    yield { family, companyId, ...names, ...event, webhookStatus, createdOn };
  }
  if (report.unreadable > 0) throw unreadableRows(`${family}.inbound.list`, report.unreadable);
}

function isDelivered(webhookStatus: string): boolean {
  return webhookStatus.toLowerCase() === DELIVERED.toLowerCase();
}

function unreadableRows(operation: string, count: number): FiscalError {
  const reason = counted(count, {
    en: ['# row is not a document with a key', '# rows are not documents with a key'],
    pt: ['# linha não é documento com chave', '# linhas não são documentos com chave'],
  });
  const facts = { operation, httpStatus: 200, sent: 'yes', retryable: false } as const;
  return new FiscalError('service.unreadable', { operation, status: 200, reason }, facts);
}

function idOf(row: { readonly id?: unknown; readonly accessKey?: string }): string | undefined {
  return typeof row.id === 'string' ? row.id : row.accessKey;
}

/** A family that is not captured (404) misses nothing; one that the key may not read, a company without any family, or a document without a status, may. */
function exitCodeOf({ companies, unread, withoutStatus }: Reading): ExitCode {
  const isHidden = unread.some(({ error }) => error.facts.httpStatus === 403);
  const nothingRead = companies.some(
    ({ id }) => unread.filter(({ company }) => company.id === id).length === families.length,
  );
  return isHidden || nothingRead || totalOf(withoutStatus) > 0 ? ExitCode.partial : ExitCode.ok;
}

/** An event names a document by its id or by its key. */
async function hasArrived(
  { id, accessKey }: Undelivered,
  lastAt: (resource: string) => Promise<number | undefined>,
): Promise<boolean> {
  for (const resource of new Set([accessKey, id])) {
    if (resource !== undefined && (await lastAt(resource)) !== undefined) return true;
  }
  return false;
}

/** A family that the company does not capture, or that the key may not read. */
function isNotThere(error: unknown): error is FiscalError {
  return error instanceof FiscalError && [403, 404].includes(error.facts.httpStatus ?? 0);
}

function notRead({ company, family, error }: UnreadFamily, isSole: boolean): Text {
  const of = companyText(company);
  const [en, pt] = isSole ? ['', ''] : [` of ${of}`, ` de ${of}`];
  return { en: `${family}${en} was not read: ${error.text.en}`, pt: `${family}${pt} não foi lido: ${error.text.pt}` };
}

function noticesOf({ all }: MissedGiven, reading: Reading): readonly Text[] {
  const { companies, unread, arrived, withoutStatus } = reading;
  const notices = [
    ...unread.map((one) => notRead(one, companies.length === 1)),
    ...(totalOf(withoutStatus) === 0 ? [] : [withoutStatusText(withoutStatus)]),
  ];
  if (all || arrived === 0) return notices;
  return [
    ...notices,
    {
      en: `${arrived} that the service counts as not delivered arrived here; to show them: --all`,
      pt: `${arrived} que o serviço conta como não entregues chegaram aqui; para mostrar: --all`,
    },
  ];
}

function withoutStatusText(counts: Counts): Text {
  const what = countsText(counts);
  const isOne = totalOf(counts) === 1;
  const [en, pt] = isOne
    ? ['its webhook was delivered', 'o webhook foi entregue']
    : ['their webhooks were delivered', 'os webhooks foram entregues'];
  return {
    en: `of ${what.en} the service does not say whether ${en} (no webhookStatus)`,
    pt: `de ${what.pt} o serviço não diz se ${pt} (sem webhookStatus)`,
  };
}

/** Documents, and events among them. */
interface Counts {
  documents: number;
  events: number;
}

function countsOf(rows: readonly MissedDocument[]): Counts {
  const events = rows.filter(({ eventKey }) => eventKey !== undefined).length;
  return { documents: rows.length - events, events };
}

function totalOf({ documents, events }: Counts): number {
  return documents + events;
}

/** `2 documents and 1 event`. */
function countsText({ documents, events }: Counts): Text {
  const parts = [
    ...(documents === 0 ? [] : [counted(documents, nouns.document)]),
    ...(events === 0 ? [] : [counted(events, nouns.event)]),
  ];
  return { en: parts.map(({ en }) => en).join(' and '), pt: parts.map(({ pt }) => pt).join(' e ') };
}

const nothingMissed: Text = { en: 'nothing is missing; nothing was sent', pt: 'nada está faltando; nada foi enviado' };

/** The result of requesting one delivery. */
interface ResentDocument extends MissedDocument {
  /** `not-offered`: the service has no such operation for CT-e. `not-sent`: with `--dry-run`. */
  readonly resend: 'accepted' | 'failed' | 'not-offered' | 'not-sent';
  readonly error?: { readonly code: string; readonly message: Prose };
}

interface Resending {
  readonly rows: readonly ResentDocument[];
  readonly failed: number;
}

/**
 * Requests every delivery once, after consent, without a job: the receiver drops a duplicate delivery, and the next run shows
 * what is still missing. A refused key ends the run.
 */
async function resendMissed(context: Context, missed: readonly MissedDocument[]): Promise<Resending> {
  const { dryRun, concurrency, storeNamespace } = await context.settings();
  const offered = missed.filter(({ family }) => isOffered(family));
  const count = offered.length;
  if (!dryRun && count > 0) await context.consent({ what: question(offered, storeNamespace) });
  const rows: ResentDocument[] = missed.map((row) => ({
    ...row,
    resend: isOffered(row.family) ? 'not-sent' : 'not-offered',
  }));
  if (dryRun || count === 0) return { rows, failed: 0 };
  let done = 0;
  const progress = (): void => context.progress.report({ label, done, total: count });
  progress();
  await forEachConcurrent(rows.entries(), concurrency, async ([index, row]) => {
    if (row.resend === 'not-offered') return;
    rows[index] = await resendOne(context, row);
    done += 1;
    progress();
  }).finally(() => context.progress.stop());
  return { rows, failed: rows.filter(({ resend }) => resend === 'failed').length };
}

async function resendOne(context: Context, row: ResentDocument): Promise<ResentDocument> {
  const { companyId, id, accessKey, family } = row;
  const client = await context.client();
  const how = { signal: context.interruption };
  try {
    if (family === 'nfse') {
      await client.call('nfse.inbound.resendWebhook', { path: { companyId, id } }, how);
    } else {
      const path = { companyId, accessKeyOrNsu: accessKey ?? id };
      await client.call('nfe.inbound.reprocessWebhook', { path }, how);
    }
    return { ...row, resend: 'accepted' };
  } catch (error) {
    const isOfThisOne = error instanceof FiscalError && [6, 7, 9, 10].includes(error.exitCode);
    if (!isOfThisOne) throw error;
    return { ...row, resend: 'failed', error: { code: error.code, message: new Prose(error.text) } };
  }
}

function isOffered(family: InboundFamily): boolean {
  return family !== 'cte';
}

function question(documents: readonly MissedDocument[], storeNamespace: string): Text {
  const companies = new Map(
    documents.map((document) => [document.companyId, companyOfLabel(document.companyId, document)]),
  );
  const of = companiesText([...companies.values()]);
  const what = countsText(countsOf(documents));
  return {
    en: `ask the service to deliver the webhooks of ${what.en} of ${of.en} again (profile ${storeNamespace})`,
    pt: `pedir ao serviço que entregue de novo os webhooks de ${what.pt} ${of.pt} (perfil ${storeNamespace})`,
  };
}

const label: Text = { en: 'requesting deliveries', pt: 'solicitando entregas' };
