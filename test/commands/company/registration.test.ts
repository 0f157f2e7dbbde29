import { beforeEach, describe, expect, test } from 'vitest';
import { testService } from '../../conformance/service.js';
import { errorOf, machineBefore, type Machine, type Run } from '../../support/service-host.js';

const service = testService();
let machine: Machine;
let ids: { state: string; municipal: string };

beforeEach(async () => {
  await service.control('POST', 'reset');
  machine = machineBefore(service.ready());
  const state = json(await fiscal('create', '--state', 'SP', '--tax-number', '110042490114', '--type', 'NFe'));
  const municipal = json(await fiscal('create', '--city', '3550308', '--tax-number', '12345678'));
  ids = { state: String(state['id']), municipal: String(municipal['id']) };
});

const json = (run: Run) => JSON.parse(run.stdout) as Record<string, unknown>;
const fiscal = (...words: string[]) => machine.fiscal('company', 'registration', ...words, '-o', 'json');

async function listed(...words: string[]): Promise<readonly unknown[]> {
  const rows = JSON.parse((await fiscal('list', ...words)).stdout) as { kind: string; id: string }[];
  return rows.map(({ kind, id }) => [kind, id]);
}

/** The requests that the service got since `work` began. */
async function requestsOf(work: () => Promise<unknown>): Promise<readonly string[]> {
  const read = async () => ((await service.control('GET', 'ledger')) as { entries: { operation: string }[] }).entries;
  const before = (await read()).length;
  await work();
  return (await read()).slice(before).map(({ operation }) => operation);
}

test('one list has the registrations of states, then those of municipalities', async () => {
  const both = [
    ['state', ids.state],
    ['municipal', ids.municipal],
  ];
  expect(await listed()).toEqual(both);
  expect([await listed('--kind', 'state'), await listed('--kind', 'municipal')]).toEqual(both.map((one) => [one]));
});

test('an id alone finds either kind, and one that exists nowhere names the list', async () => {
  const shown = [json(await fiscal('get', ids.state)), json(await fiscal('get', ids.municipal))];
  expect(shown.map(({ kind, id }) => [kind, id])).toEqual(Object.entries(ids));
  const none = await fiscal('get', 'nope');
  expect([none.exitCode, errorOf(none).code]).toEqual([9, 'service.not_found']);
  expect(errorOf(none).hint).toContain('company registration list');
});

test('--kind asks for that kind only', async () => {
  const requests = await requestsOf(() => fiscal('get', ids.municipal, '--kind', 'municipal'));
  expect(requests).toEqual(['municipalTax.get']);
  expect((await fiscal('get', ids.municipal, '--kind', 'state')).exitCode).toBe(9);
});

test('an update knows the kind from the id, where the fields do not tell', async () => {
  const words = ['--serie', '7', '--number', '15', '--yes'];
  expect(json(await fiscal('update', ids.state, ...words))).toMatchObject({
    ...{ kind: 'state', id: ids.state, serie: 7, number: 15 },
  });
  expect(json(await fiscal('update', ids.municipal, ...words))).toMatchObject({
    ...{ kind: 'municipal', id: ids.municipal, rpsSerialNumber: '7', rpsNumber: 15 },
  });
});

test('an update of fields of one kind does not look for the other', async () => {
  const requests = await requestsOf(() => fiscal('update', ids.municipal, '--city', '3304557', '--yes'));
  expect(requests.filter((operation) => operation.startsWith('stateTax'))).toEqual([]);
});

describe('a creation', () => {
  test.each([
    [
      'the wrapper of a file',
      { municipalTax: { taxNumber: '7', city: { code: '3304557' } } },
      [],
      'municipalTax.create',
    ],
    ['the fields of a file', { code: 'RJ', taxNumber: '78043215', type: 'NFe' }, [], 'stateTax.create'],
    ['the environment', { taxNumber: '7' }, ['--environment', 'Test'], 'code'],
    ['--kind', { taxNumber: '7' }, ['--kind', 'municipal'], 'city'],
  ])('knows the kind from %s', async (_what, content, words, told) => {
    machine.put('r.json', JSON.stringify(content));
    const run = await fiscal('create', '--file', 'r.json', ...words, '--dry-run');
    const asked = run.exitCode === 0 ? json(run)['operation'] : errorOf(run).details?.[0]?.field;
    expect(asked).toBe(told);
  });

  test('that tells no kind is refused, and names --kind', async () => {
    const run = await fiscal('create', '--tax-number', '7');
    expect([run.exitCode, errorOf(run).code]).toEqual([2, 'usage.missing']);
    expect(errorOf(run).hint).toContain('--kind municipal');
  });

  test.each([
    [['--state', 'SP', '--city', '3550308'], '--state is of a state registration, and --city of a municipal one'],
    [['--kind', 'municipal', '--type', 'NFe'], '--type is of a state registration, and --kind municipal of a'],
    [['--state', 'SP', '--environment', 'Staging'], 'and --environment Staging of a municipal one'],
  ])('with words of both kinds is refused: %j', async (words, message) => {
    const run = await fiscal('create', '--tax-number', '7', ...words);
    expect([run.exitCode, errorOf(run).code, errorOf(run).sent]).toEqual([2, 'usage.invalid', 'no']);
    expect(run.stderr).toContain(message);
  });

  test('with a file of both kinds is refused', async () => {
    machine.put('r.json', JSON.stringify({ code: 'SP', city: { code: '3550308' } }));
    const run = await fiscal('create', '--file', 'r.json');
    expect([run.exitCode, errorOf(run).code]).toEqual([2, 'usage.invalid']);
    expect(run.stderr).toContain('code is of a state registration, and city of a municipal one');
  });

  test('says that a serie of a state registration is a number', async () => {
    const run = await fiscal('create', '--state', 'SP', '--tax-number', '11', '--type', 'NFe', '--serie', 'A1');
    expect([run.exitCode, errorOf(run).details?.map(({ field }) => field)]).toEqual([2, ['serie']]);
  });
});

test('a dry run without a kind says what would be asked then', async () => {
  const [list, get] = [await fiscal('list', '--dry-run'), await fiscal('get', 'r1', '--dry-run')];
  expect([json(list)['operation'], json(get)['operation']]).toEqual(['stateTax.list', 'stateTax.get']);
  expect(list.stderr).toContain('and then: List the municipal registrations of a company');
  expect(get.stderr).toContain('the municipal one is read');
});
