import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { nodeOutput } from '../../src/io/streams.js';

test.each([
  { given: {}, width: 80 },
  { given: { columns: 0 }, width: 80 },
  { given: { columns: 40 }, width: 40 },
  { given: { columns: 200 }, width: 200 },
])('a stream of $given columns is written as one of $width', ({ given, width }) => {
  expect(nodeOutput(Object.assign(new PassThrough(), given)).columns).toBe(width);
});
