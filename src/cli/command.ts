import type { Text } from '../contract/text.js';
import type { Outcome } from '../domain/outcome.js';
import type { ExitCode } from '../errors/exit-code.js';
import type { PickName } from '../errors/fiscal-error.js';
import type { Io } from '../io/io.js';
import type { Output } from '../presenters/record.js';
import type { View } from '../presenters/render.js';
import type { Context } from '../services/context.js';
import type { Picker } from '../services/pick.js';

/** An option of one command. Its flag is derived from the key: `retryBillable` is `--retry-billable`. */
export type OptionSpec = OptionKind & {
  readonly summary: Text;
  /** One letter: `o` is `-o`. */
  readonly short?: string;
  /** Help shows it after the common options. */
  readonly rare?: true;
  /**
   * The option has an effect only with one of these options of the command, with `-` among the arguments, or with an
   * argument (`<id>`) or one of its values (`<action> add`). Otherwise it is refused.
   */
  readonly onlyWith?: readonly string[];
  /**
   * The option has no effect with one of these options, shared flags or arguments (`<id>`), or with a value of an option
   * (`of letter`), and is refused with them.
   */
  readonly notWith?: readonly string[];
  /** The choices of `--model` with which it has an effect. With another one, typed or found, it is refused. */
  readonly models?: readonly string[];
};

type OptionKind =
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'choice'; readonly choices: readonly string[]; readonly default?: string }
  /** With `choices`, each entry is one of them. */
  | { readonly kind: 'list'; readonly value: string; readonly choices?: readonly string[] }
  /** May be repeated; each text is kept whole, including commas. */
  | { readonly kind: 'texts'; readonly value: string }
  | { readonly kind: 'toggle' }
  | { readonly kind: 'count'; readonly value: string; readonly default?: number; readonly min?: number }
  | { readonly kind: 'duration'; readonly value: string; readonly default?: string; readonly min?: string };

export type OptionSpecs = Readonly<Record<string, OptionSpec>>;

/** The parsed type of an option. Durations are milliseconds. A `list` may be repeated or comma-separated. */
export type OptionValue<Spec extends OptionSpec> = Spec extends { kind: 'toggle' }
  ? boolean
  : Spec extends { kind: 'list'; choices: readonly (infer Choice)[] }
    ? readonly Choice[]
    : Spec extends { kind: 'list' | 'texts' }
      ? readonly string[]
      : Spec extends { kind: 'count' | 'duration' }
        ? Spec extends { default: unknown }
          ? number
          : number | undefined
        : Spec extends { kind: 'choice'; choices: readonly (infer Choice)[] }
          ? Spec extends { default: string }
            ? Choice
            : Choice | undefined
          : string | undefined;

export type OptionValues<Specs extends OptionSpecs> = {
  readonly [Name in keyof Specs]: OptionValue<Specs[Name]>;
};

/** An argument of a command; its name is its key in `takes`. */
export interface ArgumentSpec {
  readonly summary: Text;
  readonly required: boolean;
  readonly variadic?: boolean;
  /** A person at a terminal who leaves it out chooses it from a list. */
  readonly pick?: PickName;
}

/** The arguments of a command, in their order. */
export type ArgumentSpecs = Readonly<Record<string, ArgumentSpec>>;

/** The typed arguments: those of a variadic one as a list; an optional one may be absent. */
export type ArgumentValues<Takes extends ArgumentSpecs> = {
  readonly [Name in keyof Takes]: ArgumentSpec extends Takes[Name]
    ? string | readonly string[] | undefined
    : Takes[Name] extends { variadic: true }
      ? readonly string[]
      : Takes[Name] extends { required: true }
        ? string
        : string | undefined;
};

/** What a person may type, copied as it stands. */
export interface Example {
  /** The words after those of the command; with `isWhole`, the whole line. */
  readonly words: string;
  readonly isWhole?: true;
  readonly summary: Text;
}

/** The line of an example of the command of this name: `product create`. */
export function exampleLine(name: string, { words, isWhole }: Example): string {
  return isWhole === true ? words : `fiscal ${name} ${words}`.trimEnd();
}

/** An exit code by its name; `calls` are those of any command that calls the service. */
export type ExitName = keyof typeof ExitCode | 'calls';

/** What a command is called, takes and shows: what its help page says. */
export interface Definition<Specs extends OptionSpecs = OptionSpecs, Takes extends ArgumentSpecs = ArgumentSpecs> {
  readonly summary: Text;
  readonly description?: Text;
  readonly takes?: Takes;
  readonly options: Specs;
  /** Whether the command works on a company or a tenant: its help shows those shared flags. */
  readonly scope?: readonly ('company' | 'tenant')[];
  /** It cannot be for the one company that `--company` names, and whoever types that expects it: the flag is refused. */
  readonly refusesCompany?: true;
  /** The same for this choice of `--model` alone. */
  readonly modelWithoutCompany?: string;
  /** It changes something here or in the sandbox, and has nothing to show beforehand: `--dry-run` is refused. */
  readonly refusesDryRun?: true;
  /** It shows the settings in effect, also those of a `--tenant` that it does not use. */
  readonly showsSettings?: true;
  readonly examples: readonly Example[];
  /** The possible exit codes, besides those of any command. */
  readonly exits?: readonly ExitName[];
  /** What a code means for this command, where the general meaning says less. */
  readonly exitMeanings?: Partial<Readonly<Record<keyof typeof ExitCode, Text>>>;
  /** The field printed by `-o id`; of several, the first that a record has. */
  readonly id?: string | readonly string[];
  /** How the data is shown to a person; absent: a generic table or detail view. */
  readonly view?: () => Promise<View>;
}

/** A definition with its work, which neither parses nor renders. */
export interface CommandDefinition<Specs extends OptionSpecs = OptionSpecs, Takes extends ArgumentSpecs = ArgumentSpecs>
  extends Definition<Specs, Takes> {
  run(context: Context, given: GivenOf<Specs, Takes>, io: Io): Promise<Outcome>;
}

/** What a command was given, by name: its arguments and its options. Durations are milliseconds. */
export type Given<Defined> = Defined extends Definition<infer Specs, infer Takes> ? GivenOf<Specs, Takes> : never;

/** Of any command: values that only its own definition types. */
type GivenOf<Specs extends OptionSpecs, Takes extends ArgumentSpecs> = string extends keyof Specs
  ? Readonly<Record<string, unknown>>
  : ArgumentValues<Takes> & OptionValues<Specs>;

/** The same options for a command in which they have an effect only in some modes; their own requirements stay. */
export function inModes<const Specs extends OptionSpecs>(
  specs: Specs,
  { onlyWith, notWith }: Pick<OptionSpec, 'onlyWith' | 'notWith'>,
): Specs {
  const entries = Object.entries(specs).map(([name, spec]) => {
    const against = [...(spec.notWith ?? []), ...(notWith ?? [])];
    return [name, { ...(onlyWith && { onlyWith }), ...spec, ...(against.length > 0 && { notWith: against }) }];
  });
  return Object.fromEntries(entries) as Specs; // each has the same kind and value
}

/** A command, or a function that loads it. */
export type Verb = CommandDefinition | (() => Promise<{ readonly command: CommandDefinition }>);

/** A noun with its verbs, of one word or two (`capture show`). */
export interface CommandGroup {
  readonly verbs: Readonly<Record<string, Verb>>;
  /** What the first words of verbs of two words are: `registration`. */
  readonly parts?: Readonly<Record<string, Text>>;
  /** Alternative names of verbs. */
  readonly aliases?: Readonly<Record<string, string>>;
}

/**
 * A noun or command that is loaded when its name is typed. The summary is here so that the top-level help loads
 * nothing.
 */
export interface Entry<Loaded> {
  readonly summary: Text;
  load(): Promise<Loaded>;
}

/** The commands of the program: nouns with verbs, and commands without a verb. */
export interface Catalogue {
  readonly groups: Readonly<Record<string, Entry<{ readonly group: CommandGroup }>>>;
  readonly singles: Readonly<Record<string, Entry<{ readonly command: CommandDefinition }>>>;
  /** The order of the first screen. */
  readonly sections: readonly Section[];
  /** Loaded where a person chooses what the words lack. */
  readonly pickers: Readonly<Record<PickName, () => Promise<{ readonly picker: Picker }>>>;
  /** The commands that exist to change something at the service. */
  readonly writes?: ReadonlySet<string>;
  /** What a command prints; loaded where its records are shown to a person. */
  outputOf?(name: string): Promise<Output | undefined>;
  /** Loaded for a word that is no command. */
  otherWords(): Promise<{ readonly otherWords: OtherWords }>;
}

/** A part of the first screen. */
export interface Section {
  readonly title: Text;
  /** Shown with their summaries. */
  readonly commands: readonly string[];
  /** Shown by name only. */
  readonly names?: readonly string[];
}

/** Words that people type for a command that has another name: lower case, without accents. */
export interface OtherWords {
  /** `danfe` → `inbound pdf`, `invoice pdf` */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  /** `listar` → `list`; the first that the noun has is suggested. */
  readonly verbs: Readonly<Record<string, readonly string[]>>;
}

/** Loads the definition of a verb. */
export async function loadVerb(verb: Verb): Promise<CommandDefinition> {
  return typeof verb === 'function' ? (await verb()).command : verb;
}
