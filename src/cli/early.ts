import type { Language } from '../contract/text.js';
import type { OutputFormat } from '../config/settings.js';
import type { Environment } from '../domain/world.js';
import type { ColorChoice } from '../io/color.js';
import { languageOf, localeLanguage } from '../io/language.js';
import { variableWord } from './option-value.js';
import { sharedFlags, type SharedFlag } from './shared-flags.js';
import { readToken } from './tokens.js';

/** How to speak before the command line is understood, and when it is not: for help and for errors. */
export interface EarlyChoices {
  readonly language: Language;
  readonly color: ColorChoice;
  readonly output: OutputFormat | undefined;
  readonly errorFormat: 'text' | 'json' | undefined;
}

/** Looks through argv and environment without ever failing: a wrong value is reported later, by the parser. */
export function earlyChoices(argv: readonly string[], env: Environment): EarlyChoices {
  const typed = typedValues(argv);
  const value = (name: SharedFlag): string | undefined => typed.get(name) ?? env[variableWord(name)];
  return {
    language: languageOf(value('lang')) ?? localeLanguage(env),
    color: known(value('color'), sharedFlags.color.choices) ?? 'auto',
    output: known(value('output'), sharedFlags.output.choices),
    errorFormat: known(value('errorFormat'), sharedFlags.errorFormat.choices),
  };
}

/** Whether the run also tells GitHub Actions how it ends: `--ci`, `FISCAL_CI`, else where it runs. */
export function tellsGithub(argv: readonly string[], env: Environment): boolean {
  const chosen = typedValues(argv).get('ci') ?? env[variableWord('ci')];
  return (
    (known(chosen, sharedFlags.ci.choices) ?? (env['GITHUB_ACTIONS'] === 'true' ? 'github' : 'none')) ===
    'github'
  );
}

function typedValues(argv: readonly string[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const [index, token] of argv.entries()) {
    if (token === '--') break;
    const reading = readToken(token, sharedFlags);
    const value = reading.takesNext ? argv[index + 1] : reading.value;
    if (reading.name !== undefined && value !== undefined) values.set(reading.name, value);
  }
  return values;
}

function known<Choice extends string>(
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === value);
}
