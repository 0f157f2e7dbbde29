import { choice, count, define, duration, example, optionalArgument, text } from '../../cli/define.js';
import { inModes, type OptionSpec } from '../../cli/command.js';
import {
  authorityOutcomes,
  deliveryFaultKinds,
  faultKinds,
  invoiceKinds,
  invoiceOutcomeKinds,
} from '../../contract/sandbox.js';

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
    rare: true,
    min: 0,
  }),
};

const ofRequests: Pick<OptionSpec, 'notWith'> = { notWith: ['of authority', 'of invoices'] };
const ofAuthority: Pick<OptionSpec, 'notWith'> = { notWith: ['of requests', 'of invoices'] };
const ofInvoices: Pick<OptionSpec, 'notWith'> = { notWith: ['of requests', 'of authority'] };
const ofEither: Pick<OptionSpec, 'notWith'> = { notWith: ['of requests'] };

const ruleOptions = {
  kind: choice(
    [...faultKinds, ...deliveryFaultKinds],
    'How a request fails (--help --all explains the kinds)',
    'Como uma requisição falha (--help --all explica os tipos)',
    ofRequests,
  ),
  operation: text(
    'id',
    'Only this operation, e.g. product.create (default: all)',
    'Só esta operação, ex. product.create (padrão: todas)',
    ofRequests,
  ),
  outcome: choice(
    [...new Set([...authorityOutcomes, ...invoiceOutcomeKinds])],
    'Of an event, or of an invoice',
    'De um evento ou de uma nota',
    ofEither,
  ),
  code: text('number', 'Code of the rejection (default: 999)', 'Código da rejeição (padrão: 999)', ofEither),
  message: text('text', 'Text of the rejection', 'Texto da rejeição', { ...ofEither, rare: true }),
  accessKey: text('key', 'Only events of this document', 'Só eventos deste documento', { ...ofAuthority, rare: true }),
  event: count('code', 'Only this event, e.g. 210200', 'Só este evento, ex. 210200', { ...ofAuthority, min: 1 }),
  family: choice(invoiceKinds, 'Only invoices of this kind', 'Só notas deste tipo', ofInvoices),
  externalId: text('id', 'Only the invoice with this externalId', 'Só a nota com este externalId', {
    ...ofInvoices,
    rare: true,
  }),
  id: text('id', 'Only the invoice with this id', 'Só a nota com este id', { ...ofInvoices, rare: true }),
  ...frequency,
  retryAfter: text(
    'seconds|date',
    'Retry-After of 429, and of the 503 and 500 kinds',
    'Retry-After de 429 e dos tipos 503 e 500',
    { ...ofRequests, rare: true },
  ),
  delay: duration(
    'duration',
    'Delay of an answer, an effect (default: 5s) or a delivery; time until a stall is cut',
    'Atraso de uma resposta, de um efeito (padrão: 5s) ou de uma entrega; tempo até o corte de um stall',
  ),
  to: text('url', 'Where redirect points', 'Para onde redirect aponta', { ...ofRequests, rare: true }),
};

export const fault = define(
  'Make the sandbox fail, reject or deny on purpose',
  'Faz o sandbox falhar, rejeitar ou denegar de propósito',
  {
    refusesDryRun: true,
    description: {
      en: 'Rules apply in the order in which they were added. The same seed produces the same faults. Of requests: -after kinds fail after the effect, -late kinds fail and the effect comes later (--delay), empty-body answers a success without body and Location, cut-list returns half of the rows of a list without saying that there are more, the list- kinds give a list with a row or a page twice, without a row, with a wrong count or none, or null in place of its rows, ignore-key ignores an Idempotency-Key; the last four are for webhook deliveries. Of the authority: accept, reject, fail, never, fail-after (registers the event and does not answer); without a matching rule it checks deadlines, duplicates, sequence and cancelled documents. Of invoices: issued, denied, failed, pending (never finishes), unlisted (an undocumented status) and others; without a matching rule a valid invoice is issued, unless its number is taken or disabled, and can be cancelled within the deadline.',
      pt: 'As regras valem na ordem em que foram acrescentadas. A mesma semente produz as mesmas falhas. De requisições: os tipos -after falham depois do efeito, os -late falham e o efeito vem mais tarde (--delay), empty-body responde um sucesso sem corpo nem Location, cut-list retorna metade das linhas de uma lista sem dizer que há mais, os tipos list- dão uma lista com uma linha ou página repetida, sem uma linha, com a contagem errada ou nenhuma, ou null no lugar das linhas, ignore-key ignora uma Idempotency-Key; os quatro últimos valem para entregas de webhooks. Da autoridade: accept, reject, fail, never, fail-after (registra o evento e não responde); sem regra aplicável ela confere prazos, duplicidade, sequência e notas canceladas. De notas: issued, denied, failed, pending (nunca termina), unlisted (um status não documentado) e outros; sem regra aplicável a nota válida é emitida, salvo se o número já foi usado ou inutilizado, e pode ser cancelada dentro do prazo.',
    },
    takes: { action: optionalArgument('list (default), add or clear', 'list (padrão), add ou clear') },
    options: {
      of: choice(
        ['requests', 'authority', 'invoices'],
        'What fails: requests (and deliveries), events at the authority, or issued invoices',
        'O que falha: requisições (e entregas), eventos na autoridade, ou notas emitidas',
        { default: 'requests' },
      ),
      ...inModes(ruleOptions, { onlyWith: ['<action> add'] }),
    },
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
      example(
        'add --of authority --outcome reject --code 596 --count 1',
        'The next event is past its deadline',
        'O próximo evento está fora do prazo',
      ),
      example(
        'add --of invoices --outcome denied --family nfe --count 1',
        'The next NF-e is denied',
        'A próxima NF-e é denegada',
      ),
      example('clear', 'No more faults of requests', 'Sem mais falhas de requisições'),
    ],
    exits: ['temporary', 'refused'],
  },
);
