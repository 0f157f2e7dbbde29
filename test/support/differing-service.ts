import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** What a request of the program is answered with, in place of the service's own answer. */
export interface Other {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** No answer comes at all. */
  readonly never?: true;
}

/** A request as it arrived. */
export interface Arrived {
  readonly method: string;
  /** With the query. */
  readonly url: string;
  readonly key: string | undefined;
}

export interface Differences {
  /** Asks the service at another path; the path that came in is the key's. */
  readonly route?: (url: string) => string;
  /** Instead of the service. */
  readonly instead?: (arrived: Arrived) => Other | undefined;
  /** Changes the JSON of a success. */
  readonly json?: (path: string, body: unknown) => unknown;
  /** Added to every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The clock of the service, against this machine's. */
  readonly aheadMs?: number;
}

export interface DifferingService {
  readonly url: string;
  readonly arrived: readonly Arrived[];
}

/** Another deployment of the service: it hands requests on to one and answers as `differences` say. */
export async function differingService(target: string, differences: Differences = {}): Promise<DifferingService> {
  const arrived: Arrived[] = [];
  const server = createServer((incoming, outgoing) => void serve(incoming, outgoing));
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = incoming;
    const request = { method, url, key: headers.authorization };
    arrived.push(request);
    const other = differences.instead?.(request);
    if (other?.never === true) return;
    const date = new Date(Date.now() + (differences.aheadMs ?? 0)).toUTCString();
    if (other !== undefined) {
      outgoing.writeHead(other.status ?? 200, { date, ...differences.headers, ...other.headers });
      outgoing.end(other.body ?? '');
      return;
    }
    const answer = await fetch(target + (differences.route?.(url) ?? url), {
      redirect: 'manual',
      headers: request.key === undefined ? {} : { authorization: request.key },
    });
    const text = await answer.text();
    const path = url.split('?')[0] ?? url;
    const body =
      answer.ok && differences.json !== undefined && text.startsWith('{')
        ? JSON.stringify(differences.json(path, JSON.parse(text)))
        : text;
    outgoing.writeHead(answer.status, {
      'content-type': answer.headers.get('content-type') ?? '',
      date,
      ...differences.headers,
    });
    outgoing.end(body);
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void [server.closeAllConnections(), server.close()]);
  // A listening TCP server has an address with a port.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, arrived };
}
