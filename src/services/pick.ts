import type { Io } from '../io/io.js';
import type { ScopeSources } from './scope/resolver.js';
import type { Scope } from './scope/scope.js';

/** What a picker may use. */
export interface PickContext extends ScopeSources {
  scope(): Promise<Scope>;
}

/** A row to choose, as data. */
export type ChoiceRow = Readonly<Record<string, unknown>>;

export interface PickRequest {
  /** `job show`. */
  readonly command: string;
  readonly arguments: readonly string[];
  /** One line per row: the cells of a table, in columns. */
  lines(rows: readonly ChoiceRow[], fields: readonly string[]): readonly string[];
}

/** Asks for what a command line lacks: the words that complete it. `undefined`: there is nothing to choose from. */
export type Picker = (context: PickContext, io: Io, request: PickRequest) => Promise<readonly string[] | undefined>;
