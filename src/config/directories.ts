/** Where the program keeps its files, by XDG and its counterparts. Made on first write, 0700. */
export interface Directories {
  readonly config: string;
  /** Jobs, history, pace. */
  readonly state: string;
  /** Sandbox and archive. */
  readonly data: string;
}
