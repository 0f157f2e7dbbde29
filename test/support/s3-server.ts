import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A small S3 server on loopback: one bucket in memory, with the conditions, checksums and faults that tests need. It checks the
 * name of the key and the time of a request, not its signature.
 */
export interface S3Object {
  readonly body: Buffer;
  readonly tag: string;
  readonly sha256: string | undefined;
  readonly writtenAt: number;
  readonly lock: { readonly mode: string; readonly until: string } | undefined;
}

export interface S3Request {
  readonly method: string;
  readonly key: string;
}

/**
 * What the server answers instead; `unsized`: bytes without a length and without an end · `cut`: it writes and then breaks the connection, so that nobody hears of it · `silent`: it never
 * answers · `stalled`: it stops in the middle of an object.
 */
export type S3Fault =
  | 'unsized'
  | { readonly status: number; readonly code: string }
  | 'cut'
  | 'half'
  | 'garbage'
  | 'silent'
  | 'stalled';

export interface S3ServerOptions {
  /** Accepts every write, whatever its condition is. */
  readonly ignoresConditions?: boolean;
  /** `bare`: compares tags only without quotation marks, as Ceph 16; `quoted`: takes those for no condition. */
  readonly tags?: 'bare' | 'quoted';
  /** Ignores the condition of a deletion, as Ceph 16. */
  readonly deletesAnything?: boolean;
  /** Knows MD5 and no SHA-256. */
  readonly withoutChecksums?: boolean;
  /** The clock of the server. */
  readonly now?: () => number;
  readonly fault?: (request: S3Request) => S3Fault | undefined;
  /** Sends neither Date nor Last-Modified. */
  readonly withoutTimes?: boolean;
  readonly pageSize?: number;
  /** Answers a request for a part with the whole object, or one that begins elsewhere. */
  readonly ranges?: 'ignored' | 'shifted';
  /** Gives other bytes than those that were written. */
  readonly body?: (key: string, body: Buffer) => Buffer;
  /** Changes the XML of a list. */
  readonly list?: (xml: string) => string;
}

export const s3Keys = { AWS_ACCESS_KEY_ID: 'test-key', AWS_SECRET_ACCESS_KEY: 'canary/secret/of/the/bucket' };
export const BUCKET = 'archive';
/** The name in the guides. */
const others = new Set([BUCKET, 'documents']);

export class S3Server {
  readonly objects = new Map<string, S3Object>();
  readonly requests: S3Request[] = [];
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  private constructor(private readonly options: S3ServerOptions) {}

  static async start(options: S3ServerOptions = {}): Promise<S3Server> {
    const server = new S3Server(options);
    await new Promise<void>((resolve) => server.#server.listen(0, '127.0.0.1', resolve));
    return server;
  }

  get url(): string {
    const address = this.#server.address();
    if (!isAddress(address)) throw new Error('the server does not listen');
    return `http://127.0.0.1:${address.port}`;
  }

  get env(): Readonly<Record<string, string>> {
    return { ...s3Keys, AWS_ENDPOINT_URL: this.url };
  }

  put(key: string, body: Buffer): void {
    this.objects.set(key, this.#objectOf(body, undefined));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  get #now(): number {
    return this.options.now?.() ?? Date.now();
  }

  #objectOf(body: Buffer, lock: S3Object['lock']): S3Object {
    const sha256 = createHash('sha256').update(body).digest('base64');
    return {
      body,
      tag: `"${createHash('md5').update(body).digest('hex')}"`,
      sha256: this.options.withoutChecksums === true ? undefined : sha256,
      writtenAt: this.#now,
      lock,
    };
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
    } catch {
      return;
    }
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const [, bucket = '', ...parts] = decodeURIComponent(pathname).split('/');
    const key = parts.join('/');
    const method = request.headers['x-amz-copy-source'] === undefined ? (request.method ?? '') : 'COPY';
    this.requests.push({ method, key });
    response.sendDate = false;
    if (this.options.withoutTimes !== true) response.setHeader('Date', new Date(this.#now).toUTCString());
    const fault = this.options.fault?.({ method, key });
    if (typeof fault === 'object') return fail(response, fault.status, fault.code);
    if (fault === 'silent') return;
    if (fault === 'garbage') return void response.socket?.end('NOT HTTP\r\n\r\n');
    const refused = this.#refusal(request, bucket);
    if (refused !== undefined) return fail(response, refused.status, refused.code);
    if (Buffer.byteLength(key) > 1024) return fail(response, 400, 'KeyTooLongError');
    if (fault === 'cut') response.end = () => response.destroy();
    const body = Buffer.concat(chunks);
    if (method === 'PUT') this.#put(request, response, { key, body });
    else if (method === 'GET' && key === '') this.#list(response, searchParams);
    else if (method === 'GET' || method === 'HEAD') this.#get(request, response, { key, fault });
    else if (method === 'DELETE') this.#delete(request, response, key);
    else fail(response, 501, 'NotImplemented');
  }

  #refusal({ headers }: IncomingMessage, bucket: string) {
    if (!(headers.authorization ?? '').includes(`Credential=${s3Keys.AWS_ACCESS_KEY_ID}/`))
      return { status: 403, code: 'InvalidAccessKeyId' };
    const [, y, mo, d, h, mi, s] =
      /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(String(headers['x-amz-date'])) ?? [];
    const signedAt = Date.UTC(Number(y), Number(mo) - 1, Number(d), Number(h), Number(mi), Number(s));
    if (!(Math.abs(signedAt - this.#now) < 15 * 60_000)) return { status: 403, code: 'RequestTimeTooSkewed' };
    return others.has(bucket) ? undefined : { status: 404, code: 'NoSuchBucket' };
  }

  #put(
    { headers }: IncomingMessage,
    response: ServerResponse,
    { key, body }: { readonly key: string; readonly body: Buffer },
  ): void {
    const standing = this.objects.get(key);
    const { 'if-match': match, 'if-none-match': noneMatch } = headers;
    if (this.options.ignoresConditions !== true) {
      if (noneMatch === '*' && standing !== undefined) return fail(response, 412, 'PreconditionFailed');
      if (match !== undefined && standing === undefined) return fail(response, 404, 'NoSuchKey');
      if (match !== undefined && !this.#isTag(match, standing)) return fail(response, 412, 'PreconditionFailed');
    }
    const sha256 = createHash('sha256').update(body);
    const hex = sha256.copy().digest('hex');
    if (headers['x-amz-content-sha256'] !== hex) return fail(response, 400, 'XAmzContentSHA256Mismatch');
    const sent = headers['x-amz-checksum-sha256'];
    if (sent !== undefined && sent !== sha256.digest('base64')) return fail(response, 400, 'BadDigest');
    const md5 = headers['content-md5'];
    if (md5 !== undefined && md5 !== createHash('md5').update(body).digest('base64'))
      return fail(response, 400, 'BadDigest');
    const object = this.#objectOf(body, lockIn(headers));
    this.objects.set(key, object);
    response.setHeader('ETag', object.tag);
    if (object.sha256 !== undefined) response.setHeader('x-amz-checksum-sha256', object.sha256);
    response.end();
  }

  #isTag(match: string, standing: S3Object | undefined): boolean {
    const { tags } = this.options;
    if (tags === 'quoted' && !match.startsWith('"')) return true;
    const tag = standing?.tag ?? '';
    return match === (tags === 'bare' ? tag.replaceAll('"', '') : tag);
  }

  #get(
    { headers, method }: IncomingMessage,
    response: ServerResponse,
    { key, fault }: { readonly key: string; readonly fault: S3Fault | undefined },
  ): void {
    const object = this.objects.get(key);
    if (object === undefined) return fail(response, 404, 'NoSuchKey');
    if (headers['if-match'] !== undefined && headers['if-match'] !== object.tag)
      return fail(response, 412, 'PreconditionFailed');
    const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? '')?.[1] ?? 0);
    const whole = (method === 'GET' && this.options.body?.(key, object.body)) || object.body;
    const { ranges } = this.options;
    const begin = ranges === 'ignored' ? 0 : Math.max(0, from - (ranges === 'shifted' ? 1 : 0));
    const body = whole.subarray(begin);
    response.statusCode = begin > 0 ? 206 : 200;
    if (begin > 0) response.setHeader('Content-Range', `bytes ${begin}-${whole.length - 1}/${whole.length}`);
    response.setHeader('ETag', object.tag);
    if (this.options.withoutTimes !== true)
      response.setHeader('Last-Modified', new Date(object.writtenAt).toUTCString());
    if (fault !== 'unsized') response.setHeader('Content-Length', body.length);
    if (object.sha256 !== undefined && headers['x-amz-checksum-mode'] === 'ENABLED')
      response.setHeader('x-amz-checksum-sha256', object.sha256);
    const half = body.subarray(0, Math.ceil(body.length / 2));
    if (fault === 'unsized') endlessly(response);
    else if (fault === 'half') response.write(half, () => response.destroy());
    else if (fault === 'stalled' && begin > 0) response.flushHeaders();
    else if (fault === 'stalled') response.write(half);
    else response.end(method === 'HEAD' ? undefined : body);
  }

  #delete({ headers }: IncomingMessage, response: ServerResponse, key: string): void {
    const standing = this.objects.get(key);
    const match = this.options.deletesAnything === true ? undefined : headers['if-match'];
    if (match !== undefined && standing !== undefined && standing.tag !== match)
      return fail(response, 412, 'PreconditionFailed');
    this.objects.delete(key);
    response.statusCode = 204;
    response.end();
  }

  #list(response: ServerResponse, query: URLSearchParams): void {
    const [prefix, delimiter] = [query.get('prefix') ?? '', query.get('delimiter') ?? ''];
    const after = query.get('continuation-token') ?? '';
    const keys = [...this.objects.keys()]
      .filter((key) => key.startsWith(prefix) && key > after)
      .filter((key) => delimiter === '' || !key.slice(prefix.length).includes(delimiter))
      .sort();
    const page = keys.slice(0, this.options.pageSize ?? 1000);
    const rows = page.map((key) => `<Contents><Key>${encodeURIComponent(key)}</Key></Contents>`).join('');
    const isMore = page.length < keys.length;
    const more = isMore ? `<NextContinuationToken>${page.at(-1) ?? ''}</NextContinuationToken>` : '';
    const xml = `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${isMore}</IsTruncated>${more}${rows}</ListBucketResult>`;
    response.end(this.options.list?.(xml) ?? xml);
  }
}

function lockIn(headers: IncomingMessage['headers']): S3Object['lock'] {
  const [mode, until] = [headers['x-amz-object-lock-mode'], headers['x-amz-object-lock-retain-until-date']];
  return mode === undefined ? undefined : { mode: String(mode), until: String(until) };
}

/** Never ends by itself. */
function endlessly(response: ServerResponse): void {
  const more = (): void => {
    if (!response.destroyed) response.write(Buffer.alloc(64 * 1024), () => setImmediate(more));
  };
  more();
}

function fail(response: ServerResponse, status: number, code: string): void {
  response.statusCode = status;
  response.end(`<Error><Code>${code}</Code><Message>\u001b[31mof the server</Message></Error>`);
}

function isAddress(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
