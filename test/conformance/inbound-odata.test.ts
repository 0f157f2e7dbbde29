import { beforeAll, describe, expect, it } from 'vitest';
import {
  cteEventsPath,
  cteListPath,
  everyRow,
  nfeEventsPath,
  nfeListPath,
  nfseListPath,
  whole,
} from '../facts/inbound.js';
import { nfeSubmitPath } from '../facts/manifestation.js';
import { testService } from './service.js';

const service = testService({ validationDelayMs: 1_000 });
const companyId = () => service.ready().companyId;

type Row = Readonly<Record<string, unknown>>;

async function ask(path: string, parameters: Readonly<Record<string, string>>) {
  const query = { ...(path.includes('/odata/') ? { $filter: everyRow } : {}), ...parameters };
  return await service.send('GET', `${path}?${new URLSearchParams(query)}`);
}

const rowsOf = async (path: string, $filter?: string): Promise<Row[]> =>
  (await ask(path, { $top: '1000', ...($filter === undefined ? {} : { $filter }) })).json.value;

/** `issuer/name` and its value, for every field that a row shows. */
function fieldsOf(row: Row): readonly (readonly [string, unknown])[] {
  return Object.entries(row).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null
      ? Object.entries(value).map(([inner, each]) => [`${name}/${inner}`, each] as const)
      : [[name, value] as const],
  );
}

function literalOf(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'number') return String(value);
  const text = String(value);
  return /^\d{4}-\d\d-\d\dT/.test(text) ? text : `'${text.replaceAll("'", "''")}'`;
}

beforeAll(async () => {
  await service.control('POST', 'seed', { scenario: 'month', documents: 200, companies: 1, month: '2026-08' });
  const { captured } = await service.control('POST', 'seed', { documents: 3, stage: 'summary' });
  await service.control('POST', 'documents', { direction: 'outgoing' });
  const body = { eventCode: 210210, nSequencia: 1 };
  await service.send('POST', nfeSubmitPath(captured[0].accessKey), { body });
  await service.control('POST', 'clock', { advance: '1m' });
});

/** §1: captured documents can be listed (OData). */
describe.each([
  ['NF-e', nfeListPath],
  ['CT-e', cteListPath],
  ['NFS-e', nfseListPath],
  ['events', nfeEventsPath],
])('every field that the list of %s shows', (_family, pathOf) => {
  it('filters, sorts and can be selected', async () => {
    const path = pathOf(companyId());
    const rows = await rowsOf(path);
    const shown = new Map(rows.flatMap((row) => fieldsOf(row).map(([name, value]) => [name, { row, value }])));
    expect(shown.size).toBeGreaterThan(9);
    for (const [name, { row, value }] of shown) {
      const expected = rows.filter((each) => new Map(fieldsOf(each)).get(name) === value);
      const filtered = await ask(path, { $top: '1000', $filter: `${name} eq ${literalOf(value)}` });
      expect([name, filtered.status, filtered.json.value]).toEqual([name, 200, expected]);
      expect(expected).toContainEqual(row);
      expect([name, (await ask(path, { $orderby: name, $top: '1' })).status]).toEqual([name, 200]);
      const { json } = await ask(path, { $select: name, $top: '1000' });
      expect([name, json.value.flatMap(fieldsOf)]).toEqual([
        name,
        rows.flatMap((each) => fieldsOf(each).filter(([one]) => one === name)),
      ]);
    }
  });
});

describe('$filter', () => {
  const list = () => nfeListPath(companyId());
  const matching = async (filter: string, fits: (row: Row) => boolean) => {
    const expected = (await rowsOf(list())).filter(fits);
    expect(await rowsOf(list(), filter)).toEqual(expected);
    return expected.length;
  };
  const keyOf = (row: Row) => String(row['accessKey']);
  const nameOf = ({ issuer }: Row) => (issuer as { name: string }).name;

  it('supports startswith, case-sensitively', async () => {
    const start = nameOf((await rowsOf(list()))[0] ?? {}).slice(0, 3);
    const fits = (row: Row) => nameOf(row).startsWith(start);
    expect(await matching(`startswith(issuer/name,'${start}')`, fits)).toBeGreaterThan(0);
    expect(await rowsOf(list(), `startswith(issuer/name,'${start.toLowerCase()}')`)).toEqual([]);
    await matching(`not startswith(issuer/name, '${start}')`, (row) => !fits(row));
    await matching(`startswith(issuer/name, '${start}') eq false`, (row) => !fits(row));
    await matching("startswith(nfeNumber,'1') eq true", (row) => String(row['nfeNumber']).startsWith('1'));
    await matching("contains(totalInvoiceAmount,'.50')", (row) => String(row['totalInvoiceAmount']).includes('.50'));
  });

  it('supports contains, and takes its argument literally', async () => {
    expect(await matching("contains(issuer/name,'Ltda')", () => true)).toBeGreaterThan(0);
    for (const none of ['%', '_', "' OR 1=1 --", '*']) {
      expect(await rowsOf(list(), `contains(accessKey,'${none.replaceAll("'", "''")}')`)).toEqual([]);
    }
  });

  it('supports in', async () => {
    const [one, other] = (await rowsOf(list())).map(keyOf);
    expect(await matching(`accessKey in ('${one}', '${other}')`, (row) => [one, other].includes(keyOf(row)))).toBe(2);
    await matching('nsu in (1,2,null)', ({ nsu }) => nsu === null || nsu === '1' || nsu === '2');
    await matching(`not (accessKey in ('${one}'))`, (row) => keyOf(row) !== one);
  });

  it.each([
    'startswith(issuer/name)',
    'startswith(issuer/name,5)',
    "startswith(issuedOn,'2026')",
    "startswith(nobody,'x')",
    "endswith(issuer/name,'x')",
    "contains('x',issuer/name)",
    "contains(issuer/name,'x'",
    "contains(issuer/name,'x') eq 5",
    'accessKey in ()',
    "accessKey in 'x'",
    "accessKey in ('x'",
    'constructor eq 1',
    '__proto__ eq 1',
    'toString eq null',
    'nsu constructor 1',
    "constructor(nsu,'1')",
    'issuer eq null',
  ])('answers 400 for %s', async (filter) => {
    const { status, json } = await ask(list(), { $filter: filter });
    expect([status, json.error.details[0].field]).toEqual([400, '$filter']);
  });
});

describe('the lists under /odata/', () => {
  it.each([cteListPath, cteEventsPath, nfeEventsPath])('require a filter (published)', async (pathOf) => {
    const path = pathOf(companyId());
    const { status, json } = await service.send('GET', `${path}?$top=1`);
    expect([status, json.error.details[0].field]).toEqual([400, '$filter']);
    expect((await service.send('GET', whole(path))).status).toBe(200);
  });

  it('filter events by the time of receipt and documents by the time of issue', async () => {
    const events = await rowsOf(nfeEventsPath(companyId()), 'receiptOn ge 1900-01-01T00:00:00Z or receiptOn eq null');
    const notes = await rowsOf(cteListPath(companyId()), 'issuedOn ge 1900-01-01T00:00:00Z or issuedOn eq null');
    expect([events, notes]).toEqual([await rowsOf(nfeEventsPath(companyId())), await rowsOf(cteListPath(companyId()))]);
    expect([events.length > 0, notes.length > 0]).toEqual([true, true]);
  });
});

describe('$select', () => {
  const list = () => nfeListPath(companyId());

  it('returns several fields, whole objects and everything', async () => {
    const { json } = await ask(list(), { $select: 'accessKey, issuer,buyer/name', $top: '1' });
    expect(Object.keys(json.value[0])).toEqual(['accessKey', 'issuer', 'buyer']);
    expect(Object.keys(json.value[0].issuer)).toEqual(['federalTaxNumber', 'name']);
    expect(Object.keys(json.value[0].buyer)).toEqual(['name']);
    expect((await ask(list(), { $select: '*', $top: '1' })).json).toEqual((await ask(list(), { $top: '1' })).json);
  });

  it('is part of the next link', async () => {
    const first = (await ask(list(), { $select: 'accessKey' })).json;
    const next = new URL(first['@odata.nextLink']);
    const second = (await service.send('GET', next.pathname + next.search)).json;
    expect([...first.value, ...second.value].every((row: Row) => Object.keys(row).join() === 'accessKey')).toBe(true);
  });

  it.each(['nobody', 'constructor', 'issuer/nobody', 'accessKey/name', ''])('answers 400 for %j', async ($select) => {
    expect((await ask(list(), { $select })).status).toBe(400);
  });
});

/** OData 4 part 1 §11.2.6.3: no more rows than `$top`. */
describe('$top', () => {
  it.each(['1', '60', '0'])('limits the total number of rows to %s', async ($top) => {
    const { json } = await ask(nfeListPath(companyId()), { $top, $count: 'true' });
    expect([json.value.length, json['@odata.nextLink']]).toEqual([Number($top), undefined]);
    expect(json['@odata.count']).toBeGreaterThan(60);
  });
});
