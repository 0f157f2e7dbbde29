import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Io } from '../../io/io.js';
import { FiscalError } from '../../errors/fiscal-error.js';

const verdicts = ['succeeded', 'failed', 'not-sent'] as const;

export const command = defineCommand({
  summary: {
    en: 'Say what became of an item without an end',
    pt: 'Informa o que aconteceu com um item sem desfecho',
  },
  description: {
    en: 'An item is uncertain when its request was sent and no answer came, and sending it again could do it twice. Look at the service, then say what you found. An item that stays pending, or in sending after its process has gone, can be ended in the same way. The same answer again changes nothing.',
    pt: 'Um item fica incerto quando a requisição foi enviada, nenhuma resposta chegou e enviar de novo poderia duplicar. Verifique no serviço e informe o que encontrou. Um item que continua em pending, ou em sending depois que o processo terminou, pode ser encerrado do mesmo modo. A mesma resposta outra vez não muda nada.',
  },
  arguments: [
    {
      name: 'id',
      required: true,
      summary: {
        en: 'Id of the item, or of its job when only one item has no end',
        pt: 'Id do item, ou do trabalho quando só um item não tem desfecho',
      },
    },
  ],
  options: {
    as: {
      kind: 'choice',
      choices: verdicts,
      summary: {
        en: 'succeeded: it is there; failed: give it up; not-sent: it never arrived, send it again',
        pt: 'succeeded: está lá; failed: desistir; not-sent: nunca chegou, enviar de novo',
      },
    },
    resource: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Its id at the service, with succeeded', pt: 'O id dele no serviço, com succeeded' },
    },
  },
  examples: [
    {
      command: 'fiscal job resolve 261121-0800-3f2c91 --as succeeded --resource 7d3e',
      summary: { en: 'It was found at the service', pt: 'Foi encontrado no serviço' },
    },
    {
      command: 'fiscal job resolve 261121-0800-3f2c91 --as not-sent --yes',
      summary: { en: 'It never arrived', pt: 'Nunca chegou' },
    },
  ],
  exitCodes: [ExitCode.notFound, ExitCode.conflict],
  idField: 'id',
  async run({ context, options, io, arguments: { id = '' } }) {
    const { resource } = options;
    const as = options.as ?? (await askVerdict(io));
    const { resolveUncertain } = await import('./resolve.js');
    return await resolveUncertain(context, { id, as, resource });
  },
});

/** The line that other commands print has no verdict yet: a person chooses it here. */
async function askVerdict(io: Io): Promise<(typeof verdicts)[number]> {
  if (io.mayAsk) {
    const question =
      io.language === 'pt' ? 'O que você encontrou no serviço?' : 'What did you find at the service?';
    const answer = await io.prompts.choose(question, verdicts);
    const verdict = verdicts.find((each) => each === answer);
    if (verdict !== undefined) return verdict;
  }
  throw new FiscalError('usage.missing', {
    names: {
      en: 'what you found (--as succeeded, --as failed or --as not-sent)',
      pt: 'o que você encontrou (--as succeeded, --as failed ou --as not-sent)',
    },
  });
}
