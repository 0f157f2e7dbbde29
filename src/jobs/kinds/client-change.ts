import type { Answer, CallOptions, Client } from '../../client/client.js';
import type { Replay } from '../../contract/operation.js';
import {
  type Change,
  changesBetween,
  isSameValue,
  type JsonObject,
  takenFrom,
} from '../../domain/field-changes.js';
import { SETTLE_MS } from '../../domain/settle-time.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { reasonAbout, reasons } from '../../errors/reasons.js';
import type { Observation, RunnableKind } from '../kind.js';

/** One resource that is brought to what a file says: it is read, compared and written. */
export interface Resource {
  /** What a repeat does. */
  readonly replay: Exclude<Replay, 'safe' | 'keyed'>;
  /** The fields that must read back as written. */
  readonly wanted: JsonObject;
  /** The fields that differed when the plan was made. */
  readonly changes: readonly Change[];
  /** What stands; `undefined`: it does not exist. */
  read(client: Client, options: CallOptions): Promise<JsonObject | undefined>;
  /** Whether it is in force, apart from its fields. */
  isActive?(standing: JsonObject): boolean;
  write(client: Client, standing: JsonObject | undefined, options: CallOptions): Promise<Answer<unknown>>;
  idOf(standing: JsonObject): string | undefined;
}

const SETTLES_MS = { natural: 60_000, unsafe: SETTLE_MS } as const;

/** How the engine works on a resource: read before each write, written once, read back. */
export function changeKind(resource: Resource): Omit<RunnableKind, 'name'> {
  const { replay, wanted, changes } = resource;
  // What was read in the same step, and is the base of the write.
  let standing: JsonObject | undefined;
  const isThere = (shown: JsonObject | undefined): shown is JsonObject => {
    standing = shown;
    return shown !== undefined && (resource.isActive?.(shown) ?? true);
  };
  const done = (shown: JsonObject): Observation => {
    const resourceId = resource.idOf(shown);
    return { state: 'succeeded', ...(resourceId === undefined ? {} : { resourceId }) };
  };
  return {
    ...{ replay, onceOnly: false, rejectedStays: false, polls: false, canLookUp: true },
    settleMs: SETTLES_MS[replay],
    async findBefore({ client, signal }) {
      const shown = await resource.read(client, { signal });
      if (isThere(shown) && isAsWanted(shown, wanted)) return done(shown);
      const moved = changes.filter((change) => hasMoved(change, shown)).map(({ field }) => field);
      if (moved.length === 0) return 'absent';
      const { code, text } = new FiscalError('client.changed', { what: moved.join(', ') });
      return { state: 'failed', errorCode: code, errorMessage: text.en };
    },
    async lookUp(client, _item, { signal }) {
      const shown = await resource.read(client, { signal });
      return isThere(shown) && isAsWanted(shown, wanted) ? done(shown) : 'absent';
    },
    async send(client, _item, options) {
      const answer = await resource.write(client, standing, options);
      const trace = {
        status: answer.status,
        ...(answer.requestId === undefined ? {} : { requestId: answer.requestId }),
      };
      const { signal } = options;
      const shown = await resource.read(client, signal === undefined ? {} : { signal });
      const wrong = takenFrom(changesBetween({}, wanted), shown).otherwise.map(({ field }) => field);
      if (isThere(shown) && wrong.length === 0) return { ...done(shown), ...trace };
      const errorMessage = reasonAbout(reasons.shownOtherwise, wrong).en;
      return { state: 'uncertain', errorMessage, ...trace };
    },
    read: () => {
      throw new Error('a client step has no state of its own');
    },
  };
}

/** Every wanted field is shown, with its value. */
export function isAsWanted(shown: JsonObject, wanted: JsonObject): boolean {
  const { otherwise, unseen } = takenFrom(changesBetween({}, wanted), shown);
  return otherwise.length + unseen.length === 0;
}

/** It is neither what the plan saw nor what the plan wants. */
function hasMoved({ field, from, to }: Change, shown: JsonObject | undefined): boolean {
  const now = field.split('.').reduce((inner: unknown, name) => fieldOf(inner, name), shown) ?? undefined;
  const before = from ?? undefined;
  const isBefore =
    now === undefined || before === undefined ? now === before : isSameValue(now, before, field);
  return !isBefore && !(now !== undefined && isSameValue(now, to, field));
}
