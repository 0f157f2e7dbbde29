import { createHmac } from 'node:crypto';
import { connect, type Socket } from 'node:net';

/** So many senders at once, each of which sends the next event when its last one was answered. */
const connections = 512;

export interface Load {
  readonly port: number;
  readonly secret: string;
  /** The number of the first event; bodies differ by it. */
  readonly from: number;
  readonly count: number;
}

/**
 * Sends signed events over kept connections and waits for a 200 to each; gives the events per second. Bare sockets: a client
 * that parses would cost more than the server that is measured.
 */
export async function sendEvents({ port, secret, from, count }: Load): Promise<number> {
  const requests = Array.from({ length: count }, (_, index) => requestOf(from + index, secret));
  const begin = performance.now();
  const senders = Array.from({ length: Math.min(connections, count) }, () => send(port, requests));
  await Promise.all(senders);
  return count / ((performance.now() - begin) / 1000);
}

function requestOf(number: number, secret: string): string {
  const payload = { id: `p-${number % 5_000}`, status: 'Active', version: number, description: 'x'.repeat(300) };
  const body = JSON.stringify({ action: 'product.active', payload });
  const signature = createHmac('sha1', secret).update(body).digest('hex');
  return [
    'POST / HTTP/1.1',
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Hub-Signature: sha1=${signature}`,
    'X-Hook-Id: bench',
    'X-Hook-Event: product.active',
    '',
    body,
  ].join('\r\n');
}

/** One sender; takes the last of the requests that are left. */
async function send(port: number, requests: string[]): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await new Promise<void>((resolve, reject) => {
    let answer = '';
    const next = (): void => {
      const request = requests.pop();
      if (request === undefined) return leave(socket, resolve);
      socket.write(request);
    };
    socket.on('connect', next);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('the connection was closed')));
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
      if (!answer.includes('\r\n\r\n')) return;
      if (!answer.startsWith('HTTP/1.1 200')) return reject(new Error(answer.split('\r\n', 1)[0]));
      answer = '';
      next();
    });
  });
}

function leave(socket: Socket, done: () => void): void {
  done();
  socket.destroy();
}
