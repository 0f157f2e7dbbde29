import type { Address } from './address.js';

/** The issuer or buyer of an NF-e at the state tax authority (public). */
export interface LookupParty {
  /** CNPJ or CPF. Public descriptions show a number; text keeps letters and leading zeros. */
  readonly federalTaxNumber?: string | number;
  readonly name?: string;
  readonly tradeName?: string;
  readonly stateTaxNumber?: string;
  readonly address?: Address;
}

/** Totals of an NF-e, decimal numbers (§1, convention 3). */
export interface LookupTotals {
  readonly icms?: {
    readonly baseTax?: string | number;
    readonly icmsAmount?: string | number;
    readonly productAmount?: string | number;
    readonly pisAmount?: string | number;
    readonly cofinsAmount?: string | number;
    readonly invoiceAmount?: string | number;
  };
}

export interface LookupProtocol {
  readonly accessKey?: string;
  readonly protocolNumber?: string;
  readonly receiptOn?: string;
  /** `cStat` of the authorization. */
  readonly statusCode?: number;
  readonly description?: string;
}

/** `GET /v2/productinvoices/{accessKey}`: an NF-e at the state tax authority (§1; fields public). */
export interface LookupNfe {
  /** Assumed: public descriptions show it only inside `protocol`. */
  readonly accessKey?: string;
  /** `unknown`, `authorized`, `canceled`; may grow. */
  readonly currentStatus?: string;
  readonly codeModel?: number;
  readonly serie?: number;
  readonly number?: number;
  readonly issuedOn?: string;
  readonly operationNature?: string;
  /** `incoming`, `outgoing`. */
  readonly operationType?: string;
  /** `production`, `test`. */
  readonly environmentType?: string;
  readonly issuer?: LookupParty;
  readonly buyer?: LookupParty;
  readonly totals?: LookupTotals;
  readonly protocol?: LookupProtocol;
  readonly [field: string]: unknown;
}

/** An event of an NF-e at the tax authority (public). */
export interface LookupNfeEvent {
  /** The authority that registered it: the IBGE code of a state, or 91 for the national environment. */
  readonly stateCode?: number;
  /** Code of the event, e.g. 110111. */
  readonly type?: number;
  readonly sequence?: number;
  readonly authorFederalTaxNumber?: string;
  readonly id?: string;
  readonly protocol?: string | number;
  readonly authorizedOn: string;
  readonly description: string;
}

/** `GET /v2/productinvoices/events/{accessKey}` (public). */
export interface LookupNfeEvents {
  readonly events: readonly LookupNfeEvent[];
  /** The time of the query. */
  readonly createdOn?: string;
}
