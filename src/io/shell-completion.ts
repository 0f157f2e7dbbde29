import { RootCommand } from '@bomb.sh/tab';

/** One possible next word, as the shell shows it. */
export interface Candidate {
  readonly value: string;
  readonly description: string;
}

export interface CompletionTree {
  /** `product`, `product create`. */
  readonly commands: readonly Candidate[];
  /** The command named by the words so far, with its options and arguments. */
  readonly current: string;
  readonly options: readonly CompletionOption[];
  readonly values: readonly Candidate[];
}

export interface CompletionOption extends Candidate {
  readonly short: string | undefined;
  /** `undefined`: the option takes no value. */
  readonly values: readonly Candidate[] | undefined;
}

/** The script that a shell sources; it calls `fiscal complete -- <words>` on each completion. */
export function completionScript(shell: Shell, manFolder?: string): string {
  const script = captured(() => new RootCommand().setup('fiscal', 'fiscal', shell));
  const man = manFolder === undefined ? '' : manLines(shell, manFolder);
  return repaired(script, shell) + man;
}

function repaired(script: string, shell: Shell): string {
  if (shell === 'powershell') return repairedForPowerShell(script);
  return shell === 'bash' ? repairedForBash(script) : script;
}

type Shell = 'bash' | 'zsh' | 'fish' | 'powershell';

/** Adds the folder to those of `man`, once: npm links no man pages. An empty part of MANPATH stands for the usual folders. */
function manLines(shell: Shell, folder: string): string {
  if (shell === 'powershell' || /['\\:\n]/.test(folder)) return '';
  if (shell === 'fish') return `\ncontains -- '${folder}' $MANPATH; or set -gx MANPATH $MANPATH '' '${folder}'\n`;
  return `\ncase ":\${MANPATH:-}:" in *:'${folder}':*) ;; *) export MANPATH="\${MANPATH:-}:"'${folder}' ;; esac\n`;
}

/**
 * Replaces the library's bash script, which evaluates typed words without quotes (`eval`), needs the bash-completion
 * package, missing on macOS and in small images, and fails when sourced twice.
 */
function repairedForBash(script: string): string {
  const wordsByHand = 'words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD; cur=${COMP_WORDS[COMP_CWORD]}';
  const wordsByPackage = '_get_comp_words_by_ref -n "=:" cur prev words cword';
  return script
    .replaceAll(/^readonly /gm, '')
    .replace(
      wordsByPackage,
      () => `if declare -F _get_comp_words_by_ref >/dev/null; then ${wordsByPackage}; else ${wordsByHand}; fi`,
    )
    .replace('${words[@]:1}"', () => `$(printf '%q ' "\${words[@]:1:cword-1}" "$cur")"`)
    .replace(`requestComp="$requestComp ''"`, ':')
    .replace('complete -F', 'complete -o default -F');
}

/**
 * PowerShell takes four typographic signs for a single quote as well. The library's script doubles only the plain one: another
 * one in a typed word would end its quotes, and the rest would be evaluated.
 */
function repairedForPowerShell(script: string): string {
  return script.replace(`$_ -replace "'", "''"`, () => `$_ -replace '[''\\u2018-\\u201B]', '$0$0'`);
}

/** The candidates for the typed words. */
export function completionAnswer(words: readonly string[], tree: CompletionTree): string {
  const root = new RootCommand();
  for (const { value, description } of tree.commands) root.command(value, description);
  const current = root.commands.get(tree.current) ?? root;
  for (const { value, description, short, values } of tree.options) {
    if (values === undefined) current.option(value, description, short ?? '');
    else current.option(value, description, (add) => each(values, add), short);
  }
  if (tree.values.length > 0) current.argument('value', (add) => each(tree.values, add), true);
  return captured(() => root.parse([...words]));
}

/** Lets the shell complete the names of files, or of folders. */
export function filesAnswer(kind: 'file' | 'folder'): string {
  return kind === 'file' ? ':0\n' : ':16\n';
}

function each(candidates: readonly Candidate[], add: (value: string, description: string) => void): void {
  for (const { value, description } of candidates) add(value, description);
}

/** The library writes with console.log; here its lines become text for our own stdout. */
function captured(work: () => void): string {
  const { log } = console;
  const lines: string[] = [];
  console.log = (line: unknown) => void lines.push(String(line));
  try {
    work();
  } finally {
    console.log = log;
  }
  return lines.map((line) => `${line}\n`).join('');
}
