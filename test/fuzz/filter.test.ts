import fc from 'fast-check';
import { beforeAll } from 'vitest';
import { testService } from '../conformance/service.js';
import { fuzz } from './fuzz.js';
import { hostileText } from './hostile.js';

/** The query options of a list, as anybody may type them. */
interface FilterCase {
  readonly option: string;
  readonly text: string;
  /** Chooses the list. */
  readonly list: number;
}

const word = fc.oneof(
  fc.constantFrom('nsu', 'accessKey', 'issuedOn', 'status', 'companyId', 'constructor', '__proto__', 'toString'),
  fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le', 'in', 'and', 'or', 'not', 'null', 'true', 'asc', 'desc'),
  fc.constantFrom('(', ')', ',', '/', "'", "''", '1', '-1', "'x'", '2026-01-01', "contains(nsu,'1')", 'startswith('),
  hostileText,
);

const cases: fc.Arbitrary<FilterCase> = fc.record({
  option: fc.oneof(
    { weight: 4, arbitrary: fc.constant('$filter') },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        '$orderby',
        '$select',
        '$top',
        '$skip',
        '$skiptoken',
        '$count',
        'startingAfter',
        'limit',
      ),
    },
  ),
  text: fc.array(word, { maxLength: 9 }).map((words) => words.join(' ')),
  list: fc.nat(20),
});

const service = testService();
let lists: readonly string[];

beforeAll(async () => {
  const { companyId, tenantId } = service.ready();
  await service.control('POST', 'seed', { documents: 4, family: 'nfe' });
  await service.control('POST', 'seed', { documents: 4, family: 'nfse' });
  const inbound = `/v2/companies/${companyId}/inbound`;
  lists = [
    `${inbound}/nfe`,
    `${inbound}/nfse`,
    `${inbound}/odata/TransportationInvoices`,
    '/v2/companies',
    `/v2/companies/${companyId}/productinvoices`,
    `/${tenantId}/products`,
  ];
});

fuzz({
  kind: 'filter',
  cases,
  corpus: [
    { option: '$filter', text: 'nsu constructor 1', list: 0 },
    { option: '$filter', text: '__proto__ eq 1', list: 0 },
    { option: '$filter', text: `${'('.repeat(10_000)}nsu eq 1${')'.repeat(10_000)}`, list: 0 },
    { option: '$filter', text: `${'not '.repeat(10_000)}nsu eq 1`, list: 0 },
  ],
  async violations({ option, text, list }) {
    const path = lists[list % lists.length] ?? '';
    const query = new URLSearchParams({ environment: 'Production', [option]: text });
    // Node answers a line that is too long by itself, with no body: the description does not have it.
    const isLong = query.toString().length > 8_000;
    const sending = isLong ? { isBroken: true as const } : {};
    const answer = await service.send('GET', `${path}?${query.toString()}`, sending);
    const { status, json, text: body } = answer;
    const broken: string[] = [];
    // A query that is too long for HTTP is refused before it is read.
    if (![200, 400, 404, 414, 431].includes(status))
      broken.push(`${path}?${option}: HTTP ${status} ${body.slice(0, 300)}`);
    if (status !== 431 && json === undefined) broken.push(`no JSON: ${body.slice(0, 300)}`);
    if (/sqlite|syntax error|no such column/i.test(body.replaceAll(text, '')))
      broken.push(`it tells of SQL: ${body.slice(0, 300)}`);
    return broken;
  },
});
