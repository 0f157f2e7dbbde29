import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';

/** A request as it came to a receiver of webhooks. */
export interface Received {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly raw: Buffer;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- parsed JSON of a foreign service, compared as a whole
  readonly json: any;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** From now on; the default answers 200. */
  answer: (received: Received, response: ServerResponse) => void;
  /** When at least so many have come. */
  arrived(count: number): Promise<readonly Received[]>;
}

/** A bare server that keeps what comes, until the test has finished. */
export async function openReceiver(status = 200): Promise<Receiver> {
  const waiting = new Set<() => void>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const raw = Buffer.concat(chunks);
      const { method, url: path, headers } = incoming;
      const one = { method, path, headers, raw, json: JSON.parse(raw.toString('utf8')) };
      receiver.received.push(one);
      receiver.answer(one, response);
      for (const look of waiting) look();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const receiver: Receiver = {
    url: `http://127.0.0.1:${port}/hook`,
    received: [],
    answer: (_received, response) => void response.writeHead(status).end(),
    arrived: (count) =>
      new Promise((resolve) => {
        const look = () => {
          if (receiver.received.length < count) return;
          waiting.delete(look);
          resolve([...receiver.received]);
        };
        waiting.add(look);
        look();
      }),
  };
  return receiver;
}
