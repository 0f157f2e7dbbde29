import type { IncomingMessage } from 'node:http';
import type { Memory } from './memory.js';

/** The whole body, whose bytes the memory is still short of, or why it was not taken. */
export type Received = { readonly body: Uint8Array } | { readonly refused: 'too-large' | 'busy' | 'cut' };

/**
 * Reads a body of at most `maxBytes`. What is longer is not read to its end, and what all connections hold together stays
 * within the memory: a thousand senders of large bodies cost no more than a few.
 */
export async function receiveBody(
  request: IncomingMessage,
  { maxBytes, memory }: { readonly maxBytes: number; readonly memory: Memory },
): Promise<Received> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  return await new Promise<Received>((resolve) => {
    let isOver = false;
    const refuse = (refused: 'too-large' | 'busy' | 'cut'): void => {
      if (isOver) return;
      isOver = true;
      request.pause();
      memory.give(size);
      resolve({ refused });
    };
    request.on('data', (chunk: Uint8Array) => {
      if (isOver) return;
      if (size + chunk.length > maxBytes) return refuse('too-large');
      if (!memory.take(chunk.length)) return refuse('busy');
      size += chunk.length;
      chunks.push(chunk);
    });
    request.on('end', () => {
      if (isOver) return;
      isOver = true;
      const [only] = chunks;
      resolve({ body: chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks) });
    });
    request.on('close', () => refuse('cut'));
    request.on('error', () => refuse('cut'));
  });
}
