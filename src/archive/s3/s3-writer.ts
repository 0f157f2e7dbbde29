import { createHash } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveFailure } from '../folder/work-folder.js';
import type { ArchiveWriter, Draft, Written } from '../writer.js';
import type { Bucket, Hashes, Retention, Source } from './bucket.js';
import { hashesOf, md5OfFile, place } from './place.js';

export interface BucketWriterOptions {
  readonly bucket: Bucket;
  /** A folder of this process on the disk, for drafts: their size and hash are known before the request begins. */
  readonly spool: string;
  readonly retention: Retention | undefined;
  /** Called before every write. */
  confirm(): Promise<void>;
  readonly onSetAside: (path: string) => void;
}

export function createBucketWriter(options: BucketWriterOptions): ArchiveWriter {
  let count = 0;
  const { bucket } = options;
  return {
    draft: () => {
      count += 1;
      return new SpooledDraft(options, join(options.spool, `${count}.part`));
    },
    write: (path, bytes, replaces) => {
      count += 1;
      const hashes = hashesOf(bytes, !bucket.knowsSha256);
      const spool = join(options.spool, `${count}.aside`);
      return put(options, { path, source: { bytes }, hashes, replaces, spool });
    },
  };
}

interface File {
  readonly path: string;
  readonly source: Source;
  readonly hashes: Hashes;
  readonly replaces: string | undefined;
  readonly spool: string;
}

async function put(options: BucketWriterOptions, file: File): Promise<Written> {
  const { bucket, retention, onSetAside } = options;
  await options.confirm();
  await place(bucket, { ...file, retention, onSetAside });
  return { path: file.path, sha256: file.hashes.sha256, bytes: file.hashes.bytes };
}

class SpooledDraft implements Draft {
  #file: Awaited<ReturnType<typeof open>> | undefined;
  #hash = createHash('sha256');
  #bytes = 0;

  constructor(
    private readonly options: BucketWriterOptions,
    private readonly spooled: string,
  ) {}

  async restart(): Promise<void> {
    await this.#guarded(async () => {
      await this.#file?.close();
      this.#file = await open(this.spooled, 'w', 0o600);
      this.#hash = createHash('sha256');
      this.#bytes = 0;
    });
  }

  async write(chunk: Uint8Array): Promise<void> {
    await this.#guarded(async () => {
      await this.#file?.writeFile(chunk);
      this.#hash.update(chunk);
      this.#bytes += chunk.length;
    });
  }

  async commit(path: string, replaces?: string): Promise<Written> {
    await this.#guarded(() => this.#close());
    const { knowsSha256 } = this.options.bucket;
    const hashes = {
      bytes: this.#bytes,
      sha256: this.#hash.digest('hex'),
      ...(!knowsSha256 && { md5: await md5OfFile(this.spooled) }),
    };
    const [source, spool] = [{ file: this.spooled }, `${this.spooled}.aside`];
    const written = await put(this.options, { path, source, hashes, replaces, spool });
    await rm(this.spooled, { force: true });
    return written;
  }

  async discard(): Promise<void> {
    await this.#close();
    await rm(this.spooled, { force: true });
  }

  async #close(): Promise<void> {
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
  }

  async #guarded(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      throw archiveFailure(this.spooled, error);
    }
  }
}
