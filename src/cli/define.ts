import type { Outcome } from '../domain/outcome.js';
import type { PickName } from '../errors/fiscal-error.js';
import type { Io } from '../io/io.js';
import type { View } from '../presenters/render.js';
import type { Context } from '../services/context.js';
import type {
  ArgumentSpec,
  ArgumentSpecs,
  CommandDefinition,
  Definition,
  Example,
  Given,
  OptionSpec,
  OptionSpecs,
} from './command.js';

/**
 * The words in which a command is defined: a definition reads like its help page, and says each name once. An option is
 * called by its key; the values of an option are typed by the call.
 */
export function define<const Specs extends OptionSpecs, const Takes extends ArgumentSpecs = Record<never, never>>(
  en: string,
  pt: string,
  definition: Omit<Definition<Specs, Takes>, 'summary'>,
): Definition<Specs, Takes> {
  return { summary: { en, pt }, ...definition };
}

/** What a command does with what it was given. */
export type Work<What> = (context: Context, given: What, io: Io) => Promise<Outcome>;

/** A command that does this work, loaded when it is called; which work it is may depend on what was given. */
export function does<Specs extends OptionSpecs, Takes extends ArgumentSpecs>(
  definition: Definition<Specs, Takes>,
  load: (given: Given<Definition<Specs, Takes>>) => Promise<Work<Given<Definition<Specs, Takes>>>>,
): CommandDefinition<Specs, Takes> {
  return { ...definition, run: async (context, given, io) => await (await load(given))(context, given, io) };
}

/** The same where the definition, too, is loaded when the command is called. */
export function later<Specs extends OptionSpecs, Takes extends ArgumentSpecs>(
  defined: () => Promise<Definition<Specs, Takes>>,
  load: (given: Given<Definition<Specs, Takes>>) => Promise<Work<Given<Definition<Specs, Takes>>>>,
): () => Promise<{ readonly command: CommandDefinition<Specs, Takes> }> {
  return async () => ({ command: does(await defined(), load) });
}

type Kind = OptionSpec['kind'];

/** What an option of a kind may say besides its kind, value and summary. */
type More<Of extends Kind> = Partial<Omit<Extract<OptionSpec, { kind: Of }>, 'kind' | 'summary' | 'value'>>;

/** An option with a value, which its name stands for in the help: `--file <file>`. */
function valued<const Of extends Exclude<Kind, 'toggle' | 'choice'>>(kind: Of) {
  return <const Rest extends More<Of> = object>(value: string, en: string, pt: string, rest?: Rest) =>
    ({ kind, value, summary: { en, pt }, ...(rest as Rest) }) as const;
}

/** A free text. */
export const text = valued('text');

/** May be repeated or comma-separated. */
export const listOf = valued('list');

/** May be repeated; each text is kept whole, including commas. */
export const textsOf = valued('texts');

/** A whole number of at least `min` (0). */
export const count = valued('count');

/** A time such as 500ms, 10m or 90d; the work receives milliseconds. */
export const duration = valued('duration');

/** An option without a value. */
export function toggle<const Rest extends More<'toggle'> = object>(en: string, pt: string, rest?: Rest) {
  return { kind: 'toggle', summary: { en, pt }, ...(rest as Rest) } as const;
}

/** One of several words; `default` is the one without the option. */
export function choice<
  const Choices extends readonly string[],
  const Rest extends Omit<More<'choice'>, 'choices' | 'default'> & { default?: NoInfer<Choices[number]> } = object,
>(choices: Choices, en: string, pt: string, rest?: Rest) {
  return { kind: 'choice', choices, summary: { en, pt }, ...(rest as Rest) } as const;
}

/** An argument that is required. */
export function argument(en: string, pt: string, rest?: { readonly pick: PickName }) {
  return { required: true, summary: { en, pt }, ...rest } as const;
}

export function optionalArgument(en: string, pt: string, rest?: { readonly pick: PickName }) {
  return { required: false, summary: { en, pt }, ...rest } as const;
}

/** The same argument where it may be left out. */
export function optional<Spec extends ArgumentSpec>(spec: Spec): Omit<Spec, 'required'> & { readonly required: false } {
  return { ...spec, required: false };
}

/** All the words that are left, one at least. */
export function argumentsOf(en: string, pt: string) {
  return { required: true, variadic: true, summary: { en, pt } } as const;
}

/** The words that follow those of the command, copied as they stand. */
export function example(words: string, en: string, pt: string): Example {
  return { words, summary: { en, pt } };
}

/** A whole line: a pipe, a variable before the command. */
export function wholeExample(words: string, en: string, pt: string): Example {
  return { words, isWhole: true, summary: { en, pt } };
}

/** The rules of `columnsView`, as words with spaces between them. */
interface Columns {
  readonly required?: string;
  readonly below?: string;
  readonly varying?: string;
}

/** A table of these fields, in this order, loaded when it is shown. */
export function columns(fields: string, rules: Columns = {}): () => Promise<View> {
  return async () => {
    const { columnsView } = await import('../presenters/generic.js');
    const listed = Object.entries(rules).map(([rule, words]: [string, string]) => [rule, words.split(' ')]);
    return columnsView(fields.split(' '), Object.fromEntries(listed));
  };
}
