import type { Look } from '../../client/client.js';
import type { Settings } from '../../config/settings.js';
import type { HostName, KeyKind } from '../../contract/operation.js';
import type { Text } from '../../contract/text.js';
import { timeInWords, DAY_MS } from '../../domain/dates.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Context } from '../../services/context.js';
import {
  type Asked,
  type Asker,
  type Question,
  hostQuestions,
  operationOf,
  otherRoutes,
  queriesOf,
} from './probe-plan.js';
import { type ProbeRow, isSuccess, keyNames, saidIn } from './probe-operation.js';

export const hostNames: readonly HostName[] = [
  'product',
  'service',
  'query',
  'legalEntity',
  'naturalPerson',
  'address',
];

export type Keys = Readonly<Record<KeyKind, boolean>>;

/** Which keys this run has. */
export async function keysOf(context: Context, settings: Settings): Promise<Keys> {
  const config = await context.config();
  const has = async (kind: KeyKind): Promise<boolean> => {
    try {
      await config.credential(kind, settings);
      return true;
    } catch (error) {
      if (error instanceof FiscalError) return false;
      throw error;
    }
  };
  return { invoice: await has('invoice'), data: await has('data') };
}

type Paths = Pick<Settings, 'paths'>;

export function questionFor(
  host: HostName,
  key: KeyKind | null,
  { settings, companyId }: { readonly settings: Paths; readonly companyId?: string | undefined },
): Question {
  const { operation, values } = hostQuestions[host];
  const path = settings.paths[operation] ?? operationOf(operation).path;
  const [query = {}] = queriesOf(operation);
  const known = companyId === undefined ? {} : { companyId };
  return { operation, host, key, path, values: { ...values, ...known }, query };
}

/** One request without a key: the host answers, and its certificate holds. */
export async function probeHost(
  asker: Asker,
  host: HostName,
  { settings, now }: { readonly settings: Paths; readonly now: number },
): Promise<{ readonly row: ProbeRow; readonly asked: Asked | undefined }> {
  const check = `host ${host}`;
  try {
    const asked = await asker.ask(questionFor(host, null, { settings }));
    const evidence = [asked.evidence];
    if (asked.look === undefined) {
      return { row: { check, status: 'problem', found: asked.failure, evidence }, asked };
    }
    return { row: { check, ...reached(asked.origin, asked.look, now), evidence }, asked };
  } catch (error) {
    if (!(error instanceof FiscalError) || error.code !== 'config.missing_host') throw error;
    const status = host === 'product' ? 'problem' : 'untested';
    return { row: { check, status, found: noAddress, evidence: [] }, asked: undefined };
  }
}

const SOON_DAYS = 14;

function reached(origin: string, { tls, status }: Look, now: number): Pick<ProbeRow, 'status' | 'found' | 'advice'> {
  const answers = { en: `${origin} answers (${status} without a key)`, pt: `${origin} responde (${status} sem chave)` };
  if (tls === undefined) {
    return {
      status: 'ok',
      found: { en: `${answers.en}, without TLS on this machine`, pt: `${answers.pt}, sem TLS nesta máquina` },
    };
  }
  const { protocol, validUntil } = tls;
  if (validUntil === undefined) {
    return {
      status: 'warn',
      found: {
        en: `${answers.en}; ${protocol}, and its certificate cannot be read`,
        pt: `${answers.pt}; ${protocol}, e o certificado não pode ser lido`,
      },
    };
  }
  const days = Math.floor((Date.parse(validUntil) - now) / DAY_MS);
  const until = timeInWords(validUntil);
  const found = {
    en: `${answers.en}; ${protocol}, certificate valid until ${until.en} (${days} days)`,
    pt: `${answers.pt}; ${protocol}, certificado válido até ${until.pt} (${days} dias)`,
  };
  return days >= SOON_DAYS ? { status: 'ok', found } : { status: 'warn', found, advice: tellThem };
}

/**
 * Whether the host takes the key. A success proves it, and so does any answer but 401 and 403 where the same request
 * without a key is refused (§5, §7). Where the key is refused, the other one is tried once: they may be swapped.
 */
export async function probeKey(
  asker: Asker,
  host: HostName,
  known: {
    readonly settings: Paths;
    readonly keys: Keys;
    readonly control: Asked | undefined;
    readonly companyId: string | undefined;
  },
): Promise<ProbeRow> {
  const { key } = operationOf(hostQuestions[host].operation);
  const check = `${key} key at ${host}`;
  const { keys, control } = known;
  if (control?.look === undefined) return { check, status: 'untested', found: hostNotReached, evidence: [] };
  if (!keys[key])
    return {
      check,
      status: 'untested',
      found: { en: `not tested: there is no ${keyNames[key].en}`, pt: `não testado: não há ${keyNames[key].pt}` },
      evidence: [control.evidence],
    };
  const asked = await asker.ask(questionFor(host, key, known));
  const evidence = [control.evidence, asked.evidence];
  if (asked.look === undefined) return { check, status: 'problem', found: asked.failure, evidence };
  const { status } = asked.look;
  if (status === 401 || status === 403) {
    const other = key === 'invoice' ? 'data' : 'invoice';
    const swapped = keys[other] ? await asker.ask(questionFor(host, other, known)) : undefined;
    const isSwapped = swapped !== undefined && isSuccess(swapped);
    return {
      check,
      status: 'problem',
      found: refused(key, asked.look, isSwapped ? other : undefined),
      advice: seeStatus,
      evidence: swapped === undefined ? evidence : [...evidence, swapped.evidence],
    };
  }
  const isRefusedWithout = control.look.status === 401 || control.look.status === 403;
  // A service that answers everybody says nothing about the key.
  const isProof = (isSuccess(asked) && !isSuccess(control)) || (isRefusedWithout && status < 500 && status !== 429);
  return isProof
    ? { check, status: 'ok', found: accepted(key, status, isSuccess(asked)), evidence }
    : { check, status: 'untested', found: unproven(status, control.look.status), evidence };
}

/** A CNPJ at the path of the table, or where it is not found at the other published ones. */
export async function probeCnpjRoute(asker: Asker, settings: Settings): Promise<ProbeRow> {
  const id = 'lookup.cnpj';
  const { path: ofTable, host, key } = operationOf(id);
  const own = settings.paths[id] ?? ofTable;
  const evidence = [];
  for (const path of new Set([own, ofTable, ...(otherRoutes[id] ?? [])])) {
    const asked = await asker.ask({ operation: id, host, key, path, values: { numero: '0' } });
    evidence.push(asked.evidence);
    // It refuses the number, so it has read it: the route is there.
    const isThere = asked.look !== undefined && [400, 422].includes(asked.look.status);
    if (isThere && path === own) return { check: id, operation: id, status: 'ok', found: numberRefused, evidence };
    if (isThere) {
      const found = {
        en: `not found at the path that is set, but at ${path}: it refuses a number that is no CNPJ`,
        pt: `não encontrado no caminho definido, mas em ${path}: ela recusa um número que não é CNPJ`,
      };
      const needed = [{ name: `paths.${id}`, value: path === ofTable ? null : path }];
      return { check: id, operation: id, status: 'differs', found, settings: needed, evidence };
    }
    if (asked.look?.status !== 404) break;
  }
  return { check: id, operation: id, status: 'untested', found: routeUnproven, evidence };
}

function refused(key: KeyKind, look: Look, other: KeyKind | undefined): Text {
  const said = saidIn(look);
  const quoted = said === '' ? '' : ` ("${said}")`;
  const swapped =
    other === undefined
      ? { en: '', pt: '' }
      : {
          en: `; the ${keyNames[other].en} is accepted here: are the two keys swapped?`,
          pt: `; a ${keyNames[other].pt} é aceita aqui: as duas chaves estão trocadas?`,
        };
  return {
    en: `the ${keyNames[key].en} is refused: ${look.status}${quoted}${swapped.en}`,
    pt: `a ${keyNames[key].pt} é recusada: ${look.status}${quoted}${swapped.pt}`,
  };
}

function accepted(key: KeyKind, status: number, isSuccessful: boolean): Text {
  return isSuccessful
    ? { en: `the ${keyNames[key].en} is accepted: ${status}`, pt: `a ${keyNames[key].pt} é aceita: ${status}` }
    : {
        en: `the ${keyNames[key].en} is accepted: ${status}, and a refusal without it`,
        pt: `a ${keyNames[key].pt} é aceita: ${status}, e recusa sem ela`,
      };
}

function unproven(withKey: number, without: number): Text {
  return {
    en: `not tested: ${withKey} with the key and ${without} without it prove nothing`,
    pt: `não testado: ${withKey} com a chave e ${without} sem ela nada provam`,
  };
}

const hostNotReached: Text = {
  en: 'not tested: the host was not reached',
  pt: 'não testado: o endereço não foi alcançado',
};
const noAddress: Text = {
  en: 'not tested: there is no address for this host',
  pt: 'não testado: não há endereço para este host',
};
const tellThem: Text = {
  en: 'the operator of the service must renew it; until then watch this check',
  pt: 'o operador do serviço precisa renová-lo; até lá, acompanhe esta verificação',
};
const seeStatus: Text = { en: 'see: fiscal auth status', pt: 'veja: fiscal auth status' };
const numberRefused: Text = {
  en: 'the route answers: it refuses a number that is no CNPJ',
  pt: 'a rota responde: ela recusa um número que não é CNPJ',
};
const routeUnproven: Text = {
  en: 'not tested: no known route says that "0" is no CNPJ, and a real one would be a query',
  pt: 'não testado: nenhuma rota conhecida diz que "0" não é CNPJ, e um número real seria uma consulta',
};
