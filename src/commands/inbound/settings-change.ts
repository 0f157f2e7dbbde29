import { fiscalLine } from '../../domain/command-words.js';
import { familyNames, type InboundFamily } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { counted, nouns } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { isRecord } from '../../domain/record.js';
import { ExitCode } from '../../errors/exit-code.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { activityOf, firstFields, updatable } from '../../domain/capture-settings.js';
import type { Context } from '../../services/context.js';
import { changeText } from '../../services/calls/merge-fields.js';
import { changesBetween, isSameValue, type JsonObject, merge } from '../../domain/field-changes.js';
import { companiesOf } from '../../services/scope/companies.js';
import { labelOf } from '../../services/scope/resolver.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import { notOffered } from './document.js';
import type { SettingsOptions } from './capture-commands.js';
import { requiredFamily } from './settings.js';
import { givenSettings } from './settings-fields.js';
import { assertActive, preview, readStanding, send, type Writing } from './settings-write.js';

/** What a company's settings are, where nothing is to be sent. */
interface Unchanged {
  readonly company: AccountCompany;
  readonly standing: JsonObject;
}

/** What a change means for one company. Errors: `usage.*`, `service.*`, those of a call. */
type Prepare = (company: AccountCompany) => Promise<Writing | Unchanged>;

/**
 * Begins the capture of one family. Where it stands already, what is not named stays as it is. Once enabled, the cut-off
 * moves only by `backfill start-from` (§2). Errors: `usage.*`, `service.unreadable`, those of a call.
 */
export async function enableInbound(context: Context, options: SettingsOptions): Promise<Outcome> {
  const family = requiredFamily(options.type);
  const companies = await companiesOf(context, { all: options.allCompanies });
  const given = await givenSettings(context, family, options);
  return await changeSettings(context, { family, options, companies }, async (company) => {
    const standing = await readStanding(context, family, company.id);
    if (standing === undefined) {
      // The registration of NFS-e requires it (published); the shown changes say that 0 is sent.
      const first = family === 'nfse' ? { initialNsu: '0', ...given } : given;
      const changes = changesBetween({}, first);
      const whole = { body: first, before: {}, after: first, changes, isNew: true, enables: true };
      return { family, company, verb: 'enable', ...whole };
    }
    const named = withoutSame(given, standing);
    assertChangeable(named, { family, companyId: company.id });
    // A second registration of NFS-e is refused by the service.
    const verb = family === 'nfse' ? 'update' : 'enable';
    return writingOver({ family, company, verb, standing, named, enables: true });
  });
}

/**
 * Changes settings: they are read, merged with what was named at every depth, and sent. Errors: `usage.*` (a `startFromDate`
 * has an operation of its own, §2), `service.not_found`, `service.unreadable`, those of a call.
 */
export async function updateInbound(context: Context, options: SettingsOptions): Promise<Outcome> {
  const family = requiredFamily(options.type);
  const companies = await companiesOf(context, { all: options.allCompanies });
  if (family === 'cte') throw noUpdate();
  const named = await givenSettings(context, family, options);
  assertChangeable(named, { family, companyId: companies.map(({ id }) => id).join(',') });
  if (Object.keys(named).length === 0) throw nothingNamed();
  return await changeSettings(context, { family, options, companies }, async (company) => {
    const standing = await readStanding(context, family, company.id);
    if (standing === undefined) throw notEnabled(family, company.id);
    return writingOver({ family, company, verb: 'update', standing, named, enables: false });
  });
}

interface Standing extends Pick<Writing, 'family' | 'company' | 'verb' | 'enables'> {
  readonly standing: JsonObject;
  readonly named: JsonObject;
}

/** Error: `capture.not_active` where nothing is to be sent, and the capture that is to be on is not. */
function writingOver({ family, company, verb, standing, named, enables }: Standing): Writing | Unchanged {
  const before = updatable(standing, family);
  const after = merge(before, named);
  const changes = changesBetween(before, after);
  const isActive = activityOf(standing) !== 'inactive';
  if (changes.length === 0 && (verb === 'update' || isActive)) {
    if (enables) assertActive({ family, company }, standing, 'no');
    return { company, standing };
  }
  // The update of NFS-e is partial (public); the others are not promised to keep what does not come.
  const body = family === 'nfse' ? named : after;
  return { family, company, verb, body, before, after, changes, isNew: false, enables };
}

interface Work {
  readonly family: InboundFamily;
  readonly options: SettingsOptions;
  readonly companies: readonly AccountCompany[];
}

async function changeSettings(
  context: Context,
  { family, options, companies }: Work,
  prepare: Prepare,
): Promise<Outcome> {
  const [company, ...others] = companies;
  if (company === undefined || others.length > 0 || options.allCompanies)
    return await changeMany(context, { family, options, companies }, prepare);
  const prepared = await prepare(company);
  if ('standing' in prepared) {
    return { data: unchangedRow(family, prepared), notices: [nothingDiffers] };
  }
  const { dryRun, storeNamespace } = await context.settings();
  const { changes } = prepared;
  if (dryRun) return { data: { ...(await preview(context, prepared)), changes } };
  for (const change of changes) await context.notice(changeText(change));
  if (!prepared.isNew || manifestsItself(prepared)) {
    const confirmWith = { value: company.id, given: options.confirm };
    await context.consent({
      what: question(prepared, storeNamespace),
      ...(disowns(prepared) ? { confirmWith } : {}),
    });
  }
  return await send(context, prepared);
}

/** What became of one company among several. */
interface Row {
  readonly data: JsonObject;
  readonly isFailed: boolean;
  readonly notices: readonly Text[];
}

/**
 * Reads the settings of every company first, shows each difference, asks once, and then writes one company after the other.
 * A company that fails keeps its row, with the reason, and the others go on: exit 3. What concerns every company (an
 * interruption, a refused key) ends the run with its own exit code; the rows show what was written before.
 */
async function changeMany(
  context: Context,
  { family, options, companies }: Work,
  prepare: Prepare,
): Promise<Outcome> {
  const { dryRun } = await context.settings();
  const rows = new Map<string, Row>();
  const writings: Writing[] = [];
  for (const company of companies) {
    const prepared = await attempt(context, () => prepare(company));
    if (prepared instanceof FiscalError) rows.set(company.id, failedRow(family, company, prepared));
    else if ('changes' in prepared) writings.push(prepared);
    else rows.set(company.id, { data: unchangedRow(family, prepared), isFailed: false, notices: [] });
  }
  if (writings.length > 0 && !dryRun)
    await askForMany(context, { family, options }, { writings, rows: [...rows.values()] });
  let end: FiscalError | undefined;
  for (const writing of writings) {
    const { company, changes } = writing;
    if (end !== undefined) {
      rows.set(company.id, failedRow(family, company, end.with({ sent: 'no' })));
      continue;
    }
    const working = attempt(context, async () =>
      dryRun ? { data: { ...(await preview(context, writing)), changes } } : await send(context, writing),
    );
    const outcome = await working.catch((error: unknown) => {
      if (dryRun || !(error instanceof FiscalError)) throw error;
      end = endOf(context, error);
      return end;
    });
    if (outcome instanceof FiscalError) rows.set(company.id, failedRow(family, company, outcome));
    else {
      const { data, notices = [] } = outcome;
      // `send` and the preview give one record.
      rows.set(company.id, {
        data: { ...own(family, company), ...(data as JsonObject) },
        isFailed: false,
        notices,
      });
    }
  }
  const inOrder = companies.flatMap(({ id }) => rows.get(id) ?? []);
  const ended = inOrder.some(({ isFailed }) => isFailed) ? ExitCode.partial : ExitCode.ok;
  return {
    data: inOrder.map(({ data }) => data),
    exitCode: end === undefined ? ended : end.exitCode,
    notices: [
      ...inOrder.flatMap(({ notices }) => notices),
      ...(end === undefined ? [] : await stoppedNotices(context, companies, end)),
    ],
  };
}

/** An interruption says so, whatever the call that it broke off says. */
function endOf({ interruption }: Pick<Context, 'interruption'>, error: FiscalError): FiscalError {
  const reason: unknown = interruption.reason;
  if (!interruption.aborted || !(reason instanceof FiscalError)) return error;
  return reason.with({ sent: error.facts.sent ?? 'unknown' });
}

async function stoppedNotices(
  context: Context,
  companies: readonly AccountCompany[],
  end: FiscalError,
): Promise<readonly Text[]> {
  const company = companies.map(({ id }) => id).join(',');
  const line = (await context.goOn.commandFor({ company, tenant: undefined, needsInput: true }))('');
  return [
    end.text,
    {
      en: `stopped early; the rows show what was written, and the same command writes only what still differs: ${line}`,
      pt: `parou antes do fim; o que foi gravado está nas linhas, e o mesmo comando grava só o que ainda difere: ${line}`,
    },
  ];
}

/** Errors: those that concern every company (no or a wrong key, an interruption), and what is no error of a call. */
async function attempt<Value>(context: Context, work: () => Promise<Value>): Promise<Value | FiscalError> {
  try {
    return await work();
  } catch (error) {
    const isOfOne = error instanceof FiscalError && !error.code.startsWith('auth.');
    if (!isOfOne || error.facts.httpStatus === 401 || context.interruption.aborted) throw error;
    return error;
  }
}

async function askForMany(
  context: Context,
  { family, options: { confirm } }: Omit<Work, 'companies'>,
  { writings, rows }: { readonly writings: readonly Writing[]; readonly rows: readonly Row[] },
): Promise<void> {
  const { storeNamespace } = await context.settings();
  for (const { company, changes } of writings) {
    for (const change of changes) {
      const [text, whose] = [changeText(change), companyText(company)];
      await context.notice({ en: `${whose}: ${text.en}`, pt: `${whose}: ${text.pt}` });
    }
  }
  const failed = rows.filter(({ isFailed }) => isFailed).length;
  const counts = {
    ...{ family, storeNamespace, failed, companies: writings.length, unchanged: rows.length - failed },
    begun: writings.filter(({ isNew }) => isNew).length,
  };
  const disowning = writings.filter(disowns);
  const automatic = writings.some(manifestsItself) ? automaticText : { en: '', pt: '' };
  const minutes = [...new Set(disowning.map(({ after }) => String(disownMinutes(after))))].join(', ');
  const effect = disowning.length > 0 ? disowningText(minutes) : automatic;
  const sorted = (ids: readonly string[]) => ids.toSorted().join(',');
  const value = sorted(disowning.map(({ company }) => company.id));
  const given = confirm === undefined ? undefined : sorted(confirm.split(',').map((id) => id.trim()));
  await context.consent({
    what: manyText(counts, effect),
    ...(disowning.length > 0 ? { confirmWith: { value, given } } : {}),
  });
}

interface Counts {
  readonly family: InboundFamily;
  readonly storeNamespace: string;
  readonly companies: number;
  readonly begun: number;
  readonly unchanged: number;
  readonly failed: number;
}

function manyText(
  { family, storeNamespace, companies, begun, unchanged, failed }: Counts,
  effect: Text,
): Text {
  const many = counted(companies, nouns.company);
  return {
    en: `changing the settings of ${family} for ${many.en}, ${begun} of them new (${unchanged} already have these values, ${failed} cannot be changed; profile ${storeNamespace})${effect.en}`,
    pt: `alterar as configurações de ${family} de ${many.pt}, ${begun} delas novas (${unchanged} já estão assim, ${failed} não podem ser alteradas; perfil ${storeNamespace})${effect.pt}`,
  };
}

function own(family: InboundFamily, company: AccountCompany): JsonObject {
  return { family, companyId: company.id, ...labelOf(company) };
}

function unchangedRow(family: InboundFamily, { company, standing }: Unchanged): JsonObject {
  return { ...standing, ...own(family, company) };
}

function failedRow(family: InboundFamily, company: AccountCompany, error: FiscalError): Row {
  const { code, text, facts } = error;
  const sent = facts.sent === undefined ? {} : { sent: facts.sent };
  return {
    data: { ...own(family, company), errorCode: code, error: text.en, ...sent },
    isFailed: true,
    notices: [],
  };
}

/** Where the capture began is history: named again with the same value it changes nothing. */
function withoutSame(given: JsonObject, standing: JsonObject): JsonObject {
  const isSame = (name: string, value: unknown) =>
    firstFields.includes(name) && isSameValue(value, standing[name] ?? null, name);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isSame(name, value)));
}

/** §2: the cut-off changes only by the maintenance operation; where the capture began is history. */
function assertChangeable(
  changes: JsonObject,
  capture: { readonly family: InboundFamily; readonly companyId: string },
): void {
  if ('startFromDate' in changes) {
    const message = {
      en: 'startFromDate does not change once the capture is enabled; nothing was sent',
      pt: 'startFromDate não muda depois que a captura é ativada; nada foi enviado',
    };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no', hint: cutOffHint(capture) });
  }
  const fixed = ['startFromNsu', 'initialNsu'].find((name) => name in changes);
  if (fixed === undefined) return;
  const message = {
    en: `${fixed} does not change once the capture is enabled; nothing was sent`,
    pt: `${fixed} não muda depois que a captura é ativada; nada foi enviado`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

/** Whether the change makes the service submit events on its own that it did not submit before. */
function manifestsItself({ changes, after }: Writing): boolean {
  const touched = changes.some(({ field }) => /^(isA|a)utomaticManifest/.test(field));
  return (
    touched && (isRecord(after['automaticManifesting']) || after['isAutomaticManifestationEnabled'] === true)
  );
}

/** Whether the change makes the service disown operations (210220) on its own. */
function disowns({ before, after }: Writing): boolean {
  const minutes = disownMinutes(after);
  return minutes !== undefined && minutes !== disownMinutes(before);
}

function disownMinutes(settings: JsonObject): unknown {
  const automatic = settings['automaticManifesting'];
  return isRecord(automatic) ? (automatic['minutesToUnknownOperation'] ?? undefined) : undefined;
}

function question(writing: Writing, storeNamespace: string): Text {
  const { family, company, changes, after } = writing;
  const whose = companyText(company);
  const count = counted(changes.length, nouns.setting);
  const automatic = manifestsItself(writing) ? automaticText : { en: '', pt: '' };
  const disowning = disowns(writing) ? disowningText(String(disownMinutes(after))) : automatic;
  return {
    en: `changing ${count.en} of ${family} for company ${whose} (profile ${storeNamespace})${disowning.en}`,
    pt: `alterar ${count.pt} de ${family} da empresa ${whose} (perfil ${storeNamespace})${disowning.pt}`,
  };
}

const automaticText: Text = {
  en: ': the service then submits events to the tax authority on its own',
  pt: ': o serviço passa a enviar eventos à autoridade fiscal sozinho',
};

function disowningText(minutes: string): Text {
  return {
    en: `: the service then disowns (210220) on its own every operation without another event after ${minutes} minutes`,
    pt: `: o serviço passa a desconhecer (210220) sozinho toda operação sem outro evento depois de ${minutes} minutos`,
  };
}

function nothingNamed(): FiscalError {
  const names = { en: 'a setting to change', pt: 'uma configuração a alterar' };
  return new FiscalError('usage.missing', { names }, { sent: 'no' });
}

function notEnabled(family: InboundFamily, companyId: string): FiscalError {
  const flags = [['--type', family]] as const;
  const command = fiscalLine({ command: 'inbound capture enable', flags, company: companyId });
  const message = {
    en: `company ${companyId} has no capture of ${family}`,
    pt: `a empresa ${companyId} não tem captura de ${family}`,
  };
  const hint = { en: `to begin: ${command}`, pt: `para começar: ${command}` };
  return new FiscalError('service.not_found', { message }, { sent: 'no', httpStatus: 404, hint });
}

function noUpdate(): FiscalError {
  return notOffered(
    {
      en: 'the service has no operation that updates the settings of CT-e',
      pt: 'o serviço não tem operação que altere as configurações de CT-e',
    },
    {
      en: 'enable takes them again and keeps what it does not name: fiscal inbound capture enable --type cte',
      pt: 'enable as recebe de novo e mantém o que não é indicado: fiscal inbound capture enable --type cte',
    },
  );
}

const nothingDiffers: Text = {
  en: 'the settings already have these values; nothing was sent',
  pt: 'as configurações já estão assim; nada foi enviado',
};

/** The maintenance operation is one of NFS-e; no other family has one. */
function cutOffHint({
  family,
  companyId,
}: {
  readonly family: InboundFamily;
  readonly companyId: string;
}): Text {
  if (family !== 'nfse') {
    const name = familyNames[family];
    return {
      en: `the service publishes no operation that moves the cut-off of ${name}; its support can say what is possible`,
      pt: `o serviço não publica nenhuma operação que altere a data de corte de ${name}; consulte o suporte do serviço`,
    };
  }
  const flags = fiscalLine({ command: 'backfill start-from', company: companyId });
  const command = flags.replace('start-from', 'start-from <date>');
  return {
    en: `the cut-off is moved by: ${command}`,
    pt: `a data de corte é alterada por: ${command.replace('<date>', '<data>')}`,
  };
}
