import type { Answer, CallInput, Client } from '../client/client.js';
import type { Replay } from '../contract/operation.js';
import type { OperationId } from '../contract/operations.js';
import type { ItemRow } from '../store/store.js';

/** What an answer says about the thing that the item stands for. */
export interface Observation {
  readonly state: 'pending' | 'succeeded' | 'rejected' | 'failed';
  readonly resourceId?: string;
  /** The far side's own word, as it came; an unknown word is `pending` (never a success). */
  readonly remoteStatus?: string;
  readonly errorCode?: string;
  readonly errorMessage?: string;
}

/**
 * The small pure record by which kinds of job differ. `Input` is what one item holds; it is JSON.
 * Requests are data: the engine alone sends them.
 */
export interface JobKind<
  Input,
  Submit extends OperationId = OperationId,
  Poll extends OperationId = OperationId,
> {
  readonly name: string;
  readonly submit: Submit;
  readonly poll: Poll | null;
  readonly replay: Replay;
  /** False: after success the same key may be sent again by a new job (an update); true: once is for ever (a create). */
  readonly onceOnly: boolean;
  submitInput(input: Input, item: ItemRow): CallInput<Submit>;
  /** The read that tells the state; only called when `poll` is set and the item has a resource. */
  pollInput(input: Input, item: ItemRow): CallInput<Poll>;
  /** Whether this input's call is billed by the service. */
  billed(input: Input): boolean;
  observeSubmit(answer: Answer<unknown>, input: Input): Observation;
  observePoll(answer: Answer<unknown>, input: Input): Observation;
  /** Looks for what an interrupted send may have left. Absent where the service has no such read. */
  readonly lookup?: (
    client: Client,
    input: Input,
    item: ItemRow,
    signal: AbortSignal,
  ) => Promise<Observation | 'absent' | 'cannot tell'>;
}
