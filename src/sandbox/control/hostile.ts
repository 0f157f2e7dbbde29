import { families } from '../core/captures.js';
import type { Core } from '../core/core.js';
import { invalid } from '../core/refusal.js';
import type { StoredDocument } from '../document/documents.js';
import { inventDocument } from '../document/invent-document.js';
import { listHostilities, type ListHostility } from '../inbound/behaviour.js';
import { companyField } from './captures.js';
import type { ControlRequest } from './control.js';
import { shownDocument } from './documents.js';
import { choiceField, fieldsOf, numberField } from './fields.js';

const documentKinds = ['path-key', 'huge-body', 'xml-bomb', 'control-names'] as const;
type DocumentKind = (typeof documentKinds)[number];
const most = 10_000;
const hourMs = 3_600_000;

/**
 * `{kind, count?, companyId?, family?}`: what a hostile service would send. The kinds of documents add `count` of them;
 * `self-link` and `endless-list` make every list go round until they are cleared.
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
  const count = numberField(fields, 'count', { from: 1, to: most, whole: true }) ?? 1;
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

/** Ends every hostility and takes the documents of it away. */
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
