import type { Readable } from 'node:stream';
import { sortFault, TransportFault } from './faults.js';
import type { Receiver } from './receive.js';

/** A JSON answer beyond this is no answer of this service. */
const MAX_BODY_BYTES = 32 * 1024 * 1024;

/** How the reading of a body ends; what breaks the line is told elsewhere. */
export interface BodyEnds {
  done(bytes: Uint8Array): void;
  tooLarge(reason: string): void;
  spoilt(fault: TransportFault): void;
}

/** Collects a body, or hands it to the one who receives it. */
export function readBody(body: Readable, receive: Receiver | undefined, ends: BodyEnds): void {
  if (receive === undefined) collect(body, ends);
  else takeAll(body, receive, ends);
}

function collect(body: Readable, { done, tooLarge }: BodyEnds): void {
  const chunks: Uint8Array[] = [];
  let size = 0;
  body.on('data', (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) tooLarge(`> ${String(MAX_BODY_BYTES)} bytes`);
    else chunks.push(chunk);
  });
  body.on('end', () => done(Buffer.concat(chunks)));
}

/**
 * Hands the body on as fast as it is taken. Gives the text of an answer that names another address; nothing when the bytes
 * went to their sink.
 */
function takeAll(body: Readable, receive: Receiver, { done, spoilt }: BodyEnds): void {
  const failed = (error: unknown): void => {
    spoilt(error instanceof TransportFault ? error : sortFault(error, true, 200));
  };
  const finish = (): void => done(receive.isPointer ? receive.pointer : new Uint8Array());
  const end = (): void => after(() => receive.end(), finish, failed);
  let turn: Promise<void> | undefined;
  const begin = (): void => {
    body.on('data', (chunk: Uint8Array) => {
      const taking = tried(() => receive.take(chunk), failed);
      if (taking === undefined) return;
      body.pause();
      turn = taking.then(() => void body.resume(), failed);
    });
    // A body may end while its last piece is still being taken.
    body.on('end', () => after(() => turn, end, failed));
  };
  after(() => receive.begin(), begin, failed);
}

/** Goes on at once where the work is done at once: a promise for each piece would cost more than the piece. */
function after(work: () => Promise<void> | undefined, next: () => void, failed: Failed): void {
  let hasFailed = false;
  const working = tried(work, (error) => {
    hasFailed = true;
    failed(error);
  });
  if (working !== undefined) working.then(next, failed);
  else if (!hasFailed) next();
}

type Failed = (error: unknown) => void;

function tried(work: () => Promise<void> | undefined, failed: Failed): Promise<void> | undefined {
  try {
    return work();
  } catch (error) {
    failed(error);
    return undefined;
  }
}
