import type { LegalEntity } from '../../contract/legal-entity.js';
import type { LookupByteOperationId } from '../../contract/lookup-operations.js';
import type { OperationId } from '../../contract/operations.js';
import { unitOf } from '../core/chance.js';
import { businessName, businessPlace, isCnpj, isCpf } from '../core/identity.js';
import {
  answerAuthorityBytes,
  authorityDocument,
  authorityEvents,
  showAuthorityNfe,
} from '../registry/authority-nfe.js';
import {
  addressOfPostalCode,
  personOf,
  readBirthDate,
  refuseReserved,
  requireOwnBirthDate,
} from '../registry/invented.js';
import type { Call, HandlersOf, Reply } from './handler.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';

/** Queries (§1): companies, people, addresses, and NF-e at the state tax authority. */
export const lookupHandlers: HandlersOf<Extract<OperationId, `lookup.${string}`>> = {
  'lookup.cnpj': cnpj,
  'lookup.cpf': cpf,
  'lookup.address': address,
  'lookup.nfe': nfe,
  'lookup.nfe.pdf': bytes,
  'lookup.nfe.xml': bytes,
  'lookup.nfe.events': events,
};

const reservedRoot = 8;
const reservedPerson = 6;

/** The registry has the companies of the account; any other valid CNPJ is invented. */
function cnpj(core: Core, call: Call<'lookup.cnpj'>): Reply {
  const number = call.path.numero;
  if (!isCnpj(number, core.options.alphanumericKeys)) throw invalid('numero', 'Is not a valid CNPJ.');
  const company = core.companies.withTaxNumber(call.caller.tenantId, number);
  if (company === undefined) refuseReserved(number, reservedRoot, 'The registry does not know this CNPJ.');
  const name = company?.name ?? businessName(number);
  const year = 1970 + Math.floor(unitOf(`${number}:year`) * 54);
  const isActive = company !== undefined || unitOf(`${number}:status`) < 0.9;
  const body: LegalEntity = {
    federalTaxNumber: number,
    name,
    tradeName: name.replace(' Ltda', ''),
    status: isActive ? 'Active' : 'Suspended',
    openedOn: `${year}-03-01T00:00:00Z`,
    address: businessPlace(number),
  };
  return { status: 200, body };
}

function cpf(core: Core, call: Call<'lookup.cpf'>): Reply {
  const { cpf: number, birthDate } = call.path;
  if (!isCpf(number)) throw invalid('cpf', 'Is not a valid CPF.');
  const bornAt = readBirthDate(birthDate, core.clock.now());
  refuseReserved(number, reservedPerson, 'The CPF is unknown, or the date of birth does not match.');
  requireOwnBirthDate(birthDate);
  const { name, status } = personOf(number);
  return {
    status: 200,
    body: {
      federalTaxNumber: number,
      name,
      birthOn: new Date(bornAt).toISOString(),
      status,
      createdOn: new Date(core.clock.now()).toISOString(),
    },
  };
}

/** Seen live: one address, and the CEP with a hyphen. */
function address(_core: Core, call: Call<'lookup.address'>): Reply {
  const text = call.path.postalCode;
  if (!/^\d{5}-?\d{3}$/.test(text)) throw invalid('postalCode', 'Must have eight digits.');
  const postalCode = text.replace('-', '');
  refuseReserved(postalCode, postalCode.length, 'There is no address with this postal code.');
  const found = addressOfPostalCode(postalCode);
  if (found === undefined) throw new Refusal('not_found', 'There is no address with this postal code.');
  const hyphenated = `${postalCode.slice(0, 5)}-${postalCode.slice(5)}`;
  return { status: 200, body: { address: { ...found, postalCode: hyphenated } } };
}

function nfe(core: Core, call: Call<'lookup.nfe'>): Reply {
  return { status: 200, body: showAuthorityNfe(core, authorityDocument(core, call.path.accessKey)) };
}

function bytes(core: Core, call: Call<LookupByteOperationId>): Reply {
  return answerAuthorityBytes(core, call.operation, call.path.accessKey);
}

function events(core: Core, call: Call<'lookup.nfe.events'>): Reply {
  const document = authorityDocument(core, call.path.accessKey);
  const createdOn = new Date(core.clock.now()).toISOString();
  return { status: 200, body: { events: authorityEvents(core, document), createdOn } };
}
