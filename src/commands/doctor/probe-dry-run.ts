import type { Settings } from '../../config/settings.js';
import type { HostName, KeyKind } from '../../contract/operation.js';
import type { OperationId } from '../../contract/operations.js';
import type { Context } from '../../services/context.js';
import {
  Asker,
  type Question,
  fixedValues,
  harmlessReads,
  mayBeFilled,
  operationOf,
  parametersOf,
  queriesOf,
} from './probe-plan.js';
import { hostNames, keysOf, questionFor } from './probe-hosts.js';

/** One request as the probe would make it. */
interface PlannedRequest {
  readonly type: 'dry-run';
  readonly operation: string;
  readonly host: HostName;
  /** `null`: without a key. */
  readonly key: KeyKind | null;
  /** Parameters in braces come from earlier answers. */
  readonly asked: string;
}

/**
 * What the probe would ask, in its order; sends nothing. A list is asked by its second query only when the first gave no
 * row, and other known paths only where one is not found.
 */
export async function planProbe(context: Context, settings: Settings): Promise<readonly PlannedRequest[]> {
  const asker = new Asker(await context.client(), context.interruption);
  const keys = await keysOf(context, settings);
  const companyId = (await (await context.scope()).one())?.id;
  const keyless = hostNames.map((host) => questionFor(host, null, { settings }));
  const keyed = keyless
    .map(({ host, operation }) => questionFor(host, operationOf(operation).key, { settings, companyId }))
    .filter(({ key }) => key !== null && keys[key]);
  const reads = harmlessReads().filter((id) => mayBeFilled(id, pathOf(id, settings)));
  const asked = keys.invoice ? [...reads, 'nfe.manifestation.submit' as const] : [];
  const questions = asked.flatMap((id) => questionsOf(id, { settings, companyId }));
  return await Promise.all([...keyless, ...keyed, ...questions].map((each) => planned(asker, each)));
}

function pathOf(id: OperationId, { paths }: Settings): string {
  return paths[id] ?? operationOf(id).path;
}

function questionsOf(
  operation: OperationId,
  { settings, companyId }: { readonly settings: Settings; readonly companyId: string | undefined },
): readonly Question[] {
  const { host, key } = operationOf(operation);
  const path = pathOf(operation, settings);
  const known: Readonly<Record<string, string>> = { ...fixedValues, ...(companyId === undefined ? {} : { companyId }) };
  const values = Object.fromEntries(parametersOf(path).map((name) => [name, known[name] ?? `{${name}}`]));
  return queriesOf(operation).map((query) => ({ operation, host, key, path, values, query }));
}

async function planned(asker: Asker, question: Question): Promise<PlannedRequest> {
  const { operation, host, key } = question;
  const asked = await asker.asked(question);
  const shown = asked.shown.replaceAll('%7B', '{').replaceAll('%7D', '}');
  return { type: 'dry-run', operation, host, key, asked: shown };
}
