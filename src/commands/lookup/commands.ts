import type { ExitName } from '../../cli/command.js';
import { define, does, duration, example, optionalArgument, text, toggle, wholeExample } from '../../cli/define.js';
import { batchOptions } from '../../cli/options.js';
import { type CommandGroup, type Given, inModes } from '../../cli/command.js';
import type { LookupName } from '../../jobs/kinds/lookup.js';
import type { Context } from '../../services/context.js';
import { outOption, writing } from '../../cli/output-bytes.js';

/** 9: the number does not exist. 5: its source does not answer, which proves nothing. */
const lookupExits: readonly ExitName[] = ['partial', 'calls', 'held', 'limitReached'];

const { onError, maxFailures, lockWait, stats, metricsFile, report } = inModes(batchOptions, {
  onlyWith: ['file', '-'],
});

/** The options of every lookup. */
const lookupOptions = {
  file: text(
    'file',
    'A list instead of one number: plain lines, CSV or NDJSON',
    'Uma lista em vez de um número: linhas simples, CSV ou NDJSON',
  ),
  maxAge: duration(
    'time',
    'Use a stored answer if it is newer than this',
    'Usa a resposta guardada nesta máquina se for mais nova que isso',
    { notWith: ['refresh'] },
  ),
  refresh: toggle(
    'Query the service even if an answer is stored',
    'Consulta o serviço, mesmo havendo resposta guardada',
  ),
  ...{ onError, maxFailures, lockWait, stats, metricsFile, report },
};

/** One number, or `-` for a list on standard input. */
function numberArgument(en: string, pt: string) {
  return optionalArgument(`${en}; - for a list on stdin`, `${pt}; - para uma lista no stdin`);
}

/** Other forms of an NF-e at the authority. */
const nfeFormOptions = {
  xml: toggle('Its XML', 'O XML'),
  pdf: toggle('Its PDF (DANFE)', 'O PDF (DANFE)'),
  events: toggle('Its events', 'Os eventos'),
  timeout: duration('time', 'Longest time to wait for a PDF', 'Tempo máximo de espera por um PDF', {
    onlyWith: ['pdf'],
    default: '2m',
  }),
};

export const cnpj = define('Query the registry of a company', 'Consulta o cadastro de uma empresa', {
  description: {
    en: 'Uses the data key. The number may contain punctuation and, since 2026, letters. Answers are stored on this machine and used for 30 days (--max-age, --refresh). A list becomes a job that the same list continues.',
    pt: 'Usa a chave de consulta. O número pode ter pontuação e, desde 2026, letras. A resposta fica guardada nesta máquina e vale por 30 dias (--max-age, --refresh). Uma lista vira um lote que a mesma lista continua.',
  },
  takes: { cnpj: numberArgument('CNPJ of the company', 'CNPJ da empresa') },
  options: lookupOptions,
  examples: [
    example('12.ABC.345/01DE-35', 'One company', 'Uma empresa'),
    example(
      '--file suppliers.csv --max-age 90d -o ndjson',
      'Those of a file, one record per line',
      'As de um arquivo, um registro por linha',
    ),
  ],
  exits: lookupExits,
  id: 'federalTaxNumber',
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
});

export const cpf = define('Query the status of a CPF', 'Consulta a situação de um CPF', {
  description: {
    en: 'Uses the data key; the date of birth is required. No file on this machine contains the number: rows, errors and --debug-http show it masked, the stored answer (one day) is found by a digest, and the job of a list continues only with its list.',
    pt: 'Usa a chave de consulta; a data de nascimento é necessária. Nenhum arquivo desta máquina guarda o número: linhas, erros e --debug-http o mostram mascarado, a resposta guardada (um dia) é achada por um resumo criptográfico, e o lote de uma lista só continua com a lista.',
  },
  takes: { cpf: numberArgument('CPF of the person', 'CPF da pessoa') },
  options: {
    birthDate: text(
      'date',
      'Date of birth; in a list the second column, or birthDate',
      'Data de nascimento; numa lista, a segunda coluna ou birthDate',
      { notWith: ['file', '-'] },
    ),
    ...lookupOptions,
  },
  examples: [
    example('529.982.247-25 --birth-date 1990-12-31', 'One person', 'Uma pessoa'),
    example('- -o ndjson < people.csv', 'A list from stdin', 'Uma lista pelo stdin'),
  ],
  exits: lookupExits,
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
});

export const address = define('Query the addresses of a CEP', 'Consulta os endereços de um CEP', {
  description: {
    en: 'Uses the data key. Answers are stored on this machine and used for 30 days (--max-age, --refresh).',
    pt: 'Usa a chave de consulta. A resposta fica guardada nesta máquina e vale por 30 dias (--max-age, --refresh).',
  },
  takes: { cep: numberArgument('CEP, 8 digits', 'CEP, 8 dígitos') },
  options: lookupOptions,
  examples: [
    example('01310-100', 'One CEP', 'Um CEP'),
    wholeExample(
      'fiscal lookup cep 01310-100',
      'The same: cep is an alias of address',
      'O mesmo: cep é um apelido de address',
    ),
  ],
  exits: lookupExits,
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
});

const { maxAge, refresh } = lookupOptions;

export const nfe = define('Query an NF-e at the state tax authority', 'Consulta uma NF-e na Sefaz', {
  description: {
    en: 'Uses the data key. The state may change at any moment, so each call queries it, unless --max-age is given. --xml and --pdf return the unchanged bytes, --events the events.',
    pt: 'Usa a chave de consulta. A situação pode mudar a qualquer momento, por isso é consultada a cada vez, salvo com --max-age. --xml e --pdf retornam os bytes sem alterações; --events, os eventos.',
  },
  takes: { key: numberArgument('Access key of the NF-e', 'Chave de acesso da NF-e') },
  options: {
    ...nfeFormOptions,
    ...outOption,
    ...lookupOptions,
    ...inModes({ maxAge, refresh }, { notWith: ['xml', 'pdf', 'events'] }),
  },
  examples: [
    example('35250530057049000141550010000280181030656857', 'Its state and its totals', 'A situação e os totais'),
    example(
      '35250530057049000141550010000280181030656857 --xml --out nota.xml',
      'Its XML into a file',
      'O XML para um arquivo',
    ),
  ],
  exits: [...lookupExits, 'pending'],
  id: 'accessKey',
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
});

export const cte = define('Query a captured CT-e', 'Consulta um CT-e capturado', {
  description: {
    en: 'The service queries a CT-e among those that it has captured for a company, so it uses the invoice key and --company. It is queried each time, unless --max-age is given.',
    pt: 'O serviço consulta o CT-e entre os que capturou para uma empresa, por isso usa a chave de emissão e --company. É consultado a cada vez, salvo com --max-age.',
  },
  takes: { key: numberArgument('Access key of the CT-e', 'Chave de acesso do CT-e') },
  options: lookupOptions,
  scope: ['company'],
  examples: [example('35150268252816000146570010000016161002008472 --company c1', 'One CT-e', 'Um CT-e')],
  exits: lookupExits,
  id: 'accessKey',
  view: async () => (await import('../../presenters/lookup.js')).lookupView,
});

/** The work of one query, or of a list of them. */
function asking<What extends Omit<Given<typeof cte>, 'key'>>(
  name: LookupName,
  numberOf: (given: What) => string | undefined,
) {
  return async (given: What) => {
    const number = numberOf(given);
    const isList = number === '-' || given.file !== undefined;
    const ask = isList ? (await import('./list.js')).lookUpMany : (await import('./lookup.js')).lookUp;
    return async (context: Context) => await ask(context, { ...given, name, number });
  };
}

export const group: CommandGroup = {
  verbs: {
    cnpj: does(
      cnpj,
      asking('cnpj', (given) => given.cnpj),
    ),
    cpf: does(
      cpf,
      asking('cpf', (given) => given.cpf),
    ),
    address: does(
      address,
      asking('address', (given) => given.cep),
    ),
    nfe: does(nfe, async (given) => {
      const { xml, pdf, events, out } = given;
      if (!xml && !pdf && !events && out === undefined)
        return await asking<typeof given>('nfe', ({ key }) => key)(given);
      return writing(pdf ? 'pdf' : 'xml', (await import('./lookup.js')).lookUpForm);
    }),
    cte: does(
      cte,
      asking('cte', (given) => given.key),
    ),
  },
  aliases: { cep: 'address' },
};
