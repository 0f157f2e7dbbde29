import type { Answer, CallInput, CallOptions, Client } from '../client/client.js';
import type { Replay } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import type { OperationId } from '../contract/operations.js';
import type { Billed } from '../domain/billing.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { Reason } from '../errors/reasons.js';
import type { ItemRow, Store } from '../store/store.js';
import type { AuthorityAnswer } from './authority-answer.js';

/** What a response says about the resource behind an item. */
export interface Observation {
  /**
   * `uncertain`: the service did it, but did not say which resource it created. `skipped`: the service says that it was
   * done before.
   */
  readonly state: 'pending' | 'succeeded' | 'rejected' | 'failed' | 'skipped' | 'uncertain';
  readonly resourceId?: string;
  /** The service's own status, unchanged. An unknown status counts as `pending`, never as success. */
  readonly remoteStatus?: string;
  /** The company that the response names. */
  readonly companyId?: string;
  readonly errorCode?: string;
  readonly reason?: Reason;
  /** What the authority said, of whatever end. */
  readonly answer?: AuthorityAnswer;
}

/**
 * What a lookup after an interrupted send can return. With candidates it is never sent again; a later lookup may tell
 * which one it is.
 */
export type LookupResult = Observation | 'absent' | Candidates | 'cannot tell';

/** The ids of what the service has that may or may not be it. */
export interface Candidates {
  readonly mayBe: readonly string[];
}

/** A request as data. */
export interface JobRequest<Id extends OperationId> {
  readonly operation: Id;
  readonly input: CallInput<Id>;
}

/** What a kind must define so that its job can be written. */
export interface KindFacts<Input> {
  readonly name: string;
  readonly submit: OperationId;
  /**
   * True when a key may succeed only once (a create); false when a new job may send the same key after success (an
   * update).
   */
  readonly onceOnly: boolean;
  /** Whether the service bills the call for this input. */
  billed(input: Input): boolean;
}

/**
 * The small pure record by which kinds of job differ. `Input` is the JSON of one item. Requests are data: only the
 * engine sends them.
 */
export interface JobKind<
  Input,
  Submit extends OperationId = OperationId,
  Poll extends OperationId = OperationId,
  Other extends OperationId = OperationId,
> extends KindFacts<Input> {
  readonly submit: Submit;
  readonly poll: Poll | null;
  readonly replay: Replay;
  /**
   * True when a rejected resource stays at the service (a product in Error): sending it again would create a second
   * one.
   */
  readonly rejectedStays: boolean;
  submitInput(input: Input, item: ItemRow): CallInput<Submit>;
  /** The request of an input that is not sent as `submit`; `undefined`: it is. */
  readonly otherRequest?: (input: Input) => JobRequest<Other> | undefined;
  /** The request that reads the state; only called when `poll` is set. */
  pollInput(input: Input, item: ItemRow): CallInput<Poll>;
  observeSubmit(answer: Answer<unknown>, input: Input): Observation;
  observePoll(answer: Answer<unknown>, input: Input, item: ItemRow): Observation;
  /**
   * Reads from a 409 which existing resource it refers to, so that the item follows it instead of being skipped.
   * `undefined`, or absent: the refusal does not name it.
   */
  readonly observeConflict?: (error: FiscalError, input: Input) => Observation | undefined;
  /** Reads from a refusal of the send how the item has ended, where that says more than the error. */
  readonly observeRefusal?: (error: FiscalError) => Observation | undefined;
  /**
   * True for a refusal, other than 409, which says that a resource of this name already exists. It is looked up: after
   * an interrupted send it is our own; after a first send it is someone else's and the item is skipped.
   */
  readonly isDuplicate?: (error: FiscalError) => boolean;
  /** Looks for what an interrupted send may have created. Absent where the service offers no such read. */
  readonly lookup?: (client: Client, input: Input, look: LookupContext) => Promise<LookupResult>;
  /**
   * Called before an item's first send. Returns the reason not to send it, which makes the item `failed`. Temporary
   * errors of its reads postpone the item.
   */
  readonly admit?: (context: AdmitContext, input: Input) => Promise<FiscalError | undefined>;
  /** A response was about another company (`service.other_company`): data cached for `admit` may no longer be valid. */
  readonly misplaced?: (context: MisplacedContext, input: Input, error: FiscalError) => Promise<void>;
  /**
   * Looks for the item at the service before sending it. When found, nothing is sent and the item takes the state
   * found. Errors of its reads postpone the item. When the service refuses the read or cannot tell, the item is sent
   * and its row records that.
   */
  readonly findBefore?: (context: AdmitContext, input: Input) => Promise<FoundBefore>;
  /** True when nothing that the service shows identifies this input: a lookup compares contents. */
  readonly matchesContent?: (input: Input) => boolean;
  /** For how long after a send an empty lookup proves nothing: the service may still be processing it. */
  readonly settleMs?: number;
}

/** What the service holds before a send. `unknown`: why it cannot tell. */
export type FoundBefore = Observation | 'absent' | { readonly unknown: Text };

/** A list of the service, as read by one run. */
export interface ListReading {
  /** When the read began, in milliseconds. */
  readonly at: number;
  readonly ids: ReadonlyMap<string, string>;
  /** Why a resource that is not among the ids may still exist. */
  readonly unknown?: Text;
  /** Creation time of the newest row, by the service's clock. */
  readonly newest?: number;
  /** The newest rows as they came, where contents are compared. */
  readonly rows?: readonly unknown[];
}

/** Dependencies of the checks before a send. */
export interface AdmitContext {
  readonly store: Store;
  readonly client: Client;
  readonly profile: string;
  readonly now: number;
  readonly signal: AbortSignal;
  /** Lists already read in this run, shared by its items. */
  readonly lists: Map<string, Promise<ListReading>>;
}

/** Dependencies for dropping cached data after a response about another company. */
type MisplacedContext = Pick<AdmitContext, 'store' | 'profile' | 'now'>;

/** What a lookup needs besides the input. */
export interface LookupContext {
  readonly signal: AbortSignal;
  readonly store: Store;
  readonly profile: string;
  readonly itemId: string;
  /** When this item was last sent, in milliseconds. */
  readonly sentAt: number | undefined;
}

type LookupDependencies = Pick<AdmitContext, 'store' | 'profile' | 'signal'>;

/** A kind with its types hidden: what the engine works with. */
export interface RunnableKind {
  readonly name: string;
  readonly replay: Replay;
  readonly onceOnly: boolean;
  readonly rejectedStays: boolean;
  readonly polls: boolean;
  readonly canLookUp: boolean;
  readonly settleMs?: number;
  send(client: Client, item: ItemRow, options: CallOptions): Promise<Observation & Partial<SentTrace>>;
  read(client: Client, item: ItemRow, options: CallOptions): Promise<Observation>;
  lookUp(client: Client, item: ItemRow, dependencies: LookupDependencies): Promise<LookupResult>;
  matchesContent?(item: ItemRow): boolean;
  admit?(context: AdmitContext, item: ItemRow): Promise<FiscalError | undefined>;
  misplaced?(context: MisplacedContext, item: ItemRow, error: FiscalError): Promise<void>;
  findBefore?(context: AdmitContext, item: ItemRow): Promise<FoundBefore>;
  observeConflict?(error: FiscalError, item: ItemRow): Observation | undefined;
  observeRefusal?(error: FiscalError): Observation | undefined;
  isDuplicate?(error: FiscalError): boolean;
  /** Where the items of a job are of several kinds: the kind of this one, and the item with the input of that kind. */
  ofItem?(item: ItemRow, place: ItemPlace): Promise<{ readonly kind: RunnableKind; readonly item: ItemRow }>;
}

/** Where an item stands. */
export interface ItemPlace {
  readonly store: Store;
  readonly jobId: string;
}

/** What the response to a send leaves behind, besides the observation. */
export interface SentTrace {
  readonly status: number;
  readonly location?: string;
  readonly requestId?: string;
  /** What the service said, where its answer is a text. */
  readonly said?: string;
  /** What the send cost; absent: nothing. */
  readonly billed?: Billed;
}

export function runnable<Input, Submit extends OperationId, Poll extends OperationId, Other extends OperationId>(
  kind: JobKind<Input, Submit, Poll, Other>,
): RunnableKind {
  // Rows of this kind always hold this input type.
  const inputOf = (item: ItemRow) => item.input as Input;
  return {
    name: kind.name,
    replay: kind.replay,
    onceOnly: kind.onceOnly,
    rejectedStays: kind.rejectedStays,
    polls: kind.poll !== null,
    canLookUp: kind.lookup !== undefined,
    settleMs: kind.settleMs ?? 0,
    async send(client, item, options) {
      const other = kind.otherRequest?.(inputOf(item));
      const answer: Answer<unknown> =
        other === undefined
          ? await client.call(kind.submit, kind.submitInput(inputOf(item), item), options)
          : await client.call(other.operation, other.input, options);
      return { ...kind.observeSubmit(answer, inputOf(item)), ...traceOf(answer) };
    },
    async read(client, item, options) {
      if (kind.poll === null) throw new Error(`kind ${kind.name} has no read`);
      const answer = await client.call(kind.poll, kind.pollInput(inputOf(item), item), options);
      return kind.observePoll(answer, inputOf(item), item);
    },
    admit: async (context, item) => await kind.admit?.(context, inputOf(item)),
    misplaced: async (context, item, error) => await kind.misplaced?.(context, inputOf(item), error),
    ...(kind.findBefore === undefined ? {} : { findBefore: findBeforeOf(kind.findBefore, inputOf) }),
    observeConflict: (error, item) => kind.observeConflict?.(error, inputOf(item)),
    observeRefusal: (error) => kind.observeRefusal?.(error),
    isDuplicate: (error) => kind.isDuplicate?.(error) ?? false,
    matchesContent: (item) => kind.matchesContent?.(inputOf(item)) ?? false,
    async lookUp(client, item, { store, profile, signal }) {
      const look = { signal, store, profile, itemId: item.id, sentAt: item.sentAt };
      return kind.lookup ? await kind.lookup(client, inputOf(item), look) : 'cannot tell';
    },
  };
}

function findBeforeOf<Input>(
  findBefore: NonNullable<JobKind<Input>['findBefore']>,
  inputOf: (item: ItemRow) => Input,
): NonNullable<RunnableKind['findBefore']> {
  return async (context, item) => await findBefore(context, inputOf(item));
}

function traceOf(answer: Answer<unknown>): SentTrace {
  return {
    status: answer.status,
    ...(answer.location === undefined ? {} : { location: answer.location }),
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    ...(answer.said === undefined ? {} : { said: answer.said }),
    ...(answer.billed === undefined ? {} : { billed: answer.billed }),
  };
}
