import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { chance } from '../../bench/drill/life.js';
import { samples } from '../../src/commands/invoice/samples.js';
import { type PostgresServer, startPostgres } from '../support/postgres.js';
import { BUCKET, type S3Fault, type S3Request, S3Server } from '../support/s3-server.js';
import {
  clearFaults,
  control,
  type Ended,
  ended,
  fiscal,
  holdAnswers,
  inProcess,
  killWhenHeld,
  newWorld,
  put,
  type ReadyLine,
  records,
  start,
  withEnv,
  withSandbox,
  type World,
  worldAt,
} from './program.js';

/*
 * `invoice sync` to a bucket: real processes, killed with requests in flight, on an object store that fails, alone and two at once.
 * The sandbox says what each file must be.
 */

const INVOICES = 44;
const archive = `s3://${BUCKET}/books`;
const words = ['invoice', 'sync', '--type', 'nfe', '--pdf', '--archive', archive, '-o', 'ndjson'];

let postgres: PostgresServer;
let sandbox: { world: World; ready: ReadyLine; stop(): void };
/** SHA-256 of each XML, by the name of its file. */
const hashes = new Map<string, string>();

const hashOf = (body: string | Buffer) => createHash('sha256').update(body).digest('hex');

beforeAll(async () => {
  [postgres, sandbox] = await Promise.all([startPostgres(), withSandbox(newWorld())]);
  const { world } = sandbox;
  const rows = Array.from({ length: INVOICES }, (_, at) => JSON.stringify({ ...samples.nfe, externalId: `P-${at}` }));
  put(world, 'orders.ndjson', rows.join('\n'));
  expect((await inProcess(world, 'invoice', 'apply', '--model', 'nfe', 'orders.ndjson', '--yes')).exitCode).toBe(0);
  // Each is issued by then.
  await control(sandbox.ready, 'clock', { advance: '2m' });
  for (const { id } of records(await inProcess(world, 'invoice', 'list', '--model', 'nfe', '--all', '-o', 'ndjson'))) {
    const { stdout } = await inProcess(world, 'invoice', 'xml', '--model', 'nfe', String(id));
    hashes.set(/Id="NFe(\d{44})"/.exec(stdout)?.[1] ?? '', hashOf(stdout));
  }
  expect(hashes.size).toBe(INVOICES);
});

afterAll(async () => {
  sandbox.stop();
  await postgres.stop();
});

/** One request in thirteen fails, until the test says that it is over. */
async function failingStore(seed: number) {
  const random = chance(seed);
  const state = { faults: 0, isKind: false };
  const fault = ({ method }: S3Request): S3Fault | undefined => {
    const unit = state.isKind ? 1 : random();
    if (unit >= 0.08) return undefined;
    state.faults += 1;
    if (unit < 0.04) return { status: unit < 0.02 ? 500 : 503, code: 'InternalError' };
    return method === 'GET' ? 'half' : 'cut';
  };
  const server = await S3Server.start({ fault });
  onTestFinished(() => server.stop());
  return { server, state };
}

const stores = {
  'a file': () => Promise.resolve({}),
  PostgreSQL: async () => ({ FISCAL_STORE_URL: await postgres.newDatabase() }),
};

/** 5: the object store was away for longer than the patience. Anything else is the end. */
async function untilDone(world: World): Promise<Ended> {
  for (;;) {
    const end = await fiscal(world, ...words);
    if (end.exitCode !== 5) return end;
  }
}

function filesOf(server: S3Server) {
  const names = [...server.objects.keys()];
  return { xml: names.filter((name) => name.endsWith('.xml')), pdf: names.filter((name) => name.endsWith('.pdf')) };
}

/** Every invoice is one object with the bytes of the service, and a run that finds nothing to do agrees. */
async function expectWhole(world: World, server: S3Server): Promise<void> {
  const { xml, pdf } = filesOf(server);
  const found = xml.map((name) => [basename(name, '.xml'), hashOf(server.objects.get(name)?.body ?? '')]);
  expect(found.toSorted()).toEqual([...hashes].toSorted());
  expect(pdf.map((name) => basename(name, '.pdf')).toSorted()).toEqual([...hashes.keys()].toSorted());
  expect([...xml, ...pdf].filter((name) => name.includes('set-aside'))).toEqual([]);
  const again = await fiscal(world, ...words);
  expect([again.exitCode, records(again).at(-1)]).toMatchObject([0, { added: 0, bytes: 0, outstanding: 0 }]);
}

test.each(Object.entries(stores))(
  'kill -9 with requests in flight, on an object store that fails and a store in %s: each invoice one object',
  async (_name, storeOf) => {
    const { server, state } = await failingStore(7);
    const world = withEnv(worldAt(sandbox.ready), { ...server.env, ...(await storeOf()) });
    for (const skip of [3, 25]) {
      await holdAnswers(sandbox.ready, 'nfe.xml', { skip });
      await killWhenHeld(sandbox.ready, start(world, words));
    }
    await clearFaults(sandbox.ready);
    expect((await untilDone(world)).exitCode).toBe(0);
    expect(state.faults).toBeGreaterThan(0);
    state.isKind = true;
    await expectWhole(world, server);
  },
);

test.each(Object.entries(stores))(
  'two runs at once on one store in %s and one bucket, both killed and run again: each invoice one object',
  async (name, storeOf) => {
    const { server, state } = await failingStore(11);
    const one = withEnv(worldAt(sandbox.ready), { ...server.env, ...(await storeOf()) });
    const other = name === 'a file' ? one : withEnv(worldAt(sandbox.ready), pick(one.env));
    await holdAnswers(sandbox.ready, 'nfe.xml', { skip: 20 });
    const [first, second] = [start(one, words), start(other, words)];
    const secondEnd = ended(second);
    await killWhenHeld(sandbox.ready, first);
    second.kill('SIGKILL');
    await secondEnd;
    await clearFaults(sandbox.ready);
    const ends = await Promise.all([untilDone(one), untilDone(other)]);
    expect(ends.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    state.isKind = true;
    await expectWhole(one, server);
  },
);

/** What the second machine shares with the first: the bucket and the store. */
function pick(env: World['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^AWS_|^FISCAL_STORE_URL$/.test(name)));
}
