import type { Client, Look } from '../../client/client.js';
import { expandPath } from '../../client/prepared.js';
import type { HostName, KeyKind } from '../../contract/operation.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { requiredFilter } from '../../domain/odata.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Query } from './probe-plan.js';

/** One request of the probe and what came of it. */
export interface Evidence {
  readonly host: HostName;
  /** Which key was sent; `null`: none. */
  readonly key: KeyKind | null;
  /** e.g. `GET /v2/companies?limit=1`. */
  readonly asked: string;
  /** Absent when no answer came. */
  readonly status?: number;
  /** The code of the error when no answer came. */
  readonly error?: string;
}

export interface Question {
  readonly operation: OperationId;
  readonly host: HostName;
  readonly key: KeyKind | null;
  /** A path template. */
  readonly path: string;
  readonly values: Readonly<Record<string, string>>;
  readonly query?: Query;
}

/** `failure`: no answer came, and why. */
export type Asked = { readonly evidence: Evidence; readonly origin: string } & (
  | { readonly look: Look }
  | { readonly look?: undefined; readonly failure: Text }
);

/** A look and the operation that it was for, in the order of asking. */
export interface Seen {
  readonly operation: OperationId;
  readonly host: HostName;
  readonly look: Look;
}

/** Asks one question after another, and keeps what came. A host that cannot be reached is asked only once. */
export class Asker {
  readonly seen: Seen[] = [];
  readonly #unreachable = new Map<string, Text>();

  constructor(
    private readonly client: Client,
    private readonly interruption: AbortSignal,
  ) {}

  /** The address, its path and query as they are sent, and for people. */
  async asked({
    path,
    values,
    query,
    host,
  }: Question): Promise<{ readonly url: URL; readonly path: string; readonly shown: string }> {
    const filled = expandPath(path, values);
    const plain = await this.client.previewRaw({ method: 'GET', host, path: filled, key: 'invoice' });
    const words = new URLSearchParams();
    for (const [name, value] of Object.entries(query ?? {})) words.set(name, String(value));
    const filter = requiredFilter(new URL(plain.url));
    if (filter !== undefined) words.set('$filter', filter);
    const full = words.size === 0 ? filled : `${filled}?${words.toString()}`;
    return { url: new URL(plain.url), path: full, shown: `GET ${full.replaceAll('%24', '$')}` };
  }

  /** Throws the error of an interrupted run; everything else is an answer. */
  async ask(question: Question): Promise<Asked> {
    const { host, key, operation } = question;
    const { url, path, shown } = await this.asked(question);
    const evidence: Evidence = { host, key, asked: shown };
    const { origin } = url;
    const dead = this.#unreachable.get(origin);
    if (dead !== undefined) return { evidence, origin, failure: dead };
    try {
      const signal = this.interruption;
      const look = await this.client.look({ host, path, ...(key === null ? {} : { key }) }, { signal });
      this.seen.push({ operation, host, look });
      return { evidence: { ...evidence, status: look.status }, origin, look };
    } catch (error) {
      if (!(error instanceof FiscalError) || this.interruption.aborted) throw error;
      if (error.facts.sent === 'no') this.#unreachable.set(origin, error.text);
      return { evidence: { ...evidence, error: error.code }, origin, failure: error.text };
    }
  }
}
