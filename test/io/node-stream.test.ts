import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { nodeOutput, standardOutput } from '../../src/io/streams.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test.each([
  { given: {}, width: 80 },
  { given: { columns: 0 }, width: 80 },
  { given: { columns: 40 }, width: 40 },
  { given: { columns: 200 }, width: 200 },
])('a stream of $given columns is formatted as one of $width', ({ given, width }) => {
  expect(nodeOutput(Object.assign(new PassThrough(), given)).columns).toBe(width);
});

describe('data on stdout', () => {
  const noStream = (): never => {
    throw new Error('no stream is needed');
  };

  test('is written synchronously to a file, without a stream', async () => {
    const file = join(temporaryFolder(), 'out.txt');
    const descriptor = openSync(file, 'w');
    const text = 'ação\n'.repeat(100_000);
    const output = standardOutput(descriptor, noStream);
    await output.print(text);
    closeSync(descriptor);
    expect({ isTerminal: output.isTerminal, isWhole: readFileSync(file, 'utf8') === text }).toEqual({
      isTerminal: false,
      isWhole: true,
    });
  });

  test('is written by the stream if the descriptor refuses it', async () => {
    const file = join(temporaryFolder(), 'out.txt');
    writeFileSync(file, '');
    const descriptor = openSync(file, 'r');
    const stream = new PassThrough({ encoding: 'utf8' });
    await standardOutput(descriptor, () => stream).print('ação\n');
    closeSync(descriptor);
    expect(stream.read()).toBe('ação\n');
  });

  test('follows earlier writes to the stream', async () => {
    const file = join(temporaryFolder(), 'out.txt');
    const descriptor = openSync(file, 'w');
    const stream = new PassThrough({ encoding: 'utf8' });
    const output = standardOutput(descriptor, () => stream);
    await output.write('first\n');
    await output.print('second\n');
    closeSync(descriptor);
    expect({ stream: stream.read(), file: readFileSync(file, 'utf8') }).toEqual({
      stream: 'first\nsecond\n',
      file: '',
    });
  });
});
