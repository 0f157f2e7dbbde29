import { userAgent } from '../../domain/version.js';
import { isProtected } from '../../domain/loopback.js';
import type { KeyKind } from '../../contract/operation.js';
import type { Clock } from '../../domain/world.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import {
  checkConfiguration,
  checkRuntime,
  checkStateFolder,
  checkStore,
  checkWaits,
  problemOf,
  same,
  type Check,
} from './local-checks.js';
import { TOLERATED_CLOCK_MS } from '../../client/clock-offset.js';
import type { Given } from '../../cli/command.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import type { doctor } from './commands.js';
import type { ProbeRow } from './probe-operation.js';

const login = {
  en: 'run "fiscal auth login", or try with --profile sandbox',
  pt: 'execute "fiscal auth login", ou experimente com --profile sandbox',
};

function checkProfile({ profile }: Settings): Check {
  const check = 'profile';
  if (profile !== undefined) return { check, status: 'ok', found: same(profile) };
  const found = {
    en: 'none is chosen; addresses and keys come from the environment only',
    pt: 'nenhum foi escolhido; endereços e chaves vêm só do ambiente',
  };
  return { check, status: 'warn', found, advice: login };
}

/** Whether each key is present, and where it comes from, never its value. */
async function checkKeys(context: Context, settings: Settings): Promise<readonly Check[]> {
  const kinds: readonly KeyKind[] = ['invoice', 'data'];
  const checks = await Promise.all(kinds.map((kind) => checkKey(context, settings, kind)));
  // Either key serves half of the service; without both, no call is possible.
  const isEnough = checks.some((check) => check.status === 'ok');
  return checks.map((check) => (isEnough && check.status === 'warn' ? check : asProblem(check)));
}

function asProblem(check: Check): Check {
  return check.status === 'warn' ? { ...check, status: 'problem' } : check;
}

async function checkKey(context: Context, settings: Settings, kind: KeyKind): Promise<Check> {
  const check = `${kind} key`;
  try {
    const files = await context.config();
    const { source } = await files.credential(kind, settings);
    return { check, status: 'ok', found: { en: `present, from ${source}`, pt: `presente, de ${source}` } };
  } catch (error) {
    if (isAbsent(error)) return { check, status: 'warn', found: error.text, advice: login };
    return problemOf(check, error, login);
  }
}

function isAbsent(error: unknown): error is FiscalError {
  return error instanceof FiscalError && /^auth\.no_/.test(error.code);
}

const setAdvice = {
  en: 'run "fiscal auth login", or set FISCAL_PRODUCT_URL',
  pt: 'execute "fiscal auth login", ou defina FISCAL_PRODUCT_URL',
};

/** Only https, except for this machine (§1, convention 6). */
function checkHosts({ hosts, profile }: Settings): Check {
  if (profile === 'sandbox') {
    return {
      check: 'addresses',
      status: 'ok',
      found: { en: 'the sandbox of this machine', pt: 'o sandbox desta máquina' },
    };
  }
  const addresses = Object.entries(hosts);
  if (hosts.product === undefined) {
    return { check: 'addresses', status: 'problem', found: missing, advice: setAdvice };
  }
  const open = addresses
    .filter(([, address]) => !URL.canParse(address) || !isProtected(new URL(address)))
    .map(([name]) => name);
  if (open.length === 0) return { check: 'addresses', status: 'ok', found: list(addresses) };
  const names = open.join(', ');
  return {
    check: 'addresses',
    status: 'problem',
    found: { en: `not https: ${names}`, pt: `sem https: ${names}` },
    advice: setAdvice,
  };
}

const missing: Text = { en: 'there is no address for the host "product"', pt: 'não há endereço para o host "product"' };

function list(addresses: readonly (readonly [string, string])[]): Text {
  const text = addresses.map(([name, address]) => `${name} ${address}`).join(', ');
  return { en: text, pt: text };
}

const patienceMs = 10_000;

/** One harmless read: the service answers and accepts the invoice key. */
async function checkService(context: Context): Promise<Check> {
  const check = 'service';
  try {
    const client = await context.client();
    await client.call('company.list', { path: {}, query: { limit: 1 } }, { signal: context.interruption });
    const found = { en: 'it answers and accepts the invoice key', pt: 'ele responde e aceita a chave de emissão' };
    return { check, status: 'ok', found };
  } catch (error) {
    return problemOf(check, error, {
      en: 'check the address, the key, and the proxy of this network',
      pt: 'verifique o endereço, a chave e o proxy desta rede',
    });
  }
}

/** Compares with the `Date` header of the service; no key is sent. */
async function checkClock(clock: Clock, { hosts, profile }: Settings): Promise<Check> {
  const check = 'clock';
  if (profile === 'sandbox' || hosts.product === undefined) {
    return { check, status: 'ok', found: { en: 'nothing to compare with', pt: 'sem referência' } };
  }
  const theirs = await timeOf(hosts.product);
  if (theirs === undefined) {
    const found = { en: 'the service does not report its time', pt: 'o serviço não informa o horário' };
    return { check, status: 'warn', found };
  }
  const seconds = Math.round(Math.abs(clock.now() - theirs) / 1_000);
  const found = { en: `${seconds} s from the service`, pt: `${seconds} s de diferença do serviço` };
  if (seconds * 1_000 <= TOLERATED_CLOCK_MS) return { check, status: 'ok', found };
  const advice = { en: "set this machine's clock", pt: 'acerte o relógio desta máquina' };
  return { check, status: 'problem', found, advice };
}

async function timeOf(address: string): Promise<number | undefined> {
  const headers = { 'user-agent': userAgent };
  const request = { method: 'HEAD', redirect: 'manual', headers, signal: AbortSignal.timeout(patienceMs) } as const;
  // Without direct access (a proxy, no network) the time is unknown; the check `service` reports the cause.
  const answer = await fetch(address, request).catch(() => undefined);
  const time = Date.parse(answer?.headers.get('date') ?? '');
  return Number.isNaN(time) ? undefined : time;
}

/** `withoutCompany`: with `online`, nothing of the company of the run. */
type Extent = Given<typeof doctor> & { readonly withoutCompany?: true };

type Line = Check | ProbeRow;

/** Checks everything that a run needs. Changes nothing but the profile (`write`), and calls the service only when asked to. */
export async function examine(context: Context, extent: Extent): Promise<Outcome<readonly object[]>> {
  const { state } = context.directories;
  const { check: configuration, settings } = await checkConfiguration(context);
  if (extent.probe && settings?.dryRun === true) {
    const { planProbe } = await import('./probe-dry-run.js');
    return { data: await planProbe(context, settings) };
  }
  const local: readonly Line[] = [
    checkRuntime(),
    configuration,
    await checkStateFolder(state),
    ...(await checkStores(context, settings)),
  ];
  // Without settings, the rest cannot be checked.
  const { lines, written } =
    settings === undefined ? { lines: [], written: 0 } : await checkSettings(context, settings, extent);
  const data = await Promise.all([...local, ...lines].map((line) => withWholeAdvice(context, line)));
  const isHealthy = data.every(({ status }) => status !== 'problem' && (status !== 'differs' || written > 0));
  return {
    data,
    exitCode: isHealthy ? ExitCode.ok : ExitCode.endedBadly,
    notices: [...(extent.probe ? [summary(data)] : []), ...(written === 0 ? [] : [stored(written)])],
  };
}

/** The store of a server, where the run has one, else the file. */
async function checkStores(context: Context, settings: Settings | undefined): Promise<readonly Check[]> {
  const { state } = context.directories;
  if (settings === undefined) return [await checkStore(state)];
  const { checkServer } = await import('./server-check.js');
  const onServer = await checkServer(context, settings);
  if (onServer !== undefined) return onServer;
  const waits = await checkWaits(state, { profile: settings.storeNamespace, now: context.clock.now() });
  // The rows of the built-in profile are never copied.
  const sends = settings.profile !== sandboxProfile.name;
  return [await checkStore(state, { sends }), ...waits];
}

/** Completes the commands in the advice with the profile that was examined. */
async function withWholeAdvice<Shown extends Line>({ goOn }: Context, line: Shown): Promise<Shown> {
  const { found, advice } = line;
  const whole = advice === undefined ? {} : { advice: await goOn.inText(advice) };
  return { ...line, found: await goOn.inText(found), ...whole };
}

interface Examined {
  readonly lines: readonly Line[];
  /** Number of settings that were stored. */
  readonly written: number;
}

async function checkSettings(context: Context, settings: Settings, extent: Extent): Promise<Examined> {
  const keys = await checkKeys(context, settings);
  const offline = [checkProfile(settings), ...keys, checkHosts(settings)];
  if (extent.probe) return await probed(context, { settings, offline, write: extent.write });
  if (!extent.online && !extent.ci) return { lines: offline, written: 0 };
  const service = await checkService(context);
  const clock = await checkClock(context.clock, settings);
  const { checkCompany } = await import('./company-checks.js');
  // Without an answer of the service, nothing is known of the company.
  const isAsked = extent.withoutCompany !== true && service.status === 'ok';
  const company = isAsked ? await checkCompany(context) : [];
  if (!extent.ci) return { lines: [...offline, service, clock, ...company], written: 0 };
  const { checkPipeline } = await import('./ci-checks.js');
  return { lines: [...offline, service, clock, ...company, ...(await checkPipeline(context, settings))], written: 0 };
}

async function probed(
  context: Context,
  {
    settings,
    offline,
    write,
  }: { readonly settings: Settings; readonly offline: readonly Check[]; readonly write: boolean },
): Promise<Examined> {
  const [{ probeService }, { profileToWrite, withAdvice, writeSettings }] = await Promise.all([
    import('./probe.js'),
    import('./probe-write.js'),
  ]);
  const profile = write ? await profileToWrite(context) : undefined;
  const rows = await probeService(context, settings);
  const written = profile === undefined ? 0 : await writeSettings(context, profile, rows);
  const shown = written > 0 ? rows : rows.map((row) => withAdvice(row));
  return { lines: [...offline, ...shown], written };
}

function summary(lines: readonly Line[]): Text {
  const count = (status: Line['status']): number => lines.filter((line) => line.status === status).length;
  const [ok, warn, problem] = [count('ok'), count('warn'), count('problem')];
  const [differs, untested] = [count('differs'), count('untested')];
  return {
    en: `ok ${ok}, notes ${warn}, problems ${problem}, differences ${differs}, not tested ${untested}`,
    pt: `ok ${ok}, atenção ${warn}, problemas ${problem}, diferenças ${differs}, não testados ${untested}`,
  };
}

function stored(count: number): Text {
  const number = counted(count, nouns.setting);
  return {
    en: `the profile was changed (${number.en}); run the probe again to see the change at work`,
    pt: `o perfil foi alterado (${number.pt}); execute a verificação de novo para ver a alteração em uso`,
  };
}
