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
  textUpTo,
  whole,
} from './schema.js';

/*
 * The bodies of issuance. Those of NF-e and NFC-e are published as closed at every level; a field is known if one of the
 * published versions of the route has it. The groups of the consumption tax reform still change with every technical note,
 * and the groups of vehicles, fuels, imports and exports are rare: they are free here (assumed).
 */

const address = closed(
  {
    ...each(text, 'state district additionalInformation street number postalCode country phone'),
    city: closed(each(text, 'code name'), 'code name'),
  },
  'state city district street number',
);

const personType = oneOf('Undefined', 'NaturalPerson', 'LegalEntity', 'Company', 'Customer');

/** The buyer, the carrier, and the places of delivery and withdrawal. */
const person = {
  ...each(text, 'accountId id name email stateTaxNumber'),
  federalTaxNumber: whole,
  address,
  type: personType,
};

const buyer = {
  ...person,
  ...each(text, 'tradeName'),
  stateTaxNumberIndicator: oneOf('None', 'TaxPayer', 'Exempt', 'NonTaxPayer'),
  taxRegime: oneOf(
    ...['None', 'LucroReal', 'LucroPresumido', 'SimplesNacional', 'SimplesNacionalExcessoSublimite'],
    ...['MicroempreendedorIndividual', 'Isento'],
  ),
};

const contribution = closed({ cst: text, ...each(decimal, 'baseTax rate amount baseTaxProductQuantity productRate') });

const icms = closed(
  {
    ...each(text, 'origin cst csosn baseTaxModality baseTaxSTModality baseTaxSTReduction basisBenefitCode'),
    ...each(text, 'stMarginAddedAmount stRetentionAmount baseSTRetentionAmount baseTaxOperationPercentual'),
    ...each(text, 'ufst amountSTReason baseSNRetentionAmount snRetentionAmount amountOperation'),
    ...each(text, 'percentualDeferment baseDeferred'),
    ...each(decimal, 'baseTax baseTaxST baseTaxReduction stRate stAmount stMarginAmount rate amount'),
    ...each(decimal, 'percentual snCreditRate snCreditAmount exemptAmount exemptAmountST fcpRate fcpAmount'),
    ...each(decimal, 'fcpstRate fcpstAmount fcpstRetRate fcpstRetAmount baseTaxFCPSTAmount substituteAmount'),
    ...each(decimal, 'stFinalConsumerRate effectiveBaseTaxReductionRate effectiveBaseTaxAmount effectiveRate'),
    ...each(decimal, 'effectiveAmount'),
    exemptReason: oneOf('Agriculture', 'Others', 'DevelopmentEntities'),
    exemptReasonST: oneOf('Agriculture', 'Others', 'DevelopmentEntities'),
    deductionIndicator: oneOf('NotDeduct', 'Deduce'),
  },
  'origin',
);

const itemTax = closed(
  {
    totalTax: decimal,
    icms,
    ipi: closed({
      ...each(text, 'cst classificationCode classification producerCNPJ stampCode'),
      ...each(decimal, 'stampQuantity base rate unitQuantity unitAmount amount'),
    }),
    ii: closed({ ...each(text, 'baseTax customsExpenditureAmount'), ...each(decimal, 'amount iofAmount vEnqCamb') }),
    pis: contribution,
    cofins: contribution,
    icmsDestination: closed({
      ...each(decimal, 'vBCUFDest pFCPUFDest pICMSUFDest pICMSInter pICMSInterPart vFCPUFDest'),
      ...each(decimal, 'vICMSUFDest vICMSUFRemet vBCFCPUFDest'),
    }),
    IS: freeObject,
    IBSCBS: freeObject,
  },
  'icms',
);

const item = {
  ...each(text, 'code codeGTIN description ncm extipi unit codeTaxGTIN unitTax cest additionalInformation'),
  ...each(text, 'numberOrderBuy importControlSheetNumber benefit ibsZfmPresumedCreditClassification'),
  ...each(decimal, 'quantity unitAmount totalAmount quantityTax taxUnitAmount itemAmount'),
  ...each(decimal, 'freightAmount insuranceAmount discountAmount othersAmount'),
  ...each(whole, 'cfop itemNumberOrderBuy'),
  ...each(flag, 'totalIndicator usedMovableAssetIndicator'),
  ...each(freeObject, 'vehicleDetail fuelDetail presumedCredit referencedDFe competenceAdjustment'),
  ...each(listOf(freeObject), 'importDeclarations exportDetails'),
  nve: listOf(text),
  tax: itemTax,
  taxDetermination: closed({
    operationCode: whole,
    ...each(text, 'issuerTaxProfile buyerTaxProfile origin acquisitionPurpose'),
  }),
};

const methods = [
  ...['Cash', 'Cheque', 'CreditCard', 'DebitCard', 'StoreCredict', 'FoodVouchers', 'MealVouchers'],
  ...['GiftVouchers', 'FuelVouchers', 'BankBill', 'BankDeposit', 'InstantPayment', 'WireTransfer', 'Cashback'],
  ...['WithoutPayment', 'Others'],
];

function payment(known: readonly string[]): Schema {
  const card = closed({
    ...each(text, 'federalTaxNumber flag authorization federalTaxNumberRecipient idPaymentTerminal'),
    integrationPaymentType: oneOf('Integrated', 'NotIntegrated'),
  });
  const detail = closed(
    {
      method: oneOf(...known),
      paymentType: oneOf('InCash', 'Term'),
      amount: decimal,
      card,
      paymentDate: dateTime,
      ...each(text, 'methodDescription federalTaxNumberPag statePag'),
    },
    'method',
  );
  return listOf(closed({ paymentDetail: listOf(detail, 1), payBack: decimal }, 'paymentDetail'), 1);
}

const transport = closed({
  freightModality: oneOf('ByIssuer', 'ByReceiver', 'ByThirdParties', 'OwnBySender', 'OwnByBuyer', 'Free'),
  transportGroup: closed({ ...person, transportRetention: text }),
  reboque: closed(each(text, 'plate uf rntc wagon ferry')),
  volume: closed({
    volumeQuantity: whole,
    ...each(text, 'species brand volumeNumeration'),
    ...each(decimal, 'netWeight grossWeight'),
  }),
  transportVehicle: closed(each(text, 'plate state rntc')),
  sealNumber: text,
  transpRate: closed({
    ...each(decimal, 'serviceAmount bcRetentionAmount icmsRetentionRate icmsRetentionAmount'),
    ...each(whole, 'cfop cityGeneratorFactCode'),
  }),
});

const additionalInformation = closed({
  ...each(text, 'fisco taxpayer effort order contract'),
  xmlAuthorized: listOf(whole),
  ...each(listOf(freeObject), 'taxDocumentsReference advancePayment referencedProcess'),
  taxpayerComments: listOf(closed(each(text, 'field text'))),
});

const billing = closed({
  bill: closed({ number: text, ...each(decimal, 'originalAmount discountAmount netAmount') }),
  duplicates: listOf(closed({ number: text, expirationOn: dateTime, amount: decimal })),
});

const totals = closed({
  icms: closed({
    ...each(decimal, 'baseTax icmsAmount icmsExemptAmount stCalculationBasisAmount stAmount productAmount'),
    ...each(decimal, 'freightAmount insuranceAmount discountAmount iiAmount ipiAmount pisAmount cofinsAmount'),
    ...each(decimal, 'othersAmount invoiceAmount fcpufDestinationAmount icmsufDestinationAmount'),
    ...each(decimal, 'icmsufSenderAmount federalTaxesAmount fcpAmount fcpstAmount fcpstRetAmount'),
    ...each(decimal, 'ipiDevolAmount qBCMono vICMSMono qBCMonoReten vICMSMonoReten qBCMonoRet vICMSMonoRet'),
  }),
  issqn: closed({
    ...each(decimal, 'totalServiceNotTaxedICMS baseRateISS totalISS valueServicePIS valueServiceCOFINS'),
    ...each(decimal, 'deductionReductionBC valueOtherRetention discountUnconditional discountConditioning'),
    ...each(decimal, 'totalRetentionISS codeTaxRegime'),
    provisionService: dateTime,
  }),
  ...each(freeObject, 'withheldTaxes isTotals ibsCbsTotals'),
  totalInvoiceAmount: decimal,
});

/** What NF-e and NFC-e have in common. The order number of the caller and the environment are not among it. */
const merchandise = {
  ...each(text, 'id operationNature contingencyJustification creditType debitType expectedDeliveryOn'),
  ...each(whole, 'serie number consumptionCityCode ibsConsumptionCityCode'),
  ...each(dateTime, 'operationOn contingencyOn'),
  operationType: oneOf('Outgoing', 'Incoming'),
  // Published in two spellings.
  destination: oneOf(
    ...['None', 'Internal_Operation', 'Interstate_Operation', 'International_Operation'],
    ...['InternalOperation', 'InterstateOperation', 'InternationalOperation'],
  ),
  printType: oneOf(
    ...['None', 'NFeNormalPortrait', 'NFeNormalLandscape', 'NFeSimplified', 'DANFE_NFC_E'],
    'DANFE_NFC_E_MSG_ELETRONICA',
  ),
  purposeType: oneOf(...['None', 'Normal', 'Complement', 'Adjustment', 'Devolution', 'CreditInvoice', 'DebitInvoice']),
  consumerType: oneOf('FinalConsumer', 'Normal'),
  presenceType: oneOf(...['None', 'Presence', 'Internet', 'Telephone', 'Delivery', 'OthersNonPresenceOperation']),
  ...each(freeObject, 'governmentPurchase purchaseInformation'),
  ...{ transport, additionalInformation, billing, totals },
  export: closed(each(text, 'state office local')),
  issuer: closed({ stStateTaxNumber: text }),
  transactionIntermediate: closed({ federalTaxNumber: whole, identifier: text }),
  delivery: closed(person),
  withdrawal: closed(person),
};

export const productInvoice = closed(
  {
    ...merchandise,
    payment: payment(methods),
    buyer: closed(buyer, 'name federalTaxNumber address'),
    items: listOf(closed(item, 'code description ncm unit unitTax quantity unitAmount totalAmount tax'), 1),
  },
  'items payment buyer',
);

export const consumerInvoice = closed(
  {
    ...merchandise,
    payment: payment([...methods, 'StaticInstantPayment', 'StoreCredit']),
    buyer: closed(buyer),
    items: listOf(closed(item), 1),
  },
  'items',
);

export const correction = closed({ reason: { type: 'string', minLength: 15, maxLength: 1_000 } }, 'reason');

export const disablement = closed(
  {
    environment: oneOf('None', 'Production', 'Test'),
    ...each(text, 'state'),
    ...each(whole, 'serie beginNumber lastNumber'),
    reason: { type: 'string', minLength: 15, maxLength: 255 },
  },
  'environment serie state beginNumber lastNumber reason',
);

const serviceParty = open({ ...each(text, 'name email'), federalTaxNumber: whole });
const share = open(each(decimal, 'rate amount effectiveRate'));

/** Open: the layouts of the cities add fields of their own. */
export const serviceInvoice = open(
  {
    ...each(decimal, 'paidAmount deductionsAmount discountUnconditionedAmount discountConditionedAmount'),
    ...each(decimal, 'issRate issTaxAmount irAmountWithheld pisRate pisCofinsBaseTax pisAmountWithheld'),
    ...each(decimal, 'cofinsRate cofinsAmountWithheld csllAmountWithheld inssAmountWithheld'),
    ...each(decimal, 'issAmountWithheld ipiRate ipiAmount othersAmountWithheld'),
    ...each(serviceParty, 'provider recipient intermediary'),
    approximateTax: open(each(decimal, 'totalRate totalAmount')),
    approximateTotals: open({ ...each(decimal, 'rate amount'), ...each(share, 'federal state municipal') }),
    deduction: open({
      documents: listOf(open({ ...each(decimal, 'deductibleTotal usedAmount'), supplier: serviceParty })),
    }),
    benefit: open({ amount: decimal }),
    ...each(text, 'externalId cityServiceCode federalServiceCode cnaeCode nbsCode rpsSerialNumber'),
    description: textUpTo(2_000),
    servicesAmount: decimal,
    rpsNumber: whole,
    issuedOn: dateTime,
    accrualOn: { type: 'string', format: 'date' },
    borrower: open({
      type: oneOf('Undefined', 'NaturalPerson', 'LegalEntity'),
      ...each(text, 'name email'),
      federalTaxNumber: whole,
      address: open({
        ...each(text, 'country postalCode street number additionalInformation district state'),
        city: open(each(text, 'code name')),
      }),
    }),
    ibsCbs: open({
      ...each(decimal, 'basis reimbursedResuppliedAmount ibscbsDeductionReductionAmount'),
      ibs: open({ totalAmount: decimal, ...each(share, 'state municipal') }),
      cbs: share,
    }),
  },
  'cityServiceCode description servicesAmount',
);

/** The short form (§4): the service document shows these names; monetary values are decimal numbers (§1). */
export const generalInvoice = open(
  {
    cliente: open(each(text, 'cpf nome')),
    itens: listOf(
      open({ descricao: text, ...each(decimal, 'quantidade valorUnitario') }, 'descricao quantidade valorUnitario'),
    ),
  },
  'cliente itens',
);
