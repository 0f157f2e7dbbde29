import type { OperationId } from '../../contract/operations.js';
import { businessName, businessPlace } from '../core/business-names.js';
import { unitOf } from '../core/chance.js';
import { isCnpj } from '../core/cnpj.js';
import type { Core } from '../core/core.js';
import { invalid, Refusal } from '../core/refusal.js';
import type { Call, HandlersOf, Reply } from './handler.js';

export const lookupHandlers: HandlersOf<Extract<OperationId, `lookup.${string}`>> = {
  'lookup.cnpj': cnpj,
};

/** Every valid CNPJ is a company, always the same one, except those of this root, which nobody holds. */
const unknownRoot = '99999999';

function cnpj(core: Core, call: Call<'lookup.cnpj'>): Reply {
  const number = call.path.numero;
  if (!isCnpj(number, core.options.alphanumericKeys)) throw invalid('numero', 'Is not a valid CNPJ.');
  if (number.startsWith(unknownRoot)) {
    throw new Refusal('not_found', 'The registry does not know this CNPJ.');
  }
  const name = businessName(number);
  const year = 1970 + Math.floor(unitOf(`${number}:year`) * 54);
  return {
    status: 200,
    body: {
      federalTaxNumber: number,
      name,
      tradeName: name.replace(' Ltda', ''),
      status: unitOf(`${number}:status`) < 0.9 ? 'Active' : 'Suspended',
      openedOn: `${year}-03-01T00:00:00Z`,
      address: businessPlace(number),
    },
  };
}
