import { PassThrough } from 'node:stream';

/** A terminal without a screen: what is drawn can be waited for, what is typed reaches the question. */
export class FakeTerminal {
  readonly input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  readonly output = Object.assign(new PassThrough(), {
    isTTY: true,
    columns: 80,
    clearLine: () => true,
    cursorTo: () => true,
    moveCursor: () => true,
  });
  #drawn = '';

  constructor() {
    // A prompt ends what it draws on, which does nothing to the stderr of a process.
    this.output.end = () => this.output;
    this.output.on('data', (chunk: Buffer) => {
      this.#drawn += chunk.toString();
    });
  }

  get drawn(): string {
    return this.#drawn;
  }

  /** Resolves when the words have been drawn. */
  async shows(words: string): Promise<void> {
    while (!this.#drawn.includes(words)) {
      await new Promise((resolve) => this.output.once('data', resolve));
    }
  }

  type(text: string): void {
    this.input.write(text);
  }
}
