import { type OptionSpecs, defineCommand, inModes, type OptionValues } from '../../cli/command.js';
import { requireOutput } from '../../cli/lost-output.js';
import { followLinksOption } from '../../cli/options.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import type { Reactions } from './react.js';

/** The address of a listener. */
const listenAddressOptions = {
  port: {
    kind: 'count',
    value: 'port',
    default: 0,
    summary: { en: 'Port (0: a free one)', pt: 'Porta (0: uma livre)' },
  },
  host: {
    kind: 'text',
    value: 'address',
    summary: {
      en: 'Address to listen on (default: 127.0.0.1)',
      pt: 'Endereço de escuta (padrão: 127.0.0.1)',
    },
    rare: true,
  },
  path: {
    kind: 'text',
    value: 'path',
    summary: {
      en: 'The only path that is served; choose one that is hard to guess (default: /)',
      pt: 'O único caminho atendido; escolha um difícil de adivinhar (padrão: /)',
    },
    rare: true,
  },
  cert: {
    kind: 'text',
    value: 'file',
    summary: { en: 'Certificate for TLS, PEM', pt: 'Certificado para TLS, PEM' },
  },
  key: {
    kind: 'text',
    value: 'file',
    summary: { en: 'Private key of the certificate, PEM', pt: 'Chave privada do certificado, PEM' },
  },
} as const satisfies OptionSpecs;

/** Where it listens, what it checks, and where the events go. */
const listenOptions = {
  ...listenAddressOptions,
  scheme: {
    kind: 'choice',
    choices: ['hub-sha1', 'standard-webhooks'],
    default: 'hub-sha1',
    summary: { en: 'How deliveries are signed', pt: 'Como as entregas são assinadas' },
  },
  secretFile: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'File with signing secrets, one per line; - reads stdin (default: FISCAL_WEBHOOK_SECRET, then the stored ones)',
      pt: 'Arquivo com os segredos da assinatura, um por linha; - lê o stdin (padrão: FISCAL_WEBHOOK_SECRET, depois os guardados)',
    },
  },
  events: {
    kind: 'list',
    value: 'names',
    summary: {
      en: 'Events to print and forward, * for any part of a name; the others are only stored',
      pt: 'Eventos a mostrar e encaminhar, * para qualquer parte do nome; os outros só são guardados',
    },
  },
  forward: {
    kind: 'texts',
    value: 'url',
    summary: {
      en: 'Address to forward every event to; may be repeated',
      pt: 'Endereço que recebe cada evento; pode ser repetido',
    },
  },
  inFlight: {
    rare: true,
    kind: 'count',
    value: 'n',
    default: 16,
    min: 1,
    summary: { en: 'Events forwarded concurrently', pt: 'Eventos encaminhados ao mesmo tempo' },
  },
  maxAttempts: {
    rare: true,
    kind: 'count',
    value: 'n',
    default: 20,
    min: 1,
    summary: {
      en: 'Attempts before giving up on an event (20 take up to two hours)',
      pt: 'Tentativas antes de desistir de um evento (20 levam até duas horas)',
    },
  },
  maxBody: {
    rare: true,
    kind: 'count',
    value: 'bytes',
    default: 1_048_576,
    min: 1,
    summary: { en: 'Largest accepted body', pt: 'Maior corpo aceito' },
  },
} as const satisfies OptionSpecs;

/** What a listener does about events, besides printing and forwarding them. */
const listenReactOptions = {
  exec: {
    kind: 'texts',
    value: 'command',
    summary: {
      en: 'Program to run for every event, with the body on stdin and without a shell; exit code 0: accepted; may be repeated',
      pt: 'Programa que recebe cada evento no stdin, executado sem shell; código 0: aceito; pode ser repetido',
    },
  },
  execTimeout: {
    rare: true,
    onlyWith: ['exec'],
    kind: 'duration',
    value: 'time',
    default: '30s',
    summary: { en: 'Time limit of the program', pt: 'Tempo limite do programa' },
  },
  execEnv: {
    rare: true,
    onlyWith: ['exec'],
    kind: 'texts',
    value: 'name',
    summary: {
      en: 'Environment variable that the program gets, beside PATH, HOME and the like; no key otherwise reaches it',
      pt: 'Variável de ambiente que o programa recebe, além de PATH, HOME e semelhantes; sem isso, nenhuma chave chega a ele',
    },
  },
  sync: {
    kind: 'toggle',
    summary: {
      en: 'Archive received documents as soon as they are announced',
      pt: 'Baixa os documentos recebidos para a pasta de documentos assim que são anunciados',
    },
  },
  archive: {
    onlyWith: ['sync'],
    kind: 'text',
    value: 'folder',
    summary: {
      en: 'Folder of the archive for --sync (default: that of the profile, else where the last sync wrote)',
      pt: 'Pasta de documentos para --sync (padrão: a do perfil, senão onde o último sync gravou)',
    },
  },
  pdf: {
    onlyWith: ['sync'],
    kind: 'toggle',
    summary: { en: 'With --sync: the PDF as well', pt: 'Com --sync: também o PDF' },
  },
  ...inModes(followLinksOption, { onlyWith: ['sync'] }),
} as const satisfies OptionSpecs;

export const listen = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Receive, keep and forward webhooks', pt: 'Recebe, guarda e encaminha webhooks' },
  description: {
    en: 'Checks the signature of every delivery, stores the event on disk and only then answers; the service delivers at least once, and copies are counted and dropped. Stored events are printed, one record each, and forwarded: events of one resource in order of arrival, retried with growing pauses until the target accepts them or the attempts run out. After a crash the next listener continues; every event is forwarded at least once. The first line shows the address. On SIGINT or SIGTERM it completes what is in progress and exits 0.',
    pt: 'Confere a assinatura de cada entrega, grava o evento em disco e só então responde; o serviço entrega pelo menos uma vez, e as cópias são contadas e descartadas. Eventos guardados são mostrados, um registro por evento, e encaminhados: os do mesmo recurso na ordem de chegada, com novas tentativas e pausas crescentes até o destino aceitar ou as tentativas acabarem. Após uma queda, o próximo receptor continua; cada evento é encaminhado ao menos uma vez. A primeira linha informa o endereço. Com SIGINT ou SIGTERM, conclui o que está em andamento e termina com o código 0.',
  },
  options: { ...listenOptions, ...listenReactOptions },
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal webhook listen --port 8787 --secret-file secret.txt',
      summary: { en: 'Print what arrives', pt: 'Mostra o que chega' },
    },
    {
      command: "fiscal webhook listen --port 8787 --forward http://127.0.0.1:3000/hook --events 'product.*'",
      summary: {
        en: 'Forward product events to your program',
        pt: 'Encaminha eventos de produtos para o seu programa',
      },
    },
    {
      command: "fiscal webhook listen --port 8787 --sync --exec 'node handle.js'",
      summary: {
        en: 'Fetch announced documents, and run your program for each event',
        pt: 'Baixa os documentos anunciados e executa o seu programa para cada evento',
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
      ready: async (line) => {
        await io.stdout.write(forPeople ? listenReadyText(line, io.language) : listenRecordLine(line));
        await requireOutput(io);
      },
      summary: async (record) => (forPeople ? undefined : await io.stdout.write(listenRecordLine(record))),
      event: (record) => io.stdout.write(forPeople ? listenEventText(record) : listenRecordLine(record)),
    });
  },
});

/** The reactions of the options. The definition connects a listener with the sync of `inbound`, since nouns do not import each other. */
async function reactionsOf(
  context: Context,
  { exec, execTimeout, execEnv, sync, archive, pdf, followLinks }: OptionValues<typeof listenReactOptions>,
): Promise<Reactions> {
  const { createReactions } = await import('./react.js');
  return await createReactions(context, {
    exec,
    execLimitMs: execTimeout,
    execEnv,
    sync: sync ? await announcedSync(context, { archive, pdf, followLinks }) : undefined,
  });
}

async function announcedSync(
  context: Context,
  options: Pick<OptionValues<typeof listenReactOptions>, 'archive' | 'pdf' | 'followLinks'>,
) {
  const { createAnnouncedSync } = await import('../inbound/announced-sync.js');
  return await createAnnouncedSync(context, options);
}

export const verify = defineCommand({
  summary: {
    en: 'Check the signature of a delivery that another program received',
    pt: 'Confere a assinatura de uma entrega recebida por outro programa',
  },
  description: {
    en: 'Reads the body from stdin, byte for byte, and works without the service. Exits 2 if the delivery is not genuine. The verdict stale means: signed with the secret, but more than 5 minutes ago or ahead.',
    pt: 'Lê o corpo do stdin, byte a byte, e funciona sem o serviço. Termina com o código 2 se a entrega não é autêntica. O resultado stale significa: assinada com o segredo, mas a mais de 5 minutos de agora.',
  },
  options: {
    signature: {
      kind: 'text',
      value: 'header',
      summary: {
        en: 'The header X-Hub-Signature (sha1=…) or webhook-signature (v1,…)',
        pt: 'O cabeçalho X-Hub-Signature (sha1=…) ou webhook-signature (v1,…)',
      },
    },
    scheme: {
      kind: 'choice',
      choices: ['hub-sha1', 'standard-webhooks'],
      default: 'hub-sha1',
      summary: { en: 'How the delivery is signed', pt: 'Como a entrega é assinada' },
    },
    id: {
      kind: 'text',
      value: 'header',
      summary: { en: 'The header webhook-id', pt: 'O cabeçalho webhook-id' },
    },
    timestamp: {
      kind: 'text',
      value: 'header',
      summary: { en: 'The header webhook-timestamp', pt: 'O cabeçalho webhook-timestamp' },
    },
    secretFile: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'File with the secrets, one per line (default: FISCAL_WEBHOOK_SECRET, then the stored ones)',
        pt: 'Arquivo com os segredos, um por linha (padrão: FISCAL_WEBHOOK_SECRET, depois os guardados)',
      },
    },
  },
  examples: [
    {
      command:
        'fiscal webhook verify --secret-file webhook.secret --signature "$X_HUB_SIGNATURE" < body.json',
      summary: { en: 'In a shell script', pt: 'Em um script de shell' },
    },
  ],
  exitCodes: [ExitCode.credentials],
  async run({ context, options }) {
    const { verifyDelivery } = await import('./verify.js');
    return verifyDelivery(context, options);
  },
});
