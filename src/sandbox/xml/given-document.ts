import type { Family } from '../core/records.js';
import type { Party } from './layout.js';

/** Times are milliseconds since the epoch, amounts text. A name or number that the XML leaves out is empty. */
interface GivenFacts {
  readonly family: Family;
  /** `null`: a note of a municipality, which has no national key. */
  readonly accessKey: string | null;
  readonly issuer: Party;
  /** Every tax number of a party, the issuer's included. */
  readonly taxNumbers: readonly string[];
  readonly issuedOn: number;
}

/** A note as its issuer signed it, with or without the answer of the authority. */
export interface GivenNote extends GivenFacts {
  readonly part: 'note';
  readonly model: 'nfe' | 'nfce' | 'cte' | 'nfse';
  readonly recipient: Party;
  readonly intermediary: Party | undefined;
  readonly amount: string;
  readonly number: string;
  readonly serie: string;
  readonly authorizedOn: number;
  readonly protocol: string | null;
  /** The authority refused it (`cStat` 110, 205, 301 to 303). */
  readonly isDenied: boolean;
  readonly environment: 'Production' | 'Test';
  readonly description: string;
}

/** `resNFe`: what a recipient sees before its awareness. */
export interface GivenSummary extends GivenFacts {
  readonly part: 'summary';
  readonly family: 'nfe';
  readonly accessKey: string;
  readonly amount: string;
  readonly authorizedOn: number;
}

export interface GivenEvent extends GivenFacts {
  readonly part: 'event';
  /** `resEvento` is the summary of an event. */
  readonly form: 'full' | 'summary';
  readonly accessKey: string;
  readonly eventKey: string;
  readonly type: string;
  readonly description: string;
  readonly sequence: number;
  readonly protocol: string;
  readonly author: string | null;
  readonly reason: string | null;
  /** Of a substitution of an NFS-e: the note that replaces it. */
  readonly substituteAccessKey: string | null;
}

export type GivenDocument = GivenNote | GivenSummary | GivenEvent;

export const nobody: Party = { taxNumber: '', name: '' };

/** Each tax number of the parties once. */
export function numbersOf(parties: readonly (Party | undefined)[]): readonly string[] {
  const numbers = parties.map((party) => party?.taxNumber ?? '').filter((taxNumber) => taxNumber !== '');
  return [...new Set(numbers)];
}

/** Two decimals; empty without a number. */
export function amountOf(text: string | undefined): string {
  const plain = /^\d{1,13}(?:\.\d{1,10})?$/.exec(text ?? '')?.[0];
  return plain === undefined ? '' : Number(plain).toFixed(2);
}

/** A time without an offset, or a day, is in Brasília. `undefined`: no time of a calendar. */
export function timeOf(text: string | undefined): number | undefined {
  const [, day, time = '12:00:00', offset = '-03:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? '') ?? [];
  const at = day === undefined ? Number.NaN : Date.parse(`${day}T${time}${offset}`);
  return Number.isFinite(at) && at >= 0 ? at : undefined;
}
