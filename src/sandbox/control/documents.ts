import { onlySet } from '../core/exact-json.js';
import { byteModes } from '../../contract/sandbox.js';
import { uuidOf } from '../core/chance.js';
import { parseDuration } from '../core/clock.js';
import { queryNumber } from '../core/checks.js';
import type { Core } from '../core/core.js';
import { businessName } from '../core/identity.js';
import { type ListHostility, eventPlaces, listHostilities } from '../core/modes.js';
import { type Family, families } from '../core/records.js';
import { invalid } from '../core/refusal.js';
import { type Direction, type Stage, type StoredDocument, directions, stages } from '../document/documents.js';
import { inventDocument, inventEvent } from '../document/invent-document.js';
import { captureDocument } from '../inbound/capture.js';
import { announceDocument } from '../webhook/announce.js';
import { companyField } from './company.js';
import {
  type ControlRequest,
  type Fields,
  booleanField,
  choiceField,
  fieldsOf,
  numberField,
  textField,
} from './control.js';

const names = [
  'family',
  'companyId',
  'accessKey',
  'issuerTaxNumber',
  'issuerName',
  'intermediaryTaxNumber',
  'totalAmount',
  'issuedOn',
  'authorizedOn',
  'cancelled',
  'substitutedBy',
  'direction',
  'stage',
];

const minuteMs = 60_000;

/** The captured documents in order of capture: `?after=` a position, `?limit=`. */
export function listDocuments(core: Core, { query }: ControlRequest): object {
  const found = core.documents.page(queryNumber(query, 'after', 0), queryNumber(query, 'limit', 1_000));
  const documents = found.map(({ position, ...document }) => ({ position, ...shownDocument(document) }));
  return { documents, total: core.documents.count() };
}

/**
 * Captures one document and invents the missing fields. Replaces a document with the same key and company. A
 * cancelled one gets its cancellation event, an NFS-e with `substitutedBy`, a key, that of its substitution.
 */
export function addDocument(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, names);
  const family = choiceField(fields, 'family', families) ?? 'nfe';
  const companyId = companyField(core, fields);
  const accessKey = keyField(fields, family === 'nfse' ? 50 : 44);
  const known = accessKey === undefined ? undefined : core.documents.get(accessKey, companyId);
  const issuedOn = timeField(fields, 'issuedOn') ?? known?.issuedOn ?? core.clock.now() - minuteMs;
  const direction = choiceField(fields, 'direction', directions) ?? known?.direction ?? 'incoming';
  const ordinal = core.documents.count() + 1;
  const invented = known ?? inventDocument(core, { family, companyId, ordinal, issuedOn, direction });
  const named = accessKey === undefined ? {} : { ...identityOf(accessKey, companyId), ...issuerIn(accessKey, family) };
  const stage = fields['stage'] === undefined ? (known?.stage ?? 'full') : stageField(fields, family, direction);
  const changed = known === undefined ? { webhookStatus: 'Pending' } : { modifiedOn: core.clock.now() };
  const wanted = { ...invented, ...named, ...given(fields), ...changed, issuedOn, direction, stage };
  const document = known === undefined ? announceDocument(core, captureDocument(core, wanted)) : wanted;
  if (known !== undefined) core.documents.put(document);
  const event = endingOf(document, substituteField(fields, family));
  if (event !== undefined) core.documentEvents.add({ ...event, createdOn: core.clock.now() });
  return shownDocument(document);
}

function identityOf(accessKey: string, companyId: string): Pick<StoredDocument, 'accessKey' | 'id'> {
  return { accessKey, id: uuidOf(`${companyId}:${accessKey}`) };
}

/** The issuer's CNPJ in the key (facts §1 and §2). */
function issuerIn(accessKey: string, family: Family): Pick<StoredDocument, 'issuerTaxNumber'> {
  const start = family === 'nfse' ? 9 : 6;
  return { issuerTaxNumber: accessKey.slice(start, start + 14) };
}

function given(fields: Fields): Partial<StoredDocument> {
  const issuerTaxNumber = textField(fields, 'issuerTaxNumber');
  const issuerName = textField(fields, 'issuerName');
  const intermediaryTaxNumber = textField(fields, 'intermediaryTaxNumber');
  const totalAmount = textField(fields, 'totalAmount');
  const authorizedOn = timeField(fields, 'authorizedOn');
  const cancelled = booleanField(fields, 'cancelled');
  if (totalAmount !== undefined && !/^\d{1,13}\.\d{2}$/.test(totalAmount)) {
    throw invalid('totalAmount', 'Must be text with two decimals.');
  }
  return {
    ...onlySet({ issuerTaxNumber, issuerName }),
    ...(intermediaryTaxNumber === undefined
      ? {}
      : { intermediaryTaxNumber, intermediaryName: businessName(intermediaryTaxNumber) }),
    ...onlySet({ totalAmount, authorizedOn, cancelled }),
  };
}

/** Defaults to `full`. The authority summarizes only NF-e, and only for the recipient. */
export function stageField(fields: Fields, family: Family, direction: Direction = 'incoming'): Stage {
  const stage = choiceField(fields, 'stage', stages) ?? 'full';
  if (stage === 'full' || (family === 'nfe' && direction === 'incoming')) return stage;
  throw invalid('stage', 'Only a received NF-e can be a summary.');
}

/** The event that ends the note, if one does. */
function endingOf(document: StoredDocument, substituteAccessKey: string | undefined) {
  if (substituteAccessKey !== undefined) return inventEvent(document, 'substitution', { substituteAccessKey });
  return document.cancelled ? inventEvent(document, 'cancellation') : undefined;
}

function substituteField(fields: Fields, family: Family): string | undefined {
  if (fields['substitutedBy'] === undefined || family === 'nfse') return keyField(fields, 50, 'substitutedBy');
  throw invalid('substitutedBy', 'Only an NFS-e is substituted.');
}

function keyField(fields: Fields, length: number, name = 'accessKey'): string | undefined {
  const accessKey = textField(fields, name);
  if (accessKey === undefined || (/^[0-9A-Z]+$/.test(accessKey) && accessKey.length === length)) {
    return accessKey;
  }
  throw invalid(name, `Must have ${length} digits or capital letters.`);
}

function timeField(fields: Fields, name: string): number | undefined {
  const text = textField(fields, name);
  if (text === undefined) return undefined;
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(text) && Number.isFinite(Date.parse(text))) return Date.parse(text);
  throw invalid(name, 'Must be a time in UTC, such as 2026-06-01T00:00:00Z.');
}

/** The fields of a document for tests. The inbound routes decide what readers see. */
export function shownDocument(document: StoredDocument): object {
  const { family, companyId, accessKey, issuerTaxNumber, issuerName, totalAmount, cancelled, direction } = document;
  return {
    family,
    companyId,
    accessKey,
    issuerTaxNumber,
    issuerName,
    totalAmount,
    issuedOn: new Date(document.issuedOn).toISOString(),
    authorizedOn: new Date(document.authorizedOn).toISOString(),
    cancelled,
    direction,
    ...(document.stage === 'full' ? {} : { stage: document.stage }),
    ...(document.visibility === 'listed' ? {} : { visibility: document.visibility }),
  };
}

const mostRequests = 1_000_000_000;

export function showBehaviour(core: Core): object {
  const { behaviour } = core;
  return {
    bytes: behaviour.bytes(),
    arrivals: behaviour.arrivals() ?? null,
    pages: behaviour.pageFaults(),
    hostile: behaviour.listHostility() ?? null,
    events: behaviour.eventPlaces(),
  };
}

/** `{nfe?, cte?, nfse?}`, each `mixed` or `apart`: whether the list of a family has events among its notes. */
export function setEvents(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, families);
  const chosen = families.flatMap((family) => {
    const place = choiceField(fields, family, eventPlaces);
    return place === undefined ? [] : [[family, place] as const];
  });
  core.behaviour.setEventPlaces({ ...core.behaviour.eventPlaces(), ...Object.fromEntries(chosen) });
  return core.behaviour.eventPlaces();
}

export function usualEvents(core: Core): object {
  core.behaviour.setEventPlaces(undefined);
  return core.behaviour.eventPlaces();
}

/**
 * `{mode?: 'bytes' | 'redirect' | 'json', pendingPdfs?}`: how reads of XML and PDF answer, and how many reads of the PDF of issued
 * invoices answer 202 first.
 */
export function setBytes(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['mode', 'pendingPdfs']);
  const mode = choiceField(fields, 'mode', byteModes);
  const pendingPdfs = numberField(fields, 'pendingPdfs', { from: 0, to: mostRequests, whole: true });
  if (mode === undefined && pendingPdfs === undefined)
    throw invalid('mode', `Is required: one of ${byteModes.join(', ')}.`);
  if (mode !== undefined) core.behaviour.setBytes(mode);
  if (pendingPdfs !== undefined) core.behaviour.setPendingPdfs(pendingPdfs);
  return { ...(mode && { mode }), ...(pendingPdfs !== undefined && { pendingPdfs }) };
}

/**
 * `{everyRequests, count?, lateBy?, stage?}`: a document arrives before every n-th list request, at most `count` of
 * them. Its time of capture is `lateBy` before it appears. An NF-e is a summary with `stage: 'summary'`.
 */
export function setArrivals(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['everyRequests', 'count', 'lateBy', 'stage']);
  const everyRequests = numberField(fields, 'everyRequests', { from: 1, to: mostRequests, whole: true });
  if (everyRequests === undefined) throw invalid('everyRequests', 'Is required.');
  const left = numberField(fields, 'count', { from: 0, to: mostRequests, whole: true }) ?? null;
  const lateByMs = parseDuration(textField(fields, 'lateBy') ?? '0s');
  if (lateByMs === undefined) throw invalid('lateBy', 'Must be a duration such as 30s.');
  const stage = choiceField(fields, 'stage', stages);
  const arrivals = { everyRequests, left, lateByMs, ...onlySet({ stage }) };
  core.behaviour.setArrivals(arrivals);
  return arrivals;
}

export function stopArrivals(core: Core): object {
  core.behaviour.setArrivals(undefined);
  return { stopped: true };
}

/** `{doubled?, reordered?, short?, byChange?, stirred?}`: the faults of list pages. The last two are of issued invoices. */
export function setPages(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['doubled', 'reordered', 'short', 'byChange', 'stirred']);
  const faults = {
    doubled: booleanField(fields, 'doubled') ?? false,
    reordered: booleanField(fields, 'reordered') ?? false,
    short: booleanField(fields, 'short') ?? false,
    byChange: booleanField(fields, 'byChange') ?? false,
    stirred: booleanField(fields, 'stirred') ?? false,
  };
  core.behaviour.setPageFaults(faults);
  return faults;
}

const documentKinds = ['path-key', 'huge-body', 'xml-bomb', 'control-names'] as const;
type DocumentKind = (typeof documentKinds)[number];
const mostDocuments = 10_000;
const hourMs = 3_600_000;

/**
 * `{kind, count?, companyId?, family?}`: simulates a hostile service. The document kinds add `count` documents;
 * `self-link` and `endless-list` make every list endless until they are cleared.
 */
export function addHostile(core: Core, request: ControlRequest): object {
  const fields = fieldsOf(request.body, ['kind', 'count', 'companyId', 'family']);
  const kind = choiceField(fields, 'kind', [...documentKinds, ...listHostilities]);
  if (kind === undefined) {
    throw invalid('kind', `Is required: one of ${[...documentKinds, ...listHostilities].join(', ')}.`);
  }
  if (isListKind(kind)) {
    core.behaviour.setListHostility(kind);
    return { kind };
  }
  const count = numberField(fields, 'count', { from: 1, to: mostDocuments, whole: true }) ?? 1;
  const companyId = companyField(core, fields);
  const family = choiceField(fields, 'family', families) ?? 'nfe';
  const documents = Array.from({ length: count }, () => {
    const ordinal = core.documents.count() + 1;
    const issuedOn = core.clock.now() - hourMs;
    const invented = inventDocument(core, { family, companyId, ordinal, issuedOn, direction: 'incoming' });
    const document: StoredDocument = { ...invented, id: `hostile-${invented.id}`, ...harmOf(kind, ordinal) };
    core.documents.put(document);
    return shownDocument(document);
  });
  return { kind, documents };
}

/** Ends every hostility and removes its documents. */
export function clearHostile(core: Core): object {
  core.behaviour.setListHostility(undefined);
  return { removed: core.documents.removeHostile() };
}

function isListKind(kind: DocumentKind | ListHostility): kind is ListHostility {
  return listHostilities.some((each) => each === kind);
}

function harmOf(kind: DocumentKind, ordinal: number): Partial<StoredDocument> {
  switch (kind) {
    case 'path-key':
      return { accessKey: `../../x${ordinal}` };
    case 'control-names':
      return { issuerName: `Evil\u001b]0;owned\u0007\u001b[31m\r\nLtda\u0000\u202e${ordinal}` };
    case 'huge-body':
    case 'xml-bomb':
      return { hostile: kind };
  }
}
