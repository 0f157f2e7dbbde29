/** `GET /v1/naturalperson/status/{cpf}/{birthDate}`: whether a CPF is in order (public). */
export interface NaturalPerson {
  /** CPF, eleven digits. Personal: shown to who asked, written into no log and no row. */
  readonly federalTaxNumber: string;
  readonly name?: string;
  /** ISO 8601, the day of birth. */
  readonly birthOn?: string;
  /** `Regular`, `Pendente de Regularização`, `Suspensa`, `Cancelada`, `Titular Falecido`, `Nula`; may grow. */
  readonly status?: string;
  /** Of the query. */
  readonly createdOn?: string;
}
