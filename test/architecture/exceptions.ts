/** Every exception from the architecture, with its reason. An exception that is no longer used fails the test. */
export interface Exception {
  /** Path below `src/`. */
  readonly file: string;
  readonly reason: string;
}

const startsTheService = 'starts the service inside the program; loaded when asked for, so never in the static graph';

/** Arrows that the layers do not allow. `file` → `target`. Never excuses an import that brings code at load. */
export const arrows: readonly (Exception & { readonly target: string })[] = [
  { file: 'commands/sandbox/attach.ts', target: 'sandbox/start.ts', reason: startsTheService },
];

/** Uses of `process` or `console` outside main and io. */
export const processUsers: readonly Exception[] = [
  {
    file: 'jobs/lease.ts',
    reason: 'asks the system whether another process lives, with the signal 0; the world of a run has no such question',
  },
  {
    file: 'commands/doctor/local-checks.ts',
    reason: 'reports the version of Node, and checks file modes, which Windows does not have',
  },
];

/** Modules that keep something between calls. */
export const statefulModules: readonly Exception[] = [
  {
    file: 'archive/folder/folder-storage.ts',
    reason: 'buffers that nobody reads into: a hundred thousand small files share a few of them',
  },
  {
    file: 'sandbox/document/invent-document.ts',
    reason: 'suppliers that were invented from a seed: the same seed gives the same ones, so that runs share no state',
  },
];
