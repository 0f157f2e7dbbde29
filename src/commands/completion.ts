import type { Given } from '../cli/command.js';
import type { Outcome } from '../domain/outcome.js';
import type { Context } from '../services/context.js';
import { argument, define, does, example, wholeExample } from '../cli/define.js';
import { invalidValue } from '../errors/invalid-value.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

const definition = define('Completion for your shell', 'Completar comandos no seu shell', {
  description: {
    en: 'Prints a script for your shell. It completes commands, options and choices, files and folders, and what this machine knows: profiles, companies by CNPJ, alias and first word of the name, events, products by SKU, and jobs. It asks no network and changes nothing. In bash, zsh and fish it also lets man find the pages of fiscal: man fiscal-inbound-sync.',
    pt: 'Imprime um script para o seu shell. Ele completa comandos, opções e escolhas, arquivos e pastas, e o que esta máquina conhece: perfis, empresas por CNPJ, apelido e primeira palavra do nome, eventos, produtos por SKU e lotes. Não usa a rede e não altera nada. No bash, no zsh e no fish, o man também passa a achar as páginas do fiscal: man fiscal-inbound-sync.',
  },
  takes: { shell: argument(`One of ${shells.join(', ')}`, `Um de ${shells.join(', ')}`) },
  options: {},
  examples: [
    wholeExample('source <(fiscal completion bash)', 'In ~/.bashrc', 'No ~/.bashrc'),
    wholeExample('source <(fiscal completion zsh)', 'In ~/.zshrc', 'No ~/.zshrc'),
    example('fish > ~/.config/fish/completions/fiscal.fish', 'For fish', 'Para o fish'),
    example('powershell | Out-String | Invoke-Expression', 'In the profile of PowerShell', 'No perfil do PowerShell'),
  ],
});

async function printScript(context: Context, { shell: typed }: Given<typeof definition>): Promise<Outcome> {
  const shell = shells.find((candidate) => candidate === typed);
  if (shell === undefined) {
    const expected = { en: `one of ${shells.join(', ')} is expected`, pt: `espera-se um de ${shells.join(', ')}` };
    throw invalidValue('<shell>', typed, expected);
  }
  const [{ completionScript }, { realpath }, { join }] = await Promise.all([
    import('../io/shell-completion.js'),
    import('node:fs/promises'),
    import('node:path'),
  ]);
  const { path } = context.program;
  const man = await realpath(path)
    .then((program) => realpath(join(program, '../../man')))
    .catch(() => undefined);
  return { data: completionScript(shell, man) };
}

export const command = does(definition, () => Promise.resolve(printScript));
