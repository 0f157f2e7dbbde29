import { defineCommand } from '../cli/command.js';
import { invalidValue } from '../errors/invalid-value.js';

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const;

export const command = defineCommand({
  summary: { en: 'Completion for your shell', pt: 'Completar comandos no seu shell' },
  description: {
    en: 'Prints a script for your shell. It completes commands, options, choices and the names of profiles.',
    pt: 'Imprime um script para o seu shell. Ele completa comandos, opções, escolhas e nomes de perfis.',
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
    const { completionScript } = await import('../io/shell-completion.js');
    return { data: completionScript(shell) };
  },
});
