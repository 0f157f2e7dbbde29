import { setTimeout as pause } from 'node:timers/promises';
import type { LifeEnd } from './life.js';
import { shiftedLife } from './unkind.js';

interface Work {
  readonly name: string;
  /** Commands, in the order of the work. */
  readonly words: readonly (readonly string[])[];
  /** Each life has the next clock. */
  readonly firstClock: number;
}

/** Exit codes after which the command has done its part: all is well, or some items ended otherwise. */
const ENDED = [0, 3];
/** A command that ends otherwise goes on by the same words, but not for ever. */
const MOST_LIVES_OF_A_COMMAND = 200;

/** One machine: it runs its commands one after the other, each again until it has ended. */
export class FleetRunner {
  lives = 0;
  kills = 0;
  readonly name: string;
  #kill: (() => void) | undefined;
  #away: Promise<void> | undefined;
  #endAway: () => void = () => undefined;
  #ending: Promise<LifeEnd> | undefined;

  constructor(
    readonly env: NodeJS.ProcessEnv,
    private readonly todo: Work,
  ) {
    this.name = todo.name;
  }

  get isAlive(): boolean {
    return this.#kill !== undefined;
  }

  /** Runs all of them; a second time finds what the first one left. */
  async work(): Promise<void> {
    for (const words of this.todo.words) await this.#untilEnded(words);
  }

  kill(): void {
    this.#kill?.();
  }

  /** No next life begins before `comeBack`. Resolves when the process is gone. */
  async killForLong(): Promise<void> {
    this.#away = new Promise((resolve) => (this.#endAway = resolve));
    this.kill();
    await this.#ending;
  }

  comeBack(): void {
    this.#endAway();
    this.#away = undefined;
  }

  async #untilEnded(words: readonly string[]): Promise<void> {
    for (let life = 0; life < MOST_LIVES_OF_A_COMMAND; life += 1) {
      await this.#away;
      const { exitCode, wasKilled, stderr } = await this.#live(words);
      if (exitCode !== null && ENDED.includes(exitCode)) return;
      if (!wasKilled && exitCode !== 5) console.log(`${this.name} ended ${exitCode}: ${stderr.slice(-400)}`);
      if (!wasKilled) await pause(500);
    }
    throw new Error(`${this.name} never ends: ${words.join(' ')}`);
  }

  async #live(words: readonly string[]): Promise<LifeEnd> {
    const nth = this.todo.firstClock + this.lives;
    this.lives += 1;
    const kill = new Promise<void>((resolve) => (this.#kill = resolve));
    this.#ending = shiftedLife(this.env, words, { nth, kill: () => kill });
    const end = await this.#ending;
    this.#kill = undefined;
    if (end.wasKilled) this.kills += 1;
    return end;
  }
}
