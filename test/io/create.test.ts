import { PassThrough, Writable } from 'node:stream';
import { describe, expect, test, vi } from 'vitest';
import { createIo, type IoChoices } from '../../src/io/create.js';
import { nodeOutput } from '../../src/io/streams.js';
import { FakeClock } from '../support/clock.js';
import { FakeTerminal } from '../support/terminal.js';
import { testHost, type TestHostOptions } from '../support/host.js';

const choices: IoChoices = { language: 'en', color: 'never', quiet: false, noInput: false, statsMs: 30_000 };

const onTerminal = (terminal: FakeTerminal, options: TestHostOptions = {}) =>
  testHost({ isTerminal: true, terminal: () => terminal, ...options });

describe('a question', () => {
  test('is asked only on a terminal, and never with CI or --no-input', () => {
    const terminal = new FakeTerminal();
    const may = [
      createIo(onTerminal(terminal), choices).mayAsk,
      createIo(testHost(), choices).mayAsk,
      createIo(onTerminal(terminal, { env: { CI: '1' } }), choices).mayAsk,
      createIo(onTerminal(terminal), { ...choices, noInput: true }).mayAsk,
      createIo(onTerminal(terminal, { stdin: 'piped' }), choices).mayAsk,
    ];
    expect(may).toEqual([true, false, false, false, false]);
  });

  test('is shown on the terminal and answered there', async () => {
    const terminal = new FakeTerminal();
    const host = onTerminal(terminal);
    const answer = createIo(host, choices).prompts.text('Which tenant?');
    await terminal.shows('Which tenant?');
    terminal.type('t-1\n');
    expect(await answer).toBe('t-1');
    expect(host.written().stdout).toBe('');
  });

  test('for a secret does not echo it', async () => {
    const terminal = new FakeTerminal();
    const answer = createIo(onTerminal(terminal), choices).prompts.secret('Invoice key?');
    await terminal.shows('Invoice key?');
    terminal.type('sbx_canary\n');
    expect(await answer).toBe('sbx_canary');
    expect(terminal.drawn).not.toContain('canary');
  });

  test('left with Ctrl-C is cancelled', async () => {
    const terminal = new FakeTerminal();
    const answer = createIo(onTerminal(terminal), choices).prompts.confirm('Go on?');
    const outcome = expect(answer).rejects.toMatchObject({ code: 'usage.cancelled', exitCode: 130 });
    await terminal.shows('Go on?');
    terminal.type('\u0003');
    await outcome;
  });

  test('fails with the reason of the signal that stops the program', async () => {
    const terminal = new FakeTerminal();
    const controller = new AbortController();
    const host = onTerminal(terminal, { interruption: controller.signal });
    const answer = createIo(host, choices).prompts.text('Which tenant?');
    const outcome = expect(answer).rejects.toThrow('stopped by the test');
    await terminal.shows('Which tenant?');
    controller.abort(new Error('stopped by the test'));
    await outcome;
  });

  test('without a terminal is refused', async () => {
    await expect(createIo(testHost(), choices).prompts.text('tenant')).rejects.toMatchObject({ code: 'usage.missing' });
  });
});

const parts = (): readonly string[] => [];

describe('progress off a terminal', () => {
  test('is one line per interval', () => {
    const clock = new FakeClock();
    const host = testHost({ clock });
    const display = createIo(host, choices).progress('Products');
    display.update({ text: '10/100', fraction: 0.1, parts });
    clock.advance(30_000);
    display.update({ text: '50/100', fraction: 0.5, parts });
    display.update({ text: '51/100', fraction: 0.51, parts });
    clock.advance(30_000);
    display.stop();
    expect(host.written().stderr).toBe('Products: 50/100 (50 %)\nProducts: 51/100 (51 %)\n');
  });

  test('and on a terminal of unknown size, which cannot be drawn on, is one line per interval', () => {
    const terminal = new FakeTerminal();
    terminal.output.columns = 0;
    const clock = new FakeClock();
    const host = onTerminal(terminal, { clock });
    const display = createIo(host, choices).progress('Products');
    clock.advance(30_000);
    display.update({ text: '50/100', fraction: 0.5, parts });
    display.stop();
    expect([terminal.drawn, host.written().stderr]).toEqual(['', 'Products: 50/100 (50 %)\n']);
  });

  test('says nothing when the work is short, or with --quiet', () => {
    const host = testHost({ clock: new FakeClock() });
    const display = createIo(host, choices).progress('Products');
    display.update({ text: '100/100', fraction: 1, parts });
    display.stop();
    const quiet = createIo(host, { ...choices, quiet: true, statsMs: 0 }).progress('Products');
    quiet.update({ text: '1', parts });
    quiet.stop();
    expect(host.written().stderr).toBe('');
  });
});

test('progress on a terminal is shown there, and stdout stays empty', async () => {
  const terminal = new FakeTerminal();
  const host = onTerminal(terminal);
  const display = createIo(host, choices).progress('Products');
  const drawn = terminal.shows('Products');
  display.update({ text: '1/2', fraction: 0.5, parts });
  await drawn;
  display.stop();
  expect(host.written()).toEqual({ stdout: '', stderr: '' });
});

test('progress on a terminal keeps to one line, and leaves out the last parts first', async () => {
  const terminal = new FakeTerminal();
  const display = createIo(onTerminal(terminal), choices).progress('Products');
  const drawn = terminal.shows('20 s');
  display.update({
    text: '10/20',
    fraction: 0.5,
    parts: () => ['about 20 s left', '20 s', '261123-1200-abcdef', '2/s'],
  });
  await drawn;
  display.stop();
  expect(terminal.drawn).toContain('10/20 · about 20 s left · 20 s · 2/s');
  expect(terminal.drawn).not.toContain('261123');
});

test('a notice is written on a line of its own while progress is shown', async () => {
  const terminal = new FakeTerminal();
  const io = createIo(onTerminal(terminal), choices);
  const display = io.progress('Products');
  const drawn = terminal.shows('1/2');
  display.update({ text: '1/2', fraction: 0.5, parts });
  await drawn;
  const cleared = vi.spyOn(terminal.output, 'clearLine');
  // No frame is drawn before the notice, which is written in the same turn.
  const written = io.notice('the service asks to wait');
  expect(cleared).toHaveBeenCalled();
  await written;
  display.stop();
});

test('a notice is one safe line', async () => {
  const host = testHost();
  await createIo(host, choices).notice('billed\u001b[2J\nby the engine');
  expect(host.written().stderr).toBe('billed\\u001b[2J\\nby the engine\n');
});

describe('a stream of the process', () => {
  test('is waited for while its buffer is full', async () => {
    const stream = new PassThrough({ highWaterMark: 4 });
    const output = nodeOutput(stream);
    const order: string[] = [];
    const written = output.write('longer than four').then(() => order.push('written'));
    order.push('reading');
    stream.resume();
    await written;
    expect(order).toEqual(['reading', 'written']);
  });

  test('closed by its reader discards everything quietly', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const output = nodeOutput(stream);
    const waiting = output.write('full');
    stream.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await waiting;
    await output.write('more');
    expect([output.closed, output.failure]).toEqual([true, undefined]);
  });

  test('keeps every other error as its failure', async () => {
    const error = Object.assign(new Error('EIO: i/o error, write'), { code: 'EIO' });
    const stream = new Writable({ write: (_chunk, _encoding, done) => void done(error) });
    const output = nodeOutput(stream);
    await output.write('lost');
    await output.write('more');
    expect([output.closed, output.failure]).toEqual([true, error]);
  });
});
