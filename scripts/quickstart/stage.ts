import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Language, Text } from '../../src/contract/text.js';
import { languageOf, localeLanguage } from '../../src/io/language.js';
import { Background } from './background.js';

/** What one command gave back. */
export interface Ending {
  readonly exitCode: number;
  /** The JSON of stdout; the text itself where it is none. */
  readonly data: unknown;
  readonly stderr: string;
}

/** The language that the program would speak on this machine; where no variable says it, that of the system. */
export function stageLanguage(env: NodeJS.ProcessEnv): Language {
  const isSaid = ['LC_ALL', 'LC_MESSAGES', 'LANG'].some((name) => (env[name] ?? '') !== '');
  const ofSystem = new Intl.DateTimeFormat().resolvedOptions().locale;
  return languageOf(env['FISCAL_LANG']) ?? (isSaid ? localeLanguage(env) : (languageOf(ofSystem) ?? 'en'));
}

/** Three lines to type, in this order. */
const toTry = [
  'sandbox seed --documents 5',
  '--profile sandbox inbound sync --archive notas',
  '--profile sandbox inbound list --type nfe',
];

const lastWords = {
  en: {
    try: 'Now type it yourself; nothing leaves this machine:',
    path: 'To type fiscal alone, in a new terminal: npm link puts it on the PATH (npm unlink --global fiscal-cli takes it away).',
    more: 'Every command and answer of these steps: npm run quickstart -- --verbose',
  },
  pt: {
    try: 'Agora digite você; nada sai desta máquina:',
    path: 'Para digitar só fiscal, em um terminal novo: npm link o coloca no PATH (npm unlink --global fiscal-cli o retira).',
    more: 'Todos os comandos e respostas destes passos: npm run quickstart -- --verbose',
  },
} as const;

const program = fileURLToPath(new URL('../bin/fiscal.js', import.meta.url));

/** Runs commands in a folder of its own, shows them, and keeps count of what was as it should be. */
export class Stage {
  failures = 0;
  #checks = 0;
  #steps = 0;
  readonly #folder: string;
  readonly #language: Language;
  readonly #isVerbose: boolean;
  /** Of the step under way, for a step that fails. */
  #lines: string[] = [];
  #isWrong = false;
  #title = '';

  constructor(folder: string, { language, isVerbose }: { readonly language: Language; readonly isVerbose: boolean }) {
    this.#folder = folder;
    this.#language = language;
    this.#isVerbose = isVerbose;
  }

  title(text: Text): void {
    this.#endStep();
    this.#steps += 1;
    this.#title = `${this.#steps}. ${text[this.#language]}`;
    if (this.#isVerbose) console.log(`\n${this.#title}`);
  }

  /** One line for a step that was right; all of it for one that was not. */
  #endStep(): void {
    if (this.#title !== '' && !this.#isVerbose) {
      console.log(`${this.#isWrong ? '✗' : '✓'} ${this.#title}`);
      if (this.#isWrong) for (const line of this.#lines) console.log(line);
    }
    this.#lines = [];
    this.#isWrong = false;
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
    if (!isRight) {
      this.failures += 1;
      this.#isWrong = true;
    }
    const difference = isRight ? '' : `: ${JSON.stringify(found)} ≠ ${JSON.stringify(expected)}`;
    this.#say(`   ${isRight ? '✓' : '✗'} ${text[this.#language]}${difference}`);
  }

  conclude(): void {
    const right = this.#checks - this.failures;
    const texts = {
      en: `${right} of ${this.#checks} checks hold.`,
      pt: `${right} de ${this.#checks} verificações corretas.`,
    };
    this.#endStep();
    console.log(`\n${texts[this.#language]}`);
    if (this.failures > 0) return;
    const word = lastWords[this.#language];
    const typed = relative(process.env['INIT_CWD'] ?? process.cwd(), program);
    console.log(`\n${word.try}`);
    for (const words of toTry) console.log(`  node ${typed} ${words}`);
    console.log(`\n${word.path}`);
    if (!this.#isVerbose) console.log(word.more);
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
    if (this.#isVerbose) console.log(line);
    else this.#lines.push(line);
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
