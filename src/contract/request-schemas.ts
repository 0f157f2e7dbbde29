import { companyTaxRegimes } from './company.js';
import {
  consumerInvoice,
  correction,
  disablement,
  generalInvoice,
  productInvoice,
  serviceInvoice,
} from './invoice-request-schemas.js';
import type { OperationBodies, OperationId } from './operations.js';
import { origins, taxRegimes } from './product.js';
import {
  authorizers,
  municipalTaxEnvironments,
  specialTaxRegimes,
  stateTaxEnvironments,
  stateTaxTypes,
  switchAuthorizerStrategies,
  taxDeterminations,
} from './tax-registration.js';
import {
  closed,
  dateTime,
  decimal,
  each,
  flag,
  freeObject,
  listOf,
  oneOf,
  open,
  type Schema,
  text,
  textOrNumber,
  textUpTo,
  whole,
  wholeFrom,
} from './schema.js';

/** The operations that are sent a JSON body. A body of `undefined` too may be left out. */
export type BodyOperationId = Exclude<
  { [Id in OperationId]: OperationBodies[Id]['request'] extends undefined ? never : Id }[OperationId],
  'certificate.upload'
>;

/** Published as a number and, in the older description, as text. */
const wholeOrDigits = { type: ['integer', 'string'], minimum: 0, pattern: String.raw`^\d{1,15}$` } as const;
const nsu = { ...wholeOrDigits, maximum: 999_999_999_999_999 } as const;
const accessKey = { type: 'string', pattern: '^[0-9A-Z]{44}$|^[0-9]{50}$' } as const;

const participant = {
  taxRegime: oneOf(...taxRegimes),
  taxProfile: text,
  state: { type: 'string', pattern: '^[A-Z]{2}$' },
} as const;

const taxCalculation = closed(
  {
    issuer: closed(participant, 'taxRegime state'),
    recipient: closed(participant, 'state'),
    operationType: oneOf('Outgoing', 'Incoming'),
    collectionId: text,
    isProductRegistration: flag,
    items: listOf(
      closed(
        {
          ...each(text, 'id acquisitionPurpose issuerTaxProfile recipientTaxProfile sku benefit gtin'),
          operationCode: wholeFrom(1, 9_999),
          origin: oneOf(...origins),
          ncm: textUpTo(8),
          cest: { type: 'string', minLength: 7, maxLength: 7 },
          exTipi: { type: 'string', minLength: 1, maxLength: 3 },
          ...each(decimal, 'quantity unitAmount freightAmount insuranceAmount discountAmount othersAmount'),
          icms: closed({
            ...each(text, 'orig cst csosn modBC vBC pRedBC cBenefRBC pICMS vICMS vICMSOp modBCST vBCST pRedBCST'),
            ...each(text, 'pICMSST vICMSST pMVAST pST vBCSTRet vICMSSTRet vBCFCP pFCP vFCP vBCFCPST pFCPST vFCPST'),
            ...each(text, 'vBCFCPSTRet pFCPSTRet vFCPSTRet vBCEfet pRedBCEfet pICMSEfet vICMSEfet pDif vICMSDif'),
            ...each(text, 'vICMSSubstituto pCredSN vCredICMSSN pFCPDif vFCPDif vFCPEfet vICMSDeson motDesICMS'),
            ...each(text, 'vICMSSTDeson motDesICMSST indDeduzDeson'),
          }),
          ii: closed(each(text, 'vBC vDespAdu vII vIOF vEncCamb pCredSN vCredICMSSN infCustoAquis')),
        },
        'id operationCode origin quantity unitAmount',
      ),
    ),
  },
  'issuer recipient operationType items',
);

const rates = { type: 'object', additionalProperties: textOrNumber } as const;
const taxGroup = open({ cfop: textOrNumber, icms: rates, pis: rates, cofins: rates });

/** Field names are read without regard to case (§2), so that the body is open. Required fields are public. */
const product = open(
  {
    ...each(textUpTo(60), 'collectionId sku'),
    ...each(text, 'origin taxRegime'),
    description: textUpTo(120),
    gtin: textUpTo(14),
    tax: open({ ncm: textUpTo(8), cest: textUpTo(7) }),
    customTax: listOf(
      open({
        operationCode: wholeFrom(0, 9_999),
        issuer: listOf(open(each(text, 'taxRegime taxProfile'))),
        recipient: listOf(open({ taxProfile: text })),
        intraState: taxGroup,
        interState: taxGroup,
      }),
    ),
  },
  'sku origin description',
);

const company = {
  ...each(text, 'id name tradeName accountId municipalTaxNumber'),
  federalTaxNumber: whole,
  taxRegime: oneOf('None', ...companyTaxRegimes),
  address: closed(
    {
      ...each(text, 'state district street number postalCode country additionalInformation'),
      city: closed(each(text, 'code name'), 'code name'),
    },
    'state city district street number postalCode country',
  ),
};

const companyEnvelope = closed({ company: closed(company, 'name federalTaxNumber') }, 'company');

const stateTaxEnvelope = closed(
  {
    stateTax: closed(
      {
        code: { type: 'string', pattern: '^[A-Z]{2}$' },
        taxNumber: text,
        type: oneOf(...stateTaxTypes),
        environmentType: oneOf(...stateTaxEnvironments),
        specialTaxRegime: oneOf(...specialTaxRegimes),
        serie: wholeFrom(0, 999),
        number: wholeFrom(0, 999_999_999),
        securityCredential: closed({ id: wholeFrom(0), code: text }),
        processingDetails: closed({ switchAuthorizerStrategy: oneOf(...switchAuthorizerStrategies) }),
      },
      'code taxNumber type',
    ),
  },
  'stateTax',
);

const municipalTaxEnvelope = closed(
  {
    municipalTax: closed({
      city: closed(each(text, 'code name country state')),
      ...each(text, 'taxNumber email legalNature loginName loginPassword authIssueValue rpsSerialNumber'),
      environment: oneOf(...municipalTaxEnvironments),
      specialTaxRegime: oneOf(...specialTaxRegimes),
      ...each(wholeFrom(0), 'companyRegistryNumber regionalTaxNumber rpsNumber lastRpsSent'),
      issRate: decimal,
      federalTaxDetermination: oneOf(...taxDeterminations),
      municipalTaxDetermination: oneOf(...taxDeterminations),
    }),
  },
  'municipalTax',
);

const webhook = open(
  {
    uri: { type: 'string', format: 'uri' },
    secret: { type: 'string', minLength: 32, maxLength: 64 },
    // Published as a word and as a number.
    contentType: { type: ['string', 'integer'] },
    status: { type: ['string', 'integer'] },
    filters: listOf(text),
    headers: { type: 'object', additionalProperties: text },
    insecureSsl: flag,
    properties: freeObject,
  },
  'uri',
);
const webhookEnvelope = open({ webHook: webhook }, 'webHook');

const nfeSettings = {
  startFromNsu: nsu,
  startFromDate: dateTime,
  environmentSEFAZ: oneOf('None', 'Test', 'Production'),
  // Published as text; users also send a number.
  webhookVersion: textOrNumber,
  webhookEvents: listOf(text),
  automaticManifesting: open(
    each(wholeOrDigits, 'minutesToOperationConfirmation minutesToUnknownOperation minutesToWaitAwarenessOperation'),
  ),
  outboundEnabled: flag,
};

const nfseSettings = {
  initialNsu: nsu,
  startFromDate: dateTime,
  webhookUrl: { type: 'string', format: 'uri' } as const,
  isAutomaticManifestationEnabled: flag,
  automaticManifestationDelaySeconds: wholeFrom(0, 604_800),
  outboundEnabled: flag,
  isActive: flag,
};

/**
 * The body of each operation. Open where the service document or the public record adds fields or shows only some, closed
 * where the public record closes it. The sandbox checks the names and the types; the rest is for readers of the OpenAPI
 * description, and the handlers check it in their own words.
 */
export const requestSchemas = {
  'product.create': product,
  'product.update': product,
  'nfe.manifestation.submit': open(
    { eventCode: whole, nSequencia: wholeFrom(1), detail: freeObject },
    'eventCode nSequencia',
  ),
  'nfe.manifestation.legacy': open({ justification: text }),
  'nfse.manifestation.submit': open({ eventCode: whole, reasonCode: whole, justification: textUpTo(255) }, 'eventCode'),
  'nfe.inbound.enable': open(nfeSettings),
  'nfe.inbound.update': open(nfeSettings),
  'cte.inbound.enable': closed({
    startFromNsu: nsu,
    startFromDate: dateTime,
    environmentSEFAZ: oneOf('None', 'Test', 'Production'),
  }),
  'nfse.inbound.enable': open({ companyId: text, ...nfseSettings }, 'companyId initialNsu'),
  'nfse.inbound.update': open(nfseSettings),
  'nfse.fetchByKey': open({ accessKey }, 'accessKey'),
  'nfse.startFromDate.set': open({ startFromDate: dateTime }, 'startFromDate'),
  'nfse.backfill.release': open({ released: flag }, 'released'),
  'nfse.fetchNow': open({ forcedStartNsu: nsu }),
  'nfse.resetNsu': open({ nsu }, 'nsu'),
  'invoice.create': generalInvoice,
  'nfe.issue': productInvoice,
  'nfe.stateTax.issue': productInvoice,
  'nfe.correct': correction,
  'nfe.disable': disablement,
  'nfce.issue': consumerInvoice,
  'nfce.stateTax.issue': consumerInvoice,
  'nfce.disable': disablement,
  'nfse.issue': serviceInvoice,
  'company.create': companyEnvelope,
  'company.update': companyEnvelope,
  'stateTax.create': stateTaxEnvelope,
  'stateTax.update': stateTaxEnvelope,
  'municipalTax.create': municipalTaxEnvelope,
  'municipalTax.update': municipalTaxEnvelope,
  'stateTax.switchAuthorizer': closed({ authorizer: oneOf(...authorizers), reason: text }, 'authorizer'),
  'tax.calculate': taxCalculation,
  'webhook.create': webhookEnvelope,
  'webhook.update': webhookEnvelope,
} as const satisfies Readonly<Record<BodyOperationId, Schema>>;

/** The schema of a body, or `undefined` for an operation without one. */
export function requestSchema(operation: OperationId): Schema | undefined {
  const schemas: Partial<Record<OperationId, Schema>> = requestSchemas;
  return schemas[operation];
}
