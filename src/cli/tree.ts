import { Argument, Command, CommanderError, Option } from 'commander';
import type { Text } from '../contract/text.js';
import { counted } from '../domain/counted.js';
import { FiscalError, type PickName } from '../errors/fiscal-error.js';
import type { TextValues } from '../errors/text-template.js';
import {
  loadVerb,
  type Catalogue,
  type CommandDefinition,
  type CommandGroup,
  type OptionSpec,
  type OptionSpecs,
} from './command.js';
import { argumentWord, flagWord } from './option-value.js';
import { sharedFlags } from './shared-flags.js';
import { version } from '../domain/version.js';

/** The words of a command line before their values are checked. */
export interface CommandLine {
  /** The nodes named by the line, starting with the program. The `args` of the last one are the arguments. */
  readonly nodes: readonly [CommandNode, ...CommandNode[]];
  /** `verb`: the line names a noun only. */
  readonly wants: 'command' | 'verb' | 'help' | 'version';
  /** The typed options by name, in any position: their texts, or `true` for a toggle. */
  readonly options: TypedOptions;
}

export type TypedOptions = ReadonlyMap<string, readonly string[] | true>;

const helpOption = new Option('-h, --help');
/** With help: also what it leaves out. */
const allOption = new Option('--all');

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
  readonly otherWords?: Catalogue['otherWords'];
  /** True to ignore errors: the words are inspected, and nothing is run. */
  readonly isLenient: boolean;
  readonly options: Map<string, readonly string[] | true>;
  readonly nodes: CommandNode[];
  wants: CommandLine['wants'];
  /** `--all` was read as that of help: without help it is an option that nobody knows. */
  isForAllHelp?: boolean;
  /** Set where the words are wrong: its sentence needs code that a correct line does not load. */
  fault?: () => Promise<FiscalError>;
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
  #pick: PickName | undefined;

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
    if (asksForAllHelp(words) && !Object.hasOwn(specs, 'all'))
      this.addOption(allOption).on('option:all', () => {
        this.#reading.isForAllHelp = true;
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
    this.#pick = Object.values(definition.takes ?? {}).find(({ pick }) => pick !== undefined)?.pick;
    for (const [name, spec] of Object.entries(definition.takes ?? {}))
      this.addArgument(new Argument(argumentWord(name, spec)));
    this.action(() => {
      // An empty argument comes from an unset shell variable.
      if (this.#missingArguments().length > 0) this.missingArgument();
    });
  }

  /** The words of each verb below this node: `list`, `nfe list`. */
  get verbWords(): readonly string[] {
    return this.children.flatMap((child) =>
      child.children.length === 0
        ? [child.name(), ...child.aliases()]
        : child.verbWords.map((words) => `${child.name()} ${words}`),
    );
  }

  /** Commander shows help where a verb is missing; only the program itself requires none. */
  override help(): never {
    const { isLenient, wants } = this.#reading;
    if (this.parent === null || wants === 'help' || isLenient) throw this.#helpInstead();
    this.#reading.wants = 'verb';
    throw new CommanderError(2, 'fiscal.verb', '(verb)');
  }

  // Commander calls these on an error, and continues if they return.

  unknownCommand(): void {
    const { isLenient, otherWords } = this.#reading;
    if (isLenient) return;
    const known = this.#names ?? this.children.flatMap((child) => [child.name(), ...child.aliases()]);
    const place = { path: this.path, known, verbs: this.verbWords, otherWords };
    throw this.#faulty(async () => {
      const { unknownCommand } = await import('./unknown-word.js');
      return await unknownCommand(this.args[0] ?? '', place);
    });
  }

  unknownOption(typed: string): void {
    const known = [...Object.keys(this.#specs).map(flagWord), '--help'];
    this.#fault(async () => {
      const { unknownOption } = await import('./unknown-word.js');
      return unknownOption(typed, { path: this.path, known });
    });
  }

  optionMissingArgument({ long }: Option): void {
    const names = { en: `the value of ${long}`, pt: `o valor de ${long}` };
    this.#wrong('usage.missing', { names });
  }

  missingArgument(): void {
    const names = this.#missingArguments().map((name) => `<${name}>`);
    const pick = names.length === 1 ? this.#pick : undefined;
    this.#wrong('usage.missing', { names: names.join(', ') }, pick);
  }

  /** The words are not repeated in the error: one may be a key pasted by mistake. */
  _excessArguments(): void {
    const taken = atMost(this.registeredArguments.length);
    const given = counted(this.args.length, {
      en: ['# was given', '# were given'],
      pt: ['foi informado #', 'foram informados #'],
    });
    const message = {
      en: `"${this.path}" takes ${taken.en}, and ${given.en}`,
      pt: `"${this.path}" ${taken.pt}, e ${given.pt}`,
    };
    const hint = this.#valueWithoutOption() ?? seeHelp(this.path);
    this.#fault(() => Promise.resolve(new FiscalError('usage.invalid', { message }, { hint })));
  }

  /** A value of one of the options, typed without it: `disable nfe`. */
  #valueWithoutOption(): Text | undefined {
    for (const [name, spec] of Object.entries(this.#specs)) {
      const word = spec.kind === 'choice' ? spec.choices.find((choice) => this.args.includes(choice)) : undefined;
      if (word === undefined) continue;
      const flag = `${flagWord(name)} ${word}`;
      return { en: `did you mean ${flag}?`, pt: `quis dizer ${flag}?` };
    }
    return undefined;
  }

  #missingArguments(): readonly string[] {
    return this.registeredArguments
      .filter(({ required }, index) => required && (this.args[index] ?? '') === '')
      .map((argument) => argument.name());
  }

  #wrong(code: 'usage.missing' | 'usage.invalid', values: TextValues, pick?: PickName): void {
    const facts = { hint: seeHelp(this.path), ...(pick === undefined ? {} : { pick }) };
    this.#fault(() => Promise.resolve(new FiscalError(code, values, facts)));
  }

  #fault(describe: () => Promise<FiscalError>): void {
    if (this.#reading.isLenient) return;
    throw this.#reading.wants === 'help' ? this.#helpInstead() : this.#faulty(describe);
  }

  #faulty(describe: () => Promise<FiscalError>): CommanderError {
    this.#reading.fault = describe;
    return new CommanderError(2, 'fiscal.fault', '(fault)');
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
  const { otherWords } = catalogue;
  const reading: Reading = {
    ...{ words: argv, otherWords, isLenient, options: new Map(), nodes: [] },
    wants: 'command',
  };
  const program = commandTree(catalogue, reading);
  program.readOptions(sharedFlags);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    if (reading.isForAllHelp === true && reading.wants === 'command')
      (reading.nodes.at(-1) ?? program).unknownOption(allOption.long ?? '');
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.code === 'commander.version') reading.wants = 'version';
  }
  if (reading.fault !== undefined) throw await reading.fault();
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
      program.add(name, { about: group.summary, load: async (node) => addVerbs(node, (await group.load()).group) });
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

/** A verb of two words, such as `capture show`, is placed below a node for the first. */
function addVerbs(noun: CommandNode, { verbs, parts = {}, aliases = {} }: CommandGroup): void {
  for (const [name, verb] of Object.entries(verbs)) {
    const words = name.split(' ');
    const parent = words
      .slice(0, -1)
      .reduce(
        (node, word) => node.children.find((child) => child.name() === word) ?? node.add(word, partOf(parts[word])),
        noun,
      );
    const load: Load = async (node) => node.takeDefinition(await loadVerb(verb));
    const node = parent.add(words.at(-1) ?? name, { load });
    for (const [alias, of] of Object.entries(aliases)) if (of === name) node.alias(alias);
  }
}

function partOf(about: Text | undefined): Behind {
  return about === undefined ? {} : { about };
}

/** `--help --all`, or `help … --all`. */
export function asksForAllHelp(words: readonly string[]): boolean {
  return words.includes('--all') && ['help', '-h', '--help'].some((word) => words.includes(word));
}

/** The options that the words type; with a short one among the words, all that have one. */
function typedSpecs(specs: OptionSpecs, words: readonly string[]): readonly (readonly [string, OptionSpec])[] {
  const keys = new Set(words.filter((word) => word.startsWith('--')).map(keyOf));
  const hasShort = words.some((word) => /^-[^-]/.test(word));
  if (keys.size === 0 && !hasShort) return [];
  return Object.entries(specs).filter(([key, { short }]) => keys.has(key) || (hasShort && short !== undefined));
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

/** The typed values of the shared flags, read leniently and without a command. The last one counts; `true` for a toggle. */
export function readSharedFlags(argv: readonly string[]): ReadonlyMap<string, string | true> {
  const reading: Reading = { words: argv, isLenient: true, options: new Map(), nodes: [], wants: 'command' };
  const node = new CommandNode('fiscal', reading);
  node.readOptions(sharedFlags);
  node.parseOptions([...argv]);
  return new Map([...reading.options].map(([name, texts]) => [name, texts === true || (texts.at(-1) ?? '')]));
}

function atMost(count: number): Text {
  if (count === 0) return { en: 'no arguments', pt: 'não aceita argumentos' };
  if (count === 1) return { en: 'one argument', pt: 'aceita um argumento' };
  return { en: `at most ${count} arguments`, pt: `aceita no máximo ${count} argumentos` };
}

export function seeHelp(path: string): Text {
  return { en: `see ${path} --help`, pt: `veja ${path} --help` };
}
