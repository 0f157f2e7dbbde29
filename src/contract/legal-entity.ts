/** `GET /v1/cnpj/{numero}`: registry data of a company (fields public). */
export interface LegalEntity {
  readonly federalTaxNumber: string;
  readonly name: string;
  readonly tradeName?: string;
  readonly status: string;
  readonly openedOn?: string;
  readonly address?: { readonly state: string; readonly city: string; readonly postalCode: string };
}
