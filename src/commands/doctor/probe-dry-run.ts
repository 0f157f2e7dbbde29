import type { Settings } from '../../config/settings.js';
import type { HostName, KeyKind } from '../../contract/operation.js';
import type { Context } from '../../services/context.js';
import { Asker, type Question } from './probe-asker.js';
import { hostNames, keysOf, questionFor } from './probe-hosts.js';
import { fixedValues, harmlessReads, operationOf, parametersOf, queriesOf } from './probe-plan.js';

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

/** What the probe would ask, in its order; sends nothing. Other known paths are asked only where one is not found. */
export async function planProbe(context: Context, settings: Settings): Promise<readonly PlannedRequest[]> {
  const asker = new Asker(await context.client(), context.interruption);
  const keys = await keysOf(context, settings);
  const keyless = hostNames.map((host) => questionFor(host, null, { settings }));
  const keyed = hostNames
    .map((host) => ({ host, key: operationOf(questionFor(host, null, { settings }).operation).key }))
    .filter(({ key }) => keys[key])
    .map(({ host, key }) => questionFor(host, key, { settings }));
  const companyId = (await (await context.scope()).one())?.id;
  const reads = keys.invoice ? harmlessReads().map((id) => questionOf(id, { settings, companyId })) : [];
  const questions = [...keyless, ...keyed, ...reads];
  return await Promise.all(questions.map(async (question) => await planned(asker, question)));
}

function questionOf(
  operation: Question['operation'],
  { settings, companyId }: { readonly settings: Settings; readonly companyId: string | undefined },
): Question {
  const { host, key, path: ofTable } = operationOf(operation);
  const path = settings.paths[operation] ?? ofTable;
  const [query = {}] = queriesOf(operation);
  const company = companyId === undefined ? {} : { companyId };
  const known: Readonly<Record<string, string>> = { ...fixedValues, ...company };
  const values = parametersOf(path).map((name) => [name, known[name] ?? `{${name}}`] as const);
  return { operation, host, key, path, values: Object.fromEntries(values), query };
}

async function planned(asker: Asker, question: Question): Promise<PlannedRequest> {
  const { operation, host, key } = question;
  const { path } = await asker.asked(question);
  const asked = `GET ${path.replaceAll('%7B', '{').replaceAll('%7D', '}')}`;
  return { type: 'dry-run', operation, host, key, asked };
}
