import type { InboundFamily } from '../../contract/inbound.js';
import type { DocumentFilter, DocumentRow, DocumentRows } from '../documents.js';
import type { Connection } from './connection.js';
import { issuedAtOf, toDocument, type DocumentRecord } from './document-columns.js';
import { candidatesOf, listQuery, narrowest, type Candidate } from './document-index.js';

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
  const queryFor = kept((sql) => statement<[Record<string, unknown>], DocumentRecord>(sql));
  const probeFor = kept((sql) => statement<[Record<string, unknown>], number>(sql));
  const listGroup = (filter: DocumentFilter, group: Group, limit: number): readonly DocumentRow[] => {
    const goesOn = isSame(group, filter.after);
    const values = parameters(filter, group, limit);
    const widthOf = ({ probe }: Candidate) => probeFor(probe)().pluck().get(values) ?? 0;
    const index = narrowest(candidatesOf(filter, goesOn), widthOf);
    return queryFor(listQuery(filter, goesOn, index))()
      .all(values)
      .map(toDocument);
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
          rows.push(...listGroup(filter, group, filter.limit - rows.length));
        }
        return rows;
      }),
  };
}

/** One value for each text, made when it is first asked for. */
function kept<Value>(make: (text: string) => Value): (text: string) => Value {
  const values = new Map<string, Value>();
  return (text) => {
    const value = values.get(text) ?? make(text);
    values.set(text, value);
    return value;
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
