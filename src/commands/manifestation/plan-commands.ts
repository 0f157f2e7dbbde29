import { choice, columns, define, example, listOf, optionalArgument, text, toggle } from '../../cli/define.js';
import {
  batchOptions,
  encodingOption,
  horizonOptions,
  importOptions,
  knownCompaniesOption,
  templateOption,
  watchOptions,
} from '../../cli/options.js';
import { inModes } from '../../cli/command.js';
import type { View } from '../../presenters/render.js';
import { companyUncheckedOption, followOptions, uncheckedOption } from './commands.js';

/** The documents to check, and their terms. */
const documentOptions = {
  input: text(
    'file',
    'Documents as CSV, .xlsx, NDJSON or JSON; - for stdin (default: those known to this machine)',
    'Documentos em CSV, .xlsx, NDJSON ou JSON; - para o stdin (padrão: os que esta máquina conhece)',
  ),
  ...inModes(encodingOption, { onlyWith: ['input'] }),
  own: listOf(
    'cnpj',
    'Other CNPJs whose documents are your own; account: read the companies of the account first',
    'Outros CNPJs cujas notas são próprias; account: consulta antes as empresas da conta',
    { rare: true },
  ),
  deadlineRules: text(
    'file',
    'Your own deadlines by state, supplier or event, as YAML or JSON',
    'Seus prazos por UF, fornecedor ou evento, em YAML ou JSON',
  ),
  checkService: toggle(
    'Read events from the service that no sync has read',
    'Consulta no serviço os eventos que nenhuma sincronização trouxe',
  ),
};

export const plan = define('Propose an event per document, by rules', 'Propõe um evento por documento, por regras', {
  description: {
    en: 'Reads the documents that this machine knows, or --input, and writes a plan for your review; nothing is sent. The first matching rule decides; without a match nothing is proposed. --new needs no rules file. Left out: documents that already have an event, from anyone, according to the last sync; documents that their issuer cancelled; documents of the company itself. The rules file: rules: [{ name, when: { supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state }, event, justification, reason }], default: none.',
    pt: 'Lê os documentos que esta máquina conhece, ou --input, e grava um plano para revisão; nada é enviado. A primeira regra que se aplica decide; sem regra, nada é proposto. --new dispensa o arquivo de regras. Ficam de fora: documentos que já têm evento, de qualquer pessoa, conforme a última sincronização; documentos cancelados pelo emitente; notas da própria empresa. O arquivo de regras: rules: [{ name, when: { supplier, valueFrom, valueTo, type, ageDaysFrom, ageDaysTo, state }, event, justification, reason }], default: none.',
  },
  options: {
    rules: text('file', 'The rules, as YAML', 'As regras, em YAML'),
    new: toggle(
      'Without rules: --event for every document without an event whose deadline has not passed',
      'Sem regras: --event para todo documento ainda sem evento e com prazo em aberto',
    ),
    event: text('event', 'The event of --new, e.g. awareness', 'O evento de --new, p. ex. awareness (ciência)'),
    out: text('file', 'Write the plan to this .csv or .json file', 'Grava o plano neste arquivo .csv ou .json'),
    ...knownCompaniesOption,
    ...documentOptions,
  },
  scope: ['company'],
  examples: [
    example(
      '--new --event awareness --out plan.csv',
      'Awareness for every new NF-e, to release its full XML',
      'Ciência da Operação de toda NF-e nova, para liberar o XML completo',
    ),
    example(
      '--rules rules.yaml --out plan.csv',
      'From the documents in the store',
      'Dos documentos que esta máquina conhece',
    ),
    example(
      '--rules rules.yaml --input documents.csv --own 11222333000181',
      'From a file, to stdout',
      'De um arquivo, para o stdout',
    ),
  ],
  exits: ['partial', 'credentials', 'temporary', 'forbidden', 'rateLimited'],
  id: 'accessKey',
  view: async () => {
    const { columnsView, totalsView } = await import('../../presenters/generic.js');
    const rows = columnsView(['event', 'deadline', 'supplier', 'amount', 'companyName', 'rule', 'accessKey'], {
      required: ['event', 'deadline', 'accessKey'],
    });
    // With --out, the file has the rows.
    const view: View = (data, options) => (Array.isArray(data) ? rows : totalsView)(data, options);
    return Object.assign(view, rows);
  },
});

export const apply = define(
  'Submit the events of a plan or of a file',
  'Envia os eventos de um plano ou de um arquivo',
  {
    description: {
      en: 'A file with fingerprints is a plan; any other file has events: CSV or .xlsx (accessKey, event, sequence, justification, reason, detail, company; Portuguese names too), NDJSON or a JSON array. Of a plan exactly its rows are sent, after your review; rows may be removed. A row whose document or events have changed since is not sent and is reported as changed (exit 3). A plan made from --input is applied with the same --input. Of events, NF-e and NFS-e may be mixed, and every record is checked before the first one is sent; an event that is already active is skipped. Each row is sent for the company that it names. The same content continues the same job.',
      pt: 'Um arquivo com impressões digitais (fingerprint) é um plano; qualquer outro tem eventos: CSV ou .xlsx (chave, evento, sequencia, justificativa, motivo, detalhe, empresa; também em inglês), NDJSON ou um array JSON. De um plano são enviadas exatamente as linhas, depois da sua revisão; linhas podem ser removidas. Uma linha cujo documento ou eventos mudaram desde então não é enviada e aparece como changed (saída 3). Um plano feito com --input é aplicado com o mesmo --input. De eventos, NF-e e NFS-e podem vir misturadas, e todos os registros são conferidos antes do primeiro envio; um evento já vigente é ignorado. Cada linha é enviada para a empresa que ela indica. O mesmo conteúdo continua o mesmo lote.',
    },
    takes: { file: optionalArgument('The plan or the events; - for stdin', 'O plano ou os eventos; - para o stdin') },
    options: {
      ...importOptions,
      ...encodingOption,
      ...templateOption,
      ...knownCompaniesOption,
      input: documentOptions.input,
      inputSheet: text(
        'name',
        'Sheet of --input, where it is an .xlsx (default: the first)',
        'Planilha de --input, quando é um .xlsx (padrão: a primeira)',
        { onlyWith: ['input'], rare: true },
      ),
      ...uncheckedOption,
      ...companyUncheckedOption,
      // Required when events deny documents: 210220, 210240, 203206.
      confirm: text(
        'companyId',
        'The company again, to confirm events that deny documents',
        'A empresa, indicada de novo, para confirmar eventos que negam documentos',
      ),
      ...batchOptions,
      wait: followOptions.wait,
    },
    scope: ['company'],
    examples: [
      example('plan.csv --dry-run', 'What would be sent', 'O que seria enviado'),
      example('plan.csv --wait --yes --report out.csv', 'Until all are decided', 'Até a decisão de todos'),
      example('events.csv --wait --yes', 'Events of a file', 'Eventos de um arquivo'),
      example('denials.csv --yes --confirm 5f0c2d', 'Events that deny documents', 'Eventos que negam documentos'),
      example('--template events.xlsx', 'A sheet of events to fill in', 'Uma planilha de eventos para preencher'),
    ],
    exits: ['partial', 'calls', 'pending', 'held', 'limitReached'],
    view: async () => (await import('../../presenters/batch.js')).batchView,
  },
);

const eventClasses = ['awareness', 'conclusive', 'taker'] as const;

export const due = define('List the manifestations that are due', 'Lista as manifestações a vencer', {
  description: {
    en: 'One row per document and class of event (awareness, conclusive, taker), overdue ones first. States: open, sent, lost (this event can no longer be sent), presumed (the operation is presumed to have occurred), unknown (this machine does not know whether an event was registered); with --state not-owed, those of documents that do not stand, such as cancelled ones. Deadlines that passed before the last month are one number. remains and remainsUntil show which events are still possible; basis names the source: this machine (local), the last sync (synced) or the service (service). Exits 13 when a row is lost or presumed, 3 when that is uncertain or a document lacks its date. Deadlines count from the day of authorisation. An NFS-e has no known deadline: add one with --deadline-rules. Nothing is sent.',
    pt: 'Uma linha por documento e classe de evento (awareness: ciência, conclusive: conclusivo, taker: tomador), primeiro os prazos vencidos. Estados: open (em aberto), sent (enviado), lost (este evento não pode mais ser enviado), presumed (a operação é presumida como ocorrida), unknown (esta máquina não sabe se houve evento); com --state not-owed, os de documentos que não estão em vigor, como os cancelados. Prazos vencidos antes do mês passado são um só número. remains e remainsUntil mostram quais eventos ainda são possíveis; basis indica a origem da informação: desta máquina (local), da última sincronização (synced) ou do serviço (service). Termina com 13 quando há algo perdido ou presumido, com 3 quando não há certeza ou falta a data de um documento. Os prazos contam do dia da autorização. Para a NFS-e não há prazo conhecido: acrescente um com --deadline-rules. Nada é enviado.',
  },
  options: {
    ...horizonOptions,
    class: choice(eventClasses, 'Only this class of event', 'Só esta classe de evento'),
    state: choice(
      ['open', 'sent', 'lost', 'presumed', 'unknown', 'not-owed'],
      'Only terms in this state',
      'Só prazos neste estado',
    ),
    ics: text('file', 'Write a calendar too (ICS)', 'Grava também um calendário (ICS)'),
    ...knownCompaniesOption,
    ...documentOptions,
    ...inModes(watchOptions, { notWith: ['input', 'ics', 'checkService'] }),
  },
  scope: ['company'],
  examples: [
    example('--within 10d', 'The next ten days', 'Os próximos dez dias'),
    example(
      '--within 7d --state open --all-companies',
      'What still needs an event this week',
      'O que ainda precisa de evento nesta semana',
    ),
    example(
      '--overdue-up-to 30d --check-service',
      'Query the service when no sync has read the events',
      'Consulta o serviço quando nenhuma sincronização leu os eventos',
    ),
    example('--within 30d --class conclusive --ics due.ics', 'As a calendar', 'Como calendário'),
  ],
  exits: ['partial', 'credentials', 'temporary', 'forbidden', 'rateLimited', 'endedBadly'],
  exitMeanings: {
    endedBadly: { en: 'a term expired without an event', pt: 'um prazo venceu sem evento' },
    partial: {
      en: 'a term is unknown, or no recent sync has read the lists of a company',
      pt: 'um prazo é desconhecido, ou nenhum sync recente leu as listas de uma empresa',
    },
  },
  id: 'accessKey',
  view: columns('deadline daysLeft state eventClass supplier amount companyName accessKey remains remainsUntil basis', {
    required: 'deadline daysLeft state eventClass accessKey',
  }),
});
