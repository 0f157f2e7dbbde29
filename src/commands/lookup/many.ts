import { createHash } from 'node:crypto';
import type { Outcome } from '../../domain/outcome.js';
import type { PlannedItem } from '../../jobs/engine.js';
import { lookupFacts, type LookupItem, type LookupName } from '../../jobs/kinds/lookup.js';
import { runBatch, type BatchOptions } from '../../services/batch.js';
import type { Context } from '../../services/context.js';
import { companyOf } from '../../services/read-company.js';
import { usualAgeMs } from './cache.js';
import { lookupFamily } from './family.js';
import { previewLookup } from './preview.js';
import { readList, type ListedSubject } from './read-list.js';

export interface ManyRequest {
  readonly name: LookupName;
  /** A path, or `-` for standard input. */
  readonly path: string;
  readonly maxAgeMs: number | undefined;
  readonly refresh: boolean;
  readonly options: BatchOptions;
}

/**
 * A list of queries as one job: the same list again goes on with it, kept answers are not asked for again, and a CPF stands in no
 * row, so that such a job goes on only with its list.
 */
export async function lookUpMany(context: Context, request: ManyRequest): Promise<Outcome> {
  const { name, path, options } = request;
  const settings = await context.settings();
  const companyId = name === 'cte' ? { companyId: await companyOf(context) } : {};
  const listed = await readList(context, { name, path, ...companyId });
  const [first] = listed;
  if (settings.dryRun && first !== undefined) {
    return { data: { ...(await previewLookup(context, name, first.subject)), records: listed.length } };
  }
  const maxAgeMs = request.refresh ? 0 : (request.maxAgeMs ?? usualAgeMs[name]);
  const digest = digestOf(listed);
  const numbers = new Map(listed.map(({ subject }) => [subject.digest, subject]));
  return await runBatch<LookupItem>(context, {
    family: lookupFamily(context, { name, maxAgeMs, numbers }),
    options,
    job: {
      kind: lookupFacts(name),
      profile: settings.space,
      inputDigest: `lookup ${digest}`,
      needsInput: name === 'cpf',
      scope: { ...companyId, maxAgeMs: String(maxAgeMs) },
      items: listed.map((each) => planned(name, each, digest)),
    },
  });
}

/** The key names the list as well: two lists that share a number both ask about it, or find it kept. */
function planned(name: LookupName, { line, subject }: ListedSubject, list: string): PlannedItem<LookupItem> {
  const { digest, label, number, companyId } = subject;
  const held = name === 'cpf' ? {} : { number, ...(companyId === undefined ? {} : { companyId }) };
  return { ordinal: line, label, dedupeKey: `${list.slice(0, 16)} ${digest}`, input: { digest, ...held } };
}

function digestOf(listed: readonly ListedSubject[]): string {
  const hash = createHash('sha256');
  for (const { subject } of listed) hash.update(subject.digest);
  return hash.digest('hex');
}
