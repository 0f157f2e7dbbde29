import type { TaxCode, TaxCodeList } from '../../contract/tax.js';

/** An operation code of the engine. The codes are invented; natures and CFOP suffixes follow the law. */
export interface OperationCode {
  readonly code: number;
  readonly description: string;
  readonly way: 'Outgoing' | 'Incoming';
  /** The last three digits of the CFOP; the first depends on the destination. */
  readonly cfopEnd: string;
  readonly taxation: 'taxed' | 'suspended' | 'exempt';
}

const rows: readonly (readonly [number, string, OperationCode['way'], string, OperationCode['taxation']])[] = [
  [121, 'Venda de mercadoria adquirida de terceiros', 'Outgoing', '102', 'taxed'],
  [122, 'Venda de produção do estabelecimento', 'Outgoing', '101', 'taxed'],
  [131, 'Transferência de mercadoria adquirida de terceiros', 'Outgoing', '152', 'taxed'],
  [132, 'Transferência de produção do estabelecimento', 'Outgoing', '151', 'taxed'],
  [141, 'Devolução de compra para comercialização', 'Outgoing', '202', 'taxed'],
  [142, 'Devolução de compra para industrialização', 'Outgoing', '201', 'taxed'],
  [151, 'Remessa em bonificação, doação ou brinde', 'Outgoing', '910', 'taxed'],
  [152, 'Remessa de amostra grátis', 'Outgoing', '911', 'exempt'],
  [153, 'Remessa para demonstração', 'Outgoing', '912', 'suspended'],
  [154, 'Remessa para conserto ou reparo', 'Outgoing', '915', 'suspended'],
  [155, 'Remessa para industrialização por encomenda', 'Outgoing', '901', 'suspended'],
  [199, 'Outra saída de mercadoria', 'Outgoing', '949', 'taxed'],
  [221, 'Compra para comercialização', 'Incoming', '102', 'taxed'],
  [222, 'Compra para industrialização', 'Incoming', '101', 'taxed'],
  [231, 'Compra de bem para o ativo imobilizado', 'Incoming', '551', 'taxed'],
  [232, 'Compra de material para uso ou consumo', 'Incoming', '556', 'taxed'],
  [241, 'Devolução de venda de mercadoria', 'Incoming', '202', 'taxed'],
  [251, 'Retorno de mercadoria remetida para conserto ou reparo', 'Incoming', '916', 'suspended'],
  [299, 'Outra entrada de mercadoria', 'Incoming', '949', 'taxed'],
];

const operationCodes: readonly OperationCode[] = rows.map(([code, description, way, cfopEnd, taxation]) => ({
  code,
  description,
  way,
  cfopEnd,
  taxation,
}));

const byCode = new Map(operationCodes.map((operation) => [operation.code, operation]));

export function findOperationCode(code: number): OperationCode | undefined {
  return byCode.get(code);
}

/** The purposes of an acquisition. The codes are invented. */
const purposes: readonly TaxCode[] = [
  { code: '101', description: 'Industrialização' },
  { code: '102', description: 'Comercialização' },
  { code: '551', description: 'Ativo imobilizado' },
  { code: '556', description: 'Uso ou consumo' },
  { code: '569', description: 'Consumo final' },
];

/** The purposes of final consumption, for which the IPI is part of the ICMS base. */
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

/** The recipients that are not ICMS contributors; the issuer pays the share of their state. */
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

/** ICMS within a state in percent, as of 2026, without the rates of special goods: plausible, not authoritative. */
const internal: Readonly<Record<string, string>> = {
  AC: '19.00',
  AL: '19.00',
  AM: '20.00',
  AP: '18.00',
  BA: '20.50',
  CE: '20.00',
  DF: '20.00',
  ES: '17.00',
  GO: '19.00',
  MA: '23.00',
  MG: '18.00',
  MS: '17.00',
  MT: '17.00',
  PA: '19.00',
  PB: '20.00',
  PE: '20.50',
  PI: '22.50',
  PR: '19.50',
  RJ: '20.00',
  RN: '20.00',
  RO: '19.50',
  RR: '20.00',
  RS: '17.00',
  SC: '17.00',
  SE: '19.00',
  SP: '18.00',
  TO: '20.00',
};

const south: readonly string[] = ['MG', 'PR', 'RJ', 'RS', 'SC', 'SP'];
/** Origins with more than 40 % imported content (Senate resolution 13/2012). */
const imported: readonly string[] = [
  'ForeignDirectImport',
  'ForeignInternalMarket',
  'NationalWith40To70Import',
  'NationalWithGreater70Import',
];

export function internalRate(state: string): string {
  return internal[state] ?? '18.00';
}

/** 4 % for imported goods, 7 % from the south and southeast to the other regions, else 12 % (Senate 22/1989). */
export function interstateRate(from: string, to: string, origin: string): string {
  if (imported.includes(origin)) return '4.00';
  return south.includes(from) && !south.includes(to) ? '7.00' : '12.00';
}
