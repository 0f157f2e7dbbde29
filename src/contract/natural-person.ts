/** `GET /v1/naturalperson/status/{cpf}/{birthDate}`: whether a CPF is in order (public). */
export interface NaturalPerson {
  /** CPF, eleven digits. Personal data: shown to the caller, never logged or stored. */
  readonly federalTaxNumber: string;
  readonly name?: string;
  /** Day of birth, ISO 8601. */
  readonly birthOn?: string;
  /** `Regular`, `Pendente de Regularização`, `Suspensa`, `Cancelada`, `Titular Falecido`, `Nula`; may grow. */
  readonly status?: string;
  /** The time of the query. */
  readonly createdOn?: string;
}
