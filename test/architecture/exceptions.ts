/** Every exception from the law of the house, with its reason. An exception that is no longer used fails the test. */
export interface Exception {
  /** Path below `src/`. */
  readonly file: string;
  readonly reason: string;
}

const startsTheService =
  'starts the service inside the program; loaded when asked for, so never in the static graph';

/** Arrows that the floors do not allow. `file` → `target`. Never excuses an import that brings code at load. */
export const arrows: readonly (Exception & { readonly target: string })[] = [
  { file: 'commands/sandbox/launch.ts', target: 'sandbox/start.ts', reason: startsTheService },
];

/** Uses of `process` or `console` outside main and io. */
export const processUsers: readonly Exception[] = [];
