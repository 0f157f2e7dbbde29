import {
  argument,
  choice,
  columns,
  count,
  define,
  does,
  duration,
  example,
  listOf,
  optional,
  text,
  toggle,
} from '../../cli/define.js';
import { batchOptions, watchOptions } from '../../cli/options.js';
import { type CommandGroup, type ExitName, inModes } from '../../cli/command.js';
import { isRecord } from '../../domain/record.js';
import type { View } from '../../presenters/render.js';

const jobArgument = argument('Id of the job, or its beginning', 'Id do lote, ou o começo dele', { pick: 'job' });

/** The exit codes of a verb that works on a job. */
const workExits: readonly ExitName[] = [
  'partial',
  'credentials',
  'temporary',
  'pending',
  'notFound',
  'held',
  'rateLimited',
  'limitReached',
];

export const list = define('List the jobs of this machine', 'Lista os lotes desta máquina', {
  description: {
    en: 'The newest jobs of the profile in use, or of every profile when none is chosen. With --attention, every job of the profile that needs a person: with uncertain items, unfinished and without a process, or ended within 7 days with failed items; --company counts the items of companies alone.',
    pt: 'Os lotes mais novos do perfil em uso, ou de todos os perfis quando nenhum foi escolhido. Com --attention, todos os lotes do perfil que precisam de alguém: com itens sem confirmação do serviço, por concluir e sem processo, ou concluídos há até 7 dias com itens com falha; --company conta só os itens das empresas.',
  },
  options: {
    all: toggle('Every job of every profile', 'Todos os lotes de todos os perfis'),
    attention: toggle('Only jobs that need a person', 'Só lotes que precisam de alguém', {
      notWith: ['all', 'kind', 'state'],
    }),
    kind: text('kind', 'Only jobs of this kind', 'Só lotes deste tipo'),
    state: choice(['loading', 'open', 'done', 'cancelled'], 'Only jobs in this state', 'Só lotes neste estado'),
    limit: count('n', 'Maximum number of rows', 'Quantidade máxima de linhas', {
      notWith: ['all', 'attention'],
      default: 20,
      min: 1,
    }),
    ...watchOptions,
  },
  scope: ['company'],
  examples: [
    example('', 'The newest jobs', 'Os lotes mais novos'),
    example('--all --state open -o id', 'The ids of all that is not finished', 'Os ids de tudo o que não terminou'),
    example(
      '--attention',
      'What failed, is uncertain or was left',
      'O que falhou, está sem confirmação ou ficou parado',
    ),
  ],
  id: 'id',
  view: columns('id state items done bad uncertain kind companyName machine user ciRun createdAt profile', {
    required: 'id state items bad uncertain',
    varying: 'machine user ciRun',
  }),
});

export const show = define('Show one job', 'Mostra um lote', {
  description: {
    en: 'Its counts, its times, who started it (machine, user and CI run), the process that works on it, and the next command. With --check, what differs at the service from the record of this machine; if only the summary appears, nothing differs. Nothing is written.',
    pt: 'As contagens, os horários, quem o iniciou (máquina, usuário e execução de CI), o processo que trabalha nele e o próximo comando. Com --check, o que difere no serviço do registro desta máquina; se aparece só o resumo, nada difere. Nada é gravado.',
  },
  takes: { id: jobArgument },
  options: {
    check: toggle(
      'Instead, read the resource of every item from the service and compare',
      'Em vez disso, lê no serviço o recurso de cada item e compara',
    ),
  },
  refusesCompany: true,
  examples: [
    example('261121-0800-3f2c91', 'By the beginning of its id', 'Pelo começo do id'),
    example('261121-0800-3f2c91 --check', 'What differs at the service', 'O que difere no serviço'),
  ],
  exits: ['partial', 'credentials', 'temporary', 'forbidden', 'notFound', 'rateLimited'],
  exitMeanings: {
    partial: {
      en: 'with --check: an item differs at the service, or is gone',
      pt: 'com --check: um item está diferente no serviço, ou não existe mais',
    },
  },
  id: 'id',
});

export const items = define('List the items of a job', 'Lista os itens de um lote', {
  description: {
    en: 'With --full, everything that is stored about the job, for an audit, as NDJSON: the job, every item with its input and its steps (earlier attempts first), and a summary.',
    pt: 'Com --full, tudo o que está guardado sobre o lote, para auditoria, em NDJSON: o lote, cada item com a entrada e os passos (tentativas anteriores primeiro) e um resumo.',
  },
  takes: { id: jobArgument },
  options: {
    full: toggle('Everything about the job, for an audit', 'Todos os dados do lote, para auditoria', {
      notWith: ['state', 'limit'],
    }),
    state: choice(
      ['prepared', 'sending', 'pending', 'succeeded', 'rejected', 'failed', 'skipped', 'uncertain', 'cancelled'],
      'Only items in this state',
      'Só itens neste estado',
    ),
    limit: count('n', 'Maximum number of rows', 'Quantidade máxima de linhas', { min: 1 }),
  },
  refusesCompany: true,
  examples: [
    example('261121-0800-3f2c91 --state failed', 'What failed, and why', 'O que falhou, e por quê'),
    example('261121-0800-3f2c91 --full > job.ndjson', 'For an audit', 'Para auditoria'),
  ],
  exits: ['notFound'],
  id: 'id',
  view: async () => {
    const { columnsView, linesView } = await import('../../presenters/generic.js');
    const rows = columnsView(
      [
        ...['ordinal', 'label', 'state', 'remoteStatus', 'errorMessage', 'protocol', 'answerCode', 'answerText'],
        ...['companyName', 'resourceId', 'id'],
      ],
      { required: ['label', 'state', 'errorMessage', 'id'], below: ['errorMessage'] },
    );
    const isFull = (data: unknown) => Array.isArray(data) && isRecord(data[0]) && data[0]['type'] === 'job';
    const view: View = (data, look) => (isFull(data) ? linesView : rows)(data, look);
    return Object.assign(view, rows);
  },
});

const { lockWait } = batchOptions;

export const resume = define('Continue a job where it stopped', 'Continua um lote de onde parou', {
  description: {
    en: 'Sends what was not sent, follows what is pending with --wait, and does not change finished items. While another process works on the job, it sends nothing and follows that process to its end; what is then left it continues. With --failed, every rejected, failed or cancelled item is sent again as a new item that points to the old one; a rejected resource that stays at the service is read again. The same command resumes an interrupted run. --end-waits is about no job: when a service answers 429 or 503 with Retry-After, every command of this machine waits before it calls that host again, for --max-believed-wait at most. It ends the waits of the profile. A command that already waits notices within 5 seconds, and items of jobs that the service sent away become due; what was sent already, and is followed or looked up, keeps its time. "store status" and "doctor" show the waits.',
    pt: 'Envia o que não foi enviado, acompanha o que está pendente com --wait e não altera o que já terminou. Enquanto outro processo trabalha no lote, não envia nada e acompanha esse processo até o fim; o que então resta, ele continua. Com --failed, cada item rejeitado, com falha ou cancelado é enviado de novo como um item novo que aponta para o antigo; um recurso rejeitado que permanece no serviço é lido de novo. O mesmo comando retoma uma execução interrompida. --end-waits não é sobre um lote: quando um serviço responde 429 ou 503 com Retry-After, todo comando desta máquina espera antes de chamar esse host de novo, no máximo --max-believed-wait. Ele encerra as esperas do perfil. Um comando que já está nessa espera percebe em até 5 segundos, e os itens de lotes que o serviço mandou voltar depois ficam liberados; o que já foi enviado, e é acompanhado ou consultado, mantém seu horário. "store status" e "doctor" mostram as esperas.',
  },
  takes: { id: optional(jobArgument) },
  options: {
    failed: toggle(
      'Also send rejected, failed and cancelled items again',
      'Envia de novo também os itens rejeitados, com falha e cancelados',
      { notWith: ['endWaits'] },
    ),
    items: listOf('id', 'Of these, only the items with these ids', 'Destes, só os itens com estes ids', {
      onlyWith: ['failed'],
    }),
    endWaits: toggle('End the waits that the service asked for', 'Encerra as esperas que o serviço pediu', {
      notWith: ['<id>'],
    }),
    ...inModes(
      {
        ...batchOptions,
        lockWait: {
          ...lockWait,
          default: '10m',
          summary: {
            en: 'How long to follow another process that works on it',
            pt: 'Quanto acompanhar outro processo que trabalha nele',
          },
        },
      },
      { notWith: ['endWaits'] },
    ),
  },
  refusesCompany: true,
  examples: [
    example('261121-0800-3f2c91 --wait', 'Until everything is finished', 'Até tudo terminar'),
    example('261121-0800-3f2c91 --failed --wait --yes', 'What failed, once more', 'O que falhou, mais uma vez'),
    example(
      '--end-waits',
      'After the service asked for a wait by mistake',
      'Depois que o serviço pediu uma espera por engano',
    ),
  ],
  exits: [...workExits, 'conflict'],
  view: async () => (await import('../../presenters/batch.js')).batchView,
});

const cancel = define('Cancel what was not sent yet', 'Cancela o que ainda não foi enviado', {
  description: {
    en: 'Items that are being sent or are already at the service do not change.',
    pt: 'Itens em envio ou que já estão no serviço não mudam.',
  },
  takes: { id: jobArgument },
  options: {},
  refusesCompany: true,
  examples: [example('261121-0800-3f2c91 --yes', 'Without a confirmation prompt', 'Sem pedir confirmação')],
  exits: ['notFound', 'held'],
  id: 'id',
});

export const verdicts = ['succeeded', 'failed', 'not-sent'] as const;

export const resolve = define(
  'Record the outcome of an uncertain item',
  'Registra o resultado de um item sem confirmação do serviço',
  {
    description: {
      en: 'An item is uncertain when its request was sent and no answer came, and sending it again could do it twice. Check in the service, then record what you found. Items that stay in pending, or in sending after their process ended, can be resolved the same way. Repeating the same answer changes nothing.',
      pt: 'Um item fica sem confirmação do serviço quando a requisição foi enviada, nenhuma resposta chegou e enviar de novo poderia duplicar. Verifique no serviço e informe o que encontrou. Um item que continua em pending, ou em sending depois que o processo terminou, pode ser encerrado do mesmo modo. Repetir a mesma resposta não muda nada.',
    },
    takes: {
      id: argument(
        'Id of the item, or of its job when only one item is unresolved; its beginning is enough',
        'Id do item, ou do lote quando só um item não tem resultado; basta o começo',
        { pick: 'item' },
      ),
    },
    options: {
      as: choice(
        verdicts,
        'succeeded: it is there; failed: give it up; not-sent: it never arrived, send it again',
        'succeeded: está lá; failed: desistir; not-sent: nunca chegou, enviar de novo',
      ),
      resource: text('id', 'Its id at the service, with succeeded', 'O id dele no serviço, com succeeded'),
    },
    refusesCompany: true,
    examples: [
      example(
        '261121-0800-3f2c91 --as succeeded --resource 7d3e',
        'It was found at the service',
        'Foi encontrado no serviço',
      ),
      example('261121-0800-3f2c91 --as not-sent --yes', 'It never arrived', 'Nunca chegou'),
    ],
    exits: ['notFound', 'conflict'],
    id: 'id',
  },
);

export const prune = define('Delete jobs that finished long ago', 'Exclui lotes que terminaram há muito tempo', {
  description: {
    en: 'Removes jobs with their items and requests, and webhooks of the same age that were delivered or only stored. Keeps jobs with an uncertain item, and webhooks that wait or were given up. Once removed, the same input can be sent again, and a late copy of a webhook counts as new.',
    pt: 'Remove os lotes com seus itens e requisições, e os webhooks da mesma idade que foram entregues ou apenas guardados. Mantém lotes com item sem confirmação do serviço e webhooks em espera ou abandonados. Depois da remoção, a mesma entrada pode ser enviada de novo, e uma cópia tardia de um webhook conta como nova.',
  },
  options: {
    olderThan: duration(
      'age',
      'Time since the job or webhook finished, such as 90d',
      'Tempo desde a conclusão do lote ou webhook, como 90d',
    ),
  },
  refusesCompany: true,
  examples: [example('--older-than 90d --dry-run', 'How much would be deleted', 'Quanto seria excluído')],
});

export const group: CommandGroup = {
  verbs: {
    list: does(list, async ({ attention }) => {
      const { listJobs, listTroubled } = await import('./read.js');
      return attention ? listTroubled : listJobs;
    }),
    show: does(show, async ({ check }) =>
      check ? (await import('./check.js')).checkJob : (await import('./read.js')).showJob,
    ),
    items: does(items, async ({ full }) => {
      const { exportJob, listItems } = await import('./read.js');
      return full ? exportJob : listItems;
    }),
    resume: does(resume, async (given) => {
      const { endWaits, resumeJob, retryJob } = await import('./resume.js');
      if (given.endWaits) return endWaits;
      return given.failed ? retryJob : resumeJob;
    }),
    cancel: does(cancel, async () => (await import('./cancel.js')).cancelJob),
    resolve: does(resolve, async () => (await import('./resolve.js')).resolveUncertain),
    prune: does(prune, async () => (await import('./prune.js')).pruneJobs),
  },
};
