import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { KnownRow } from '../../store/store.js';
import type { Context } from '../../services/context.js';
import { isRecord } from '../../domain/record.js';
import { knownProducts, rememberInterrupted } from './remember.js';

export interface ListRequest {
  readonly status: string | undefined;
  readonly limit: number | undefined;
}

/** What this machine has seen: the service has no list of products (§4). */
export async function listProducts(context: Context, request: ListRequest): Promise<Outcome> {
  const { space } = await context.settings();
  const tenant = await (await context.scope()).tenant();
  const store = await context.store();
  await rememberInterrupted(store, space);
  const rows = await knownProducts(store, { space, tenantId: tenant, ...request });
  return { data: rows.map(shown), notices: [onlyThisMachine] };
}

function shown(row: KnownRow) {
  return {
    id: row.id,
    ...(row.label === undefined ? {} : { sku: row.label }),
    ...nameOf(row.data),
    ...(row.status === undefined ? {} : { status: row.status }),
    seenAt: new Date(row.seenAt).toISOString(),
    firstSeenAt: new Date(row.firstSeenAt).toISOString(),
    tenantId: row.scope,
  };
}

/** What a person calls it: its description. */
function nameOf(data: unknown): { readonly name?: string } {
  if (!isRecord(data)) return {};
  const { description } = data;
  return typeof description === 'string' ? { name: description } : {};
}

const onlyThisMachine: Text = {
  en: 'this is what this machine knows, each as it was at seenAt: the service has no list of products',
  pt: 'isto é o que esta máquina conhece, cada um como era em seenAt: o serviço não tem lista de produtos',
};
