import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the service answered to one request. */
export interface Exchange {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  readonly request: Request;
}

/** What was asked, besides method and path. */
interface Request {
  readonly query: URLSearchParams;
  readonly contentType: string;
  readonly idempotencyKey?: string;
  readonly body: string;
}

/** Changes an answer; `undefined` leaves it. `turn`: how often this method and path were asked for before. */
export type Change = (exchange: Exchange, turn: number) => Partial<Exchange> | undefined;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly isChanged: boolean;
}

/**
 * Stands between the program and a service and knows neither: it hands requests on and writes down the answers, or gives the
 * answers that were written down, changed, without asking the service again.
 */
export interface ReplayingProxy {
  readonly url: string;
  /** What the program asked for since the last `record`, `replay` or `guard`. */
  readonly asked: readonly Asked[];
  /** Hands everything on. Gives the answers so far when it is called. */
  record(): () => readonly Exchange[];
  /** Answers from what was written down. Another read is handed on, another write refused. */
  replay(exchanges: readonly Exchange[], change: Change): void;
  /** Hands reads on, and refuses every write. */
  guard(): void;
  close(): Promise<void>;
}

const HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length', 'date', 'content-encoding']);

export async function startReplayingProxy(target: string): Promise<ReplayingProxy> {
  let asked: Asked[] = [];
  let answer: (
    method: string,
    path: string,
    request: () => Promise<Exchange>,
  ) => Promise<Exchange & { isChanged?: boolean }>;
  const server = createServer((incoming, outgoing) => {
    void serve(incoming, outgoing);
  });
  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = 'GET', url = '/' } = incoming;
    const path = url.split('?')[0] ?? url;
    const hand = () => handOn(incoming, Buffer.concat(chunks));
    const { isChanged = false, ...found } = await answer(method, path, hand);
    asked.push({ method, path, isChanged });
    outgoing.writeHead(found.status, found.headers).end(found.body);
  }
  async function handOn({ method = 'GET', url = '/', headers }: IncomingMessage, body: Buffer): Promise<Exchange> {
    const own = Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'host' && !HOP.has(name) ? [[name, value] as const] : [],
    );
    const got = await fetch(target + url, {
      ...{ method, redirect: 'manual', headers: Object.fromEntries(own) },
      ...(body.length === 0 ? {} : { body }),
    });
    const bytes = Buffer.from(await got.arrayBuffer());
    const isText = /json|text/.test(got.headers.get('content-type') ?? '');
    return {
      ...{ method, path: url.split('?')[0] ?? url, status: got.status },
      headers: Object.fromEntries(
        [...got.headers]
          .filter(([name]) => !HOP.has(name))
          .map(([name, value]) => [name, value.replaceAll(target, here())]),
      ),
      body: isText ? bytes.toString().replaceAll(target, here()) : bytes,
      request: { query: new URLSearchParams(url.split('?')[1] ?? ''), ...askedIn(headers), body: body.toString() },
    };
  }
  const here = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const begin = (how: typeof answer): void => {
    asked = [];
    answer = how;
  };
  begin(async (_method, _path, hand) => await hand());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: here(),
    get asked() {
      return asked;
    },
    record() {
      const exchanges: Exchange[] = [];
      begin(async (_method, _path, hand) => {
        const exchange = await hand();
        exchanges.push(exchange);
        return exchange;
      });
      return () => exchanges;
    },
    replay(exchanges, change) {
      const turns = new Map<string, number>();
      begin(async (method, path, hand) => {
        const key = `${method} ${path}`;
        const turn = turns.get(key) ?? 0;
        turns.set(key, turn + 1);
        const known = exchanges.filter((exchange) => exchange.method === method && exchange.path === path);
        const exchange = known[Math.min(turn, known.length - 1)];
        if (exchange === undefined) return method === 'GET' ? await hand() : refused(method, path);
        const changed = change(exchange, turn);
        return changed === undefined ? exchange : { ...exchange, ...changed, isChanged: true };
      });
    },
    guard() {
      begin(async (method, path, hand) => (method === 'GET' ? await hand() : refused(method, path)));
    },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** What the headers of a request say of it. */
export function askedIn(headers: IncomingHttpHeaders): Omit<Request, 'query' | 'body'> {
  const idempotencyKey = headers['idempotency-key'];
  return {
    contentType: headers['content-type'] ?? '',
    ...(typeof idempotencyKey === 'string' ? { idempotencyKey } : {}),
  };
}

function refused(method: string, path: string): Exchange {
  const body = '{"error":{"code":"kept_away","message":"writes are kept away"}}';
  const request = { query: new URLSearchParams(), contentType: '', body: '' };
  return { method, path, status: 422, headers: { 'content-type': 'application/json' }, body, request };
}
