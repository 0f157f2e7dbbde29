import { defineCommand } from '../../cli/command.js';
import { sandboxOptions } from './options.js';

export const command = defineCommand({
  summary: { en: 'Serve the sandbox until a signal', pt: 'Serve o sandbox até um sinal' },
  description: {
    en: 'Prints one line with its address and keys when it answers. Its state stays for the next start.',
    pt: 'Mostra uma linha com o endereço e as chaves quando está pronto. O estado fica para o próximo início.',
  },
  options: {
    ...sandboxOptions,
    port: {
      kind: 'count',
      value: 'port',
      min: 0,
      summary: { en: 'Port on loopback (default: a free one)', pt: 'Porta local (padrão: uma livre)' },
    },
    fresh: {
      kind: 'toggle',
      summary: { en: 'Begin with empty state', pt: 'Começa com o estado vazio' },
    },
    detach: {
      kind: 'toggle',
      summary: { en: 'Serve in the background', pt: 'Serve em segundo plano' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox start -o json',
      summary: { en: 'The ready line as JSON', pt: 'A linha de prontidão em JSON' },
    },
    {
      command: 'fiscal sandbox start --detach --rate 50',
      summary: {
        en: 'In the background, 50 requests a second',
        pt: 'Em segundo plano, 50 requisições por segundo',
      },
    },
  ],
  exitCodes: [10],
  async run({ options, context, io }) {
    if (options.detach) {
      const { startDetached } = await import('./detach.js');
      return { data: await startDetached(context, options) };
    }
    const { serveSandbox } = await import('./serve.js');
    const { output } = await context.settings();
    const forPeople = output === 'table' || (output === undefined && io.stdout.isTerminal);
    await serveSandbox(context, options, async (ready) => {
      const { readyText } = await import('../../presenters/sandbox-ready.js');
      await io.stdout.write(forPeople ? readyText(ready, io.language) : `${JSON.stringify(ready)}\n`);
    });
    return { data: undefined, written: true };
  },
});
