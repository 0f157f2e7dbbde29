import type { Look } from '../../client/client.js';
import type { Settings } from '../../config/settings.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { HostName, Role } from '../../contract/operation.js';
import type { OperationId } from '../../contract/operations.js';
import type { Text } from '../../contract/text.js';
import { deprecationIn, deprecationNotice } from '../../domain/deprecation.js';
import { fieldOf } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import { same } from './local-checks.js';
import {
  type Asked,
  Asker,
  type Evidence,
  allOperations,
  fixedValues,
  harmlessReads,
  manifestationRoutes,
  mayBeFilled,
  noAccessKey,
  nonexistentBeside,
  operationOf,
  parametersOf,
  sourceOf,
} from './probe-plan.js';
import { hostNames, keysOf, probeCnpjRoute, probeHost, probeKey } from './probe-hosts.js';
import { type OperationVerdict, type ProbeRow, probeOperation } from './probe-operation.js';
import {
  type ClockBounds,
  NOTED_CLOCK_MS,
  TOLERATED_CLOCK_MS,
  clockBounds,
  differByMore,
} from '../../client/clock-offset.js';
import { terminalLine } from '../../domain/terminal-text.js';

/**
 * Asks a real account what it has, by reads that nothing bills and that change nothing. Every row rests on its evidence;
 * what could not be asked is said to be untested. Errors: those of `--company`; an interruption.
 */
export async function probeService(context: Context, settings: Settings): Promise<readonly ProbeRow[]> {
  const asker = new Asker(await context.client(), context.interruption);
  return await new Probe(context, settings, asker).run().finally(() => context.progress.stop());
}

class Probe {
  readonly #rows: ProbeRow[] = [];
  readonly #verdicts = new Map<OperationId, OperationVerdict>();
  readonly #controls = new Map<HostName, Asked | undefined>();
  #done = 0;

  constructor(
    private readonly context: Context,
    private readonly settings: Settings,
    private readonly asker: Asker,
  ) {}

  async run(): Promise<readonly ProbeRow[]> {
    const { asker, settings, context } = this;
    const keys = await keysOf(context, settings);
    for (const host of hostNames) {
      const { row, asked } = await probeHost(asker, host, { settings, now: context.clock.now() });
      this.#controls.set(host, asked);
      this.#tell(row);
    }
    const isOpen = keys.invoice && this.#isReached('product');
    if (isOpen) await this.#probe('company.list', {});
    const companyId = isOpen ? await this.#company() : undefined;
    for (const host of hostNames) {
      const control = this.#controls.get(host);
      // A host without an address has its row.
      if (control !== undefined) this.#tell(await probeKey(asker, host, { settings, keys, control, companyId }));
    }
    if (keys.invoice) await this.#probeReads(companyId);
    if (keys.data && this.#isReached('legalEntity')) this.#tell(await probeCnpjRoute(asker, settings));
    if (isOpen && companyId !== undefined) {
      this.#tell(await this.#manifestationRoute(companyId));
    }
    this.#tell(...this.#roles(), this.#clock(), this.#rates(), ...this.#deprecations(), this.#notAsked());
    return this.#rows.map(inOrder);
  }

  #tell(...rows: readonly ProbeRow[]): void {
    this.#rows.push(...rows);
  }

  #isReached(host: HostName): boolean {
    return this.#controls.get(host)?.look !== undefined;
  }

  /** The company that is asked about: that of the settings, or the first of the account. */
  async #company(): Promise<string | undefined> {
    const chosen = await this.#chosenCompany();
    const id = chosen ?? this.#valueIn({ list: 'company.list', fields: ['id'] });
    const found = companyText(id, chosen !== undefined);
    this.#tell({ check: 'company', status: id === undefined ? 'untested' : 'ok', found, evidence: [] });
    return id;
  }

  async #chosenCompany(): Promise<string | undefined> {
    try {
      return (await (await this.context.scope()).one())?.id;
    } catch (error) {
      const isOfService = error instanceof FiscalError && /^(?:service|network|auth)\./.test(error.code);
      if (!isOfService || this.context.interruption.aborted) throw error;
      return undefined;
    }
  }

  /** Lists first: their rows give the values that other paths need. */
  async #probeReads(companyId: string | undefined): Promise<void> {
    const known = { ...fixedValues, ...(companyId === undefined ? {} : { companyId }) };
    const reads = harmlessReads().filter((id) => id !== 'company.list' && this.#isReached(operationOf(id).host));
    const ready = reads.filter((id) => this.#missing(id, known).length === 0);
    for (const id of ready) await this.#probe(id, known);
    for (const id of reads.filter((each) => !ready.includes(each))) {
      const values = { ...known, ...this.#rowValues(id) };
      const missing = this.#missing(id, values);
      if (missing.length === 0) await this.#probe(id, values);
      else if (mayBeFilled(id, this.settings.paths[id] ?? operationOf(id).path))
        this.#tell({ check: id, operation: id, status: 'untested', found: needs(missing), evidence: [] });
    }
  }

  #missing(id: OperationId, values: Readonly<Record<string, string>>): readonly string[] {
    const path = this.settings.paths[id] ?? operationOf(id).path;
    return parametersOf(path).filter((name) => values[name] === undefined);
  }

  #rowValues(id: OperationId): Readonly<Record<string, string>> {
    const names = parametersOf(operationOf(id).path);
    const found = names.flatMap((name) => {
      const source = sourceOf(id, name);
      const value = source === undefined ? undefined : this.#valueIn(source);
      return value === undefined ? [] : [[name, value] as const];
    });
    return Object.fromEntries(found);
  }

  /** The value in the first row that has one. */
  #valueIn({ list, fields }: { readonly list: OperationId; readonly fields: readonly string[] }): string | undefined {
    const rows = this.#verdicts.get(list)?.rows ?? [];
    const values = rows.flatMap((row) => fields.map((name) => fieldOf(row, name)));
    return values.find((value) => typeof value === 'string' && /^[\w-]{1,100}$/.test(value)) as string | undefined;
  }

  async #probe(id: OperationId, values: Readonly<Record<string, string>>): Promise<void> {
    this.#done += 1;
    this.context.progress.report({ label: asking, done: this.#done });
    const verdict = await probeOperation(this.asker, id, { settings: this.settings, values });
    this.#verdicts.set(id, verdict);
    this.#tell(verdict.row);
  }

  /**
   * Which route takes the recipient's event: a GET is no event, and a service that has the route answers it 405 (or
   * itself), but a path beside it that cannot exist otherwise. 404 proves nothing.
   */
  async #manifestationRoute(companyId: string): Promise<ProbeRow> {
    const id = 'nfe.manifestation.submit';
    const { host, key, path: ofTable } = operationOf(id);
    const own = this.settings.paths[id] ?? ofTable;
    const evidence: Evidence[] = [];
    const isRefused = async (path: string): Promise<boolean> => {
      const values = { companyId, accessKey: noAccessKey };
      const asked = await this.asker.ask({ operation: id, host, key, path, values });
      evidence.push(asked.evidence);
      return asked.look?.status === 405;
    };
    let isUnclear = false;
    for (const path of new Set([own, ...manifestationRoutes])) {
      if (!(await isRefused(path))) continue;
      if (await isRefused(nonexistentBeside(path))) {
        isUnclear = true;
        continue;
      }
      const row = { check: id, operation: id, evidence } as const;
      if (path === own) return { ...row, status: 'ok', found: routeTaken };
      const found = {
        en: `not found at the path that is set, but at ${path} (405 to GET)`,
        pt: `não encontrado no caminho definido, mas em ${path} (405 a GET)`,
      };
      return {
        ...row,
        status: 'differs',
        found,
        settings: [{ name: `paths.${id}`, value: path === ofTable ? null : path }],
      };
    }
    const found = isUnclear ? routeUnclear : routeUnproven;
    return { check: id, operation: id, status: 'untested', found, evidence };
  }

  /** A success of an operation proves its role, 403 to all of them the opposite. */
  #roles(): readonly ProbeRow[] {
    const roles: readonly Role[] = ['NFeDist', 'CTeDist', 'NFSeDist', 'Management'];
    return roles.map((role) => {
      const asked = [...this.#verdicts].filter(([id]) => operationOf(id).role === role);
      const statuses = asked.flatMap(([id, { status }]) => (status === undefined ? [] : [{ id, status }]));
      const evidenceOf = (id: OperationId) => this.#verdicts.get(id)?.row.evidence ?? [];
      const success = statuses.find(
        ({ id, status }) => status < 300 && status >= 200 && this.#verdicts.get(id)?.row.status !== 'problem',
      );
      const refusal = statuses.find(({ status }) => status === 403);
      const check = `role ${role}`;
      if (success !== undefined) {
        const found = { en: `the key has it: ${success.id} answers`, pt: `a chave o tem: ${success.id} responde` };
        return { check, status: 'ok', found, evidence: evidenceOf(success.id) };
      }
      if (refusal !== undefined) {
        const found = {
          en: `the key seems to lack it: 403 to ${refusal.id}`,
          pt: `a chave parece não tê-lo: 403 a ${refusal.id}`,
        };
        return { check, status: 'warn', found, evidence: evidenceOf(refusal.id) };
      }
      return { check, status: 'untested', found: roleUnproven, evidence: [] };
    });
  }

  #looksAt(host: HostName): readonly Look[] {
    return this.asker.seen.filter((seen) => seen.host === host).map(({ look }) => look);
  }

  #clock(): ProbeRow {
    const offset = clockOffset(this.#looksAt('product'));
    const check = 'clock';
    if (offset === undefined) return { check, status: 'untested', found: noDate, evidence: [] };
    const status = offsetStatus(offset);
    const row = { check, found: offsetText(offset), evidence: [] };
    if (status !== 'problem') return { ...row, status };
    return this.settings.profile === sandboxProfile.name
      ? { ...row, status: 'warn', advice: sandboxClock }
      : { ...row, status, advice: setClock };
  }

  #rates(): ProbeRow {
    const found = rateHeaders(this.asker.seen.map(({ look }) => look));
    return {
      check: 'rate headers',
      status: 'ok',
      found: found.length === 0 ? noRates : same(found.join(', ')),
      evidence: [],
    };
  }

  #deprecations(): readonly ProbeRow[] {
    const found = new Map(
      this.asker.seen.flatMap(({ operation, look }) => {
        const deprecation = deprecationIn(look.headers);
        return deprecation === undefined ? [] : [[operation, deprecation] as const];
      }),
    );
    return [...found].map(([operation, deprecation]) => ({
      check: `deprecation of ${operation}`,
      status: 'warn',
      found: deprecationNotice(operation, deprecation),
      operation,
      evidence: [],
    }));
  }

  #notAsked(): ProbeRow {
    const asked = new Set(this.#rows.map(({ operation }) => operation));
    const left = allOperations().filter((id) => !asked.has(id));
    return {
      check: 'not asked',
      status: 'untested',
      found: {
        en: `not tested: ${left.length} operations that write, are billed, query a registry or need a value that no list gives: ${left.join(', ')}`,
        pt: `não testado: ${left.length} operações que gravam, são cobradas, consultam um cadastro ou exigem um valor que nenhuma lista traz: ${left.join(', ')}`,
      },
      evidence: [],
    };
  }
}

/** Every row has its fields in one order. */
function inOrder({ check, status, found, advice, operation, settings, evidence }: ProbeRow): ProbeRow {
  return {
    ...{ check, status, found },
    ...(advice === undefined ? {} : { advice }),
    ...(operation === undefined ? {} : { operation }),
    ...(settings === undefined ? {} : { settings }),
    evidence,
  };
}

function companyText(id: string | undefined, isChosen: boolean): Text {
  if (id === undefined)
    return { en: 'not tested: no company is known', pt: 'não testado: nenhuma empresa é conhecida' };
  return isChosen ? same(id) : { en: `${id}, the first of the account`, pt: `${id}, a primeira da conta` };
}

function needs(missing: readonly string[]): Text {
  const names = missing.join(', ');
  return {
    en: `not tested: no list gave a value for ${names}`,
    pt: `não testado: nenhuma lista trouxe um valor para ${names}`,
  };
}

const asking: Text = { en: 'asking the service', pt: 'consultando o serviço' };
const routeTaken: Text = {
  en: 'the route is there: 405 to GET, so it takes another method',
  pt: 'a rota existe: 405 a GET, ou seja, ela aceita outro método',
};
const routeUnproven: Text = {
  en: 'not tested: no known route answers 405 to GET, and an event would have an effect',
  pt: 'não testado: nenhuma rota conhecida responde 405 a GET, e um evento teria efeito',
};
const routeUnclear: Text = {
  en: 'cannot tell: a path that cannot exist answers 405 to GET as well, and an event would have an effect',
  pt: 'não é possível saber: um caminho que não pode existir também responde 405 a GET, e um evento teria efeito',
};
const roleUnproven: Text = {
  en: 'not tested: no operation of this role could be asked, or none answered',
  pt: 'não testado: nenhuma operação deste papel pôde ser consultada, ou nenhuma respondeu',
};
const noDate: Text = {
  en: 'not tested: the service does not report its time',
  pt: 'não testado: o serviço não informa o horário',
};
const setClock: Text = { en: "set this machine's clock", pt: 'acerte o relógio desta máquina' };
const sandboxClock: Text = {
  en: 'the clock of the sandbox can be changed: fiscal sandbox clock',
  pt: 'o relógio do sandbox pode ser alterado: fiscal sandbox clock',
};
const noRates: Text = { en: 'no answer has a header about a limit', pt: 'nenhuma resposta traz cabeçalho de limite' };

interface ClockOffset extends ClockBounds {
  /** The answers contradict each other. */
  readonly isSplit: boolean;
  /** Number of answers that it is estimated from. */
  readonly answers: number;
}

/**
 * Estimates the difference from `Date` headers; all of them together give narrower bounds than each. Where they contradict
 * each other (several machines behind one address), the bounds take in all.
 */
export function clockOffset(looks: readonly Look[]): ClockOffset | undefined {
  const bounds = looks.flatMap((look) => clockBounds(look) ?? []);
  if (bounds.length === 0) return undefined;
  const lows = bounds.map(({ low }) => low);
  const highs = bounds.map(({ high }) => high);
  const [low, high] = [Math.max(...lows), Math.min(...highs)];
  const isSplit = low > high;
  const answers = bounds.length;
  return isSplit
    ? { low: Math.min(...lows), high: Math.max(...highs), isSplit, answers }
    : { low, high, isSplit, answers };
}

/** `problem`: certainly too far; `warn`: perhaps, or far enough for a run to say it. */
export function offsetStatus(bounds: ClockOffset): 'ok' | 'warn' | 'problem' {
  if (differByMore(bounds, TOLERATED_CLOCK_MS)) return 'problem';
  const isPerhaps = bounds.low < -TOLERATED_CLOCK_MS || bounds.high > TOLERATED_CLOCK_MS;
  return isPerhaps || differByMore(bounds, NOTED_CLOCK_MS) ? 'warn' : 'ok';
}

export function offsetText({ low, high, isSplit, answers }: ClockOffset): Text {
  const { en, pt } = differenceIn({ low, high, isSplit });
  return {
    en: `${en}; an estimate from ${answers} Date headers, between ${seconds(low)} and ${seconds(high)} s by their round trips`,
    pt: `${pt}; estimativa com ${answers} cabeçalhos Date, entre ${seconds(low)} e ${seconds(high)} s pela ida e volta`,
  };
}

function differenceIn({ low, high, isSplit }: Omit<ClockOffset, 'answers'>): Text {
  if (isSplit) return disagreement;
  return low <= 0 && high >= 0 ? noDifference : inWords((low + high) / 2);
}

const disagreement: Text = {
  en: 'the answers of the service disagree about its time',
  pt: 'as respostas do serviço não concordam sobre o horário dele',
};
const noDifference: Text = {
  en: 'no difference between the service and this machine can be seen',
  pt: 'não se vê diferença entre o serviço e esta máquina',
};

function inWords(ms: number): Text {
  const size = seconds(Math.abs(ms));
  const [en, pt] = ms > 0 ? ['ahead of', 'adiantado'] : ['behind', 'atrasado'];
  return {
    en: `the service is about ${size} s ${en} this machine`,
    pt: `o serviço está cerca de ${size} s ${pt} em relação a esta máquina`,
  };
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1).replace(/^-0\.0$/, '0.0');
}

const RATE_HEADER = /^(?:x-)?(?:rate-?limit(?:-[a-z-]+)?|retry-after)$/;
const MOST_HEADERS = 10;
const LONGEST_VALUE = 80;

/** The headers of rate limits, each with the last value that came; safe for one line. */
export function rateHeaders(looks: readonly Look[]): readonly string[] {
  const found = new Map<string, string>();
  for (const { headers } of looks) {
    for (const [name, value] of Object.entries(headers)) {
      if (RATE_HEADER.test(name)) found.set(name, terminalLine(value).slice(0, LONGEST_VALUE));
    }
  }
  return [...found].slice(0, MOST_HEADERS).map(([name, value]) => `${name}: ${value}`);
}
