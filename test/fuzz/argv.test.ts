import fc from 'fast-check';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import type { CommandDefinition, OptionSpec } from '../../src/cli/command.js';
import { sharedFlags } from '../../src/cli/shared-flags.js';
import { flagWord } from '../../src/cli/option-value.js';
import { virtualClock } from '../jobs/virtual-clock.js';
import { loadCommands } from '../support/commands.js';
import { runFiscal, testHost, type TestHost } from '../support/host.js';
import { fuzz, removeHost } from './fuzz.js';
import { hostileText } from './hostile.js';
import { brokenRules, CANARY, finish, formats, formatWords, onTerminal, type FuzzFormat } from './rules.js';

/** A command line: a command, words for its arguments, and flags with values. */
interface ArgvCase {
  /** Chooses the command. */
  readonly command: number;
  readonly words: readonly string[];
  readonly flags: readonly { readonly flag: number; readonly value: string | undefined; readonly isJoined: boolean }[];
  /** Words that belong to nothing, at the front. */
  readonly stray: readonly string[];
  readonly format: FuzzFormat;
}

const value = fc.oneof(
  hostileText,
  fc.constantFrom(
    ...['1', '0', '2026-01', '30s', 'nfe', 'all', '-', '@x', 'a.json', '.', '/proc/self/maps', 'awareness'],
    ...['35261057049000141530550010000000011000000014', '29638438000181', 'https://example.invalid/x'],
    '5a0dbe11-7e57-4c0d-9a6e-000000c09a27',
  ),
);

const cases: fc.Arbitrary<ArgvCase> = fc.record({
  command: fc.nat(1_000),
  words: fc.array(value, { maxLength: 3 }),
  flags: fc.array(
    fc.record({ flag: fc.nat(60), value: fc.option(value, { nil: undefined, freq: 4 }), isJoined: fc.boolean() }),
    { maxLength: 5 },
  ),
  stray: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, fc.array(value, { maxLength: 2 })),
  format: fc.constantFrom(...formats),
});

/** They serve, or start another program, until they are ended: not in this process. */
const servers = new Set(['sandbox start', 'sandbox exec', 'webhook listen']);

let commands: readonly (readonly [string, CommandDefinition])[];
let server: Server;

beforeAll(async () => {
  commands = [...(await loadCommands())].filter(([name]) => !servers.has(name));
  server = createServer((incoming, outgoing) => {
    incoming.resume();
    outgoing.writeHead(404, { 'content-type': 'application/json' }).end('{"errors":[{"message":"not found"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

fuzz({
  kind: 'argv',
  cases,
  corpus: [],
  async violations(one) {
    const [name = '', definition] = commands[one.command % commands.length] ?? [];
    if (definition === undefined) throw new Error('no command');
    const argv = [
      ...one.stray,
      ...name.split(' '),
      // Before the others: a flag without its value would take one of these words for it.
      ...formatWords(one.format),
      ...one.words,
      ...flagWords(definition, one),
      // As a process gets them: half a surrogate pair has no bytes.
    ].map((word) => Buffer.from(word).toString());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const clock = virtualClock(Date.now());
    const watching = new AbortController();
    const plain = testHost({
      clock,
      interruption: watching.signal,
      env: {
        ...{ FISCAL_PRODUCT_URL: url, FISCAL_QUERY_URL: url, FISCAL_SERVICE_URL: url },
        ...{ FISCAL_INVOICE_KEY: CANARY, FISCAL_DATA_KEY: CANARY, FISCAL_COMPANY: 'c-1', FISCAL_TENANT: 't-1' },
      },
    });
    const host = one.format === 'terminal' ? endedAfterFrames(onTerminal(plain), watching) : plain;
    const finished = await finish(host, one.format, async () => await runFiscal(argv, host));
    clock.stop();
    // Help and version are text in every format.
    const isDocument = argv.some((word) => ['-h', '--help', '-V', '--version'].includes(word));
    const broken = brokenRules({ ...finished, isDocument, mayPrint: name === 'key check' }).map(
      (rule) => `fiscal ${JSON.stringify(argv).slice(0, 600)}: ${rule}`,
    );
    removeHost(host);
    return broken;
  },
});

/** Ctrl-C at the third screen of `--watch`, which would go on without end. */
function endedAfterFrames(host: TestHost, watching: AbortController): TestHost {
  let frames = 0;
  const write = async (text: string): Promise<void> => {
    await host.stdout.write(text);
    frames += text.startsWith(cursorHome) ? 1 : 0;
    if (frames === 3) watching.abort();
  };
  return { ...host, stdout: { ...host.stdout, write } };
}

const cursorHome = '\u001B[H';

/** The format is part of the case. */
const chosen = new Set(['output', 'errorFormat', 'color', 'noInput']);

function flagWords(definition: CommandDefinition, { flags }: ArgvCase): readonly string[] {
  const specs = Object.entries<OptionSpec>({ ...definition.options, ...sharedFlags }).filter(
    ([key]) => !chosen.has(key),
  );
  return flags.flatMap(({ flag, value: given, isJoined }) => {
    const [key = '', spec] = specs[flag % specs.length] ?? [];
    const word = flagWord(key);
    if (given === undefined) return [word];
    const fitting = fittingValue(spec, given);
    return isJoined ? [`${word}=${fitting}`] : [word, fitting];
  });
}

/** Half of the values fit the option, so that a line gets beyond the parser. */
function fittingValue(spec: OptionSpec | undefined, value: string): string {
  if (value.length % 2 === 1) return value;
  if (spec?.kind === 'choice') return spec.choices[value.length % spec.choices.length] ?? value;
  if (spec?.kind === 'count') return String(value.length);
  return spec?.kind === 'duration' ? `${value.length}s` : value;
}
