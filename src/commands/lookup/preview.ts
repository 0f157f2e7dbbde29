import type { LookupName } from '../../jobs/kinds/lookup.js';
import type { Context } from '../../services/context.js';
import { previewOne, type DryRun } from '../../services/preview.js';
import type { Subject } from './subject.js';

/** The request of one query; a CPF in it is masked. */
export async function previewLookup(context: Context, name: LookupName, subject: Subject): Promise<DryRun> {
  const { number, birthDate = '', companyId = '' } = subject;
  switch (name) {
    case 'cnpj':
      return await previewOne(context, 'lookup.cnpj', { path: { numero: number } });
    case 'cpf':
      return await previewOne(context, 'lookup.cpf', { path: { cpf: number, birthDate } });
    case 'address':
      return await previewOne(context, 'lookup.address', { path: { postalCode: number } });
    case 'nfe':
      return await previewOne(context, 'lookup.nfe', { path: { accessKey: number } });
    case 'cte':
      return await previewOne(context, 'cte.inbound.get', { path: { companyId, accessKey: number } });
  }
}
