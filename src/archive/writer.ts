export interface Written {
  /** Relative to the archive, with `/`. */
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** A file written in pieces apart from the files that others read. `restart` drops everything written so far. */
export interface Draft {
  restart(): Promise<void>;
  write(chunk: Uint8Array): Promise<void>;
  /**
   * Gives the file its name, durably or not at all. `path` is relative to the archive, `replaces` the SHA-256 of what is expected to
   * stand there: an object store sets other bytes aside before it replaces them.
   */
  commit(path: string, replaces?: string): Promise<Written>;
  /** Removes what was written. Does nothing after `commit`. */
  discard(): Promise<void>;
}

export interface ArchiveWriter {
  draft(): Draft;
  /** Writes the file atomically: a reader sees the old file or the new one. A resolved write is durable. */
  write(path: string, bytes: Uint8Array, replaces?: string): Promise<Written>;
}
