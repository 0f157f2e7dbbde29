import type { Answer, CallInput, CallOptions, Client } from '../client/client.js';
import type { Replay } from '../contract/operation.js';
import type { Text } from '../contract/text.js';
import type { OperationId } from '../contract/operations.js';
import type { Billed } from '../domain/billing.js';
import type { FiscalError } from '../errors/fiscal-error.js';
import type { ItemRow, Store } from '../store/store.js';

/** What an answer says about the thing that the item stands for. */
export interface Observation {
  /**
   * `uncertain`: done at the far side, but the answer does not say which thing it is. `skipped`: the far side says that
   * it was done before.
   */
  readonly state: 'pending' | 'succeeded' | 'rejected' | 'failed' | 'skipped' | 'uncertain';
  readonly resourceId?: string;
  /** The far side's own word, as it came; an unknown word is `pending` (never a success). */
  readonly remoteStatus?: string;
  /** The company that the answer names. */
  readonly companyId?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/** What a look for the traces of an interrupted send can tell. */
export type LookupResult = Observation | 'absent' | 'cannot tell';

/** What must be known of a kind to write its job. */
export interface KindFacts<Input> {
  readonly name: string;
  readonly submit: OperationId;
  /** True: once is for ever (a create); false: after success the same key may be sent by a new job (an update). */
  readonly onceOnly: boolean;
  /** Whether this input's call is billed by the service. */
  billed(input: Input): boolean;
}

/**
 * The small pure record by which kinds of job differ. `Input` is what one item holds; it is JSON.
 * Requests are data: the engine alone sends them.
 */
export interface JobKind<
  Input,
  Submit extends OperationId = OperationId,
  Poll extends OperationId = OperationId,
> extends KindFacts<Input> {
  readonly submit: Submit;
  readonly poll: Poll | null;
  readonly replay: Replay;
  /** True where a rejected thing stays at the service (a product in Error): to send it again would make a second one. */
  readonly rejectedStays: boolean;
  submitInput(input: Input, item: ItemRow): CallInput<Submit>;
  /** The read that tells the state; only called when `poll` is set. */
  pollInput(input: Input, item: ItemRow): CallInput<Poll>;
  observeSubmit(answer: Answer<unknown>, input: Input): Observation;
  observePoll(answer: Answer<unknown>, input: Input, item: ItemRow): Observation;
  /**
   * What a 409 says about the thing that is there already, so that it is followed instead of skipped. `undefined`, or
   * absent: the refusal does not name it.
   */
  readonly observeConflict?: (error: FiscalError, input: Input) => Observation | undefined;
  /**
   * True for a refusal which says, though not by 409, that a thing of this name is there already. It is looked up: after an
   * interrupted send it is our own, after a first send another's, and the item is skipped.
   */
  readonly isDuplicate?: (error: FiscalError) => boolean;
  /** Looks for what an interrupted send may have left. Absent where the service has no such read. */
  readonly lookup?: (client: Client, input: Input, look: LookupContext) => Promise<LookupResult>;
  /**
   * Asked before an item's first send: the reason why it may not be sent, which ends it as failed. Temporary errors of its
   * reads put the item off.
   */
  readonly admit?: (parts: AdmitContext, input: Input) => Promise<FiscalError | undefined>;
  /** An answer was about another company (`service.other_company`): what was remembered for `admit` may hold no longer. */
  readonly misplaced?: (parts: MisplacedContext, input: Input, error: FiscalError) => Promise<void>;
  /**
   * Looks, before a send, for what the service has of the item already: then nothing is sent, and the item is what was found.
   * Errors of its reads put the item off; where the service refuses to be asked, or cannot tell, it is sent, and its
   * row says so.
   */
  readonly findBefore?: (parts: AdmitContext, input: Input) => Promise<FoundBefore>;
  /** How long after a send its absence proves nothing: the service may still be at work on it. */
  readonly settleMs?: number;
}

/** What stands at the service before a send, as it stands there. `unknown`: why it cannot be told. */
export type FoundBefore = Observation | 'absent' | { readonly unknown: Text };

/** A list of the service as one run has read it. */
export interface ListReading {
  /** When its reading began. */
  readonly at: number;
  readonly ids: ReadonlyMap<string, string>;
  /** Why what is not among the ids may be at the service all the same. */
  readonly unknown?: Text;
  /** The newest row, by the clock of the service. */
  readonly newest?: number;
}

/** What may be asked before an item is sent. */
export interface AdmitContext {
  readonly store: Store;
  readonly client: Client;
  readonly profile: string;
  readonly now: number;
  readonly signal: AbortSignal;
  /** The lists that were read for all items of this run. */
  readonly lists: Map<string, Promise<ListReading>>;
}

/** What an answer about another company may change. */
type MisplacedContext = Pick<AdmitContext, 'store' | 'profile' | 'now'>;

/** What a look-up may need besides the input. */
export interface LookupContext {
  readonly signal: AbortSignal;
  /** Time of the last send of this item. */
  readonly sentAt: number | undefined;
}

/** A kind whose types are closed over: what the engine works with. */
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
  lookUp(client: Client, item: ItemRow, signal: AbortSignal): Promise<LookupResult>;
  admit?(parts: AdmitContext, item: ItemRow): Promise<FiscalError | undefined>;
  misplaced?(parts: MisplacedContext, item: ItemRow, error: FiscalError): Promise<void>;
  findBefore?(parts: AdmitContext, item: ItemRow): Promise<FoundBefore>;
  observeConflict?(error: FiscalError, item: ItemRow): Observation | undefined;
  isDuplicate?(error: FiscalError): boolean;
}

/** What the answer of a send leaves behind besides the observation. */
export interface SentTrace {
  readonly status: number;
  readonly location?: string;
  readonly requestId?: string;
  /** What the send cost; absent: nothing. */
  readonly billed?: Billed;
}

export function runnable<Input, Submit extends OperationId, Poll extends OperationId>(
  kind: JobKind<Input, Submit, Poll>,
): RunnableKind {
  // The row was written by this very kind, so its input has this type.
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
      const answer = await client.call(kind.submit, kind.submitInput(inputOf(item), item), options);
      return { ...kind.observeSubmit(answer, inputOf(item)), ...traceOf(answer) };
    },
    async read(client, item, options) {
      if (kind.poll === null) throw new Error(`kind ${kind.name} has no read`);
      const answer = await client.call(kind.poll, kind.pollInput(inputOf(item), item), options);
      return kind.observePoll(answer, inputOf(item), item);
    },
    admit: async (parts, item) => await kind.admit?.(parts, inputOf(item)),
    misplaced: async (parts, item, error) => await kind.misplaced?.(parts, inputOf(item), error),
    ...(kind.findBefore === undefined ? {} : { findBefore: findBeforeOf(kind.findBefore, inputOf) }),
    observeConflict: (error, item) => kind.observeConflict?.(error, inputOf(item)),
    isDuplicate: (error) => kind.isDuplicate?.(error) ?? false,
    async lookUp(client, item, signal) {
      const look = { signal, sentAt: item.sentAt };
      return kind.lookup ? await kind.lookup(client, inputOf(item), look) : 'cannot tell';
    },
  };
}

function findBeforeOf<Input>(
  findBefore: NonNullable<JobKind<Input>['findBefore']>,
  inputOf: (item: ItemRow) => Input,
): NonNullable<RunnableKind['findBefore']> {
  return async (parts, item) => await findBefore(parts, inputOf(item));
}

function traceOf(answer: Answer<unknown>): SentTrace {
  return {
    status: answer.status,
    ...(answer.location === undefined ? {} : { location: answer.location }),
    ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
    ...(answer.billed === undefined ? {} : { billed: answer.billed }),
  };
}
