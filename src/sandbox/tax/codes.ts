import type { TaxCode, TaxCodeList } from '../../contract/tax.js';
import { operationCodes } from './operation-codes.js';

/** Why the recipient acquires the goods. Codes invented. */
export const purposes: readonly TaxCode[] = [
  { code: '101', description: 'Industrialização' },
  { code: '102', description: 'Comercialização' },
  { code: '551', description: 'Ativo imobilizado' },
  { code: '556', description: 'Uso ou consumo' },
  { code: '569', description: 'Consumo final' },
];

/** The purposes by which the goods come to rest, so that the IPI is part of the base of the ICMS. */
export const finalPurposes: readonly string[] = ['551', '556', '569'];

/** facts §9. */
const issuerProfiles: Readonly<Record<string, string>> = {
  none: 'Sem perfil específico',
  retail: 'Varejista',
  wholesale: 'Atacadista',
  wholesale_industry: 'Atacadista equiparado a industrial',
  importer: 'Importador',
  industry: 'Indústria',
  cooperative: 'Cooperativa',
};

const recipientProfiles: Readonly<Record<string, string>> = {
  none: 'Sem perfil específico',
  industry: 'Indústria',
  final_consumer_icms_contributor: 'Consumidor final contribuinte do ICMS',
  final_consumer_non_icms_contributor: 'Consumidor final não contribuinte do ICMS',
  general_warehouse: 'Armazém geral',
  closed_deposit: 'Depósito fechado',
  natural_person: 'Pessoa física',
  commercial_exporter: 'Comercial exportadora',
  importer: 'Importador',
  coop: 'Cooperativa',
  wholesale: 'Atacadista',
  retail: 'Varejista',
  interdependent_company: 'Empresa interdependente',
  retail_branch: 'Filial varejista',
  non_retail_branch: 'Filial não varejista',
  wholesale_branch: 'Filial atacadista',
  closed_warehouse: 'Armazém fechado',
};

/** The recipients that pay no ICMS themselves, so that their state has its share from the issuer. */
export const nonContributors: readonly string[] = ['final_consumer_non_icms_contributor', 'natural_person'];
export const finalConsumers: readonly string[] = [...nonContributors, 'final_consumer_icms_contributor'];

export const taxCodes: Readonly<Record<TaxCodeList, readonly TaxCode[]>> = {
  'operation-code': operationCodes.map(({ code, description }) => ({ code: String(code), description })),
  'acquisition-purpose': purposes,
  'issuer-tax-profile': listOf(issuerProfiles),
  'recipient-tax-profile': listOf(recipientProfiles),
};

export function isOnList(list: TaxCodeList, code: string): boolean {
  return taxCodes[list].some((each) => each.code === code);
}

function listOf(descriptions: Readonly<Record<string, string>>): readonly TaxCode[] {
  return Object.entries(descriptions).map(([code, description]) => ({ code, description }));
}
