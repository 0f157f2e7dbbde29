import type { OperationId } from '../../src/contract/operations.js';
import { code, table } from './markdown.js';

/** Whose word counts. `live`: what services of this kind were seen to do, by public clients. */
type Right = 'the document' | 'live' | 'the newer one' | 'either' | 'nothing tells';

/** Where a strict validator of a published description would refuse what the program sends, or what the sandbox answers. */
interface Difference {
  readonly of: readonly OperationId[];
  readonly described: string;
  readonly here: string;
  readonly right: Right;
}

const sent: readonly Difference[] = [
  {
    of: [
      ...(['nfe.manifestation.submit', 'nfe.manifestation.get', 'product.revalidate', 'invoice.create'] as const),
      ...(['invoice.get', 'lookup.cnpj', 'nfse.startFromDate.set', 'nfse.backfill.summary'] as const),
      ...(['nfse.backfill.release', 'nfse.fetchByKey', 'nfe.inbound.list', 'nfe.inbound.get'] as const),
    ],
    described: 'There is no such path.',
    here: 'They are called where the document has them. The sandbox answers the published paths of the same reads too.',
    right: 'the document',
  },
  {
    of: ['nfe.inbound.xml', 'nfe.inbound.pdf'],
    described: 'These paths stand in examples only; the path of both families, without `nfe/`, is described.',
    here: 'The sandbox answers both paths.',
    right: 'either',
  },
  {
    of: ['nfe.inbound.update'],
    described: 'There is no PUT; a second POST with all settings is the write.',
    here: 'A change is sent as PUT; a profile can give another path.',
    right: 'nothing tells',
  },
  {
    of: ['nfe.inbound.list', 'nfe.inbound.events', 'cte.inbound.list', 'cte.inbound.events', 'nfse.inbound.list'],
    described: '`$filter`, `$top`, `$skiptoken` and `$count` only; for NFS-e, page numbers only.',
    here: 'The document says OData, so the sandbox takes `$orderby`, `$select` and `$skip` too, and page numbers for NFS-e.',
    right: 'the document',
  },
  {
    of: ['nfe.inbound.enable'],
    described: 'The older description requires five settings and has the NSU and the minutes as text.',
    here: 'The program sends what was asked for, with numbers. The sandbox takes numbers and text.',
    right: 'the newer one',
  },
  {
    of: ['nfe.manifestation.legacy'],
    described: 'No body; the older description requires the code in the query.',
    here: 'Only `fiscal api` sends it, as it was written. The sandbox needs no code, and takes the justification that a public client sends.',
    right: 'the newer one',
  },
  {
    of: ['nfse.cancel'],
    described: 'No reason in the query.',
    here: 'A reason that was given is sent.',
    right: 'nothing tells',
  },
  {
    of: ['nfse.issue'],
    described: 'One description requires `nbsCode` and `borrower`, the other one neither.',
    here: 'The body is sent as it was written. The sandbox requires neither.',
    right: 'either',
  },
  {
    of: ['product.create', 'product.update'],
    described: '`tenantId`, `collectionId` and `customTax` are required, and values begin with a small letter.',
    here: 'Only what was written is sent. The document names values in any letter case and `National` in answers.',
    right: 'the document',
  },
  {
    of: ['company.create', 'company.update'],
    described:
      'The older descriptions have regimes with a small first letter and require `tradeName`, the newer one the regime and the address.',
    here: 'The words of the newer one are sent. The sandbox takes any letter case, and a company without regime and address.',
    right: 'the newer one',
  },
  {
    of: ['stateTax.create', 'stateTax.update'],
    described: 'The older descriptions require `serie` and `number`, and have `rJ` and `nFe` as values.',
    here: '`RJ` and `NFe`, as in the newer one; series and number only where they were given. The sandbox takes any letter case.',
    right: 'the newer one',
  },
  {
    of: ['webhook.create', 'webhook.update'],
    described: '`contentType` and `status` are numbers in two descriptions and words with a small letter in a third.',
    here: '`json` and `Active` are sent. The sandbox takes these words alone, and `Inactive`.',
    right: 'live',
  },
  {
    of: ['webhook.create', 'webhook.update'],
    described: 'A public client sends the fields without their envelope `webHook`.',
    here: 'With the envelope. The sandbox refuses a body without it.',
    right: 'live',
  },
];

const answered: readonly Difference[] = [
  {
    of: ['nfe.inbound.list', 'nfe.inbound.events', 'cte.inbound.list', 'cte.inbound.events'],
    described: 'A bare array.',
    here: 'The envelope of OData, with `value`. `sandbox mode --lists bare` answers bare arrays; the program reads both.',
    right: 'the document',
  },
  {
    of: [
      ...(['nfe.inbound.get', 'nfe.inbound.enable', 'nfe.inbound.settings', 'nfe.inbound.disable'] as const),
      ...(['cte.inbound.get', 'cte.inbound.enable', 'cte.inbound.settings', 'cte.inbound.disable'] as const),
    ],
    described: 'Closed in one description, or with other required fields; `status` and `type` as numbers there.',
    here: '`companyId`, `status`, `createdOn` and `modifiedOn`, which the document names, and the fields of the newer description, as text.',
    right: 'the document',
  },
  {
    of: ['nfe.inbound.event.get', 'cte.inbound.event.get'],
    described: 'The metadata of a note, or without the key, the sequence and the protocol of the event.',
    here: 'The fields that identify the event are there.',
    right: 'nothing tells',
  },
  {
    of: ['cte.inbound.pdf'],
    described: 'A PDF in the older description, 204 in the newer one.',
    here: '204.',
    right: 'the newer one',
  },
  {
    of: ['nfse.inbound.xml', 'nfse.inbound.pdf'],
    described: '302 only.',
    here: 'The bytes. `sandbox start --bytes redirect` answers 302; the program follows it without the key.',
    right: 'either',
  },
  {
    of: ['product.create', 'product.update', 'product.get'],
    described: 'The whole product with 201 and 200; `tenantId`, `collectionId` and `customTax` are always there.',
    here: '201 with `{id}`, 204 without a body; fields without a value are left out.',
    right: 'the document',
  },
  {
    of: ['company.list'],
    described: 'No `hasMore`, and the whole company in each row.',
    here: 'With `hasMore`; a row has the id, the name, the number and the status.',
    right: 'live',
  },
  {
    of: [
      ...(['company.get', 'company.create', 'company.update'] as const),
      ...(['stateTax.list', 'stateTax.get', 'stateTax.create', 'stateTax.update'] as const),
      ...(['certificate.list', 'certificate.get', 'certificate.upload'] as const),
    ],
    described:
      'Values with a small first letter in the older descriptions, which always have the series and the number.',
    here: 'As in the newer one. The program compares without regard to case.',
    right: 'the newer one',
  },
  {
    of: ['municipalTax.list'],
    described: 'The envelope of a single registration.',
    here: '`municipalTaxes` with a list. The program reads both.',
    right: 'nothing tells',
  },
  {
    of: ['nfe.issue', 'nfe.list', 'nfe.get', 'nfe.disable', 'nfce.issue', 'nfce.list', 'nfce.get', 'nfce.disable'],
    described:
      'Closed, without `items`, `environment`, `issuedOn`, `status` and `protocol` in some of them, and without the fields of a 202.',
    here: 'These fields are there; the document closes no answer and has the body of every 202 (§2).',
    right: 'nothing tells',
  },
  {
    of: ['nfe.issue', 'nfe.stateTax.issue', 'nfce.issue', 'nfce.stateTax.issue'],
    described: 'No `Location`, which a public client requires of every invoice; 201 for an NF-e in one description.',
    here: 'With `Location`, and 202 for an NF-e. The program needs neither.',
    right: 'nothing tells',
  },
  {
    of: ['nfse.issue'],
    described: '200 without a body in one description.',
    here: '202 with the invoice and `Location`.',
    right: 'live',
  },
  {
    of: ['nfse.cancel'],
    described: '200 with a JSON string.',
    here: '202 with the invoice and `Location`: it is cancelled later.',
    right: 'live',
  },
  {
    of: ['nfse.getByExternalId'],
    described: 'The invoice itself, always with `environment`, and 404 for an unknown id.',
    here: 'A list, which is empty for an unknown id. The program reads both.',
    right: 'live',
  },
  {
    of: ['tax.calculate'],
    described: 'Closed, without `ibs` and `cbs`.',
    here: 'Both groups are there where the items have them.',
    right: 'nothing tells',
  },
  {
    of: ['webhook.list', 'webhook.get', 'webhook.create', 'webhook.update'],
    described: '`contentType` and `status` as numbers, or as words with a small letter.',
    here: '`json` and `Active`.',
    right: 'live',
  },
];

/** What a public client calls, or a description has, and the catalogue leaves out. */
const leftOut: readonly (readonly [string, string])[] = [
  ['`/v1/companies…`, `/v1/companies/{id}/certificate…`', 'The older administration; `/v2` does the same.'],
  ['`…/companies/{id}/webhooks…`', 'A public client has it; services answer 404. Webhooks belong to the account.'],
  ['`DELETE /v2/webhooks`', 'Deletes every webhook of the account.'],
  ['`DELETE …/statetaxes/{id}`, `DELETE …/municipaltaxes/{id}`', 'Final: without a registration nothing is issued.'],
  ['`PATCH …/municipaltaxes/{id}/updateprefecture`, `…/series/{serie}`', 'Upkeep by the people of the service.'],
  ['`…/legalpeople…`, `…/naturalpeople…`', 'Personal data that no work of this program needs.'],
  ['`…/notifications…` of a company', 'Who gets mail about its NFS-e.'],
  ['`…/{id}/items`, `…/{id}/xml-epec`', 'The XML has the items; EPEC is rare.'],
  ['`…/credit-invoices`, `…/credit-invoice-links`', 'Described for the tax reform; not in the document.'],
  [
    '`…/transportationinvoices/…/item`, `/batch`, `/webhook`, `/consolidation`',
    'Repairs of the capture by the people of the service.',
  ],
  ['`…/legalentities/stateTaxInfo…`, `…ForInvoice…`', 'State registrations of buyers: not in the document.'],
  ['`/v1/consumerinvoices/coupon/{key}`, `/v2/addresses?…`', 'Described; services answer 404.'],
  ['`…/serviceinvoices/pdf` and `/xml` without an id', 'A public client has them; no description has.'],
  ['`…/inbound/nfse/blob/download`', 'The target of a redirect. The sandbox redirects to an address of its own.'],
  ['`DELETE /{tenantId}/products/{productId}`', 'The document has no such operation.'],
];

const rights = [
  '*the document*: the service document decides.',
  '*live*: services were seen to do so.',
  '*the newer one*: descriptions contradict each other, and the newer one counts.',
  '*either*: two forms, both of which are met.',
  '*nothing tells*: an assumption.',
].join(' ');

/** The part of the page about what a strict validator, or another client, makes of the operations. */
export function differences(): readonly string[] {
  return [
    '## Where published descriptions differ',
    `The public descriptions of services of this kind contradict the service document, each other and what services do. A strict validator made from them, such as Prism, refuses of the calls of this program what is listed here. The last column says who is right. ${rights}`,
    '### What the program sends',
    tableOf(sent),
    '### What the sandbox answers',
    `Errors have the body of the document everywhere (§7), where the descriptions have lists of errors, text or problem details. A wrong key is 401 (§5), not 403; a body that is too large or of another type is 400, an unknown method 404.`,
    tableOf(answered),
    '### Routes that are left out',
    'Other clients call them, or a description has them; the sandbox answers 404.',
    table(['route', 'why'], leftOut),
  ];
}

function tableOf(rows: readonly Difference[]): string {
  return table(
    ['operations', 'a description says', 'here', 'who is right'],
    rows.map(({ of, described, here, right }) => [of.map(code).join(', '), described, here, right]),
  );
}
