import type { Text } from '../../contract/text.js';

/** A company of the account. Name and CNPJ are missing where nobody has said them. */
export interface AccountCompany {
  readonly id: string;
  readonly name: string | undefined;
  readonly taxNumber: string | undefined;
}

/** The fields that stand beside the id of a company in records; a field that is not known is left out. */
export interface CompanyLabel {
  readonly companyName?: string;
  readonly companyTaxNumber?: string;
}

/** What is known of a company; empty for one that is not known. */
export type LabelOf = (id: string | undefined) => CompanyLabel;

export interface FindOptions {
  /** For commands without network: what the store knows is enough, and the service is asked only for the rest. */
  readonly local?: boolean;
}

export interface OneOptions extends FindOptions {
  /** What is for one company, with its verb: `a SPED file is the ledger of`. Absent: the command. */
  readonly what?: Text;
}

/** Which companies and which tenant a run acts for. Everything is resolved once. */
export interface Scope {
  /**
   * The companies that these words name, in their order, each once. Errors: `company.unknown`, `company.ambiguous`,
   * `service.forbidden` for a name that the key may not look up, and those of a call.
   */
  find(words: readonly string[], options?: FindOptions): Promise<readonly AccountCompany[]>;
  /** Those of `--company`; `undefined` when nothing names one. Errors: those of `find`. */
  named(options?: FindOptions): Promise<readonly AccountCompany[] | undefined>;
  /** The one of `--company`; `undefined` when nothing names one. Errors: those of `find`; `usage.invalid` for two. */
  one(options?: OneOptions): Promise<AccountCompany | undefined>;
  /** Every company of the account. Errors: `company.none` when it has none; `service.list_cut`; those of a call. */
  all(): Promise<readonly AccountCompany[]>;
  /** Keeps what an answer said of companies. */
  remember(companies: readonly AccountCompany[]): Promise<void>;
  /** Name and CNPJ by id, as the store knows them of this profile, or of the profile of `space`; no request. */
  labels(storeNamespace?: string): Promise<LabelOf>;
  /** The tenant of `--tenant`; `undefined` when nothing names one. Error: `usage.invalid` for two. */
  tenant(): Promise<string | undefined>;
}
