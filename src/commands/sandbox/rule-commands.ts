import { defineCommand, inModes, type ArgumentSpec, type OptionSpecs } from '../../cli/command.js';
import {
  authorityOutcomes,
  deliveryFaultKinds,
  faultKinds,
  invoiceKinds,
  invoiceOutcomeKinds,
} from '../../contract/sandbox.js';

const action: ArgumentSpec = {
  name: 'action',
  summary: { en: 'list (default), add or clear', pt: 'list (padrão), add ou clear' },
  required: false,
};

/** How often a rule of any list applies. */
const frequency = {
  rate: {
    kind: 'text',
    value: '0..1',
    summary: {
      en: 'How often the rule applies (default: always)',
      pt: 'Com que frequência a regra vale (padrão: sempre)',
    },
  },
  count: {
    kind: 'count',
    value: 'number',
    min: 1,
    summary: {
      en: 'Apply the rule at most this many times',
      pt: 'Aplica a regra no máximo este número de vezes',
    },
  },
  skip: {
    kind: 'count',
    value: 'number',
    min: 0,
    summary: { en: 'Let this many requests pass first', pt: 'Deixa passar antes este número de requisições' },
  },
} as const satisfies OptionSpecs;

const faultOptions = {
  kind: {
    kind: 'choice',
    choices: [...faultKinds, ...deliveryFaultKinds],
    summary: {
      en: 'How it fails (--help --all explains the kinds)',
      pt: 'Como falha (--help --all explica os tipos)',
    },
  },
  operation: {
    kind: 'text',
    value: 'id',
    summary: {
      en: 'Only this operation, e.g. product.create (default: all)',
      pt: 'Só esta operação, ex. product.create (padrão: todas)',
    },
  },
  ...frequency,
  retryAfter: {
    kind: 'text',
    value: 'seconds|date',
    summary: {
      en: 'Retry-After of 429, and of the 503 and 500 kinds',
      pt: 'Retry-After de 429 e dos tipos 503 e 500',
    },
  },
  delay: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'Delay of slow, time until a stall is cut, or delay of a late effect (default: 5s) or delivery',
      pt: 'Atraso de slow, tempo até o corte de um stall, ou atraso de um efeito tardio (padrão: 5s) ou de uma entrega',
    },
  },
  to: {
    kind: 'text',
    value: 'url',
    summary: { en: 'Where redirect points', pt: 'Para onde redirect aponta' },
  },
} as const satisfies OptionSpecs;

export const fault = defineCommand({
  refusesDryRun: true,
  summary: { en: 'Make the sandbox fail on purpose', pt: 'Faz o sandbox falhar de propósito' },
  description: {
    en: 'Rules apply in the order in which they were added. The same seed produces the same faults. -after kinds fail after the effect, -late kinds fail and the effect comes later (--delay), empty-body answers a success without body and Location, cut-list returns half of the rows of a list without saying that there are more, the list- kinds give a list with a row or a page twice, without a row, with a wrong count or none, or null in place of its rows, ignore-key ignores an Idempotency-Key; the last four are for webhook deliveries.',
    pt: 'As regras valem na ordem em que foram acrescentadas. A mesma semente produz as mesmas falhas. Os tipos -after falham depois do efeito, os -late falham e o efeito vem mais tarde (--delay), empty-body responde um sucesso sem corpo nem Location, cut-list retorna metade das linhas de uma lista sem dizer que há mais, os tipos list- dão uma lista com uma linha ou página repetida, sem uma linha, com a contagem errada ou nenhuma, ou null no lugar das linhas, ignore-key ignora uma Idempotency-Key; os quatro últimos valem para entregas de webhooks.',
  },
  arguments: [action],
  options: inModes(faultOptions, { onlyWith: ['<action> add'] }),
  examples: [
    {
      command: 'fiscal sandbox fault add --kind cut-after --operation product.create --count 1',
      summary: {
        en: 'The next create is stored, but its answer never comes',
        pt: 'A próxima criação é gravada, mas a resposta nunca chega',
      },
    },
    {
      command: 'fiscal sandbox fault add --kind doubled --rate 0.05',
      summary: {
        en: 'One webhook delivery in twenty is sent twice',
        pt: 'Uma entrega de webhook em vinte é enviada duas vezes',
      },
    },
    {
      command: 'fiscal sandbox fault clear',
      summary: { en: 'No more faults', pt: 'Sem mais falhas' },
    },
  ],
  exitCodes: [5, 6],
  async run({ arguments: { action }, options, context }) {
    const { manageRules } = await import('./rules.js');
    return { data: await manageRules(context, 'faults', { action, options }) };
  },
});

const authorityOptions = {
  outcome: {
    kind: 'choice',
    choices: authorityOutcomes,
    summary: {
      en: 'What it does; fail-after registers the event and does not answer',
      pt: 'O que ela faz; fail-after registra o evento e não responde',
    },
  },
  accessKey: {
    kind: 'text',
    value: 'key',
    summary: { en: 'Only this document (default: all)', pt: 'Só este documento (padrão: todos)' },
  },
  event: {
    kind: 'count',
    value: 'code',
    min: 1,
    summary: {
      en: 'Only this event, e.g. 210200 (default: all)',
      pt: 'Só este evento, ex. 210200 (padrão: todos)',
    },
  },
  code: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Code of the rejection (default: 999)', pt: 'Código da rejeição (padrão: 999)' },
  },
  message: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Text of the rejection', pt: 'Texto da rejeição' },
  },
  ...frequency,
  delay: {
    kind: 'duration',
    value: 'duration',
    summary: {
      en: 'Additional delay of its answer',
      pt: 'Atraso adicional da resposta',
    },
  },
} as const satisfies OptionSpecs;

export const authority = defineCommand({
  refusesDryRun: true,
  summary: {
    en: 'Choose what the tax authority of the sandbox answers',
    pt: 'Escolhe o que a autoridade fiscal do sandbox responde',
  },
  description: {
    en: 'Without a matching rule, the authority checks deadlines, duplicates, sequence and cancelled documents.',
    pt: 'Sem regra aplicável, a autoridade confere prazos, duplicidade, sequência e notas canceladas.',
  },
  arguments: [action],
  options: inModes(authorityOptions, { onlyWith: ['<action> add'] }),
  examples: [
    {
      command: 'fiscal sandbox authority add --outcome reject --code 596 --count 1',
      summary: { en: 'The next event is past its deadline', pt: 'O próximo evento está fora do prazo' },
    },
    {
      command: 'fiscal sandbox authority add --outcome fail --rate 0.1',
      summary: { en: 'One event in ten fails', pt: 'Um evento em dez falha' },
    },
  ],
  exitCodes: [5, 6],
  async run({ arguments: { action }, options, context }) {
    const { manageRules } = await import('./rules.js');
    return { data: await manageRules(context, 'authority', { action, options }) };
  },
});

const outcomeOptions = {
  outcome: {
    kind: 'choice',
    choices: invoiceOutcomeKinds,
    summary: {
      en: 'The outcome; pending never finishes, unlisted is an undocumented status',
      pt: 'O resultado; pending nunca termina, unlisted é um status não documentado',
    },
  },
  family: {
    kind: 'choice',
    choices: invoiceKinds,
    summary: {
      en: 'Only invoices of this kind (default: all)',
      pt: 'Só notas deste tipo (padrão: todas)',
    },
  },
  externalId: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Only the invoice with this externalId', pt: 'Só a nota com este externalId' },
  },
  id: {
    kind: 'text',
    value: 'id',
    summary: { en: 'Only the invoice with this id', pt: 'Só a nota com este id' },
  },
  code: {
    kind: 'text',
    value: 'number',
    summary: { en: 'Code of the refusal (default: 999)', pt: 'Código da recusa (padrão: 999)' },
  },
  message: {
    kind: 'text',
    value: 'text',
    summary: { en: 'Text of the refusal', pt: 'Texto da recusa' },
  },
  ...frequency,
  delay: {
    kind: 'duration',
    value: 'duration',
    summary: { en: 'Additional delay before it finishes', pt: 'Atraso adicional até o resultado' },
  },
} as const satisfies OptionSpecs;

export const outcome = defineCommand({
  refusesDryRun: true,
  summary: {
    en: 'Choose the outcome of invoices issued in the sandbox',
    pt: 'Escolhe o resultado das notas emitidas no sandbox',
  },
  description: {
    en: 'Without a matching rule, a valid invoice is issued, unless its number is taken or disabled, and can be cancelled within the deadline.',
    pt: 'Sem regra aplicável, a nota válida é emitida, salvo se o número já foi usado ou inutilizado, e pode ser cancelada dentro do prazo.',
  },
  arguments: [action],
  options: inModes(outcomeOptions, { onlyWith: ['<action> add'] }),
  examples: [
    {
      command: 'fiscal sandbox outcome add --outcome denied --family nfe --count 1',
      summary: { en: 'The next NF-e is denied', pt: 'A próxima NF-e é denegada' },
    },
    {
      command: 'fiscal sandbox outcome add --outcome failed --rate 0.1',
      summary: { en: 'One invoice in ten fails', pt: 'Uma nota em dez falha' },
    },
  ],
  exitCodes: [5, 6],
  async run({ arguments: { action }, options, context }) {
    const { manageRules } = await import('./rules.js');
    return { data: await manageRules(context, 'outcomes', { action, options }) };
  },
});
