import type { Actor } from '../domain/actor.js';

/** The columns of the one who wrote a row; `user` is a word of SQL. */
export const actorColumns = 'machine, os_user AS "user", ci_run AS "ciRun"';

export interface ActorRecord {
  readonly machine: string | null;
  readonly user: string | null;
  readonly ciRun: string | null;
}

/** For `@machine`, `@user` and `@ciRun` of a statement. */
export function actorValues({ machine, user, ciRun }: Actor): ActorRecord {
  return { machine: machine ?? null, user: user ?? null, ciRun: ciRun ?? null };
}
