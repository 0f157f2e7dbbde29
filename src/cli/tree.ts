import { Argument, Command, CommanderError, Option } from 'commander';
import { distance } from 'fastest-levenshtein';
import type { Text } from '../contract/text.js';
import { FiscalError } from '../errors/fiscal-error.js';
import {
  loadVerb,
  type Catalogue,
  type CommandDefinition,
  type CommandGroup,
  type OptionSpec,
  type OptionSpecs,
} from './command.js';
import { flagWord } from './option-value.js';
import { sharedFlags } from './shared-flags.js';
import { version } from './version.js';

/** The words of a command line before their values are checked. */
export interface CommandLine {
  /** The nodes named by the line, starting with the program. The `args` of the last one are the arguments. */
  readonly nodes: readonly [CommandNode, ...CommandNode[]];
  readonly wants: 'command' | 'help' | 'version';
  /** The typed options by name, in any position: their texts, or `true` for a toggle. */
  readonly options: TypedOptions;
}

export type TypedOptions = ReadonlyMap<string, readonly string[] | true>;

const helpOption = new Option('-h, --help');

type Load = (node: CommandNode) => Promise<void>;

/** What a node contains: the verbs of a noun, or the definition of a verb. */
interface Behind {
  readonly about?: Text;
  readonly load?: Load;
  /** The names of all child nodes, where only those that the line types are added. */
  readonly names?: readonly string[];
}

/** Shared by all nodes of a tree while commander parses the words. */
interface Reading {
  readonly words: readonly string[];
  /** True to ignore errors: the words are inspected, and nothing is run. */
  readonly isLenient: boolean;
  readonly options: Map<string, readonly string[] | true>;
  readonly nodes: CommandNode[];
  wants: CommandLine['wants'];
}

/**
 * A node of commander's tree, loaded when its name is typed. Its errors are `usage.*` errors that name the help of the
 * command.
 */
export class CommandNode extends Command {
  /** Set for a verb once it is loaded. */
  definition: CommandDefinition | undefined;
  readonly about: Text | undefined;
  readonly #reading: Reading;
  readonly #load: Load | undefined;
  readonly #names: readonly string[] | undefined;
  #specs: OptionSpecs = {};

  constructor(name: string, reading: Reading, { about, load, names }: Behind = {}) {
    super(name);
    this.about = about;
    this.#reading = reading;
    this.#load = load;
    this.#names = names;
    this.helpOption(false)
      .helpCommand(false)
      .enablePositionalOptions()
      .exitOverride()
      .configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
      .hook('preSubcommand', async (_parent, child) => {
        if (child instanceof CommandNode) await child.enter();
      });
  }

  /** The full name: `fiscal product create`. */
  get path(): string {
    return this.parent instanceof CommandNode ? `${this.parent.path} ${this.name()}` : this.name();
  }

  /** The child nodes, in the order of their definition. */
  get children(): readonly CommandNode[] {
    return this.commands.filter((command) => command instanceof CommandNode);
  }

  /** Loads what is needed to parse the following words. */
  async enter(): Promise<void> {
    this.#reading.nodes.push(this);
    await this.#load?.(this);
    this.readOptions({ ...sharedFlags, ...this.definition?.options });
  }

  /** The verbs at and below this node, with their definitions. */
  async verbs(): Promise<readonly CommandNode[]> {
    if (this.definition === undefined && this.commands.length === 0) await this.#load?.(this);
    if (this.definition !== undefined) return [this];
    return (await Promise.all(this.children.map((child) => child.verbs()))).flat();
  }

  add(name: string, behind?: Behind): CommandNode {
    const node = new CommandNode(name, this.#reading, behind);
    this.addCommand(node);
    return node;
  }

  /** Adds the options that the line types: most lines type few, and each costs the start some time. */
  readOptions(specs: OptionSpecs): void {
    const { options, words } = this.#reading;
    this.#specs = specs;
    this.addOption(helpOption).on('option:help', () => {
      this.#reading.wants = 'help';
    });
    for (const [key, spec] of typedSpecs(specs, words)) {
      const option = optionFor(key, spec);
      this.addOption(option);
      // Commander emits `no-input` for `--no-input`, whatever the value.
      this.on(`option:${option.name()}`, (text: string | undefined) => {
        const before = options.get(key) ?? [];
        if (spec.kind === 'toggle') options.set(key, true);
        else if (text !== undefined && before !== true) options.set(key, [...before, text]);
      });
    }
  }

  takeDefinition(definition: CommandDefinition): void {
    this.definition = definition;
    for (const { name, required, variadic } of definition.arguments ?? []) {
      const word = variadic === true ? `${name}...` : name;
      this.addArgument(new Argument(required ? `<${word}>` : `[${word}]`));
    }
    this.action(() => {
      // An empty argument comes from an unset shell variable.
      if (this.#missingArguments().length > 0) this.missingArgument();
    });
  }

  /** Commander shows help where a verb is missing; only the program itself requires none. */
  override help(): never {
    const { isLenient, wants } = this.#reading;
    if (this.parent !== null && wants !== 'help' && !isLenient) throw this.#missingVerb();
    throw this.#helpInstead();
  }

  // Commander calls these on an error, and continues if they return.

  unknownCommand(): void {
    const known = this.#names ?? this.children.flatMap((child) => [child.name(), ...child.aliases()]);
    if (!this.#reading.isLenient) throw unknownCommand(this.args[0] ?? '', this.path, known);
  }

  unknownOption(typed: string): void {
    // The text after `=` may be a secret meant for another option.
    const option = typed.split('=', 1)[0] ?? typed;
    const known = [...Object.keys(this.#specs).map(flagWord), '--help'];
    const near = closestWord(option, known);
    const hint = near === undefined ? undefined : didYouMean(near, this.path);
    this.#fault(
      new FiscalError(
        'usage.unknown_option',
        { option: shownWord(option), command: this.path },
        hint && { hint },
      ),
    );
  }

  optionMissingArgument({ long }: Option): void {
    const names = { en: `the value of ${long}`, pt: `o valor de ${long}` };
    this.#fault(new FiscalError('usage.missing', { names }));
  }

  missingArgument(): void {
    const names = this.#missingArguments().map((name) => `<${name}>`);
    this.#fault(new FiscalError('usage.missing', { names: names.join(', ') }));
  }

  /** The words are not repeated in the error: one may be a key pasted by mistake. */
  _excessArguments(): void {
    const { en, pt } = atMost(this.registeredArguments.length);
    const message = {
      en: `"${this.path}" takes ${en}, and more were given`,
      pt: `"${this.path}" aceita ${pt}, e mais foram dados`,
    };
    this.#fault(new FiscalError('usage.invalid', { message }));
  }

  #missingArguments(): readonly string[] {
    return this.registeredArguments
      .filter(({ required }, index) => required && (this.args[index] ?? '') === '')
      .map((argument) => argument.name());
  }

  #missingVerb(): FiscalError {
    const words = this.path.slice('fiscal '.length);
    const verbs = this.children
      .flatMap((child) => (child.commands.length === 0 ? [child] : child.children))
      .map((verb) => verb.path.slice(this.path.length + 1))
      .join(', ');
    const names = { en: `a verb of "${words}" (${verbs})`, pt: `um verbo de "${words}" (${verbs})` };
    return new FiscalError('usage.missing', { names }, { hint: seeHelp(this.path) });
  }

  #fault(error: FiscalError): void {
    if (this.#reading.isLenient) return;
    if (this.#reading.wants === 'help') throw this.#helpInstead();
    throw error.facts.hint === undefined ? error.with({ hint: seeHelp(this.path) }) : error;
  }

  #helpInstead(): CommanderError {
    this.#reading.wants = 'help';
    return new CommanderError(0, 'commander.help', '(help)');
  }
}

/** Parses a command line. Only the noun and verb that it names are loaded. */
export async function readCommandLine(
  argv: readonly string[],
  catalogue: Catalogue,
  { isLenient = false } = {},
): Promise<CommandLine> {
  const reading: Reading = { words: argv, isLenient, options: new Map(), nodes: [], wants: 'command' };
  const program = commandTree(catalogue, reading);
  program.readOptions(sharedFlags);
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.version') reading.wants = 'version';
  }
  return { ...reading, nodes: [program, ...reading.nodes] };
}

function commandTree({ groups, singles }: Catalogue, reading: Reading): CommandNode {
  const names = [...Object.keys(groups), ...Object.keys(singles), 'help'];
  const program = new CommandNode('fiscal', reading, { names });
  program.version(version);
  for (const name of new Set(reading.words)) {
    const group = Object.hasOwn(groups, name) ? groups[name] : undefined;
    const single = Object.hasOwn(singles, name) ? singles[name] : undefined;
    if (group !== undefined)
      program.add(name, {
        about: group.summary,
        load: async (node) => addVerbs(node, (await group.load()).group),
      });
    if (single !== undefined)
      program.add(name, {
        about: single.summary,
        load: async (node) => node.takeDefinition((await single.load()).command),
      });
  }
  program
    .add('help', { load: async () => void (reading.wants = 'help') })
    .argument('[words...]')
    .action(() => undefined);
  return program;
}

/** A verb of two words, such as `settings show`, is placed below a node for the first. */
function addVerbs(noun: CommandNode, { verbs, aliases = {} }: CommandGroup): void {
  for (const [name, verb] of Object.entries(verbs)) {
    const words = name.split(' ');
    const parent = words
      .slice(0, -1)
      .reduce((node, word) => node.children.find((child) => child.name() === word) ?? node.add(word), noun);
    const load: Load = async (node) => node.takeDefinition(await loadVerb(verb));
    const node = parent.add(words.at(-1) ?? name, { load });
    for (const [alias, of] of Object.entries(aliases)) if (of === name) node.alias(alias);
  }
}

/** The options that the words type; with a short one among the words, all that have one. */
function typedSpecs(
  specs: OptionSpecs,
  words: readonly string[],
): readonly (readonly [string, OptionSpec])[] {
  const keys = new Set(words.filter((word) => word.startsWith('--')).map(keyOf));
  const hasShort = words.some((word) => /^-[^-]/.test(word));
  if (keys.size === 0 && !hasShort) return [];
  return Object.entries(specs).filter(
    ([key, { short }]) => keys.has(key) || (hasShort && short !== undefined),
  );
}

/** `--retry-billable=x` → `retryBillable`. */
function keyOf(word: string): string {
  const [flag = ''] = word.slice(2).split('=', 1);
  return flag.replaceAll(/-[a-z]/g, (dash) => dash.slice(1).toUpperCase());
}

function optionFor(key: string, { kind, short }: OptionSpec): Option {
  const flags = [...(short === undefined ? [] : [`-${short}`]), flagWord(key)].join(', ');
  return new Option(kind === 'toggle' ? flags : `${flags} <value>`);
}

/** The typed values of the shared flags, read leniently and without a command. The last one counts. */
export function readSharedFlags(argv: readonly string[]): ReadonlyMap<string, string> {
  const reading: Reading = { words: argv, isLenient: true, options: new Map(), nodes: [], wants: 'command' };
  const node = new CommandNode('fiscal', reading);
  node.readOptions(sharedFlags);
  node.parseOptions([...argv]);
  return new Map(
    [...reading.options].flatMap(([name, texts]) => (texts === true ? [] : [[name, texts.at(-1) ?? '']])),
  );
}

/** `path` is the command before the typed word: `fiscal` or `fiscal product`. */
export function unknownCommand(typed: string, path: string, known: readonly string[]): FiscalError {
  const near = closestWord(typed, known);
  const hint = near === undefined ? seeHelp(path) : didYouMean(`"${path} ${near}"`, path);
  const command = `${path} ${shownWord(typed)}`.slice('fiscal '.length);
  return new FiscalError('usage.unknown_command', { command }, { hint });
}

function atMost(count: number): Text {
  if (count === 0) return { en: 'no argument', pt: 'nenhum argumento' };
  if (count === 1) return { en: 'one argument', pt: 'um argumento' };
  return { en: `at most ${count} arguments`, pt: `no máximo ${count} argumentos` };
}

export function seeHelp(path: string): Text {
  return { en: `see ${path} --help`, pt: `veja ${path} --help` };
}

function didYouMean(near: string, path: string): Text {
  return {
    en: `did you mean ${near}? See ${path} --help`,
    pt: `você quis dizer ${near}? Veja ${path} --help`,
  };
}

/** A word as shown in an error: a long one may be a key pasted by mistake. */
function shownWord(word: string): string {
  return word.length > 24 ? '…' : word;
}

/** The closest known word, when it is close enough to be a typing error. */
function closestWord(typed: string, known: readonly string[]): string | undefined {
  // Typed words are short; a megabyte of arguments is not compared.
  if (typed.length > 64) return undefined;
  const bare = bareWord(typed);
  const [nearest] = known
    .map((word) => ({ word, edits: editsBetween(bare, bareWord(word)) }))
    .filter(({ word, edits }) => {
      const length = Math.max(bare.length, bareWord(word).length);
      const isLike = edits <= 3 && edits * 2 < length;
      return isLike || (typed.length >= 3 && word.startsWith(typed));
    })
    .sort((left, right) => left.edits - right.edits);
  return nearest?.word;
}

/** Dashes make every two flags look alike. */
function bareWord(word: string): string {
  return word.toLowerCase().replace(/^-+/, '');
}

/** Edit distance: insertions, deletions, replacements, and swapped neighbours as one. */
function editsBetween(typed: string, word: string): number {
  const isSwap = [...typed].sort().join('') === [...word].sort().join('');
  const edits = distance(typed, word);
  return isSwap && edits === 2 ? 1 : edits;
}
