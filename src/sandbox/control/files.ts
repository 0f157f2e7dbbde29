import type { Text } from '../../contract/text.js';
import { uuidOf } from '../core/chance.js';
import type { Core } from '../core/core.js';
import { exactNumber, onlySet, isRecord } from '../core/exact-json.js';
import { type KnownCompany, families } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import type { GivenName, StoredEvent } from '../document/document-events.js';
import type { Direction, StoredDocument } from '../document/documents.js';
import { nextNsu } from '../document/invent-document.js';
import { captureDocument, scheduleOwnInvoice } from '../inbound/capture.js';
import { enabledBy } from '../inbound/settings.js';
import type { StoredInvoice } from '../invoice/invoices.js';
import { type Party, localTime } from '../xml/layout.js';
import {
  type GivenDocument,
  type GivenEvent,
  type GivenNote,
  type GivenSummary,
  readDocument,
} from '../xml/read-document.js';
import { type ControlRequest, fieldsOf, textField } from './control.js';

const mostFiles = 1_000;

/**
 * `{files: [{name, content}], company?}`: takes XML of the user, `content` in base64, as documents of the companies whose tax
 * number it has, or of `company`, an id or a CNPJ. Every file has its answer: `added`, `known` or `refused`.
 */
export function addFiles(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['files', 'company']);
  const word = textField(fields, 'company');
  const chosen = word === undefined ? undefined : companyNamed(core, word);
  const given = fields['files'];
  if (!Array.isArray(given) || given.length > mostFiles)
    throw invalid('files', `Must be a list of at most ${mostFiles} files.`);
  return { files: given.flatMap((file: unknown) => addFile(core, fileOf(file), chosen)) };
}

interface GivenFile {
  readonly name: string;
  readonly content: string;
}

function fileOf(file: unknown): GivenFile {
  if (isRecord(file) && typeof file['name'] === 'string' && typeof file['content'] === 'string')
    return { name: file['name'], content: file['content'] };
  throw invalid('files', 'Each needs a name and its content in base64.');
}

function companyNamed(core: Core, word: string): KnownCompany {
  const { tenantId } = core.account;
  const byNumber = core.companies.withTaxNumber(tenantId, word.replaceAll(/[./\-\s]/g, '').toUpperCase());
  const found = core.companies.find(tenantId, word) ?? byNumber;
  if (found === undefined) throw invalid('company', 'Is not the id or the CNPJ of a company of the sandbox.');
  return found;
}

function addFile(core: Core, { name: file, content }: GivenFile, chosen: KnownCompany | undefined): readonly object[] {
  const bytes = Buffer.from(content, 'base64');
  const found = readDocument(bytes);
  if ('refused' in found) return [{ file, outcome: 'refused', reason: found.refused }];
  const companies = chosen === undefined ? companiesOf(core, found) : [chosen];
  if (companies.length === 0) {
    // The note of an event or of a summary may come later.
    return [{ file, outcome: 'refused', ...(found.part === 'note' ? {} : { isEarly: true }), reason: homeless(found) }];
  }
  const { family, part, accessKey } = found;
  return companies.map((company) => {
    const { id: companyId } = company;
    const named = { file, family, part, ...onlySet({ accessKey }), companyId };
    return { ...named, ...place(core, { found, bytes, company }) };
  });
}

/** The companies with the note, else those whose tax number is in the XML. */
function companiesOf(core: Core, found: GivenDocument): readonly KnownCompany[] {
  const { tenantId } = core.account;
  const ids = found.part === 'note' || found.accessKey === null ? [] : holdersOf(core, found.accessKey);
  const holders = ids.flatMap((id) => core.companies.find(tenantId, id) ?? []);
  // A summary names only the issuer, who is not the one that receives it.
  if (holders.length > 0 || found.part === 'summary') return holders;
  return found.taxNumbers.flatMap((taxNumber) => core.companies.withTaxNumber(tenantId, taxNumber) ?? []);
}

function holdersOf(core: Core, accessKey: string): readonly string[] {
  const issued = core.invoices.byAccessKey(accessKey)?.companyId;
  const received = core.documents.withKey(accessKey).map(({ companyId }) => companyId);
  return [...new Set([...(issued === undefined ? [] : [issued]), ...received])];
}

function place(core: Core, placing: Placing): object {
  const { found, company } = placing;
  switch (found.part) {
    case 'note': {
      const isIssuer = found.issuer.taxNumber === company.federalTaxNumber;
      // The sandbox issues no CT-e: one of the company is captured.
      return isIssuer && found.model !== 'cte'
        ? placeIssued(core, { ...placing, found })
        : placeNote(core, { ...placing, found }, isIssuer ? 'outgoing' : 'incoming');
    }
    case 'summary':
      return placeSummary(core, { ...placing, found });
    case 'event': {
      const invoice = core.invoices.byAccessKey(found.accessKey);
      return invoice?.companyId === company.id
        ? placeIssuedEvent(core, { ...placing, found }, invoice)
        : placeEvent(core, { ...placing, found });
    }
  }
}

function homeless(found: GivenDocument): Text {
  if (found.part !== 'note') {
    return {
      en: 'it does not name its recipient, and its note is not here: name the company with --company',
      pt: 'não traz o destinatário, e a sua nota não está aqui: informe a empresa com --company',
    };
  }
  // A CPF is not printed.
  const numbers = found.taxNumbers.filter((taxNumber) => taxNumber.length === 14).join(', ');
  const named = numbers === '' ? '' : ` (${numbers})`;
  return {
    en: `none of its tax numbers${named} is that of a company of the sandbox: create the company, or name one with --company`,
    pt: `nenhum CNPJ dela${named} é de uma empresa do sandbox: crie a empresa ou informe uma com --company`,
  };
}

/** A document of a user, and the company whose it shall be. */
export interface Placing<Found extends GivenDocument = GivenDocument> {
  readonly found: Found;
  readonly bytes: Uint8Array;
  readonly company: KnownCompany;
}

/** What became of a file at a company. */
export type Placed =
  | { readonly outcome: 'added'; readonly side: 'received' | 'issued'; readonly isHidden?: true }
  | { readonly outcome: 'known' }
  | { readonly outcome: 'refused'; readonly reason: Text };

export const known: Placed = { outcome: 'known' };

/** What to say of a file whose document is here already. `undefined`: it is not. */
export function alreadyHere(
  core: Core,
  name: GivenName,
  { bytes, isHere }: { readonly bytes: Uint8Array; readonly isHere: boolean },
): Placed | undefined {
  const isSame = core.givenXml.isSame(name, bytes);
  if (isSame === true) return known;
  return isSame === undefined && !isHere ? undefined : { outcome: 'refused', reason: another };
}

const another: Text = {
  en: 'the sandbox has another XML of the same document',
  pt: 'o sandbox já tem outro XML do mesmo documento',
};

/** The events that end a note: cancellations, and substitutions of NF-e and NFS-e. */
export const cancelling: ReadonlySet<string> = new Set([
  '110111',
  '110112',
  '101101',
  '105102',
  '105104',
  '105105',
  '305101',
]);

/** A note that the company captures: it received it, or issued a CT-e. */
export function placeNote(core: Core, { found, bytes, company }: Placing<GivenNote>, direction: Direction): Placed {
  const { id: companyId, federalTaxNumber } = company;
  const id = uuidOf(`${companyId}:${found.accessKey ?? identityOf(found)}`);
  const accessKey = found.accessKey ?? id;
  const before = core.documents.get(accessKey, companyId);
  const isHere = before !== undefined && before.stage === 'full';
  const name: GivenName = { companyId, part: 'full', of: accessKey };
  const standing = alreadyHere(core, name, { bytes, isHere });
  if (standing !== undefined) return standing;
  const { issuer, recipient, intermediary } = found;
  // The taker of a CT-e that the layout does not name, and a recipient without a number, stay unknown.
  const isOwn = recipient.taxNumber === federalTaxNumber;
  return captured(
    core,
    {
      ...whole(core, companyId),
      ...{ family: found.family, id, accessKey, direction },
      issuerTaxNumber: issuer.taxNumber,
      issuerName: issuer.name,
      recipientTaxNumber: recipient.taxNumber,
      recipientName: isOwn && recipient.name === '' ? company.name : recipient.name,
      intermediaryTaxNumber: intermediary?.taxNumber ?? null,
      intermediaryName: intermediary?.name ?? null,
      number: found.accessKey === null ? found.number : null,
      totalAmount: found.amount,
      ...{ issuedOn: found.issuedOn, authorizedOn: found.authorizedOn, stage: 'full' },
      cancelled: isCancelled(core, companyId, accessKey),
      nsu: nextNsu(core, companyId, found.family),
    },
    { name, bytes },
  );
}

/** What a municipality makes unique: who issued it, and its number with its code. */
function identityOf({ issuer, number, serie }: GivenNote): string {
  return `${issuer.taxNumber}:${number}:${serie}`;
}

export function placeSummary(core: Core, { found, bytes, company }: Placing<GivenSummary>): Placed {
  const { accessKey, issuer } = found;
  const { id: companyId } = company;
  const before = core.documents.get(accessKey, companyId);
  if (before?.stage === 'full') return known;
  const name: GivenName = { companyId, part: 'summary', of: accessKey };
  const standing = alreadyHere(core, name, { bytes, isHere: before !== undefined });
  if (standing !== undefined) return standing;
  return captured(
    core,
    {
      ...whole(core, companyId),
      ...{ family: 'nfe', id: uuidOf(`${companyId}:${accessKey}`), accessKey, direction: 'incoming' },
      ...{ issuerTaxNumber: issuer.taxNumber, issuerName: issuer.name },
      ...{ recipientTaxNumber: null, recipientName: null, intermediaryTaxNumber: null, intermediaryName: null },
      ...{ number: null, totalAmount: found.amount, stage: 'summary' },
      ...{ issuedOn: found.issuedOn, authorizedOn: found.authorizedOn },
      cancelled: isCancelled(core, companyId, accessKey),
      nsu: nextNsu(core, companyId, 'nfe'),
    },
    { name, bytes },
  );
}

/** What does not depend on the XML: it is captured now. */
function whole(core: Core, companyId: string) {
  const now = core.clock.now();
  return {
    companyId,
    status: 'Processed',
    webhookStatus: 'Skipped',
    visibility: 'listed',
    createdOn: now,
    modifiedOn: now,
    hostile: null,
  } as const;
}

function captured(
  core: Core,
  document: StoredDocument,
  { name, bytes }: { readonly name: GivenName; readonly bytes: Uint8Array },
): Placed {
  const { companyId, family, issuedOn } = document;
  beginCapture(core, companyId);
  // As if the capture had run since before that month: a month that began earlier cannot be proven.
  enabledBy(core, { companyId, family }, startOfMonth(issuedOn) - weekMs);
  core.givenXml.put(name, bytes);
  const { visibility } = captureDocument(core, document);
  return { outcome: 'added', side: 'received', ...(visibility === 'hidden' ? { isHidden: true } : {}) };
}

/** A company without any capture gets all three, and the certificate that they need. */
function beginCapture(core: Core, companyId: string): void {
  if (families.some((family) => core.captures.of(companyId, family) !== undefined)) return;
  core.captures.begin(companyId, core.clock.now());
  const certificate = core.certificates.of(companyId);
  if (certificate?.standing === 'removed') core.certificates.put({ ...certificate, standing: 'installed' });
}

const weekMs = 7 * 86_400_000;

function startOfMonth(at: number): number {
  return Date.parse(`${localTime(at).slice(0, 7)}-01T00:00:00-03:00`);
}

function isCancelled(core: Core, companyId: string, accessKey: string): boolean {
  return core.documentEvents.ofDocument(companyId, accessKey).some(({ type }) => cancelling.has(type));
}

export function placeEvent(core: Core, { found, bytes, company }: Placing<GivenEvent>): Placed {
  const { id: companyId } = company;
  const standing = standingEvent(core, { companyId, found, bytes });
  if (standing !== undefined) return standing;
  beginCapture(core, companyId);
  core.givenXml.put({ companyId, part: found.form, of: found.eventKey }, bytes);
  core.documentEvents.add(eventOf(core, companyId, found));
  const note = core.documents.get(found.accessKey, companyId);
  if (note !== undefined && cancelling.has(found.type)) core.documents.put({ ...note, cancelled: true });
  return { outcome: 'added', side: 'received' };
}

/** The event itself takes the place of its summary. */
export function standingEvent(
  core: Core,
  {
    companyId,
    found: { form, eventKey },
    bytes,
  }: { readonly companyId: string; readonly found: GivenEvent; readonly bytes: Uint8Array },
): Placed | undefined {
  const named = (part: GivenName['part']): GivenName => ({ companyId, part, of: eventKey });
  const hasFull = core.givenXml.isSame(named('full'), bytes) !== undefined;
  const hasSummary = core.givenXml.isSame(named('summary'), bytes) !== undefined;
  if (form === 'summary' && hasFull) return known;
  const isInvented = !hasFull && !hasSummary && core.documentEvents.get(companyId, eventKey) !== undefined;
  return alreadyHere(core, named(form), { bytes, isHere: isInvented });
}

function eventOf(core: Core, companyId: string, found: GivenEvent): StoredEvent {
  const { family, accessKey, eventKey, type, description, sequence, protocol, author, issuedOn } = found;
  const { reason, substituteAccessKey } = found;
  return {
    ...{ family, accessKey, companyId, eventKey, type, description, sequence, protocol, author },
    detail: { ...(reason === null ? {} : { justification: reason }), ...onlySet({ substituteAccessKey }) },
    nsu: core.documentEvents.nextNsu(companyId, family),
    issuedOn,
    createdOn: core.clock.now(),
  };
}

/** A note that the company issued, as if it had been issued here. */
export function placeIssued(core: Core, { found, bytes, company }: Placing<GivenNote>): Placed {
  const { id: companyId } = company;
  const { accessKey, number, serie } = found;
  const id = uuidOf(`issued:${companyId}:${accessKey ?? `${found.model}:${number}:${serie}`}`);
  const name: GivenName = { companyId, part: 'full', of: accessKey ?? id };
  const before = (accessKey && core.invoices.byAccessKey(accessKey)) || core.invoices.get(id);
  const standing = alreadyHere(core, name, { bytes, isHere: before !== undefined });
  if (standing !== undefined) return standing;
  core.givenXml.put(name, bytes);
  core.invoices.insert(invoiceOf(core, id, { found, bytes, company }));
  scheduleOwnInvoice(core, id, core.clock.now());
  return { outcome: 'added', side: 'issued' };
}

function invoiceOf(core: Core, id: string, { found, company }: Placing<GivenNote>): StoredInvoice {
  const { model, accessKey, isDenied, authorizedOn, amount, recipient } = found;
  const buyer = bodyOf(recipient);
  const amounts = amount === '' ? {} : { servicesAmount: exactNumber(amount) };
  return {
    id,
    tenantId: core.account.tenantId,
    companyId: company.id,
    kind: model === 'cte' ? 'nfe' : model,
    externalId: null,
    stateTaxId: null,
    environment: found.environment,
    content: model === 'nfse' ? { borrower: buyer, description: found.description, ...amounts } : { buyer },
    totalAmount: amount === '' ? '0.00' : amount,
    ...(isDenied ? { status: 'IssueDenied', errorCode: '301' } : { status: 'Issued', errorCode: null }),
    errorMessage: null,
    serie: wholeOf(found.serie),
    number: wholeOf(found.number),
    accessKey,
    protocol: found.protocol,
    createdAt: found.issuedOn,
    modifiedAt: core.clock.now(),
    issuedAt: authorizedOn,
    cancelledAt: null,
    signature: null,
  };
}

function bodyOf({ taxNumber, name }: Party): object {
  return { ...(name === '' ? {} : { name }), ...(taxNumber === '' ? {} : { federalTaxNumber: taxNumber }) };
}

function wholeOf(text: string): number | null {
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

const correctionLetter = '110110';

/** An event of a note that was issued here. What its issuer cannot request is an event that the company captures. */
export function placeIssuedEvent(core: Core, placing: Placing<GivenEvent>, invoice: StoredInvoice): Placed {
  const { found, bytes, company } = placing;
  const isEnding = cancelling.has(found.type);
  if (!isEnding && found.type !== correctionLetter) return placeEvent(core, placing);
  const { id: companyId } = company;
  const standing = standingEvent(core, { companyId, found, bytes });
  if (standing !== undefined) return standing;
  const { form, eventKey, sequence, reason, protocol, issuedOn } = found;
  const isReplaced = core.givenXml.get({ companyId, part: 'summary', of: eventKey }) !== undefined;
  core.givenXml.put({ companyId, part: form, of: eventKey }, bytes);
  if (isReplaced) return { outcome: 'added', side: 'issued' };
  const type = isEnding ? 'Cancellation' : 'CorrectionLetter';
  const asked = { invoiceId: invoice.id, type, sequence, reason, createdAt: issuedOn } as const;
  const event = core.invoiceEvents.add(asked);
  const ending = { status: 'Accepted', protocol, errorCode: null, errorMessage: null } as const;
  core.invoiceEvents.end(event, ending);
  if (isEnding) {
    const modifiedAt = core.clock.now();
    core.invoices.change(invoice.id, { status: 'Cancelled', cancelledAt: issuedOn, modifiedAt });
  }
  return { outcome: 'added', side: 'issued' };
}
