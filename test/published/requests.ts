/*
 * The bodies that the public record publishes, typed by hand. One line per group of fields: `name type`, where `*` marks a
 * required field; `{…}` is a closed object, `{+…}` an open one, `[…]` a list, `a|b` one of these words.
 */

const address = `{state* text, city* {code* text, name* text}, district* text, street* text, number* text,
  postalCode text, country text, additionalInformation text, phone text}`;

const regime = `None|LucroReal|LucroPresumido|SimplesNacional|SimplesNacionalExcessoSublimite|MicroempreendedorIndividual|Isento`;

const company = `{company* {
  name* text, federalTaxNumber* int, taxRegime* ${regime},
  address* {state* text, city* {code* text, name* text}, district* text, street* text, number* text, postalCode* text,
    country* text, additionalInformation text},
  tradeName text, accountId text, municipalTaxNumber text, id text}}`;

const engineRegime =
  'NationalSimple|RealProfit|PresumedProfit|NationalSimpleSublimitExceeded|IndividualMicroEnterprise|Exempt';
const origin = `National|ForeignDirectImport|ForeignInternalMarket|NationalWith40To70Import|NationalPpb|NationalWithLess40Import|
  ForeignDirectImportWithoutNationalSimilar|ForeignInternalMarketWithoutNationalSimilar|NationalWithGreater70Import`;

const calculation = `{
  issuer* {taxRegime* ${engineRegime}, taxProfile text, state* text},
  recipient* {state* text, taxRegime ${engineRegime}, taxProfile text},
  operationType* Outgoing|Incoming, isProductRegistration flag, collectionId text,
  items* [{id* text, operationCode* int, origin* ${origin}, quantity* num, unitAmount* num, sku text, ncm text, cest text,
    exTipi text, gtin text, benefit text, acquisitionPurpose text, issuerTaxProfile text, recipientTaxProfile text,
    freightAmount num, insuranceAmount num, discountAmount num, othersAmount num, icms {+}, ii {+}}]}`;

const method = `Cash|Cheque|CreditCard|DebitCard|StoreCredict|FoodVouchers|MealVouchers|GiftVouchers|FuelVouchers|BankBill|
  BankDeposit|InstantPayment|WireTransfer|Cashback|WithoutPayment|Others`;

const payment = (methods: string): string => `[{paymentDetail* [{method* ${methods}, methodDescription text,
  paymentType InCash|Term, amount num, card {+}, paymentDate time, federalTaxNumberPag text, statePag text}], payBack num}]`;

const item = (mark: string): string => `{
  code${mark} text, description${mark} text, ncm${mark} text, unit${mark} text, unitTax${mark} text, quantity${mark} num,
  unitAmount${mark} num, totalAmount${mark} num,
  tax${mark} {icms${mark} {+origin${mark} text}, totalTax num, ipi {+}, ii {+}, pis {+}, cofins {+}, icmsDestination {+}},
  cfop int, codeGTIN text, nve [text], extipi text, codeTaxGTIN text, quantityTax num, taxUnitAmount num, freightAmount num,
  insuranceAmount num, discountAmount num, othersAmount num, totalIndicator flag, cest text, additionalInformation text,
  numberOrderBuy text, itemNumberOrderBuy int, importControlSheetNumber text, vehicleDetail {+}, fuelDetail {+}, benefit text,
  importDeclarations [{+}], exportDetails [{+}],
  taxDetermination {operationCode int, issuerTaxProfile text, buyerTaxProfile text, origin text, acquisitionPurpose text}}`;

const buyer = (mark: string): string => `{
  name${mark} text, federalTaxNumber${mark} int, address${mark} ${address}, accountId text, id text, email text,
  type Undefined|NaturalPerson|LegalEntity|Company|Customer, stateTaxNumberIndicator None|TaxPayer|Exempt|NonTaxPayer,
  tradeName text, taxRegime ${regime}, stateTaxNumber text}`;

const merchandise = `id text, serie int, number int, operationOn time, operationNature text, operationType Outgoing|Incoming,
  destination None|Internal_Operation|Interstate_Operation|International_Operation, printType text, purposeType text,
  creditType text, debitType text, consumerType FinalConsumer|Normal,
  presenceType None|Presence|Internet|Telephone|Delivery|OthersNonPresenceOperation, contingencyOn time,
  contingencyJustification text, transport {+}, additionalInformation {+}, export {+}, billing {+}, issuer {+},
  transactionIntermediate {+}, delivery {+}, withdrawal {+}, totals {+}`;

const range = '{environment text, serie int, state text, beginNumber int, lastNumber int, reason* text}';

const productInvoice = `{${merchandise}, items* [${item('*')}], buyer* ${buyer('*')}, payment* ${payment(method)}}`;

const consumerInvoice = `{${merchandise}, items* [${item('')}], buyer ${buyer('')},
    payment ${payment(`${method}|StaticInstantPayment|StoreCredit`)}}`;

const webHook = `{+webHook* {+uri* text, secret text, contentType word, status word, insecureSsl flag, filters [text],
  headers {+}, properties {+}}}`;

const product = `{+sku* text, origin* text, description* text, collectionId text, gtin text, tax {+ncm text, cest text}}`;

const minutes = '{+minutesToOperationConfirmation int, minutesToUnknownOperation int}';

const stateTax = `{stateTax* {+code* text, taxNumber* text, type* Default|NFe|NFCe, serie int, number int,
  environmentType text}}`;

const municipalTax = `{municipalTax* {+city {+code text, name text}, taxNumber text, rpsSerialNumber text, rpsNumber int,
  issRate num}}`;

/** By operation. Those that only the service document has follow the document. */
export const publishedRequests: Readonly<Record<string, string>> = {
  'product.create': product,
  'product.update': product,
  'nfe.manifestation.submit': '{+eventCode* int, nSequencia* int, detail {+justification text}}',
  // Published without a body; a public client sends one.
  'nfe.manifestation.legacy': '{+justification text}',
  'nfse.manifestation.submit': '{+eventCode int, reasonCode int, justification text}',
  'nfe.inbound.enable': `{+startFromDate time, startFromNsu int, environmentSEFAZ None|Test|Production,
    automaticManifesting ${minutes}}`,
  'nfe.inbound.update': `{+environmentSEFAZ None|Test|Production, automaticManifesting ${minutes}}`,
  'cte.inbound.enable': '{startFromNsu int, startFromDate time}',
  'nfse.inbound.enable': `{+companyId* text, initialNsu* int, webhookUrl text, isAutomaticManifestationEnabled flag,
    automaticManifestationDelaySeconds int, startFromDate time}`,
  'nfse.inbound.update': `{+webhookUrl text, isAutomaticManifestationEnabled flag,
    automaticManifestationDelaySeconds int, isActive flag}`,
  'nfse.fetchByKey': '{+accessKey* text}',
  'nfse.startFromDate.set': '{+startFromDate* time}',
  'nfse.backfill.release': '{+released* flag}',
  'nfse.resetNsu': '{+nsu* int}',
  'nfse.fetchNow': '{+forcedStartNsu int}',
  'invoice.create': `{+cliente* {+cpf text, nome text}, itens* [{+descricao* text}]}`,
  'nfe.issue': productInvoice,
  'nfe.stateTax.issue': productInvoice,
  'nfe.correct': '{reason* text}',
  'nfe.disable': range,
  'nfce.issue': consumerInvoice,
  'nfce.stateTax.issue': consumerInvoice,
  'nfce.disable': range,
  'nfse.issue': `{+cityServiceCode* text, description* text, servicesAmount* num, externalId text, rpsNumber int,
    rpsSerialNumber text, issuedOn time,
    borrower {+type Undefined|NaturalPerson|LegalEntity, name text, federalTaxNumber int, email text,
      address {+country* text, postalCode text, street text, number text, district text, city {+code text, name text},
        state text}}}`,
  'company.create': company,
  'company.update': company,
  'municipalTax.create': municipalTax,
  'municipalTax.update': municipalTax,
  'stateTax.create': stateTax,
  'stateTax.update': stateTax,
  'stateTax.switchAuthorizer': '{+authorizer* Normal|EPEC, reason text}',
  'tax.calculate': calculation,
  'webhook.create': webHook,
  'webhook.update': webHook,
};

/** JSON Schema of a body in the notation above. */
export function schemaOf(notation: string): object {
  const words = notation.replaceAll(/\|\s+/g, '|').match(/\{\+?|[}[\],*]|[^\s{}[\],*]+/g) ?? [];
  let at = 0;
  const next = (): string => words[at++] ?? '';
  function value(): object {
    const word = next();
    if (word.startsWith('{')) return fields(word);
    if (word !== '[') return simple(word);
    const items = value();
    if (next() !== ']') throw new Error(`a list is not closed: ${notation}`);
    return { type: 'array', items };
  }
  function fields(opening: string): object {
    const properties: Record<string, object> = {};
    const required: string[] = [];
    for (let word = next(); word !== '}'; word = next()) {
      if (word === '') throw new Error(`an object is not closed: ${notation}`);
      if (word === ',') continue;
      if (words[at] === '*') required.push(word) && next();
      properties[word] = value();
    }
    return { type: 'object', properties, required, additionalProperties: opening === '{+' };
  }
  const whole = value();
  if (at !== words.length) throw new Error(`more follows: ${notation}`);
  return whole;
}

const types: Readonly<Record<string, object>> = {
  text: { type: 'string' },
  int: { type: 'integer' },
  num: { type: 'number' },
  flag: { type: 'boolean' },
  time: { type: 'string', format: 'date-time' },
  /** Published as a word and as a number. */
  word: { type: ['string', 'integer'] },
};

function simple(word: string): object {
  const type = types[word];
  if (type !== undefined) return type;
  if (!word.includes('|')) throw new Error(`no such type: ${word}`);
  return { type: 'string', enum: word.split('|') };
}
