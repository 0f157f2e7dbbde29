import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import type { KnownRow } from '../../store/store.js';
import type { Context } from '../context.js';
import { knownProducts } from './remember.js';

export interface ListRequest {
  readonly status: string | undefined;
  readonly limit: number | undefined;
}

/** What this machine has seen: the service has no list of products (§4). */
export async function listProducts(context: Context, request: ListRequest): Promise<Outcome> {
  const { space, tenant } = await context.settings();
  const rows = await knownProducts(await context.store(), { space, tenantId: tenant, ...request });
  return { data: rows.map(shown), notices: [onlyThisMachine] };
}

function shown(row: KnownRow) {
  return {
    id: row.id,
    ...(row.label === undefined ? {} : { sku: row.label }),
    ...(row.status === undefined ? {} : { status: row.status }),
    seenAt: new Date(row.seenAt).toISOString(),
    firstSeenAt: new Date(row.firstSeenAt).toISOString(),
    tenantId: row.scope,
  };
}

const onlyThisMachine: Text = {
  en: 'this is what this machine has seen, as it was then: the service has no list of products',
  pt: 'isto é o que esta máquina viu, como era então: o serviço não tem lista de produtos',
};
