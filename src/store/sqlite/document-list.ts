import type { InboundFamily } from '../../contract/inbound.js';
import type { DocumentFilter, DocumentRow, DocumentRows } from '../documents.js';
import type { Connection } from './connection.js';
import { documentColumns, issuedAtOf, toDocument, type DocumentRecord } from './document-columns.js';

const allFamilies: readonly InboundFamily[] = ['cte', 'nfe', 'nfse'];

interface Group {
  readonly companyId: string;
  readonly family: InboundFamily;
}

/**
 * Lists company by company and family by family, so that each step walks one index from the newest issue backwards and ends
 * at the limit, however many rows there are.
 */
export function createDocumentList(connection: Connection): Pick<DocumentRows, 'list' | 'companies'> {
  const { read, statement } = connection;
  const queries = new Map<string, ReturnType<typeof statement<[Record<string, unknown>], DocumentRecord>>>();
  const queryFor = (sql: string) => {
    const query = queries.get(sql) ?? statement<[Record<string, unknown>], DocumentRecord>(sql);
    queries.set(sql, query);
    return query();
  };
  const first = statement<[string, string], string>(
    'SELECT company_id FROM documents WHERE profile = ? AND company_id > ? ORDER BY company_id LIMIT 1',
  );
  const companiesOf = (profile: string): readonly string[] => {
    const found: string[] = [];
    // One jump in the index per company: SELECT DISTINCT would read every row.
    for (let next = first().pluck().get(profile, ''); next !== undefined; ) {
      found.push(next);
      next = first().pluck().get(profile, next);
    }
    return found;
  };
  return {
    companies: (profile) => read(() => companiesOf(profile)),
    list: (filter) =>
      read(() => {
        const rows: DocumentRow[] = [];
        const companies = filter.companies?.toSorted() ?? companiesOf(filter.profile);
        for (const group of groupsAfter(companies, filter)) {
          if (rows.length >= filter.limit) break;
          const query = queryFor(groupQuery(filter, isSame(group, filter.after)));
          const limit = filter.limit - rows.length;
          rows.push(...query.all(parameters(filter, group, limit)).map(toDocument));
        }
        return rows;
      }),
  };
}

function* groupsAfter(companies: readonly string[], { families, after }: DocumentFilter): Iterable<Group> {
  const wanted = allFamilies.filter((family) => families === undefined || families.includes(family));
  for (const companyId of companies) {
    if (after !== undefined && companyId < after.companyId) continue;
    for (const family of wanted) {
      if (after !== undefined && companyId === after.companyId && family < after.family) continue;
      yield { companyId, family };
    }
  }
}

function isSame(group: Group, after: DocumentRow | undefined): boolean {
  return after !== undefined && group.companyId === after.companyId && group.family === after.family;
}

/** Only the conditions that are asked for, so that the right index is taken. */
function groupQuery(filter: DocumentFilter, goesOn: boolean): string {
  const conditions = [
    'profile = @profile AND company_id = @companyId AND family = @family',
    ...(filter.status === undefined ? [] : ['status = @status']),
    ...(filter.webhookStatus === undefined ? [] : ['webhook_status = @webhookStatus']),
    ...(filter.issuer === undefined ? [] : ['issuer = @issuer']),
    ...(filter.since === undefined ? [] : ['issued_at >= @since']),
    ...(filter.until === undefined ? [] : ['issued_at < @until']),
    ...(filter.nsuAfter === undefined ? [] : ['nsu_number > @nsuAfter']),
    ...(filter.states === undefined ? [] : ['state IN (SELECT value FROM json_each(@states))']),
    ...(goesOn ? ['(issued_at, seq) < (@afterIssued, @afterSeq)'] : []),
  ];
  return `SELECT ${documentColumns} FROM documents WHERE ${conditions.join(' AND ')}
    ORDER BY issued_at DESC, seq DESC LIMIT @limit`;
}

function parameters(filter: DocumentFilter, group: Group, limit: number): Record<string, unknown> {
  return {
    profile: filter.profile,
    ...group,
    ...(filter.status === undefined ? {} : { status: filter.status }),
    ...(filter.webhookStatus === undefined ? {} : { webhookStatus: filter.webhookStatus }),
    ...(filter.issuer === undefined ? {} : { issuer: filter.issuer }),
    ...(filter.since === undefined ? {} : { since: filter.since }),
    ...(filter.until === undefined ? {} : { until: filter.until }),
    ...(filter.nsuAfter === undefined ? {} : { nsuAfter: filter.nsuAfter }),
    ...(filter.states === undefined ? {} : { states: JSON.stringify(filter.states) }),
    ...(filter.after === undefined
      ? {}
      : { afterIssued: issuedAtOf(filter.after.issuedOn), afterSeq: filter.after.seq }),
    limit,
  };
}
