import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';
import { listenOptions } from './listen-options.js';
import { listenReactOptions } from './listen-react-options.js';
import { reactionsOf } from './listen-reactions.js';

export const command = defineCommand({
  summary: { en: 'Receive, keep and forward webhooks', pt: 'Recebe, guarda e encaminha webhooks' },
  description: {
    en: 'Checks the signature of every delivery, stores the event on disk and only then answers; the service delivers at least once, and copies are counted and dropped. Stored events are printed, one record each, and forwarded: events of one resource in the order of their arrival, again and again with growing pauses until the target takes them or the tries end. Killed at any moment, the next listener goes on; every event goes out at least once. The first line tells the address. SIGINT or SIGTERM ends it with 0 after what is under way.',
    pt: 'Confere a assinatura de cada entrega, grava o evento em disco e só então responde; o serviço entrega pelo menos uma vez, e as cópias são contadas e descartadas. Eventos guardados são mostrados, um registro por evento, e encaminhados: os do mesmo recurso na ordem de chegada, de novo e com pausas crescentes até o destino aceitar ou as tentativas acabarem. Interrompido a qualquer momento, o próximo continua; cada evento sai ao menos uma vez. A primeira linha informa o endereço. SIGINT ou SIGTERM encerra com 0 depois do que está em andamento.',
  },
  options: { ...listenOptions, ...listenReactOptions },
  examples: [
    {
      command: 'fiscal webhook listen --port 8787 --secret-file secret.txt',
      summary: { en: 'Print what arrives', pt: 'Mostra o que chega' },
    },
    {
      command: "fiscal webhook listen --port 8787 --forward http://127.0.0.1:3000/hook --events 'product.*'",
      summary: {
        en: 'Events of products to a program of yours',
        pt: 'Eventos de produtos para um programa seu',
      },
    },
    {
      command: "fiscal webhook listen --port 8787 --sync --exec 'node handle.js'",
      summary: {
        en: 'Fetch announced documents, and a program of yours for each event',
        pt: 'Traz documentos anunciados, e um programa seu para cada evento',
      },
    },
    {
      command: 'fiscal webhook listen --host 0.0.0.0 --port 8443 --cert cert.pem --key key.pem --path /h7Kq2',
      summary: {
        en: 'From other machines, with TLS and a secret path',
        pt: 'De outras máquinas, com TLS e caminho secreto',
      },
    },
  ],
  exitCodes: [ExitCode.credentials, ExitCode.temporary],
  async run({ options, context, io }) {
    const [{ listenToWebhooks }, { listenReadyText, listenEventText, listenRecordLine }] = await Promise.all([
      import('./listen.js'),
      import('../../presenters/webhook-listen.js'),
    ]);
    const { output } = await context.settings();
    const forPeople = output === 'table' || (output === undefined && io.stdout.isTerminal);
    return await listenToWebhooks(context, options, {
      reactions: await reactionsOf(context, options),
      ready: (line) =>
        io.stdout.write(forPeople ? listenReadyText(line, io.language) : listenRecordLine(line)),
      summary: async (record) => (forPeople ? undefined : await io.stdout.write(listenRecordLine(record))),
      event: (record) => io.stdout.write(forPeople ? listenEventText(record) : listenRecordLine(record)),
    });
  },
});
