import { choice, count, define, duration, example, listOf, text, textsOf, toggle } from '../../cli/define.js';
import { inModes } from '../../cli/command.js';
import { followLinksOption } from '../../cli/options.js';

/** Where it listens, what it checks, and where the events go. */
const listenOptions = {
  port: count('port', 'Port (0: a free one)', 'Porta (0: uma livre)', { default: 0 }),
  host: text('address', 'Address to listen on (default: 127.0.0.1)', 'Endereço de escuta (padrão: 127.0.0.1)', {
    rare: true,
  }),
  path: text(
    'path',
    'The only path that is served; choose one that is hard to guess (default: /)',
    'O único caminho atendido; escolha um difícil de adivinhar (padrão: /)',
    { rare: true },
  ),
  cert: text('file', 'Certificate for TLS, PEM', 'Certificado para TLS, PEM'),
  key: text('file', 'Private key of the certificate, PEM', 'Chave privada do certificado, PEM'),
  scheme: choice(['hub-sha1', 'standard-webhooks'], 'How deliveries are signed', 'Como as entregas são assinadas', {
    rare: true,
    default: 'hub-sha1',
  }),
  secretFile: text(
    'file',
    'File with signing secrets, one per line; - reads stdin (default: FISCAL_WEBHOOK_SECRET, then the stored ones)',
    'Arquivo com os segredos da assinatura, um por linha; - lê o stdin (padrão: FISCAL_WEBHOOK_SECRET, depois os guardados)',
  ),
  events: listOf(
    'names',
    'Events to print and forward, * for any part of a name; the others are only stored',
    'Eventos a mostrar e encaminhar, * para qualquer parte do nome; os outros só são guardados',
  ),
  forward: textsOf(
    'url',
    'Address to forward every event to; may be repeated',
    'Endereço que recebe cada evento; pode ser repetido',
  ),
  inFlight: count('n', 'Events forwarded concurrently', 'Eventos encaminhados ao mesmo tempo', {
    rare: true,
    default: 16,
    min: 1,
  }),
  maxAttempts: count(
    'n',
    'Attempts before giving up on an event (20 take up to two hours)',
    'Tentativas antes de desistir de um evento (20 levam até duas horas)',
    { rare: true, default: 20, min: 1 },
  ),
  logFile: text(
    'file',
    'Append the records and notices to this file, as JSON lines, instead of stdout and stderr; SIGHUP opens it again',
    'Acrescenta registros e avisos a este arquivo, como linhas JSON, em vez de stdout e stderr; SIGHUP o abre de novo',
  ),
  maxBody: count('bytes', 'Largest accepted body', 'Maior corpo aceito', { rare: true, default: 1_048_576, min: 1 }),
};

/** What a listener does about events, besides printing and forwarding them. */
const listenReactOptions = {
  exec: textsOf(
    'command',
    'Program to run for every event, with the body on stdin and without a shell; exit code 0: accepted; may be repeated',
    'Programa que recebe cada evento no stdin, executado sem shell; código 0: aceito; pode ser repetido',
  ),
  execTimeout: duration('time', 'Time limit of the program', 'Tempo limite do programa', {
    rare: true,
    onlyWith: ['exec'],
    default: '30s',
  }),
  execEnv: textsOf(
    'name',
    'Environment variable that the program gets, beside PATH, HOME and the like; no key otherwise reaches it',
    'Variável de ambiente que o programa recebe, além de PATH, HOME e semelhantes; sem isso, nenhuma chave chega a ele',
    { rare: true, onlyWith: ['exec'] },
  ),
  sync: toggle(
    'Archive received documents as soon as they are announced',
    'Baixa os documentos recebidos para a pasta de documentos assim que são anunciados',
  ),
  archive: text(
    'folder',
    'Folder of the archive for --sync (default: that of the profile, else where the last sync wrote)',
    'Pasta de documentos para --sync (padrão: a do perfil, senão onde o último sync gravou)',
    { onlyWith: ['sync'] },
  ),
  pdf: toggle('With --sync: the PDF as well', 'Com --sync: também o PDF', { onlyWith: ['sync'] }),
  ...inModes(followLinksOption, { onlyWith: ['sync'] }),
};

export const listen = define('Receive, keep and forward webhooks', 'Recebe, guarda e encaminha webhooks', {
  refusesDryRun: true,
  description: {
    en: 'Checks the signature of every delivery, stores the event on disk and only then answers; the service delivers at least once, and copies are counted and dropped. Stored events are printed, one record each, and forwarded: events of one resource in order of arrival, retried with growing pauses until the target accepts them or the attempts run out. After a crash the next listener continues; every event is forwarded at least once. The first line shows the address. On SIGINT or SIGTERM it completes what is in progress and exits 0.',
    pt: 'Confere a assinatura de cada entrega, grava o evento em disco e só então responde; o serviço entrega pelo menos uma vez, e as cópias são contadas e descartadas. Eventos guardados são mostrados, um registro por evento, e encaminhados: os do mesmo recurso na ordem de chegada, com novas tentativas e pausas crescentes até o destino aceitar ou as tentativas acabarem. Após uma queda, o próximo receptor continua; cada evento é encaminhado ao menos uma vez. A primeira linha informa o endereço. Com SIGINT ou SIGTERM, conclui o que está em andamento e termina com o código 0.',
  },
  options: { ...listenOptions, ...listenReactOptions },
  refusesCompany: true,
  examples: [
    example('--port 8787 --secret-file secret.txt', 'Print what arrives', 'Mostra o que chega'),
    example(
      "--port 8787 --forward http://127.0.0.1:3000/hook --events 'product.*'",
      'Forward product events to your program',
      'Encaminha eventos de produtos para o seu programa',
    ),
    example(
      "--port 8787 --sync --exec 'node handle.js'",
      'Fetch announced documents, and run your program for each event',
      'Baixa os documentos anunciados e executa o seu programa para cada evento',
    ),
    example(
      '--host 0.0.0.0 --port 8443 --cert cert.pem --key key.pem --path /h7Kq2',
      'From other machines, with TLS and a secret path',
      'De outras máquinas, com TLS e caminho secreto',
    ),
  ],
  exits: ['credentials', 'temporary'],
});

export const verify = define(
  'Check the signature of a delivery that another program received',
  'Confere a assinatura de uma entrega recebida por outro programa',
  {
    description: {
      en: 'Reads the body from stdin, byte for byte, and works without the service. Exits 2 if the delivery is not genuine. The verdict stale means: signed with the secret, but more than 5 minutes ago or ahead.',
      pt: 'Lê o corpo do stdin, byte a byte, e funciona sem o serviço. Termina com o código 2 se a entrega não é autêntica. O resultado stale significa: assinada com o segredo, mas a mais de 5 minutos de agora.',
    },
    options: {
      signature: text(
        'header',
        'The header X-Hub-Signature (sha1=…) or webhook-signature (v1,…)',
        'O cabeçalho X-Hub-Signature (sha1=…) ou webhook-signature (v1,…)',
      ),
      scheme: choice(['hub-sha1', 'standard-webhooks'], 'How the delivery is signed', 'Como a entrega é assinada', {
        default: 'hub-sha1',
      }),
      id: text('header', 'The header webhook-id', 'O cabeçalho webhook-id'),
      timestamp: text('header', 'The header webhook-timestamp', 'O cabeçalho webhook-timestamp'),
      secretFile: text(
        'file',
        'File with the secrets, one per line (default: FISCAL_WEBHOOK_SECRET, then the stored ones)',
        'Arquivo com os segredos, um por linha (padrão: FISCAL_WEBHOOK_SECRET, depois os guardados)',
      ),
    },
    examples: [
      example(
        '--secret-file webhook.secret --signature "$X_HUB_SIGNATURE" < body.json',
        'In a shell script',
        'Em um script de shell',
      ),
    ],
    exits: ['credentials'],
  },
);
