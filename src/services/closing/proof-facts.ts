import type { ArchivedType } from '../../archive/manifest.js';
import type { InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import type { IssuedModel } from '../issued/book.js';
import type { FamilyCoverage, IssuedCoverage } from './coverage.js';
import type { CloseKind } from './gaps.js';
import type { Month } from './month.js';

/** `incomplete`: named documents are missing. `not-provable`: nothing is known to be missing, but completeness cannot be proven. */
export type VerdictWord = 'complete' | 'incomplete' | 'not-provable';

export type ReasonCode =
  | 'month-not-over'
  | 'nothing-captured'
  | 'not-captured'
  | 'capture-inactive'
  | 'capture-unclear'
  | 'capture-of-test-environment'
  | 'environment-changed'
  | 'environment-unknown'
  | 'capture-interrupted'
  | 'capture-spaced'
  | 'enabled-after-month-began'
  | 'enabled-since-unknown'
  | 'hidden-by-cut-off'
  | 'hidden-unknown'
  | 'release-behind'
  | 'cut-off-changed'
  | 'nothing-issued'
  | 'list-unread'
  | 'rows-unreadable'
  | 'list-lacks-archived'
  | 'events-unread'
  | 'events-lack-archived'
  | 'numbers-missing'
  | 'numbers-unknown'
  | 'earlier-proof-covers-more';

/** Why a month cannot be proven. */
export interface Reason {
  readonly code: ReasonCode;
  readonly family?: ArchivedType;
  readonly message: Text;
}

/** The clock that decides whether the month is over: the one that is behind, of the machine and of the service (`Date`); the sandbox's alone. */
export interface ProofClock {
  readonly source: 'service' | 'machine';
  /** UTC, ISO 8601. */
  readonly now: string;
}

interface Facts {
  readonly month: Month;
  readonly clock: ProofClock;
  /** How many gaps of each kind. */
  readonly gaps: Readonly<Partial<Record<CloseKind, number>>>;
}

export interface ReceivedFacts extends Facts {
  readonly direction: 'received';
  /** The requested families; empty: those that are captured. */
  readonly requested: readonly InboundFamily[];
  readonly coverage: readonly FamilyCoverage[];
}

export interface IssuedFacts extends Facts {
  readonly direction: 'issued';
  /** The requested models; empty: all. */
  readonly requested: readonly IssuedModel[];
  readonly coverage: readonly IssuedCoverage[];
}

/** All the facts of the verdict. `close.json` contains them, so that `inbound verify` reaches the same verdict. */
export type ProofFacts = ReceivedFacts | IssuedFacts;

export interface Judgement {
  readonly verdict: VerdictWord;
  readonly reasons: readonly Reason[];
}

/** The assumptions of a verdict. A change of any of them is a new version. */
export interface Rules {
  readonly version: number;
  /** The first day of this version. */
  readonly date: string;
  readonly assumptions: readonly Assumption[];
}

interface Assumption {
  readonly code: string;
  /** The law or document behind it. */
  readonly source: string;
  readonly message: Text;
}

export function assumption(code: string, source: string, [en, pt]: readonly [string, string]): Assumption {
  return { code, source, message: { en, pt } };
}

export const typeNames: Readonly<Record<ArchivedType, string>> = {
  nfe: 'NF-e',
  nfce: 'NFC-e',
  cte: 'CT-e',
  nfse: 'NFS-e',
};
