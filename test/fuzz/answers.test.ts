import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll } from 'vitest';
import { callsOf, type Call } from '../claims/arguments.js';
import { hostOf, makeWorld } from '../claims/world.js';
import { testService } from '../conformance/service.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { giveEmptyStore } from '../support/empty-store.js';
import { runFiscal } from '../support/host.js';
import { startReplayingProxy, type Exchange, type ReplayingProxy } from '../support/replaying-proxy.js';
import { fuzz, removeHost } from './fuzz.js';
import { damage, damaged, hostileText, type Damage } from './hostile.js';
import { brokenRules, finish, formats, formatWords, onTerminal, type FuzzFormat } from './rules.js';

/** Its answers are of any shape. */
const hostile = { isServiceHostile: true };

/** One answer of the service to one command, changed. */
interface AnswerCase {
  /** Chooses the command, and which of the answers that it gets. */
  readonly command: number;
  readonly answer: number;
  readonly change: Damage | { readonly how: 'status'; readonly status: number } | HeaderChange;
  readonly format: FuzzFormat;
}

interface HeaderChange {
  readonly how: 'header';
  readonly name: string;
  readonly value: string;
}

const header: fc.Arbitrary<HeaderChange> = fc.record({
  how: fc.constant('header' as const),
  name: fc.constantFrom('retry-after', 'location', 'content-type', 'link', 'date', 'x-request-id', 'sunset'),
  // Node sends no other characters in a header.
  value: hostileText.map((text) => text.replaceAll(/[^\t\u0020-\u007e\u0080-\u00ff]/g, '').slice(0, 4_000)),
});

const cases: fc.Arbitrary<AnswerCase> = fc.record({
  command: fc.nat(1_000),
  answer: fc.nat(8),
  change: fc.oneof(
    { weight: 6, arbitrary: damage },
    {
      weight: 1,
      arbitrary: fc.record({
        how: fc.constant('status' as const),
        status: fc.constantFrom(200, 202, 204, 301, 400, 401, 403, 404, 409, 418, 422, 429, 500, 503),
      }),
    },
    { weight: 1, arbitrary: header },
  ),
  format: fc.constantFrom(...formats),
});

const service = testService({ validationDelayMs: 20 * 60_000 });
const taker = createServer((_incoming, outgoing) => outgoing.end());
let proxy: ReplayingProxy;
const recorded: { readonly name: string; readonly call: Call; readonly exchanges: readonly Exchange[] }[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const world = await makeWorld(service, `http://127.0.0.1:${(taker.address() as AddressInfo).port}`);
  proxy = await startReplayingProxy(service.ready().url);
  for (const [name, call] of Object.entries(callsOf(world))) {
    if ('left' in call) continue;
    const answers = proxy.record();
    const clock = virtualClock(Date.now());
    const host = hostOf(call, { ready: service.ready(), url: proxy.url, clock });
    await runFiscal([...name.split(' '), ...call.words, '-o', 'json', '--no-input'], host, hostile);
    clock.stop();
    if (answers().length > 0) recorded.push({ name, call, exchanges: answers() });
  }
});

afterAll(async () => {
  await proxy.close();
  taker.closeAllConnections();
  taker.close();
});

fuzz({
  kind: 'answers',
  cases,
  corpus: [],
  async violations({ command, answer, change, format }) {
    const used = recorded[command % recorded.length];
    if (used === undefined) throw new Error('nothing was recorded');
    const chosen = answer % used.exchanges.length;
    let turn = -1;
    proxy.replay(used.exchanges, (exchange) => {
      turn += 1;
      return turn === chosen ? changed(exchange, change) : undefined;
    });
    const clock = virtualClock(Date.now());
    const plain = hostOf(used.call, { ready: service.ready(), url: proxy.url, clock });
    giveEmptyStore(plain);
    const host = format === 'terminal' ? onTerminal(plain) : plain;
    const argv = [...used.name.split(' '), ...used.call.words, ...formatWords(format)];
    const finished = await finish(host, format, async () => await runFiscal(argv, host, hostile));
    clock.stop();
    const isDocument = / (?:xml|pdf|json)(?: --|$)/.test(used.name);
    const broken = brokenRules({ ...finished, isDocument, isForeign: true }).map(
      (rule) => `fiscal ${argv.join(' ')}: ${rule}`,
    );
    removeHost(host);
    return broken;
  },
});

function changed(exchange: Exchange, change: AnswerCase['change']): Partial<Exchange> {
  if (change.how === 'status') return { status: change.status };
  if (change.how === 'header') return { headers: { ...exchange.headers, [change.name]: change.value } };
  return { body: damaged(Buffer.from(exchange.body), change) };
}
