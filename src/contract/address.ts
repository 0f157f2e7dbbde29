/** A city with its IBGE code (public). */
export interface City {
  /** Seven digits. */
  readonly code?: string;
  readonly name?: string;
}

/** A postal address of the service (public). Unknown fields are absent. */
export interface Address {
  /** Two letters; `EX` for an address abroad. */
  readonly state?: string;
  readonly city?: City;
  readonly district?: string;
  /** Complement: floor, room, block. */
  readonly additionalInformation?: string;
  /** `Rua`, `Avenida`, … */
  readonly streetSuffix?: string;
  readonly street?: string;
  readonly number?: string;
  /** Eight digits, with or without a hyphen. */
  readonly postalCode?: string;
  readonly country?: string;
}

/** An address of a postal code. A code may have several streets, or only part of the numbers of one street. */
export interface PostalAddress extends Address {
  readonly numberMin?: string;
  readonly numberMax?: string;
}

/** `GET /v2/addresses/{postalCode}`: one address (seen live), or a list (published). */
export interface PostalAddressAnswer {
  readonly address?: PostalAddress;
  readonly addresses?: readonly PostalAddress[];
}
