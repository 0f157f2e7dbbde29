import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language, Text } from '../../src/contract/text.js';
import { Background } from './background.js';

/** What one command gave back. */
export interface Ending {
  readonly exitCode: number;
  /** The JSON of stdout; the text itself where it is none. */
  readonly data: unknown;
  readonly stderr: string;
}

/** Language as the environment asks for it. */
export function stageLanguage(env: NodeJS.ProcessEnv): Language {
  const wanted = env['FISCAL_LANG'] ?? env['LC_ALL'] ?? env['LC_MESSAGES'] ?? env['LANG'] ?? '';
  return wanted.toLowerCase().startsWith('pt') ? 'pt' : 'en';
}

const program = fileURLToPath(new URL('../bin/fiscal.js', import.meta.url));

/** Runs commands in a folder of its own, shows them, and keeps count of what was as it should be. */
export class Stage {
  failures = 0;
  #checks = 0;
  #steps = 0;
  readonly #folder: string;
  readonly #language: Language;

  constructor(folder: string, language: Language) {
    this.#folder = folder;
    this.#language = language;
  }

  title(text: Text): void {
    this.#steps += 1;
    this.#say(`\n${this.#steps}. ${text[this.#language]}`);
  }

  /** Text as it is; anything else as JSON. */
  async file(name: string, content: unknown): Promise<void> {
    const text = typeof content === 'string' ? content : JSON.stringify(content, null, 2);
    await writeFile(join(this.#folder, name), `${text}\n`);
  }

  /** Removes the first file with this ending that lies in the folder, and shows which. */
  async remove(folder: string, ending: string): Promise<void> {
    const names = await readdir(join(this.#folder, folder), { recursive: true });
    const [name = ''] = names.filter((each) => each.endsWith(ending)).toSorted();
    this.#say(`\n   $ rm ${folder}/${name}`);
    await rm(join(this.#folder, folder, name));
  }

  /** Runs `fiscal` with these words; shows the line, the requests and the answer. */
  async fiscal(...words: readonly string[]): Promise<Ending> {
    this.#say(`\n   $ fiscal ${words.map(quoted).join(' ')}`);
    const { exitCode, stdout, stderr } = await this.#run(words);
    this.#indent('     ', stderr);
    this.#indent('   | ', stdout);
    this.#say(`   = exit ${exitCode}`);
    return { exitCode, data: parsed(stdout), stderr };
  }

  /** Begins a command that goes on while others run. */
  async begin(...words: readonly string[]): Promise<Background> {
    this.#say(`\n   $ fiscal ${words.map(quoted).join(' ')} &`);
    const child = this.#spawn(words);
    child.stderr.on('data', (bytes: Buffer) => this.#indent('     ', bytes.toString('utf8')));
    await once(child, 'spawn');
    return new Background(child, child.stdout, (line) => this.#indent('   | ', line));
  }

  /** Compares whole values; the difference is shown. */
  check(text: Text, found: unknown, expected: unknown): void {
    this.#checks += 1;
    const isRight = JSON.stringify(found) === JSON.stringify(expected);
    if (!isRight) this.failures += 1;
    const difference = isRight ? '' : `: ${JSON.stringify(found)} ≠ ${JSON.stringify(expected)}`;
    this.#say(`   ${isRight ? '✓' : '✗'} ${text[this.#language]}${difference}`);
  }

  conclude(): void {
    const right = this.#checks - this.failures;
    const texts = {
      en: `${right} of ${this.#checks} checks hold.`,
      pt: `${right} de ${this.#checks} verificações corretas.`,
    };
    this.#say(`\n${texts[this.#language]}`);
  }

  #run(words: readonly string[]): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    return new Promise((resolve, reject) => {
      const child = this.#spawn(words);
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      child.stdout.on('data', (bytes: Buffer) => out.push(bytes));
      child.stderr.on('data', (bytes: Buffer) => err.push(bytes));
      child.once('error', reject);
      child.once('close', (code, signal) => {
        if (code === null) reject(new Error(`fiscal ${words.join(' ')} was ended by ${signal}`));
        else resolve({ exitCode: code, stdout: text(out), stderr: text(err) });
      });
    });
  }

  #spawn(words: readonly string[]) {
    return spawn(process.execPath, [program, ...words], {
      cwd: this.#folder,
      env: this.#environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  /** Nothing of the user's own fiscal: neither configuration nor keys nor state. */
  #environment(): NodeJS.ProcessEnv {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(FISCAL|XDG)_/i.test(name));
    return {
      ...Object.fromEntries(inherited),
      HOME: this.#folder,
      USERPROFILE: this.#folder,
      APPDATA: join(this.#folder, 'config'),
      LOCALAPPDATA: join(this.#folder, 'local'),
      XDG_CONFIG_HOME: join(this.#folder, 'config'),
      XDG_STATE_HOME: join(this.#folder, 'state'),
      XDG_DATA_HOME: join(this.#folder, 'data'),
      FISCAL_PROFILE: 'sandbox',
      FISCAL_LANG: this.#language === 'pt' ? 'pt-BR' : 'en',
    };
  }

  #indent(mark: string, lines: string): void {
    for (const line of lines.trimEnd().split('\n')) if (line !== '') this.#say(`${mark}${line}`);
  }

  #say(line: string): void {
    console.log(line);
  }
}

function text(chunks: readonly Buffer[]): string {
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(stdout: string): unknown {
  try {
    return JSON.parse(stdout);
  } catch {
    return stdout.trim();
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
