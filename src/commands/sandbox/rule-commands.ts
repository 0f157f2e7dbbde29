import { choice, count, define, duration, example, optionalArgument, text } from '../../cli/define.js';
import { inModes } from '../../cli/command.js';
import {
  authorityOutcomes,
  deliveryFaultKinds,
  faultKinds,
  invoiceKinds,
  invoiceOutcomeKinds,
} from '../../contract/sandbox.js';

const action = optionalArgument('list (default), add or clear', 'list (padrão), add ou clear');

/** How often a rule of any list applies. */
const frequency = {
  rate: text(
    '0..1',
    'How often the rule applies (default: always)',
    'Com que frequência a regra vale (padrão: sempre)',
  ),
  count: count('number', 'Apply the rule at most this many times', 'Aplica a regra no máximo este número de vezes', {
    min: 1,
  }),
  skip: count('number', 'Let this many requests pass first', 'Deixa passar antes este número de requisições', {
    min: 0,
  }),
};

const faultOptions = {
  kind: choice(
    [...faultKinds, ...deliveryFaultKinds],
    'How it fails (--help --all explains the kinds)',
    'Como falha (--help --all explica os tipos)',
  ),
  operation: text(
    'id',
    'Only this operation, e.g. product.create (default: all)',
    'Só esta operação, ex. product.create (padrão: todas)',
  ),
  ...frequency,
  retryAfter: text(
    'seconds|date',
    'Retry-After of 429, and of the 503 and 500 kinds',
    'Retry-After de 429 e dos tipos 503 e 500',
  ),
  delay: duration(
    'duration',
    'Delay of slow, time until a stall is cut, or delay of a late effect (default: 5s) or delivery',
    'Atraso de slow, tempo até o corte de um stall, ou atraso de um efeito tardio (padrão: 5s) ou de uma entrega',
  ),
  to: text('url', 'Where redirect points', 'Para onde redirect aponta'),
};

export const fault = define('Make the sandbox fail on purpose', 'Faz o sandbox falhar de propósito', {
  refusesDryRun: true,
  description: {
    en: 'Rules apply in the order in which they were added. The same seed produces the same faults. -after kinds fail after the effect, -late kinds fail and the effect comes later (--delay), empty-body answers a success without body and Location, cut-list returns half of the rows of a list without saying that there are more, the list- kinds give a list with a row or a page twice, without a row, with a wrong count or none, or null in place of its rows, ignore-key ignores an Idempotency-Key; the last four are for webhook deliveries.',
    pt: 'As regras valem na ordem em que foram acrescentadas. A mesma semente produz as mesmas falhas. Os tipos -after falham depois do efeito, os -late falham e o efeito vem mais tarde (--delay), empty-body responde um sucesso sem corpo nem Location, cut-list retorna metade das linhas de uma lista sem dizer que há mais, os tipos list- dão uma lista com uma linha ou página repetida, sem uma linha, com a contagem errada ou nenhuma, ou null no lugar das linhas, ignore-key ignora uma Idempotency-Key; os quatro últimos valem para entregas de webhooks.',
  },
  takes: { action },
  options: inModes(faultOptions, { onlyWith: ['<action> add'] }),
  examples: [
    example(
      'add --kind cut-after --operation product.create --count 1',
      'The next create is stored, but its answer never comes',
      'A próxima criação é gravada, mas a resposta nunca chega',
    ),
    example(
      'add --kind doubled --rate 0.05',
      'One webhook delivery in twenty is sent twice',
      'Uma entrega de webhook em vinte é enviada duas vezes',
    ),
    example('clear', 'No more faults', 'Sem mais falhas'),
  ],
  exits: ['temporary', 'refused'],
});

const authorityOptions = {
  outcome: choice(
    authorityOutcomes,
    'What it does; fail-after registers the event and does not answer',
    'O que ela faz; fail-after registra o evento e não responde',
  ),
  accessKey: text('key', 'Only this document (default: all)', 'Só este documento (padrão: todos)'),
  event: count('code', 'Only this event, e.g. 210200 (default: all)', 'Só este evento, ex. 210200 (padrão: todos)', {
    min: 1,
  }),
  code: text('number', 'Code of the rejection (default: 999)', 'Código da rejeição (padrão: 999)'),
  message: text('text', 'Text of the rejection', 'Texto da rejeição'),
  ...frequency,
  delay: duration('duration', 'Additional delay of its answer', 'Atraso adicional da resposta'),
};

export const authority = define(
  'Choose what the tax authority of the sandbox answers',
  'Escolhe o que a autoridade fiscal do sandbox responde',
  {
    refusesDryRun: true,
    description: {
      en: 'Without a matching rule, the authority checks deadlines, duplicates, sequence and cancelled documents.',
      pt: 'Sem regra aplicável, a autoridade confere prazos, duplicidade, sequência e notas canceladas.',
    },
    takes: { action },
    options: inModes(authorityOptions, { onlyWith: ['<action> add'] }),
    examples: [
      example(
        'add --outcome reject --code 596 --count 1',
        'The next event is past its deadline',
        'O próximo evento está fora do prazo',
      ),
      example('add --outcome fail --rate 0.1', 'One event in ten fails', 'Um evento em dez falha'),
    ],
    exits: ['temporary', 'refused'],
  },
);

const outcomeOptions = {
  outcome: choice(
    invoiceOutcomeKinds,
    'The outcome; pending never finishes, unlisted is an undocumented status',
    'O resultado; pending nunca termina, unlisted é um status não documentado',
  ),
  family: choice(invoiceKinds, 'Only invoices of this kind (default: all)', 'Só notas deste tipo (padrão: todas)'),
  externalId: text('id', 'Only the invoice with this externalId', 'Só a nota com este externalId'),
  id: text('id', 'Only the invoice with this id', 'Só a nota com este id'),
  code: text('number', 'Code of the refusal (default: 999)', 'Código da recusa (padrão: 999)'),
  message: text('text', 'Text of the refusal', 'Texto da recusa'),
  ...frequency,
  delay: duration('duration', 'Additional delay before it finishes', 'Atraso adicional até o resultado'),
};

export const outcome = define(
  'Choose the outcome of invoices issued in the sandbox',
  'Escolhe o resultado das notas emitidas no sandbox',
  {
    refusesDryRun: true,
    description: {
      en: 'Without a matching rule, a valid invoice is issued, unless its number is taken or disabled, and can be cancelled within the deadline.',
      pt: 'Sem regra aplicável, a nota válida é emitida, salvo se o número já foi usado ou inutilizado, e pode ser cancelada dentro do prazo.',
    },
    takes: { action },
    options: inModes(outcomeOptions, { onlyWith: ['<action> add'] }),
    examples: [
      example('add --outcome denied --family nfe --count 1', 'The next NF-e is denied', 'A próxima NF-e é denegada'),
      example('add --outcome failed --rate 0.1', 'One invoice in ten fails', 'Uma nota em dez falha'),
    ],
    exits: ['temporary', 'refused'],
  },
);
