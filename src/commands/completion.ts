import { defineCommand } from '../cli/command.js';
import { invalidValue } from '../errors/invalid-value.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const command = defineCommand({
  summary: { en: 'Completion for your shell', pt: 'Completar comandos no seu shell' },
  description: {
    en: 'Prints a script for your shell. It completes commands, options and choices, files and folders, and what this machine knows: profiles, companies by CNPJ, alias and first word of the name, events, products by SKU, and jobs. It asks no network and changes nothing. In bash, zsh and fish it also lets man find the pages of fiscal: man fiscal-inbound-sync.',
    pt: 'Imprime um script para o seu shell. Ele completa comandos, opções e escolhas, arquivos e pastas, e o que esta máquina conhece: perfis, empresas por CNPJ, apelido e primeira palavra do nome, eventos, produtos por SKU e lotes. Não usa a rede e não altera nada. No bash, no zsh e no fish, o man também passa a achar as páginas do fiscal: man fiscal-inbound-sync.',
  },
  arguments: [
    {
      name: 'shell',
      summary: { en: `One of ${shells.join(', ')}`, pt: `Um de ${shells.join(', ')}` },
      required: true,
    },
  ],
  options: {},
  examples: [
    { command: 'source <(fiscal completion bash)', summary: { en: 'In ~/.bashrc', pt: 'No ~/.bashrc' } },
    { command: 'source <(fiscal completion zsh)', summary: { en: 'In ~/.zshrc', pt: 'No ~/.zshrc' } },
    {
      command: 'fiscal completion fish > ~/.config/fish/completions/fiscal.fish',
      summary: { en: 'For fish', pt: 'Para o fish' },
    },
    {
      command: 'fiscal completion powershell | Out-String | Invoke-Expression',
      summary: { en: 'In the profile of PowerShell', pt: 'No perfil do PowerShell' },
    },
  ],
  exitCodes: [],
  run: async (invocation) => {
    const typed = invocation.arguments['shell'] ?? '';
    const shell = shells.find((candidate) => candidate === typed);
    if (shell === undefined) {
      const expected = {
        en: `one of ${shells.join(', ')} is expected`,
        pt: `espera-se um de ${shells.join(', ')}`,
      };
      throw invalidValue('<shell>', typed, expected);
    }
    const [{ completionScript }, { realpath }, { join }] = await Promise.all([
      import('../io/shell-completion.js'),
      import('node:fs/promises'),
      import('node:path'),
    ]);
    const { path } = invocation.context.program;
    const man = await realpath(path)
      .then((program) => realpath(join(program, '../../man')))
      .catch(() => undefined);
    return { data: completionScript(shell, man) };
  },
});
