import { isProtected } from '../../domain/loopback.js';
import { createReadStream } from 'node:fs';
import type { Agent as HttpAgent } from 'node:http';
import type { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  type ListObjectsV2CommandOutput,
  PutObjectCommand,
  S3Client,
  type S3ClientConfig,
} from '@aws-sdk/client-s3';
import type { Text } from '../../contract/text.js';
import { fieldOf } from '../../domain/record.js';
import type { Clock, Environment } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { bucketLocation, type BucketAddress } from '../location.js';
import { boundedAnswer, requireList } from './bounded-answer.js';
import { bucketFault, isConflict, isMissing, isNotImplemented, isOfOtherTime, isTemporary } from './faults.js';

/** The agent for each address. */
export interface Connections {
  for(url: URL): { readonly http: HttpAgent } | { readonly https: HttpsAgent };
}

export interface BucketOptions {
  readonly address: BucketAddress;
  readonly env: Environment;
  /** How long a server that is away or overloaded is waited for, with the time of requests that it never answers. */
  readonly patienceMs: number;
  readonly connectTimeoutMs: number;
  /** Of a connection on which nothing comes. */
  readonly readTimeoutMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** A random number from 0 to 1, so that many do not try again at the same time. */
  readonly unit: () => number;
  readonly connections: Connections;
}

/** What is written: bytes, or a file that is read again for every try. */
export type Source = { readonly bytes: Uint8Array } | { readonly file: string };

/** The size of a source with its hashes. */
export interface Hashes {
  readonly bytes: number;
  /** Hexadecimal. */
  readonly sha256: string;
  /** Base64, for a server that knows no SHA-256. */
  readonly md5?: string;
}

/** Given by its tag: the object that stands there, or none. */
export type Condition = { readonly absent: true } | { readonly tag: string };

export interface Retention {
  readonly mode: 'GOVERNANCE' | 'COMPLIANCE';
  readonly until: Date;
}

export interface Put {
  readonly source: Source;
  readonly hashes: Hashes;
  readonly condition: Condition;
  readonly retention?: Retention | undefined;
}

export interface Standing {
  readonly tag: string;
  readonly bytes: number;
  /** Hexadecimal, if the server keeps one of the whole object. */
  readonly sha256: string | undefined;
  /** By the clock of the server, in milliseconds. */
  readonly writtenAt: number;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** Streams that break one after another before their next byte. */
const MOST_BROKEN = 5;
/** Pages with few names or none; some servers leave out what was deleted. */
const MOST_SPARSE_PAGES = 100;
/** A page has up to a thousand. */
const FEWEST_NAMES = 10;
/** More than an archive has: each document has a few objects. */
const MOST_NAMES = 10_000_000;
/** More than a folder of an archive has: each is of one company and month. Its names are held in memory. */
const MOST_NAMES_IN_FOLDER = 500_000;
/** The most bytes of the name of an object. */
const LONGEST_KEY = 1024;
/** The most that one request can write. */
const LARGEST = 5 * 1024 ** 3;

/** The objects of an archive: each method is one request, and is repeated while the server is away. Errors: `archive.*`, `store.full`. */
export class Bucket {
  readonly location: string;
  /** The server verifies SHA-256 of what it gets; otherwise MD5. */
  knowsSha256 = true;
  /** The server does not take a tag without quotation marks for no condition. */
  comparesBareTags = false;
  readonly #client: S3Client;
  readonly #prefix: string;
  readonly #name: string;
  #servedAt: number | undefined;

  constructor(private readonly options: BucketOptions) {
    const { address, env, connections, connectTimeoutMs, readTimeoutMs } = options;
    this.location = bucketLocation(address);
    this.#name = address.bucket;
    this.#prefix = address.prefix === '' ? '' : `${address.prefix}/`;
    const connection = connectionOf(env, this.location);
    this.#client = new S3Client({
      ...connection,
      // The tries of this class know the patience of the run and read a file again.
      maxAttempts: 1,
      // It would write to the console.
      logger: { debug: silent, info: silent, warn: silent, error: silent },
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      requestHandler: {
        connectionTimeout: connectTimeoutMs,
        socketTimeout: readTimeoutMs,
        ...agentsFor(connections, connection, address.bucket),
      },
    });
    // Also an address of the shared files of AWS, which only the client reads.
    this.#client.middlewareStack.add(
      (next) => (input) => {
        const [protocol, hostname] = [fieldOf(input.request, 'protocol'), fieldOf(input.request, 'hostname')];
        const text = `${String(protocol)}//${String(hostname)}`;
        checkedEndpoint(text, this.location);
        return next(input);
      },
      { step: 'build', name: 'requireHttps' },
    );
    this.#client.middlewareStack.add(
      (next, { commandName }) =>
        async (input) => {
          const output = await next(input);
          await this.#check(output.response, commandName);
          return output;
        },
      { step: 'deserialize', priority: 'low', name: 'checkAnswer' },
    );
  }

  /** The clock of the server at its last answer. */
  get servedAt(): number {
    return this.#servedAt ?? Number.NaN;
  }

  nameOf(path: string): string {
    return path === '' ? this.location : `${this.location}/${path}`;
  }

  /**
   * Gives the new tag. Throws `isConflict` when the condition does not hold. Ceph 16 compares a tag only without its quotation
   * marks, so a tag that is refused with them is tried without.
   */
  async put(path: string, put: Put): Promise<string> {
    const { condition } = put;
    try {
      return await this.#put(path, put);
    } catch (error) {
      if (!('tag' in condition) || !this.comparesBareTags || !isConflict(error)) throw error;
      return await this.#put(path, { ...put, condition: { tag: condition.tag.replaceAll('"', '') } });
    }
  }

  async #put(path: string, { source, hashes, condition, retention }: Put): Promise<string> {
    if (hashes.bytes > LARGEST)
      throw new FiscalError('store.unwritable', { path: this.nameOf(path), reason: tooLarge });
    const base64 = Buffer.from(hashes.sha256, 'hex').toString('base64');
    const answer = await this.#try(async () => {
      const command = new PutObjectCommand({
        ...this.#object(path),
        Body: 'bytes' in source ? source.bytes : createReadStream(source.file),
        ContentLength: hashes.bytes,
        ...(this.knowsSha256 ? { ChecksumSHA256: base64 } : { ContentMD5: hashes.md5 }),
        ...('tag' in condition ? { IfMatch: condition.tag } : { IfNoneMatch: '*' }),
        ...lockOf(retention),
      });
      // The signature covers the hash of the body, so that every server verifies it.
      command.middlewareStack.add(
        (next) => (input) => {
          const headers = fieldOf(input.request, 'headers');
          if (typeof headers === 'object' && headers !== null)
            Object.assign(headers, { 'x-amz-content-sha256': hashes.sha256 });
          return next(input);
        },
        { step: 'build', name: 'signBodyHash' },
      );
      return await this.#client.send(command, { abortSignal: this.options.signal });
    });
    const { ETag = '', ChecksumSHA256 } = answer;
    if (ChecksumSHA256 !== undefined && ChecksumSHA256 !== base64)
      throw new FiscalError('store.unwritable', { path: this.nameOf(path), reason: otherHash });
    return ETag;
  }

  async head(path: string): Promise<Standing | undefined> {
    const command = () => new HeadObjectCommand({ ...this.#object(path), ChecksumMode: 'ENABLED' });
    const found = await this.#find(() => this.#client.send(command(), { abortSignal: this.options.signal }));
    if (found === undefined) return undefined;
    const { ETag = '', ContentLength, ChecksumSHA256, LastModified } = found;
    if (ContentLength === undefined) throw this.#badAnswer(noLength);
    // A hash of the hashes of parts has their number behind a dash.
    const isWhole = ChecksumSHA256 !== undefined && !ChecksumSHA256.includes('-');
    return {
      tag: ETag,
      bytes: ContentLength,
      sha256: isWhole ? Buffer.from(ChecksumSHA256, 'base64').toString('hex') : undefined,
      writtenAt: LastModified?.getTime() ?? Number.NaN,
    };
  }

  /**
   * The bytes, piece by piece; a stream that breaks goes on where it broke, in the same object. `undefined`: there is none, or none
   * with this tag.
   */
  async get(path: string, tag?: string): Promise<AsyncIterable<Uint8Array> | undefined> {
    const first = await this.#part(path, 0, undefined);
    if (first === undefined) return undefined;
    if (tag === undefined || first.tag === tag) return this.#pieces(path, first);
    first.body.destroy();
    return undefined;
  }

  /** Removes the object with this tag; another one stays. It is looked at before, for servers that ignore the condition. */
  async remove(path: string, tag: string): Promise<void> {
    const at = this.#object(path);
    if ((await this.head(path))?.tag !== tag) return;
    try {
      await this.#try(() => this.#client.send(new DeleteObjectCommand({ ...at, IfMatch: tag })));
    } catch (error) {
      if (!isNotImplemented(error)) throw error;
      await this.#try(() => this.#client.send(new DeleteObjectCommand(at)));
    }
  }

  /** The paths that begin with this text, in the order of the server; without those in folders below when `flat`. */
  async *list(begin: string, { flat }: { readonly flat: boolean }): AsyncGenerator<string> {
    let token: string | undefined;
    const requireProgress = this.#progress(flat ? MOST_NAMES_IN_FOLDER : MOST_NAMES);
    do {
      const command = {
        ...{ Bucket: this.#name, Prefix: `${this.#prefix}${begin}`, EncodingType: 'url' as const },
        ...(flat && { Delimiter: '/' }),
        ...(token !== undefined && { ContinuationToken: token }),
      };
      const page = await this.#try(() =>
        this.#client.send(new ListObjectsV2Command(command), { abortSignal: this.options.signal }),
      );
      for (const { Key = '' } of page.Contents ?? []) {
        const key = page.EncodingType === 'url' ? decoded(Key) : Key;
        if (key === undefined) throw this.#badAnswer(noKey);
        if (key.startsWith(this.#prefix)) yield key.slice(this.#prefix.length);
      }
      requireProgress(page);
      const next = page.IsTruncated === true ? page.NextContinuationToken : undefined;
      // Every list says whether it is complete: anything else is no list.
      if (page.IsTruncated === undefined || (page.IsTruncated && (!next || next === token)))
        throw this.#badAnswer(noEnd);
      token = next;
    } while (token !== undefined);
  }

  /** Throws at a page after which a list has no end: it begins as the page before, or there are too many names, or pages for so few names. */
  #progress(mostNames: number): (page: ListObjectsV2CommandOutput) => void {
    let pages = 0;
    let count = 0;
    let first: string | undefined;
    return ({ Contents: names = [], CommonPrefixes: folders = [] }) => {
      pages += 1;
      count += names.length + folders.length;
      const begins = names[0]?.Key;
      const isAgain = begins !== undefined && begins === first;
      const isSparse = pages > MOST_SPARSE_PAGES + count / FEWEST_NAMES;
      if (isAgain || isSparse || count > mostNames) throw this.#badAnswer(noLastPage);
      first = begins;
    };
  }

  async rest(ms: number, awaited?: Text): Promise<void> {
    await this.options.clock.sleep(ms, this.options.signal, awaited);
  }

  close(): void {
    this.#client.destroy();
  }

  async *#pieces(path: string, first: Part): AsyncGenerator<Uint8Array> {
    let part: Part | undefined = first;
    let broken = 0;
    let heardAt = performance.now();
    for (let read = 0; part !== undefined; ) {
      try {
        for await (const piece of part.body) {
          read += piece.length;
          if (read > first.end) throw this.#badAnswer(otherLength);
          broken = 0;
          yield piece;
          heardAt = performance.now();
        }
        if (read !== first.end) throw this.#badAnswer(otherLength);
        return;
      } catch (error) {
        this.options.signal.throwIfAborted();
        broken += 1;
        const isOver = broken > MOST_BROKEN || performance.now() - heardAt >= this.options.patienceMs;
        if (!isTemporary(error) || isOver || first.tag === '') throw bucketFault(this.location, error);
        part = await this.#part(path, read, first.tag);
      }
      if (part !== undefined && !goesOn(part, first, read)) throw this.#badAnswer(otherRange);
    }
    throw new FiscalError('input.not_found', { path: this.nameOf(path) });
  }

  async #part(path: string, from: number, tag: string | undefined): Promise<Part | undefined> {
    const range = from === 0 ? {} : { Range: `bytes=${from}-` };
    const same = tag === undefined ? {} : { IfMatch: tag };
    const found = await this.#find(() =>
      this.#client.send(new GetObjectCommand({ ...this.#object(path), ...range, ...same }), {
        abortSignal: this.options.signal,
      }),
    );
    if (found === undefined) return undefined;
    const { ETag: standing = '', ContentLength: length, ContentRange: given, Body: body } = found;
    const [, begin = '0', total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(given ?? '') ?? [];
    const end = total === undefined ? length : Number(total);
    if (end === undefined || end > LARGEST) {
      bytesOf(body).destroy();
      throw this.#badAnswer(end === undefined ? noLength : tooLarge);
    }
    return { tag: standing, begin: Number(begin), end, body: bytesOf(body) };
  }

  /** Remembers the time of an answer; one that is no object is read here, so that its size is bounded. */
  async #check(response: unknown, commandName: string | undefined): Promise<void> {
    const date = fieldOf(fieldOf(response, 'headers'), 'date');
    if (typeof date === 'string') this.#servedAt = Date.parse(date);
    const [status, body] = [fieldOf(response, 'statusCode'), fieldOf(response, 'body')];
    const isDone = typeof status === 'number' && status < 300;
    if (!(body instanceof Readable) || (isDone && commandName === 'GetObjectCommand')) return;
    const whole = await boundedAnswer(this.location, body);
    if (isDone && commandName === 'ListObjectsV2Command') requireList(this.location, whole);
    Object.assign(response ?? {}, { body: whole });
  }

  #badAnswer(reason: Text): FiscalError {
    return new FiscalError('archive.bad_answer', { path: this.location, reason });
  }

  #object(path: string) {
    const key = `${this.#prefix}${path}`;
    if (Buffer.byteLength(key) > LONGEST_KEY) {
      const reason = 'ENAMETOOLONG';
      const cause = Object.assign(new Error(reason), { code: reason });
      throw new FiscalError('store.unwritable', { path: this.nameOf(path), reason }, { cause, sent: 'no' });
    }
    return { Bucket: this.#name, Key: key };
  }

  async #find<Answer>(request: () => Promise<Answer>): Promise<Answer | undefined> {
    try {
      return await this.#try(request);
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Conditions that do not hold, absent objects and unknown requests stay errors of the client, for the callers. */
  async #try<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    const { patienceMs, readTimeoutMs, signal, unit } = this.options;
    let waited = 0;
    let isCorrected = false;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      const begin = performance.now();
      try {
        return await request();
      } catch (error) {
        signal.throwIfAborted();
        // A long upload is no wait: of a request that fails, the end counts.
        waited += Math.min(performance.now() - begin, readTimeoutMs);
        // The client has read the time of the server, so that the next request has it; the one after that would be the same.
        if (isOfOtherTime(error) && !isCorrected) {
          isCorrected = true;
          continue;
        }
        if (!isTemporary(error) || waited >= patienceMs) throw this.#fault(error);
      }
      const ms = pauseMs * (0.5 + unit() / 2);
      waited += ms;
      await this.rest(ms, overloaded(this.location));
    }
  }

  #fault(error: unknown): unknown {
    return isMissing(error) || isConflict(error) || isNotImplemented(error) ? error : bucketFault(this.location, error);
  }
}

function overloaded(path: string): Text {
  return {
    en: `the object store of the archive ${path}, which does not answer or is overloaded`,
    pt: `o servidor da pasta de documentos ${path}, que não responde ou está sobrecarregado`,
  };
}

interface Part {
  readonly tag: string;
  /** Where the bytes begin in the object. */
  readonly begin: number;
  /** The length of the object. */
  readonly end: number;
  readonly body: Readable;
}

/** The region of a server of one's own has no meaning: any is right. */
const ANY_REGION = 'us-east-1';

interface Connection extends Pick<S3ClientConfig, 'credentials' | 'forcePathStyle'> {
  readonly endpoint?: string;
  readonly region?: string;
}

/** From the environment of the run; what it does not name is found by the client: profiles, containers, instances. */
function connectionOf(env: Environment, location: string): Connection {
  const accessKeyId = env['AWS_ACCESS_KEY_ID'];
  const secretAccessKey = env['AWS_SECRET_ACCESS_KEY'];
  const sessionToken = env['AWS_SESSION_TOKEN'];
  const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'];
  const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || (endpoint ? ANY_REGION : undefined);
  return {
    ...(endpoint && { endpoint: checkedEndpoint(endpoint, location), forcePathStyle: true }),
    ...(region && { region }),
    ...(accessKeyId &&
      secretAccessKey && { credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) } }),
  };
}

/** Of a bucket at Amazon without a known region, NO_PROXY meets the address that all regions share. */
function agentsFor(connections: Connections, { endpoint, region }: Connection, bucket: string) {
  const amazon = `https://${bucket}.s3.${region === undefined ? '' : `${region}.`}amazonaws.com`;
  const agents = connections.for(new URL(endpoint ?? amazon));
  return 'https' in agents ? { httpsAgent: agents.https } : { httpAgent: agents.http };
}

function checkedEndpoint(text: string, location: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !isProtected(url) || url.username !== '' || url.password !== '')
    throw new FiscalError('archive.unusable', { path: location, reason: notEndpoint }, { sent: 'no' });
  return text;
}

const silent = (): void => undefined;

function lockOf(retention: Retention | undefined) {
  return retention === undefined ? {} : { ObjectLockMode: retention.mode, ObjectLockRetainUntilDate: retention.until };
}

/** Whether a part has the bytes that follow those which were read of the same object. */
function goesOn(part: Part, first: Part, read: number): boolean {
  return part.tag === first.tag && part.begin === read && part.end === first.end;
}

function bytesOf(body: unknown): Readable {
  if (body instanceof Readable) return body;
  throw new TypeError('the answer of the object store has no bytes');
}

/** `undefined`: no key that was encoded as a URL. */
function decoded(key: string): string | undefined {
  try {
    return decodeURIComponent(key.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}

const noKey: Text = {
  en: 'a list has a name that cannot be decoded',
  pt: 'uma lista tem um nome que não pode ser decodificado',
};

const noEnd: Text = { en: 'a list does not say how it goes on', pt: 'uma lista não diz como continua' };

const noLastPage: Text = { en: 'a list of objects has no end', pt: 'uma lista de objetos não tem fim' };

const noLength: Text = { en: 'an object has no length', pt: 'um objeto não tem tamanho' };

const otherLength: Text = {
  en: 'an object is longer or shorter than the server says',
  pt: 'um objeto é maior ou menor do que o servidor diz',
};

const otherRange: Text = {
  en: 'other bytes of an object than those that were asked for',
  pt: 'bytes de um objeto que não são os pedidos',
};

const notEndpoint: Text = {
  en: 'the endpoint (AWS_ENDPOINT_URL, or endpoint_url in the files of AWS) is no https:// address (http:// only for this machine)',
  pt: 'o endereço (AWS_ENDPOINT_URL, ou endpoint_url nos arquivos da AWS) não é https:// (http:// só nesta máquina)',
};

const tooLarge: Text = { en: 'it is larger than 5 GiB', pt: 'é maior que 5 GiB' };

const otherHash: Text = {
  en: 'the object store says that it has other bytes than those that were sent',
  pt: 'o servidor de objetos diz ter bytes diferentes dos enviados',
};
