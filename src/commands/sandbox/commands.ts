import { defineCommand, inModes, type CommandGroup, type OptionSpecs } from '../../cli/command.js';
import { requireOutput } from '../../cli/lost-output.js';
import { watchOptions } from '../../cli/options.js';
import { byteModes, externalIdModes, idempotencyModes } from '../../contract/sandbox.js';

/** What the sandbox does where the service document is silent. */
const modeOptions = {
  lag: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'Delay before lists, reads and lookups show what was created',
      pt: 'Demora até listas, leituras e buscas mostrarem o que foi criado',
    },
  },
  idempotencyKeys: {
    kind: 'choice',
    choices: idempotencyModes,
    summary: {
      en: 'Whether a repeated Idempotency-Key returns the same invoice (default: ignored)',
      pt: 'Se uma Idempotency-Key repetida retorna a mesma nota (padrão: ignored)',
    },
  },
  externalIds: {
    kind: 'choice',
    choices: externalIdModes,
    summary: {
      en: 'Whether a second NFS-e with the same externalId is refused (default: any)',
      pt: 'Se uma segunda NFS-e com o mesmo externalId é recusada (padrão: any)',
    },
  },
  lenient: {
    kind: 'toggle',
    summary: {
      en: 'Accept fields and types that the service would refuse',
      pt: 'Aceita campos e tipos que o serviço recusaria',
    },
  },
} as const satisfies OptionSpecs;

/** The options of a new sandbox, of `start` and `exec`. */
const sandboxOptions = {
  rate: {
    kind: 'count',
    value: 'number',
    min: 1,
    summary: {
      en: 'Requests per second before it answers 429',
      pt: 'Requisições por segundo antes de responder 429',
    },
  },
  bytes: {
    kind: 'choice',
    choices: byteModes,
    default: 'bytes',
    summary: {
      en: 'How XML and PDF are delivered: as bytes, by a redirect, or as a URL in JSON',
      pt: 'Como XML e PDF são entregues: em bytes, por redirecionamento ou como URL em JSON',
    },
  },
  ...modeOptions,
  clockOffset: {
    kind: 'text',
    value: 'duration',
    summary: {
      en: 'Offset of its clock from this machine, e.g. 90s or -1h',
      pt: 'Diferença do relógio dele para o desta máquina, ex. 90s ou -1h',
    },
  },
  alphanumericKeys: {
    kind: 'toggle',
    summary: { en: 'Accept CNPJ and keys with letters', pt: 'Aceita CNPJ e chaves com letras' },
  },
} as const satisfies OptionSpecs;

const start = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Run the sandbox until interrupted', pt: 'Executa o sandbox até ser interrompido' },
  description: {
    en: 'Prints one line with its address and keys when it is ready. Its state is kept for the next start.',
    pt: 'Mostra uma linha com o endereço e as chaves quando está pronto. O estado é mantido para a próxima execução.',
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
      summary: { en: 'Start with an empty state', pt: 'Começa com o estado vazio' },
    },
    wellKnownKeys: {
      kind: 'toggle',
      summary: {
        en: 'Take the documented keys instead of random ones',
        pt: 'Aceita as chaves documentadas em vez de aleatórias',
      },
    },
    detach: {
      kind: 'toggle',
      summary: { en: 'Run in the background', pt: 'Executa em segundo plano' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox start -o json',
      summary: { en: 'Address and keys as JSON', pt: 'Endereço e chaves em JSON' },
    },
    {
      command: 'fiscal sandbox start --detach --rate 50',
      summary: {
        en: 'In the background, 50 requests per second',
        pt: 'Em segundo plano, 50 requisições por segundo',
      },
    },
  ],
  exitCodes: [10],
  async run({ options, context, io }) {
    const { serveSandbox, startDetached } = await import('./serve.js');
    if (options.detach) return { data: await startDetached(context, options) };
    const { output } = await context.settings();
    const forPeople = output === 'table' || (output === undefined && io.stdout.isTerminal);
    await serveSandbox(context, options, async (ready) => {
      const { readyText } = await import('../../presenters/sandbox-ready.js');
      await io.stdout.write(forPeople ? readyText(ready, io.language) : `${JSON.stringify(ready)}\n`);
      await requireOutput(io);
    });
    return { data: undefined, written: true };
  },
});

const exec = defineCommand({
  summary: { en: 'Run a command against a fresh sandbox', pt: 'Executa um comando contra um sandbox novo' },
  description: {
    en: 'The command finds the address and the keys in its environment (FISCAL_PRODUCT_URL, FISCAL_INVOICE_KEY, FISCAL_TENANT, …) and has its own state. Everything is removed afterwards. Exits with the exit code of the command.',
    pt: 'O comando encontra o endereço e as chaves no ambiente (FISCAL_PRODUCT_URL, FISCAL_INVOICE_KEY, FISCAL_TENANT, …) e tem um estado próprio. Tudo é removido depois. Termina com o código de saída do comando.',
  },
  arguments: [
    {
      name: 'command',
      summary: { en: 'The command, after --', pt: 'O comando, depois de --' },
      required: true,
      variadic: true,
    },
  ],
  options: {
    ...sandboxOptions,
    seed: {
      kind: 'count',
      value: 'number',
      min: 0,
      summary: { en: 'Seed of ids and faults', pt: 'Semente de ids e falhas' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox exec -- npm test',
      summary: {
        en: 'Tests in any language against the service',
        pt: 'Testes em qualquer linguagem contra o serviço',
      },
    },
  ],
  exitCodes: [],
  async run({ rest, options, context }) {
    const [command = '', ...words] = rest;
    const { execInSandbox } = await import('./exec.js');
    const exitCode = await execInSandbox(context, { command, words, ...options });
    return { data: undefined, written: true, exitCode };
  },
});

const status = defineCommand({
  summary: { en: 'Show what is in the sandbox', pt: 'Mostra o que há no sandbox' },
  options: {},
  examples: [
    {
      command: 'fiscal sandbox status',
      summary: {
        en: 'Whether one is running, and its products by status',
        pt: 'Se há um em execução, e seus produtos por status',
      },
    },
  ],
  exitCodes: [5],
  async run({ context }) {
    const { readStatus } = await import('./state.js');
    return { data: await readStatus(context) };
  },
});

const reset = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Empty the sandbox', pt: 'Esvazia o sandbox' },
  description: {
    en: 'Removes products, documents, ledger, faults and clock changes, and what this machine knows of them. Keeps the account and its keys.',
    pt: 'Remove produtos, documentos, registro, falhas e ajustes do relógio, e o que esta máquina sabe deles. Mantém a conta e as chaves.',
  },
  options: {},
  examples: [
    {
      command: 'fiscal sandbox reset',
      summary: { en: 'Back to the initial state', pt: 'De volta ao estado inicial' },
    },
  ],
  exitCodes: [5],
  async run({ context }) {
    const { resetSandbox } = await import('./state.js');
    return { data: await resetSandbox(context) };
  },
});

const mode = defineCommand({
  refusesDryRun: true,
  summary: {
    en: 'Show or change what the service document leaves open',
    pt: 'Mostra ou muda o que o documento do serviço deixa em aberto',
  },
  description: {
    en: 'By default the sandbox promises no more than the service document: no Idempotency-Key is kept and no externalId is unique. Changes last until "fiscal sandbox reset" or --usual.',
    pt: 'Por padrão o sandbox não promete mais que o documento do serviço: nenhuma Idempotency-Key é guardada e nenhum externalId é único. As mudanças valem até "fiscal sandbox reset" ou --usual.',
  },
  options: {
    ...inModes(modeOptions, { notWith: ['usual'] }),
    usual: {
      kind: 'toggle',
      summary: { en: 'Restore the modes of the start', pt: 'Restaura os modos do início' },
    },
  },
  examples: [
    {
      command: 'fiscal sandbox mode --lag 3s',
      summary: {
        en: 'Reads show new objects after three seconds',
        pt: 'As leituras mostram objetos novos depois de três segundos',
      },
    },
    {
      command: 'fiscal sandbox mode --idempotency-keys honoured',
      summary: {
        en: 'The same key returns the same invoice',
        pt: 'A mesma chave retorna a mesma nota',
      },
    },
  ],
  exitCodes: [5, 6],
  async run({ options: { usual, ...modes }, context }) {
    const { changeModes, restoreModes } = await import('./state.js');
    return { data: usual ? await restoreModes(context) : await changeModes(context, modes) };
  },
});

const ledger = defineCommand({
  summary: {
    en: 'List the requests to the sandbox and their effects',
    pt: 'Lista as requisições ao sandbox e seus efeitos',
  },
  options: {
    effects: {
      kind: 'toggle',
      summary: { en: 'Only requests that changed something', pt: 'Só requisições que mudaram algo' },
    },
    operation: {
      kind: 'text',
      value: 'id',
      summary: { en: 'Only this operation, e.g. product.create', pt: 'Só esta operação, ex. product.create' },
    },
    ...watchOptions,
  },
  examples: [
    {
      command: 'fiscal sandbox ledger --effects --operation product.create',
      summary: {
        en: 'Which products were created, and how often',
        pt: 'Quais produtos foram criados, e quantas vezes',
      },
    },
  ],
  exitCodes: [5],
  idField: 'requestId',
  view: async () => {
    const { columnsView } = await import('../../presenters/generic.js');
    return columnsView(
      [
        'sequence',
        'operation',
        'status',
        'fault',
        'cut',
        'billed',
        'effect.created',
        'effect.sku',
        'effect.accessKey',
        'effect.eventCode',
        'effect.id',
      ],
      { required: ['sequence', 'operation', 'status', 'fault', 'billed'] },
    );
  },
  async run({ options, context }) {
    const { readLedger } = await import('./state.js');
    return { data: readLedger(context, options) };
  },
});

const clock = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Show or change the time of the sandbox', pt: 'Mostra ou altera a hora do sandbox' },
  description: {
    en: 'Work that is due by the new time is done before the command exits.',
    pt: 'O lote previsto até a nova hora é feito antes de o comando terminar.',
  },
  arguments: [
    {
      name: 'action',
      summary: {
        en: 'show (default), advance, set, freeze or run',
        pt: 'show (padrão), advance, set, freeze ou run',
      },
      required: false,
    },
    {
      name: 'value',
      summary: {
        en: 'A duration such as 10d, or an ISO 8601 UTC time',
        pt: 'Uma duração como 10d, ou data e hora ISO 8601 em UTC',
      },
      required: false,
    },
  ],
  options: {},
  examples: [
    {
      command: 'fiscal sandbox clock advance 10d',
      summary: { en: 'Ten days later', pt: 'Dez dias depois' },
    },
    {
      command: 'fiscal sandbox clock set 2026-06-01T00:00:00Z',
      summary: { en: 'To a fixed time', pt: 'Para uma data e hora fixas' },
    },
  ],
  exitCodes: [5],
  async run({ arguments: { action, value }, context }) {
    const { readClockChange, changeClock } = await import('./clock.js');
    return { data: await changeClock(context, readClockChange(action, value)) };
  },
});

const openapi = defineCommand({
  summary: {
    en: 'Describe the routes and their sources as OpenAPI 3.1',
    pt: 'Descreve as rotas e a origem de cada uma em OpenAPI 3.1',
  },
  description: {
    en: 'For generators and validators. Generated from the operations that this program knows (x-mark: doc, in the service document; public, published by services of this kind; assumed by this program): paths, parameters, bodies, keys, statuses and what an answer must have; a schema {} takes any JSON.',
    pt: 'Para geradores e validadores. Feito das operações que este programa conhece (x-mark: doc, no documento do serviço; public, publicado por serviços deste tipo; assumed, suposição deste programa): caminhos, parâmetros, corpos, chaves, status e o que uma resposta deve ter; um schema {} aceita qualquer JSON.',
  },
  options: {},
  examples: [
    {
      command: 'fiscal sandbox openapi -o json > openapi.json',
      summary: { en: 'The description as a file', pt: 'A descrição em um arquivo' },
    },
  ],
  exitCodes: [],
  async run() {
    const { openApiDocument } = await import('./openapi.js');
    return { data: openApiDocument() };
  },
});

const rules = () => import('./rule-commands.js');
const data = () => import('./data-commands.js');

export const group: CommandGroup = {
  verbs: {
    start,
    status,
    exec,
    reset,
    clock,
    mode,
    authority: async () => ({ command: (await rules()).authority }),
    outcome: async () => ({ command: (await rules()).outcome }),
    fault: async () => ({ command: (await rules()).fault }),
    deliver: async () => ({ command: (await data()).deliver }),
    ledger,
    seed: async () => ({ command: (await data()).seed }),
    openapi,
  },
};
