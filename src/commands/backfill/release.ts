import type { Outcome } from '../../domain/outcome.js';
import type { BatchOptions } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { chosenCompanies } from './companies.js';
import { concerned, readSummaries } from './read-all.js';
import { runSweep } from './sweep.js';

export interface ReleaseRequest {
  /** False: revoke. */
  readonly released: boolean;
  readonly allCompanies: boolean;
  readonly confirm: string | undefined;
  readonly options: BatchOptions;
}

/** Releases the retained history of the chosen companies, or takes the release back. Errors: those of `runSweep`. */
export async function releaseHistory(context: Context, request: ReleaseRequest): Promise<Outcome> {
  const { released, allCompanies, confirm, options } = request;
  const companies = await chosenCompanies(context, { all: allCompanies });
  const { read, notices } = concerned(await readSummaries(context, companies), allCompanies);
  if (read.length === 0) return { data: [], notices };
  const isSole = !allCompanies && read.length === 1;
  const outcome = await runSweep(context, { released, read, isSole, confirm, options });
  return { ...outcome, notices: [...notices, ...(outcome.notices ?? [])] };
}
