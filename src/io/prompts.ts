import type { Language } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import type { Prompts, Terminal } from './io.js';

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
      const answers = await prompt([{ ...question, theme, name: 'answer' }]);
      return answers.answer;
    } catch (error) {
      throw promptFault(error, signal);
    }
  };
  return {
    text: async (question) => String(await ask({ type: 'input', message: terminalLine(question) })),
    secret: async (question) => String(await ask({ type: 'password', message: terminalLine(question) })),
    confirm: async (question) =>
      (await ask({ type: 'confirm', message: terminalLine(question), default: false })) === true,
    choose: async (question, choices) =>
      String(await ask({ type: 'select', message: terminalLine(question), choices: [...choices] })),
  };
}

/** Used when no prompt is possible. Callers check `mayAsk` first; this catches one that did not. */
export function noPrompts(): Prompts {
  const refuse = (question: string): Promise<never> =>
    Promise.reject(new FiscalError('usage.missing', { names: question }));
  return { text: refuse, secret: refuse, confirm: refuse, choose: refuse };
}

/** The words of inquirer's own that the program's prompts show. A confirmation also takes `y`, `yes` and `no` in Portuguese. */
const themes = {
  en: {},
  pt: {
    keywords: {
      yes: 'sim',
      no: 'não',
      error: ({ yes, no }: { readonly yes: string; readonly no: string }) => `Responda "${yes}" ou "${no}"`,
    },
    style: {
      maskedText: '[digitação oculta]',
      keysHelpTip: (keys: readonly (readonly [key: string, action: string])[]) =>
        keys.map(([key, action]) => `${key} ${actionsInPortuguese.get(action) ?? action}`).join(' • '),
    },
  },
} as const;

const actionsInPortuguese: ReadonlyMap<string, string> = new Map([
  ['navigate', 'navegar'],
  ['select', 'selecionar'],
  ['toggle visibility', 'mostrar ou ocultar'],
]);

type QuestionBody =
  | { readonly type: 'input' | 'password'; readonly message: string }
  | { readonly type: 'confirm'; readonly message: string; readonly default: boolean }
  | { readonly type: 'select'; readonly message: string; readonly choices: string[] };

function promptFault(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  const isExit = error instanceof Error && error.name === 'ExitPromptError';
  return isExit ? new FiscalError('usage.cancelled', {}, { cause: error }) : error;
}
