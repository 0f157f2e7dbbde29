/**
 * A state registration (inscrição estadual) of a company: NF-e and NFC-e are issued below it. Fields public. An update
 * replaces the whole.
 */
export interface StateTaxInput {
  /** The state, e.g. `SP`; `NA` and `EX` are published too. */
  readonly code: string;
  readonly taxNumber: string;
  /** One of `stateTaxTypes`. */
  readonly type: string;
  /** One of `stateTaxEnvironments`: where its invoices are authorised. */
  readonly environmentType?: string;
  readonly specialTaxRegime?: string;
  readonly serie?: number;
  /** The number for the next invoice. */
  readonly number?: number;
  /** The CSC of NFC-e. `code` is a secret. */
  readonly securityCredential?: { readonly id?: number; readonly code?: string };
  readonly processingDetails?: { readonly switchAuthorizerStrategy?: string };
}

/** A state registration as a read returns it (public). */
export interface StateTax extends StateTaxInput {
  readonly id: string;
  readonly companyId?: string;
  readonly accountId?: string;
  /** `None`, `Active`, `Inactive`; may grow. */
  readonly status?: string;
  /** Every serie used with it. */
  readonly series?: readonly number[];
  /** ISO 8601, UTC. */
  readonly createdOn?: string;
  readonly modifiedOn?: string;
}

/** The wrapper of one registration in requests and answers (public). */
export interface StateTaxEnvelope<Content> {
  readonly stateTax: Content;
}

/** `GET …/statetaxes`: cursor paging; `hasMore` is not published, and may be absent. */
export interface StateTaxList {
  readonly stateTaxes: readonly StateTax[];
  readonly hasMore?: boolean;
}

/** Who authorises the invoices of a registration: its state, or the national contingency (public). */
export interface SwitchAuthorizerInput {
  /** One of `authorizers`. */
  readonly authorizer: string;
  readonly reason?: string;
}

export interface SwitchedAuthorizer {
  readonly fromAuthorizer?: string;
  readonly toAuthorizer?: string;
  readonly reason?: string;
  /** ISO 8601, UTC. */
  readonly modifiedOn?: string;
}

export const stateTaxTypes = ['Default', 'NFe', 'NFCe'] as const;
export const stateTaxEnvironments = ['Production', 'Test', 'None'] as const;
export const authorizers = ['Normal', 'EPEC'] as const;
export const switchAuthorizerStrategies = ['Manual', 'StateTaxAuthorityStatusUnavailable'] as const;
export const specialTaxRegimes = [
  'Nenhum',
  'MicroempresaMunicipal',
  'Estimativa',
  'SociedadeDeProfissionais',
  'Cooperativa',
  'MicroempreendedorIndividual',
  'MicroempresarioEmpresaPequenoPorte',
  'Automatico',
] as const;

/**
 * A municipal registration (inscrição municipal) of a company: NFS-e are issued below it. Fields public; none is required.
 * `loginName`, `loginPassword` and `authIssueValue` open the system of the city hall and are secrets.
 */
export interface MunicipalTaxInput {
  readonly city?: {
    /** IBGE, seven digits. */
    readonly code?: string;
    readonly name?: string;
    readonly country?: string;
    readonly state?: string;
  };
  readonly taxNumber?: string;
  /** One of `municipalTaxEnvironments`. */
  readonly environment?: string;
  readonly specialTaxRegime?: string;
  readonly email?: string;
  readonly legalNature?: string;
  readonly companyRegistryNumber?: number;
  readonly regionalTaxNumber?: number;
  /** Percent. */
  readonly issRate?: number;
  readonly federalTaxDetermination?: string;
  readonly municipalTaxDetermination?: string;
  readonly loginName?: string;
  readonly loginPassword?: string;
  readonly authIssueValue?: string;
  /** The number for the next RPS. */
  readonly rpsNumber?: number;
  readonly lastRpsSent?: number;
  readonly rpsSerialNumber?: string;
}

/** A municipal registration as a read returns it (public). */
export interface MunicipalTax extends MunicipalTaxInput {
  readonly id: string;
  readonly companyId?: string;
  readonly accountId?: string;
  readonly status?: string;
  /** `None`, `Active`, `CityNotSupported`, `Pending`, `Inactive`; may grow. */
  readonly fiscalStatus?: string;
  readonly rpsSerialNumbers?: readonly string[];
}

export interface MunicipalTaxEnvelope<Content> {
  readonly municipalTax: Content;
}

/** The list is published with the wrapper of a single registration; its own name is assumed. */
export interface MunicipalTaxList {
  readonly municipalTaxes: readonly MunicipalTax[];
  readonly hasMore?: boolean;
}

export const municipalTaxEnvironments = ['Production', 'Development', 'Staging'] as const;
export const taxDeterminations = ['NotInformed', 'Default', 'SimplesNacional'] as const;
