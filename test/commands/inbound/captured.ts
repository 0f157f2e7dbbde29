import type { RequestListener } from 'node:http';

/** A captured document as the imitation keeps it. */
export interface Captured {
  readonly accessKey: string;
  readonly createdOn: string;
  readonly [field: string]: unknown;
}

export const base = Date.UTC(2026, 9, 1);

/** Documents in the order of their capture, three of them in each second. */
export function captured(count: number, from = 0): readonly Captured[] {
  return Array.from({ length: count }, (_, index) => ({
    accessKey: `K${String(from + index).padStart(6, '0')}`,
    createdOn: new Date(base + Math.floor((from + index) / 3) * 1000).toISOString(),
    nsu: null,
    status: 'Received',
  }));
}

/** Lists by OData: `$top`, and of `$filter` only the position at or behind a row. `onPage` may change the list. */
export function odataList(list: Captured[], onPage: (page: number) => void = () => undefined): RequestListener {
  let page = 0;
  return (request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const top = Number(query.get('$top') ?? 50);
    const [, time = '', operator, key = ''] =
      /createdOn ge (\S+) and \(createdOn gt \S+ or accessKey (g[et]) '(\w+)'\)/.exec(query.get('$filter') ?? '') ?? [];
    const isAt = (row: Captured): boolean => operator === 'ge' && row.createdOn === time && row.accessKey === key;
    const rows = list
      .filter((row) => isBehind(row, time, key) || isAt(row))
      .toSorted((one, other) => (isBehind(one, other.createdOn, other.accessKey) ? 1 : -1));
    response.end(JSON.stringify({ value: rows.slice(0, top) }));
    page += 1;
    onPage(page);
  };
}

/** Lists by page number, the newest first, with totals. */
export function numberedList(list: Captured[], onPage: (page: number) => void = () => undefined): RequestListener {
  let page = 0;
  return (request, response) => {
    const query = new URL(request.url ?? '', 'http://x').searchParams;
    const size = Number(query.get('pageCount') ?? 50);
    const index = Number(query.get('pageIndex') ?? 1);
    const rows = list.toReversed().slice((index - 1) * size, index * size);
    const totals = { totalResults: list.length, totalPages: Math.ceil(list.length / size) };
    response.end(JSON.stringify({ ...totals, page: index, documents: rows }));
    page += 1;
    onPage(page);
  };
}

function isBehind(row: Captured, time: string, key: string): boolean {
  return row.createdOn > time || (row.createdOn === time && row.accessKey > key);
}
