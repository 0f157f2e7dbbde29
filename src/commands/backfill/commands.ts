import type { ExitName } from '../../cli/command.js';
import { argument, columns, define, does, example, text, toggle } from '../../cli/define.js';
import { batchOptions, companiesOption, waitTimes } from '../../cli/options.js';
import { type CommandGroup, inModes } from '../../cli/command.js';

/** Options of commands that change a whole history. */
const sweepOptions = {
  ...companiesOption,
  confirm: text(
    'a,b',
    'Exactly these companies, as for --company (for a plan: its id); required with --yes where there is no terminal',
    'Exatamente estas empresas, como em --company (de um plano: o id dele); obrigatório com --yes quando não há terminal',
  ),
  ...batchOptions,
  wait: toggle(
    'Wait until it finishes; the exit code gives the outcome',
    'Aguarda a conclusão; o código de saída indica o resultado',
  ),
};

const sweepExits: readonly ExitName[] = ['partial', 'calls', 'pending', 'held', 'endedBadly', 'limitReached'];

export const show = define(
  'Show cut-off, release and hidden NFS-e',
  'Mostra data de corte, liberação e NFS-e ocultas',
  {
    description: {
      en: 'NFS-e from before the cut-off are captured, and billed as history, but hidden from the lists until they are released. With several companies, one that cannot be read has a row with the reason (exit 3). --wait follows each company to its end: by the job of this machine that asked for it, or else by what the service says, on any machine. It exits 0 when all are done, 8 when the time is up, 13 when another request supersedes it.',
      pt: 'As NFS-e anteriores à data de corte são capturadas, e cobradas como histórico, mas ficam fora das listas até serem liberadas. Com várias empresas, a que não puder ser lida aparece no resultado com o motivo (saída 3). --wait acompanha cada empresa até o fim: pelo lote desta máquina que fez o pedido ou, sem ele, pelo que o serviço informa, em qualquer máquina. Termina com 0 quando tudo foi concluído, com 8 quando o tempo acaba e com 13 quando outro pedido prevalece.',
    },
    options: {
      ...companiesOption,
      plan: text('file', 'The companies that this plan releases', 'As empresas que este plano libera', {
        notWith: ['company', 'allCompanies'],
      }),
      wait: toggle('Wait for a release or revoke to finish', 'Aguarda a conclusão de uma liberação ou revogação'),
      ...inModes(waitTimes, { onlyWith: ['wait'] }),
    },
    scope: ['company'],
    examples: [
      example('--company c1,c2', 'Of two companies', 'De duas empresas'),
      example('--all-companies -o csv', 'Of the whole account', 'Da conta inteira'),
      example(
        '--wait --plan plan.csv --timeout 1h',
        'When its releases have finished',
        'Quando as liberações dele terminarem',
      ),
    ],
    exits: sweepExits,
    id: 'companyId',
    view: async () => (await import('../../presenters/backfill.js')).backfillView,
  },
);

export const plan = define(
  'Show what a release or a new cut-off would reveal',
  'Mostra o que uma liberação ou nova data de corte revelaria',
  {
    description: {
      en: 'Writes a file for review; nothing is sent. Without --from it proposes a release wherever something is hidden, with --from a new cut-off. It notes what was billed as history, which companies have no NFS-e capture, and where the key lacks the role Management. Rows may be removed, but not changed: backfill release --plan refuses a changed plan.',
      pt: 'Grava um arquivo para revisão; nada é enviado. Sem --from propõe liberar onde houver algo oculto; com --from, uma nova data de corte. Anota o que foi cobrado como histórico, quais empresas não têm captura de NFS-e e onde falta à chave o papel Management. Linhas podem ser removidas, mas não alteradas: backfill release --plan recusa um plano alterado.',
    },
    options: {
      ...companiesOption,
      from: text(
        'date',
        'The cut-off that would be set: a day (midnight in Brasília) or a UTC time',
        'A data de corte que seria definida: um dia (meia-noite em Brasília) ou um horário UTC',
      ),
      out: text(
        'file',
        'Write the plan to this .csv, .xlsx, .md or .json file',
        'Grava o plano neste arquivo .csv, .xlsx, .md ou .json',
      ),
    },
    scope: ['company'],
    examples: [
      example('--all-companies --out plan.csv', 'Releases for the whole account', 'Liberações para a conta inteira'),
      example(
        '--company c1 --from 2024-01-01',
        'A new cut-off of one company',
        'Uma nova data de corte de uma empresa',
      ),
    ],
    exits: ['calls'],
    id: 'company',
    view: columns('companyName action hidden released startFromDate note', {
      required: 'companyName action hidden note',
      below: 'note',
    }),
  },
);

export const approve = define('Approve a plan', 'Aprova um plano', {
  description: {
    en: 'Writes who approves the plan, and when, to <plan>.approval.json beside it, for its id as it is now: after rows were removed, or with another plan, backfill release refuses the approval. It is optional, and shown by the question before a release, its --dry-run, its summary and backfill report. It is a note, not a signature: whoever can write the folder can write it.',
    pt: 'Grava quem aprova o plano, e quando, em <plano>.approval.json ao lado dele, para o id que ele tem agora: depois de remover linhas, ou com outro plano, backfill release recusa a aprovação. É opcional e aparece na pergunta antes da liberação, no --dry-run, no resumo e em backfill report. É uma anotação, não uma assinatura: quem pode gravar na pasta pode gravá-la.',
  },
  takes: { plan: argument('The file of the plan', 'O arquivo do plano') },
  options: { by: text('name', 'Who approves it (required)', 'Quem aprova (obrigatório)') },
  refusesCompany: true,
  examples: [example('plan.csv --by "Maria Silva"', 'After the review', 'Depois da revisão')],
});

export const release = define('Release the hidden NFS-e', 'Libera as NFS-e ocultas', {
  description: {
    en: 'The service works in the background; --wait, or backfill show --wait, follows the release until nothing is hidden. Needs the role Management. Several companies are one job, each with its own outcome; the same command continues it and skips what is already released. Exits 13 when an opposite request supersedes it.',
    pt: 'O serviço trabalha em segundo plano; --wait, ou backfill show --wait, acompanha até nada ficar oculto. Precisa do papel Management. Várias empresas são um só lote, cada uma com o seu resultado; o mesmo comando continua o lote e não repete o que já está liberado. Termina com 13 quando um pedido contrário prevalece.',
  },
  options: {
    plan: text(
      'file',
      'The releases of this plan (- for stdin), after your review',
      'As liberações deste plano (- para o stdin), depois da sua revisão',
    ),
    ...sweepOptions,
  },
  scope: ['company'],
  examples: [
    example('--company c1 --confirm c1 --yes --wait', 'One company, to the end', 'Uma empresa, até o fim'),
    example('--plan plan.csv --confirm 3f9a1c20 --yes --wait', 'What a plan proposes', 'O que um plano propõe'),
  ],
  exits: sweepExits,
  id: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
});

export const revoke = define('Revoke a release', 'Desfaz uma liberação', {
  description: {
    en: 'The NFS-e from before the cut-off are hidden again; archived documents stay. The revoke is done when the hidden count no longer changes. It supersedes a release in progress. Needs the role Management.',
    pt: 'As NFS-e anteriores à data de corte voltam a ficar ocultas; os documentos já baixados permanecem. Termina quando a contagem de ocultas para de mudar. Prevalece sobre uma liberação em andamento. Precisa do papel Management.',
  },
  options: sweepOptions,
  scope: ['company'],
  examples: [example('--company c1 --confirm c1 --yes --wait', 'One company, to the end', 'Uma empresa, até o fim')],
  exits: sweepExits,
  id: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
});

const { allCompanies, confirm } = sweepOptions;
const { retryBillable, onError, maxFailures, lockWait, report } = batchOptions;

export const startFrom = define('Move the capture cut-off', 'Altera a data de corte da captura', {
  description: {
    en: 'A later date hides NFS-e that were issued before it, an earlier one shows hidden ones; while a release is in force nothing changes. Shows the effect, as far as the service reports it, before it sends anything. Needs the role Management.',
    pt: 'Uma data posterior oculta NFS-e emitidas antes dela, uma anterior mostra as ocultas; com uma liberação em vigor nada muda. Mostra o efeito antes do envio, até onde o serviço informa. Precisa do papel Management.',
  },
  takes: {
    date: argument(
      'A day (2024-01-01 is its midnight in Brasília) or a UTC time, not in the future',
      'Um dia (2024-01-01 é a meia-noite em Brasília) ou um horário UTC, não no futuro',
    ),
  },
  options: { allCompanies, confirm, retryBillable, onError, maxFailures, lockWait, report },
  scope: ['company'],
  examples: [
    example('2024-01-01 --company c1 --dry-run', 'What it would do', 'O que faria'),
    example('2024-01-01 --company c1 --confirm c1 --yes', 'For one company', 'Para uma empresa'),
  ],
  exits: ['partial', 'calls', 'held', 'limitReached'],
  id: 'companyId',
  view: async () => (await import('../../presenters/batch.js')).batchView,
});

export const released = define('What was released, by whom, and the proof', 'O que foi liberado, por quem, e a prova', {
  description: {
    en: 'One row for each release and revoke that the store knows: hidden before and after, documents revealed, when, by which machine, user and CI run, plan, approval, request id, and why it was refused. Each company is asked for its summary: evidence is both (job and service agree), job, service (no job of this store asked for it), or disagree. With --plan, the rows of a plan, also of companies that this store knows nothing of. With --prices, the price of history on the day of the request; the service bills it when it captures. Exits 3 when job and service disagree, the service cannot be read, or an outcome is not known.',
    pt: 'Uma linha para cada liberação e revogação que o arquivo de estado conhece: ocultas antes e depois, documentos revelados, quando, por qual máquina, usuário e execução de CI, plano, aprovação, id da requisição e por que foi recusada. O resumo de cada empresa é consultado: evidence é both (lote e serviço coincidem), job (só o lote), service (nenhum lote deste arquivo pediu) ou disagree (divergem). Com --plan, as linhas de um plano, também de empresas que este arquivo não conhece. Com --prices, o preço do histórico no dia do pedido; o serviço cobra na captura. Termina com 3 quando lote e serviço divergem, o serviço não pode ser lido ou um resultado não é conhecido.',
  },
  options: {
    plan: text('file', 'The rows of this plan', 'As linhas deste plano', { notWith: ['job'] }),
    job: text('id', 'Only this job', 'Só este lote'),
    prices: text(
      'file',
      'YAML file of prices: what the history costs',
      'Arquivo YAML de preços: quanto custa o histórico',
    ),
    out: text(
      'file',
      'Write it to this .csv, .xlsx, .md or .html file',
      'Grava neste arquivo .csv, .xlsx, .md ou .html',
    ),
  },
  refusesCompany: true,
  examples: [
    example('--plan plan.csv --out report.html', 'For whoever approved it', 'Para quem aprovou'),
    example('-o csv', 'Everything that this store knows', 'Tudo o que este arquivo conhece'),
  ],
  exits: ['partial', 'calls'],
  id: 'companyId',
  view: columns(
    'companyName asked state hiddenBefore hiddenAfter revealed requestedAt user planId evidence error note companyId',
    { required: 'companyName state hiddenAfter evidence error note', below: 'error note' },
  ),
});

export const group: CommandGroup = {
  verbs: {
    show: does(show, async ({ wait }) =>
      wait ? (await import('./wait.js')).waitForBackfill : (await import('./companies.js')).showBackfill,
    ),
    plan: does(plan, async () => (await import('./plan.js')).planBackfill),
    approve: does(approve, async () => (await import('./approval.js')).approvePlan),
    release: does(release, async () => (await import('./release.js')).releaseHistory),
    report: does(released, async () => (await import('./report.js')).reportBackfill),
    revoke: does(revoke, async () => (await import('./release.js')).revokeRelease),
    'start-from': does(startFrom, async () => (await import('./start-from.js')).moveCutOff),
  },
};
