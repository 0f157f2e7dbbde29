import {
  argumentsOf,
  choice,
  columns,
  count,
  define,
  does,
  duration,
  example,
  later,
  optionalArgument,
  text,
  toggle,
} from '../../cli/define.js';
import { inModes, type CommandGroup } from '../../cli/command.js';
import { watchOptions } from '../../cli/options.js';
import { byteModes, externalIdModes, idempotencyModes, listModes } from '../../contract/sandbox.js';

/** What the sandbox does where the service document is silent. */
const modeOptions = {
  lag: duration(
    'duration',
    'Delay before lists, reads and lookups show what was created',
    'Demora até listas, leituras e buscas mostrarem o que foi criado',
  ),
  idempotencyKeys: choice(
    idempotencyModes,
    'Whether a repeated Idempotency-Key returns the same invoice (default: ignored)',
    'Se uma Idempotency-Key repetida retorna a mesma nota (padrão: ignored)',
  ),
  externalIds: choice(
    externalIdModes,
    'Whether a second NFS-e with the same externalId is refused (default: any)',
    'Se uma segunda NFS-e com o mesmo externalId é recusada (padrão: any)',
  ),
  lists: choice(
    listModes,
    'Whether lists by OData have an envelope or are a bare array (default: envelope)',
    'Se as listas por OData vêm num objeto com value ou só como array (padrão: envelope)',
    { rare: true },
  ),
  lenient: toggle(
    'Accept fields and types that the service would refuse',
    'Aceita campos e tipos que o serviço recusaria',
  ),
};

/** The options of a new sandbox, of `start` and `exec`. */
export const sandboxOptions = {
  rate: count('number', 'Requests per second before it answers 429', 'Requisições por segundo antes de responder 429', {
    min: 1,
  }),
  bytes: choice(
    byteModes,
    'How XML and PDF are delivered: as bytes, by a redirect, or as a URL in JSON',
    'Como XML e PDF são entregues: em bytes, por redirecionamento ou como URL em JSON',
    { default: 'bytes' },
  ),
  ...modeOptions,
  clockOffset: text(
    'duration',
    'Offset of its clock from this machine, e.g. 90s or -1h',
    'Diferença do relógio dele para o desta máquina, ex. 90s ou -1h',
  ),
  alphanumericKeys: toggle('Accept CNPJ and keys with letters', 'Aceita CNPJ e chaves com letras'),
};

export const start = define('Run the sandbox until interrupted', 'Executa o sandbox até ser interrompido', {
  refusesDryRun: true,
  description: {
    en: 'Prints one line with its address and keys when it is ready. Its state is kept for the next start.',
    pt: 'Mostra uma linha com o endereço e as chaves quando está pronto. O estado é mantido para a próxima execução.',
  },
  options: {
    ...sandboxOptions,
    port: count('port', 'Port on loopback (default: a free one)', 'Porta local (padrão: uma livre)', { min: 0 }),
    fresh: toggle('Start with an empty state', 'Começa com o estado vazio'),
    wellKnownKeys: toggle(
      'Take the documented keys instead of random ones',
      'Aceita as chaves documentadas em vez de aleatórias',
    ),
    detach: toggle('Run in the background', 'Executa em segundo plano'),
  },
  examples: [
    example('-o json', 'Address and keys as JSON', 'Endereço e chaves em JSON'),
    example(
      '--detach --rate 50',
      'In the background, 50 requests per second',
      'Em segundo plano, 50 requisições por segundo',
    ),
  ],
  exits: ['conflict'],
});

export const exec = define('Run a command against a fresh sandbox', 'Executa um comando contra um sandbox novo', {
  description: {
    en: 'The command finds the address and the keys in its environment (FISCAL_PRODUCT_URL, FISCAL_INVOICE_KEY, FISCAL_TENANT, …) and has its own state. Everything is removed afterwards. Exits with the exit code of the command.',
    pt: 'O comando encontra o endereço e as chaves no ambiente (FISCAL_PRODUCT_URL, FISCAL_INVOICE_KEY, FISCAL_TENANT, …) e tem um estado próprio. Tudo é removido depois. Termina com o código de saída do comando.',
  },
  takes: { command: argumentsOf('The command, after --', 'O comando, depois de --') },
  options: {
    ...sandboxOptions,
    seed: count('number', 'Seed of ids and faults', 'Semente de ids e falhas', { min: 0 }),
  },
  examples: [
    example(
      '-- npm test',
      'Tests in any language against the service',
      'Testes em qualquer linguagem contra o serviço',
    ),
  ],
});

const status = define('Show what is in the sandbox', 'Mostra o que há no sandbox', {
  options: {},
  examples: [
    example(
      '',
      'Whether one is running, and its products by status',
      'Se há um em execução, e seus produtos por status',
    ),
  ],
  exits: ['temporary'],
});

const reset = define('Empty the sandbox', 'Esvazia o sandbox', {
  refusesDryRun: true,
  description: {
    en: 'Removes products, documents, ledger, faults and clock changes, and what this machine knows of them. Keeps the account and its keys.',
    pt: 'Remove produtos, documentos, registro, falhas e ajustes do relógio, e o que esta máquina sabe deles. Mantém a conta e as chaves.',
  },
  options: {},
  examples: [example('', 'Back to the initial state', 'De volta ao estado inicial')],
  exits: ['temporary'],
});

export const mode = define(
  'Show or change what the service document leaves open',
  'Mostra ou muda o que o documento do serviço deixa em aberto',
  {
    refusesDryRun: true,
    description: {
      en: 'By default the sandbox promises no more than the service document: no Idempotency-Key is kept and no externalId is unique. Changes last until "fiscal sandbox reset" or --usual.',
      pt: 'Por padrão o sandbox não promete mais que o documento do serviço: nenhuma Idempotency-Key é guardada e nenhum externalId é único. As mudanças valem até "fiscal sandbox reset" ou --usual.',
    },
    options: {
      ...inModes(modeOptions, { notWith: ['usual'] }),
      usual: toggle('Restore the modes of the start', 'Restaura os modos do início'),
    },
    examples: [
      example(
        '--lag 3s',
        'Reads show new objects after three seconds',
        'As leituras mostram objetos novos depois de três segundos',
      ),
      example(
        '--idempotency-keys honoured',
        'The same key returns the same invoice',
        'A mesma chave retorna a mesma nota',
      ),
    ],
    exits: ['temporary', 'refused'],
  },
);

export const ledger = define(
  'List the requests to the sandbox and their effects',
  'Lista as requisições ao sandbox e seus efeitos',
  {
    options: {
      effects: toggle('Only requests that changed something', 'Só requisições que mudaram algo'),
      operation: text('id', 'Only this operation, e.g. product.create', 'Só esta operação, ex. product.create'),
      ...watchOptions,
    },
    examples: [
      example(
        '--effects --operation product.create',
        'Which products were created, and how often',
        'Quais produtos foram criados, e quantas vezes',
      ),
    ],
    exits: ['temporary'],
    id: 'requestId',
    view: columns(
      'sequence operation status fault cut billed effect.created effect.sku effect.accessKey effect.eventCode effect.id',
      { required: 'sequence operation status fault billed' },
    ),
  },
);

export const clock = define('Show or change the time of the sandbox', 'Mostra ou altera a hora do sandbox', {
  refusesDryRun: true,
  description: {
    en: 'Work that is due by the new time is done before the command exits.',
    pt: 'O lote previsto até a nova hora é feito antes de o comando terminar.',
  },
  takes: {
    action: optionalArgument(
      'show (default), advance, set, freeze or run',
      'show (padrão), advance, set, freeze ou run',
    ),
    value: optionalArgument(
      'A duration such as 10d, or an ISO 8601 UTC time',
      'Uma duração como 10d, ou data e hora ISO 8601 em UTC',
    ),
  },
  options: {},
  examples: [
    example('advance 10d', 'Ten days later', 'Dez dias depois'),
    example('set 2026-06-01T00:00:00Z', 'To a fixed time', 'Para uma data e hora fixas'),
  ],
  exits: ['temporary'],
});

const data = async () => await import('./data-commands.js');

export const group: CommandGroup = {
  verbs: {
    start: does(start, async ({ detach }) => {
      const { serveSandbox, startDetached } = await import('./serve.js');
      return detach ? startDetached : serveSandbox;
    }),
    status: does(status, async () => (await import('./state.js')).showSandbox),
    exec: does(exec, async () => (await import('./exec.js')).execInSandbox),
    reset: does(reset, async () => (await import('./state.js')).resetSandbox),
    clock: does(clock, async () => (await import('./state.js')).changeClock),
    mode: does(mode, async () => (await import('./state.js')).changeModes),
    fault: later(
      async () => (await import('./rule-commands.js')).fault,
      async () => (await import('./rules.js')).manageRules,
    ),
    deliver: later(
      async () => (await data()).deliver,
      async () => (await import('./data.js')).deliverFromSandbox,
    ),
    ledger: does(ledger, async () => (await import('./state.js')).listRequests),
    seed: later(
      async () => (await data()).seed,
      async ({ from }) =>
        from === undefined ? (await import('./data.js')).seedSandbox : (await import('./seed-files.js')).seedFromFolder,
    ),
  },
};
