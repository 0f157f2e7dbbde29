import { styleText } from 'node:util';
import type { Language } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Choice, Prompts, Terminal } from './io.js';

/**
 * Prompts by inquirer in the language of the run, loaded for the first prompt and drawn on stderr, so that stdout stays data.
 */
export function terminalPrompts(terminal: Terminal, signal: AbortSignal, language: Language): Prompts {
  const theme = themes[language];
  const ask = async (question: QuestionBody): Promise<unknown> => {
    const { createPromptModule } = await import('inquirer');
    const { input, output } = terminal();
    const prompt = createPromptModule({ input, output, signal });
    try {
      const answers = await prompt([{ ...question, theme: { ...clearing, ...theme }, name: 'answer' }]);
      return answers.answer;
    } catch (error) {
      throw promptFault(error, signal);
    }
  };
  const choose = async (question: string, choices: readonly (string | Choice)[]): Promise<string> =>
    String(await ask({ ...listOf(question), type: 'select', choices: choices.map(shownChoice) }));
  return {
    text: async (question, suggested) =>
      String(await ask({ type: 'input', message: terminalLine(question), ...defaultOf(suggested) })),
    secret: async (question) => String(await ask({ type: 'password', message: terminalLine(question) })),
    async confirm(question) {
      const { yes, no, hint, error } = confirmations[language];
      const answer = await ask({
        type: 'input',
        message: `${terminalLine(question)} ${hint}`,
        validate: (typed) => meaningOf(typed) !== undefined || error,
        transformer: (typed, { isFinal }) =>
          isFinal ? styleText('cyan', meaningOf(typed) === true ? yes : no) : typed,
      });
      return meaningOf(String(answer)) === true;
    },
    choose,
    async search(question, choices) {
      const shown = choices.map(shownChoice);
      const source = (typed = ''): Promise<ShownChoice[]> =>
        Promise.resolve(shown.filter(({ name }) => plain(name).includes(plain(typed))));
      return String(await ask({ ...listOf(question), type: 'search', source }));
    },
    async tick(question, choices) {
      const ticked = choices.map((choice) => ({ ...shownChoice(choice), checked: true }));
      const answer = await ask({ ...listOf(question), type: 'checkbox', required: true, choices: ticked });
      return Array.isArray(answer) ? answer.map(String) : [];
    },
  };
}

/** Lines of a list: with the question and the keys, it fits a small terminal. */
const PAGE = 12;

function listOf(question: string) {
  return { message: terminalLine(question), pageSize: PAGE, loop: false };
}

function defaultOf(suggested: string | undefined): { readonly default?: string } {
  return suggested === undefined ? {} : { default: terminalLine(suggested) };
}

/** Names come from the service: none reaches the terminal with its control characters. */
function shownChoice(choice: string | Choice): ShownChoice {
  const {
    value,
    name,
    short = name,
  } = typeof choice === 'string' ? { value: choice, name: choice, short: choice } : choice;
  return { value, name: terminalLine(name), short: terminalLine(short) };
}

/** `Ciência` → `ciencia`. */
function plain(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

/** Used when no prompt is possible. Callers check `mayAsk` first; this catches one that did not. */
export function noPrompts(): Prompts {
  const refuse = (question: string): Promise<never> =>
    Promise.reject(new FiscalError('usage.missing', { names: question }));
  return { text: refuse, secret: refuse, confirm: refuse, choose: refuse, search: refuse, tick: refuse };
}

/** An answer that is none leaves the line, so that the next one does not begin with it. */
const clearing = { validationFailureMode: 'clear' } as const;

/** The words of inquirer's own that the program's prompts show. */
const themes = {
  en: { style: { renderSelectedChoices: countOf } },
  pt: {
    style: {
      renderSelectedChoices: countOf,
      maskedText: '[digitação oculta]',
      keysHelpTip: (keys: readonly (readonly [key: string, action: string])[]) =>
        keys.map(([key, action]) => `${keysInPortuguese.get(key) ?? key} ${inPortuguese(action)}`).join(' • '),
      error: (text: string) => styleText('red', `> ${inPortuguese(text)}`),
    },
  },
} as const;

const confirmations = {
  en: { yes: 'Yes', no: 'No', hint: '(y/N)', error: 'Answer "yes" or "no"' },
  pt: { yes: 'sim', no: 'não', hint: '(s/N)', error: 'Responda "sim" ou "não"' },
} as const satisfies Readonly<Record<Language, object>>;

/** The words of both languages, in any case and with or without the accent; nothing is no. `undefined`: another word. */
function meaningOf(typed: string): boolean | undefined {
  const word = plain(typed);
  if (['s', 'sim', 'y', 'yes'].includes(word)) return true;
  return ['', 'n', 'nao', 'no'].includes(word) ? false : undefined;
}

function countOf(ticked: readonly unknown[], all: readonly unknown[]): string {
  return `${ticked.length}/${all.length}`;
}

const keysInPortuguese: ReadonlyMap<string, string> = new Map([['space', 'espaço']]);

function inPortuguese(text: string): string {
  return wordsInPortuguese.get(text) ?? text;
}

const wordsInPortuguese: ReadonlyMap<string, string> = new Map([
  ['navigate', 'navegar'],
  ['select', 'selecionar'],
  ['submit', 'confirmar'],
  ['all', 'todos'],
  ['invert', 'inverter'],
  ['toggle visibility', 'mostrar ou ocultar'],
  ['No results found', 'Nada encontrado'],
  ['At least one choice must be selected', 'Selecione pelo menos um'],
]);

interface ShownChoice extends Required<Choice> {
  readonly checked?: boolean;
}

type ListBody = ReturnType<typeof listOf>;

type QuestionBody =
  | { readonly type: 'input' | 'password'; readonly message: string; readonly default?: string }
  | {
      readonly type: 'input';
      readonly message: string;
      readonly validate: (typed: string) => true | string;
      readonly transformer: (typed: string, state: { readonly isFinal: boolean }) => string;
    }
  | ({ readonly type: 'select'; readonly choices: ShownChoice[] } & ListBody)
  | ({ readonly type: 'checkbox'; readonly choices: ShownChoice[]; readonly required: true } & ListBody)
  | ({ readonly type: 'search'; readonly source: (typed?: string) => Promise<ShownChoice[]> } & ListBody);

function promptFault(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const isExit = error instanceof Error && error.name === 'ExitPromptError';
  return isExit ? new FiscalError('usage.cancelled', {}, { cause: error }) : error;
}
