/** A town with its IBGE code (public). */
export interface City {
  /** Seven digits. */
  readonly code?: string;
  readonly name?: string;
}

/** A postal address as the service writes it (public). A field that is not known is left out. */
export interface Address {
  /** Two letters, `EX` for abroad. */
  readonly state?: string;
  readonly city?: City;
  readonly district?: string;
  /** Complement: floor, room, block. */
  readonly additionalInformation?: string;
  /** `Rua`, `Avenida`, … */
  readonly streetSuffix?: string;
  readonly street?: string;
  readonly number?: string;
  /** Eight digits. */
  readonly postalCode?: string;
  readonly country?: string;
}

/** An address of a postal code. One code may hold several streets, or only part of the numbers of one. */
export interface PostalAddress extends Address {
  readonly numberMin?: string;
  readonly numberMax?: string;
}

/** `GET /v2/addresses/{postalCode}` (public). */
export interface AddressList {
  readonly addresses: readonly PostalAddress[];
}
