import type { Text } from '../../contract/text.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { fiscalLine } from '../../domain/command-words.js';
import { momentInWords } from '../../domain/dates.js';
import type { Outcome, Sentence } from '../../domain/outcome.js';
import { sentenceOf } from '../../domain/sentence.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { statusOfInvoice } from '../../jobs/kinds/invoice-answer.js';
import { type IssueItem, type MerchandiseItem, sendsExternalId } from '../../jobs/kinds/invoice-items.js';
import { type Reason, reasonWords } from '../../errors/reasons.js';
import { billedNotices } from '../../services/batch/notices.js';
import type { Context } from '../../services/context.js';
import type { FollowOptions } from '../../services/batch/follow.js';
import {
  requireArrived,
  type SingleResult,
  unknownOutcome,
  withConflictHint,
} from '../../services/batch/single-job.js';
import type { ItemRow } from '../../store/store.js';
import { conflictHint, invoiceStillPending, issueEndedBadly, requireValid, withTaxHint } from './outcome.js';
import { fetchInvoice, followInvoice } from './get.js';
import { isMadeHere, issueKey, itemDigest } from './identity.js';
import { environmentOf, issuedTerms, type IssueTerms } from './issue-words.js';
import {
  externalOf,
  getLine,
  lineOf,
  type InvoiceTarget,
  invoiceText,
  modelNames,
  shownItem,
  type Standing,
  standingOf,
} from './invoice.js';

interface IssueResult {
  readonly single: SingleResult;
  readonly item: {
    readonly model: CheckedModel;
    readonly companyId: string;
    readonly invoice: Readonly<Record<string, unknown>>;
  };
  readonly given: FollowOptions;
  readonly notices: readonly Text[];
}

/**
 * The result of one issue. Errors: `outcome.unknown`, `outcome.ended_badly`, `outcome.still_pending`,
 * `invoice.external_id_taken`, `job.key_held`, and what stopped the run.
 */
export async function concludeIssue(context: Context, result: IssueResult): Promise<Outcome> {
  const { single, given } = result;
  const { item } = single;
  const { model, companyId, invoice } = result.item;
  const notices = [...result.notices, ...billedNotices(single.result.billed, 'engine')];
  if (item.state === 'skipped' && item.lookup === 'found') return await foundBefore(context, result);
  if (item.state === 'skipped' || item.errorCode === 'invoice.external_id_taken') throw alreadyThere(model, item);
  const { resourceId: id = '', jobId, remoteStatus: status = item.state } = item;
  if (item.state === 'rejected') throw issueEndedBadly({ model, id }, { ...item, status, jobId });
  requireTaken(single, model);
  const terms = { model, invoice, environment: environmentOf(invoice) };
  const told = { model, id, data: shownItem(item), billedCalls: single.result.billed.billed, terms };
  if (item.state === 'pending' && given.wait) throw unfinished(single, { model, id, status });
  if (item.state === 'pending') {
    const announced =
      item.lookup === 'found' ? [alreadyThereAs(item, id, status), follow(model, id)] : [taken(model, id)];
    const underWay = { is: 'under-way', status } as const;
    return {
      data: shownItem(item),
      sentence: issueSentence({ ...told, standing: underWay }),
      notices: [...notices, ...announced],
    };
  }
  const sentence = issueSentence({ ...told, standing: { is: 'issued', status } });
  if (!given.wait) return { data: shownItem(item), sentence, notices };
  return await withFacts(context, { single, target: { model, companyId, id }, terms, given, notices });
}

/** If the service rejects tax fields, the error points to the codes. */
function requireTaken(single: SingleResult, model: CheckedModel): void {
  try {
    withConflictHint(conflictHint(model), () => requireArrived(single));
  } catch (error) {
    throw error instanceof FiscalError ? withRegistrationHint(withTaxHint(error), single.item) : error;
  }
}

/** A 404 of an issue below a state registration: the company may have no such registration. */
function withRegistrationHint(error: FiscalError, { input }: ItemRow): FiscalError {
  // The row was written by the kind `…-issue`; that of a general invoice, or of an NFS-e, has no registration.
  const { stateTaxId, companyId } = input as Partial<MerchandiseItem>;
  if (error.facts.httpStatus !== 404) return error;
  if (stateTaxId === undefined || companyId === undefined) return error;
  const line = fiscalLine({ command: 'company registration list', company: companyId });
  return error.with({
    hint: {
      en: `the company may not have the state registration ${stateTaxId}; see those it has: ${line}`,
      pt: `a empresa pode não ter a inscrição estadual ${stateTaxId}; veja as que ela tem: ${line}`,
    },
  });
}

function unfinished(
  { item, result }: SingleResult,
  { model, id, status }: { readonly model: CheckedModel; readonly id: string; readonly status: string },
): FiscalError {
  const { jobId } = item;
  if (result.error !== undefined) return result.error.with({ jobId, resume: getLine(model, id, { wait: true }) });
  const seconds = Math.round(result.elapsedMs / 1000);
  return invoiceStillPending({ model, id }, { status, seconds, jobId });
}

/**
 * Reads number, key, protocol and the current state of the invoice; if the state differs from the response to the issue, the read
 * decides. A successful issue is known without the read.
 */
async function withFacts(
  context: Context,
  {
    single: { item, result },
    target,
    terms,
    given,
    notices,
  }: Omit<IssueResult, 'item'> & { readonly target: InvoiceTarget; readonly terms: IssueTerms },
): Promise<Outcome> {
  const billedCalls = result.billed.billed;
  const taken = { is: 'issued', status: item.remoteStatus ?? item.state } as const;
  try {
    let { body } = await fetchInvoice(context, target);
    if (statusOfInvoice(body) !== undefined && standingOf(body).is !== 'issued') {
      const timeout = Math.max(0, given.timeout - result.elapsedMs);
      ({ body } = await followInvoice(context, target, { ...given, timeout }));
    }
    const data = shownItem(item, body);
    const standing = statusOfInvoice(body) === undefined ? taken : standingOf(body);
    const read = { ...terms, environment: environmentOf(body) ?? terms.environment };
    return { data, sentence: issueSentence({ ...target, data, standing, billedCalls, terms: read }), notices };
  } catch (error) {
    if (!(error instanceof FiscalError)) throw error;
    if (error.code.startsWith('outcome.')) throw error.with({ jobId: item.jobId });
    const data = shownItem(item);
    const sentence = issueSentence({ ...target, data, standing: taken, billedCalls, terms });
    return { data, sentence, notices: [...notices, error.text] };
  }
}

/** Another machine, or an earlier store, has issued the same content: the outcome is its current state. */
async function foundBefore(
  context: Context,
  { single: { item }, item: { model, companyId } }: IssueResult,
): Promise<Outcome> {
  const id = item.resourceId ?? '';
  const { body } = await fetchInvoice(context, { model, companyId, id });
  const { status } = standingOf(body);
  requireValid({ model, id }, item, status);
  const data = shownItem(item, body);
  const sentence = issueSentence({ model, id, data, standing: standingOf(body), isEarlier: true });
  return { data, sentence, notices: [alreadyThereAs(item, id, status)] };
}

function alreadyThereAs(item: ItemRow, id: string, status: string): Text {
  const name = nameOnTheWire(item);
  return {
    en: `the service already had an invoice with this ${name.en} and content: ${id} (${status}); nothing was sent`,
    pt: `o serviço já tinha uma nota com este ${name.pt} e conteúdo: ${id} (${status}); nada foi enviado`,
  };
}

/** What the service knows the invoice by: the externalId, or the order number that holds it. */
function nameOnTheWire({ input }: ItemRow): Text {
  // The row was written by the kind `…-issue`, whose input has this type.
  const issued = input as IssueItem;
  return issued.model === 'nfse' || sendsExternalId(issued)
    ? { en: 'externalId', pt: 'externalId' }
    : { en: 'order number', pt: 'número de pedido' };
}

/** Another item of this machine holds the externalId, or the service has an invoice of it that is not ours. */
function alreadyThere(model: CheckedModel, item: ItemRow): FiscalError {
  const { jobId, duplicateOf, label, resourceId = '?', remoteStatus = '?', reason, lookup } = item;
  if (duplicateOf !== undefined) return new FiscalError('job.key_held', { label, id: duplicateOf }, { jobId });
  const { externalId = label } = externalOf(item);
  const why = reasonBefore(reason);
  const look = item.resourceId === undefined ? lineOf('list', model) : getLine(model, resourceId, { wait: false });
  return new FiscalError(
    'invoice.external_id_taken',
    { name: nameOnTheWire(item), externalId, id: resourceId, status: remoteStatus },
    {
      jobId,
      sent: lookup === 'found' ? 'no' : 'yes',
      hint: {
        en: `${why.en}see it: ${look}; another invoice needs another --external-id`,
        pt: `${why.pt}veja-a: ${look}; outra nota precisa de outro --external-id`,
      },
    },
  );
}

function reasonBefore(reason: Reason | undefined): Text {
  if (reason === undefined) return { en: '', pt: '' };
  const { en, pt } = reasonWords(reason);
  return { en: `${en}; `, pt: `${pt}; ` };
}

function taken(model: CheckedModel, id: string): Text {
  const command = getLine(model, id, { wait: true });
  return {
    en: `accepted; it is being issued in the background; follow it: ${command}`,
    pt: `recebida; a emissão ocorre em segundo plano; acompanhe: ${command}`,
  };
}

function follow(model: CheckedModel, id: string): Text {
  const command = getLine(model, id, { wait: true });
  return { en: `it is still being issued; follow it: ${command}`, pt: `a emissão não terminou; acompanhe: ${command}` };
}

/** An invoice that this machine has issued under the same externalId. */
export interface Earlier {
  readonly target: InvoiceTarget;
  readonly item: ItemRow;
}

/**
 * Finds the item that holds the externalId and exists at the service. `undefined`: there is none, or an unfinished send of the
 * same content, which is resumed. Errors: `outcome.unknown`, `job.key_held`, `invoice.other_content`.
 */
export async function findEarlier(context: Context, wanted: IssueItem): Promise<Earlier | undefined> {
  const store = await context.store();
  const { storeNamespace } = await context.settings();
  const { model, companyId, externalId } = wanted;
  const dedupeKey = issueKey(companyId, externalId);
  const holder = await store.items.holder({ profile: storeNamespace, kind: `${model}-issue`, dedupeKey });
  if (holder === undefined) return undefined;
  // The row was written by the kind `…-issue`, whose input has this type.
  const isSame = itemDigest(holder.input as IssueItem) === itemDigest(wanted);
  const { resourceId, jobId, label, id } = holder;
  if (!isSame) throw otherContent(wanted, holder);
  if (holder.state === 'uncertain') throw unknownOutcome(holder, await store.items.events(id));
  if (resourceId !== undefined) return { target: { model, companyId, id: resourceId }, item: holder };
  const job = await store.jobs.get(jobId);
  if (job?.inputDigest === `issue ${dedupeKey} ${itemDigest(wanted)}`) return undefined;
  const resume = `fiscal job resume ${jobId}`;
  throw new FiscalError('job.key_held', { label, id }, { jobId, sent: 'no', resume });
}

/** The same was issued before: nothing is sent, and the outcome is its current state. Error: `outcome.ended_badly`. */
export async function repeatEarlier(
  context: Context,
  { target, item }: Earlier,
  given: FollowOptions,
): Promise<Outcome> {
  const { body } =
    given.wait && item.state === 'pending'
      ? await followInvoice(context, target, given)
      : await fetchInvoice(context, target);
  const standing = standingOf(body);
  if (standing.is === 'refused') throw issueEndedBadly(target, { ...item, ...standing });
  const { id } = target;
  const data = shownItem(item, body);
  const sentence = issueSentence({ ...target, data, standing, isEarlier: true });
  if (item.lookup === 'found') {
    requireValid(target, item, standing.status);
    return { data, sentence, notices: [alreadyThereAs(item, id, standing.status)] };
  }
  const at = momentInWords(item.sentAt ?? item.updatedAt);
  const { externalId } = externalOf(item);
  const word = externalId === undefined || isMadeHere(externalId) ? '--again' : '--external-id';
  return {
    data,
    sentence,
    notices: [
      {
        en: `already issued on ${at.en} as ${id}; nothing was sent (${anotherOne[word].en})`,
        pt: `já emitida em ${at.pt} como ${id}; nada foi enviado (${anotherOne[word].pt})`,
      },
    ],
  };
}

const anotherOne = {
  '--again': { en: '--again issues another one with the same content', pt: '--again emite outra de mesmo conteúdo' },
  '--external-id': {
    en: 'another --external-id issues another one with the same content',
    pt: 'outro --external-id emite outra de mesmo conteúdo',
  },
} as const;

/** What has this name here was written for another content. */
export function otherContent(
  { model, externalId }: { readonly model: CheckedModel; readonly externalId: string },
  { resourceId, jobId }: ItemRow,
): FiscalError {
  const what = resourceId === undefined ? { en: 'an invoice', pt: 'uma nota' } : invoiceText(model, resourceId);
  return new FiscalError(
    'invoice.other_content',
    { externalId, what },
    {
      jobId,
      sent: 'no',
      ...(resourceId === undefined ? {} : { resume: getLine(model, resourceId, { wait: true }) }),
      ...(model === 'general' ? {} : { hint: itsOwnId }),
    },
  );
}

const itsOwnId: Text = {
  en: 'a corrected invoice is a new one and needs its own externalId: --external-id',
  pt: 'uma nota corrigida é outra nota e precisa de um externalId próprio: --external-id',
};

interface Told {
  readonly model: CheckedModel;
  readonly id: string;
  readonly standing: Pick<Standing, 'is' | 'status'>;
  /** The record that is shown below it. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly billedCalls?: number;
  /** Of an issue of this run. */
  readonly terms?: IssueTerms;
  /** An earlier run, or another machine, has issued it. */
  readonly isEarlier?: boolean;
}

/** What an issue has done: `NF-e 123, serie 1, issued`. Only a state that the service showed as issued counts as issued. */
function issueSentence({ model, id, standing, data, billedCalls, terms, isEarlier }: Told): Sentence {
  const name = nameOf(model, id, data);
  const said = terms === undefined ? undefined : issuedTerms(terms);
  const tail =
    isEarlier === true
      ? { en: '; nothing was sent', pt: '; nada foi enviado' }
      : { en: said ? `: ${said.en}` : '', pt: said ? `: ${said.pt}` : '' };
  const { tone, text } = standingWords(standing);
  return sentenceOf(
    tone,
    { en: `${name.en} ${text.en}${tail.en}`, pt: `${name.pt} ${text.pt}${tail.pt}` },
    billedCalls,
  );
}

function nameOf(model: CheckedModel, id: string, { number, serie }: Told['data']): Text {
  const { en, pt } = modelNames[model];
  if (typeof number !== 'string' && typeof number !== 'number') return { en: `${en} ${id}`, pt: `${pt} ${id}` };
  const hasSerie = typeof serie === 'string' || typeof serie === 'number';
  return {
    en: `${en} ${number}${hasSerie ? ` (serie ${serie})` : ''}`,
    pt: `${pt} ${number}${hasSerie ? ` (série ${serie})` : ''}`,
  };
}

function standingWords({ is, status }: Told['standing']): { readonly tone: Sentence['tone']; readonly text: Text } {
  if (is !== 'issued')
    return { tone: 'open', text: { en: 'accepted, not issued yet', pt: 'recebida, ainda não emitida' } };
  if (status === 'Issued') return { tone: 'good', text: { en: 'issued', pt: 'emitida' } };
  if (status === 'IssuedContingency')
    return { tone: 'good', text: { en: 'issued in contingency', pt: 'emitida em contingência' } };
  return { tone: 'warn', text: { en: `is ${status}`, pt: `está como ${status}` } };
}
