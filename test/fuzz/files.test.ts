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
import { startReplayingProxy, type ReplayingProxy } from '../support/replaying-proxy.js';
import { fuzz, removeHost } from './fuzz.js';
import { damage, damaged, type Damage } from './hostile.js';
import { brokenRules, finish, formats, formatWords, onTerminal, type FuzzFormat } from './rules.js';

/** A damaged file, or damaged bytes on stdin. */
interface FileCase {
  /** Chooses the command. */
  readonly command: number;
  /** Chooses the file. */
  readonly file: number;
  readonly damage: Damage;
  readonly format: FuzzFormat;
}

const cases: fc.Arbitrary<FileCase> = fc.record({
  command: fc.nat(1_000),
  file: fc.nat(3),
  damage,
  format: fc.constantFrom(...formats),
});

const csv = (columns: string): Damage => ({ how: 'replaced', text: `${columns}\n1,2,3\n` });
const replaced = (text: string): Damage => ({ how: 'replaced', text });

const corpus: readonly Damage[] = [
  csv('__proto__,constructor,toString'),
  csv('sku,sku,sku'),
  replaced(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  replaced(`${'a: &a [*a,'.repeat(50)}`),
  replaced(`${'x,'.repeat(100_000)}\n`),
  replaced('\u0000'.repeat(1_000)),
  replaced('"'),
  replaced('{"a":1e999}'),
  csv('código;código;descrição'),
  { how: 'saved', encoding: 'latin1', text: 'não\u0081' },
  { how: 'saved', encoding: 'latin1', text: '\n1.234;1,234;3,52610E+43' },
  { how: 'saved', encoding: 'utf16le', text: '\ud800' },
];

const service = testService({ validationDelayMs: 20 * 60_000 });
const taker = createServer((_incoming, outgoing) => outgoing.end());
let proxy: ReplayingProxy;
let reading: readonly { readonly name: string; readonly call: Call }[];

beforeAll(async () => {
  await new Promise<void>((resolve) => taker.listen(0, '127.0.0.1', resolve));
  const world = await makeWorld(service, `http://127.0.0.1:${(taker.address() as AddressInfo).port}`);
  proxy = await startReplayingProxy(service.ready().url);
  // Reads reach the service. Writes are refused, so that a case changes nothing for the next one.
  proxy.guard();
  reading = Object.entries(callsOf(world)).flatMap(([name, call]) =>
    'left' in call || call.files === undefined ? [] : [{ name, call }],
  );
});

afterAll(async () => {
  await proxy.close();
  taker.closeAllConnections();
  taker.close();
});

fuzz({
  kind: 'files',
  cases,
  corpus: corpus.flatMap((one) =>
    // One command for each reader: tables, JSON, NDJSON, YAML, PFX.
    Array.from({ length: 16 }, (_, command) => ({ command, file: 0, damage: one, format: 'json' as const })),
  ),
  async violations({ command, file, damage: change, format }) {
    const used = reading[command % reading.length];
    const files = Object.entries(used?.call.files ?? {});
    const [chosen] = files[file % files.length] ?? [];
    if (used === undefined || chosen === undefined) throw new Error('no command reads a file');
    const changed = files.map(([name, content]): [string, string | Uint8Array] => [
      name,
      name === chosen ? damaged(Buffer.from(content), change) : content,
    ]);
    const clock = virtualClock(Date.now());
    const call = { ...used.call, files: Object.fromEntries(changed) };
    const plain = hostOf(call, { ready: service.ready(), url: proxy.url, clock });
    giveEmptyStore(plain);
    const host = format === 'terminal' ? onTerminal(plain) : plain;
    const argv = [...used.name.split(' '), ...call.words, ...formatWords(format)];
    const finished = await finish(host, format, async () => await runFiscal(argv, host));
    clock.stop();
    const broken = brokenRules(finished).map((rule) => `fiscal ${argv.join(' ')}: ${rule}`);
    removeHost(host);
    return broken;
  },
});
