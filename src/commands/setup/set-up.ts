import type { Given } from '../../cli/command.js';
import { join } from 'node:path';
import { safeName } from '../../archive/layout.js';
import { archiveLocation } from '../../archive/location.js';
import type { StoredKeys } from '../../config/credentials.js';
import type { HostAddresses } from '../../config/files.js';
import { typedHosts } from '../../config/presets.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Credential, Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import { companiesNamed } from '../../domain/company-reference.js';
import { fiscalLine } from '../../domain/command-words.js';
import type { Outcome } from '../../domain/outcome.js';
import { formatCnpj } from '../../domain/tax-number.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import { listAccount } from '../../services/scope/account.js';
import type { AccountCompany } from '../../services/scope/scope.js';
import { companyText } from '../../services/scope/text.js';
import type { setup } from './commands.js';
import { addCompletion, askCompletion, type Completion, completionOf } from './completion-line.js';

type SetupGiven = Given<typeof setup>;

interface Asking {
  readonly context: Context;
  readonly io: Io;
}

/** What is stored at the end, in one write. */
interface Answers {
  readonly profile: string;
  readonly hosts: HostAddresses;
  readonly keys: StoredKeys;
  readonly company: AccountCompany | undefined;
  readonly archive: string | undefined;
  readonly completion: Completion | undefined;
}

/**
 * Collects every answer, then stores them and checks the profile. Errors: `usage.missing` with every option that is needed
 * without a terminal, before anything is read; those of a login; `company.unknown`, `company.ambiguous`.
 */
export async function setUp(context: Context, given: SetupGiven, io: Io): Promise<Outcome> {
  const account = await chooseAccount({ context, io }, given);
  const { settings, credential, profile, hosts, keys } = account;
  const companies = credential === undefined ? [] : await companiesOf(context, { ...account, credential });
  const company =
    given.company === undefined
      ? await askCompany(io, companies, await storedCompany(context, profile))
      : companyCalled(given.company, companies);
  const archive =
    given.archive === undefined
      ? await askArchive({ context, io }, { profile, kept: settings.archive })
      : archiveLocation(context.cwd, given.archive);
  const completion =
    given.completion === undefined
      ? await askCompletion({ context, io })
      : await completionOf(context, given.completion);
  const answers = { profile, hosts, keys, company, archive, completion };
  if (settings.dryRun) return { data: shownAnswers(answers), notices: [nothingStored] };
  return await storeAndCheck(context, answers);
}

/** The company of the profile, whatever the environment names. */
async function storedCompany(context: Context, profile: string): Promise<string | undefined> {
  const config = await context.config();
  const isKnown = (await config.profiles()).includes(profile);
  const company = isKnown ? await config.get(profile, 'company') : undefined;
  return typeof company === 'string' ? company : undefined;
}

interface Account {
  readonly profile: string;
  readonly hosts: HostAddresses;
  readonly keys: StoredKeys;
  /** Those that the profile will have. */
  readonly settings: Settings;
  /** Absent for the sandbox, whose company is fixed, and without an invoice key. */
  readonly credential: Credential | undefined;
}

async function chooseAccount({ context, io }: Asking, given: SetupGiven): Promise<Account> {
  const config = await context.config();
  const typed = context.flags['profile'];
  const current = await config.current();
  const { productUrl, queryUrl, serviceUrl } = given;
  const hostsGiven = typedHosts({ product: productUrl, query: queryUrl, service: serviceUrl });
  const isGiven = given.service !== undefined || Object.keys(hostsGiven).length > 0;
  // Another service than the sandbox is never that of its profile.
  const leavesSandbox = current === sandboxProfile.name && (isGiven || io.mayAsk);
  const used = current === undefined || leavesSandbox ? 'default' : current;
  const profile = typeof typed === 'string' ? typed : used;
  const wantsSandbox = given.service === 'sandbox' || profile === sandboxProfile.name;
  if (wantsSandbox) return await sandboxAccount(context, typed);
  const known = (await config.profiles()).includes(profile);
  const stored = known ? await config.storedKeys(profile) : [];
  const { hosts: kept } = await config.draft(profile, {}, context.flags);
  const hasService = isGiven || Object.keys(kept).length > 0;
  const hasKeys = stored.length > 0 || given.keysFile !== undefined;
  if (!io.mayAsk) requireAnswers({ hasService, hasKeys });
  const [{ askService }, { presetHosts, assertAddress }, { askKeys, invoiceCredential, usableKeys }] =
    await Promise.all([import('../auth/ask-service.js'), import('../auth/login.js'), import('../auth/keys.js')]);
  const service =
    isGiven || !io.mayAsk
      ? { hosts: { ...presetHosts(given.service), ...hostsGiven } }
      : await askService(io, { kept, offersSandbox: typed === undefined });
  if ('sandbox' in service) return await sandboxAccount(context, undefined);
  const { hosts } = service;
  const settings = await config.draft(profile, hosts, context.flags);
  assertAddress(settings, profile);
  let keys: StoredKeys = {};
  if (given.keysFile !== undefined) keys = usableKeys(await keysIn(context, given.keysFile));
  else if (io.mayAsk) keys = usableKeys(await askKeys(io, stored.length > 0), stored.length > 0);
  const credential = invoiceCredential(keys, profile) ?? (await storedCredential(context, settings));
  return { profile, hosts, keys, settings, credential };
}

/** The sandbox is the profile of its own name: it is no answer for another one. */
async function sandboxAccount(context: Context, typed: unknown): Promise<Account> {
  const { name: profile } = sandboxProfile;
  if (typed !== undefined && typed !== profile)
    throw new FiscalError('usage.invalid', { message: ownName }, { sent: 'no' });
  const settings = await (await context.config()).settings({ ...context.flags, profile });
  return { profile, hosts: {}, keys: {}, settings, credential: undefined };
}

const ownName: Text = {
  en: 'the sandbox is the profile "sandbox": leave --profile out',
  pt: 'o sandbox é o perfil "sandbox": retire --profile',
};

function requireAnswers({ hasService, hasKeys }: { readonly hasService: boolean; readonly hasKeys: boolean }): void {
  const missing = [...(hasService ? [] : ['--service']), ...(hasKeys ? [] : ['--keys-file'])];
  if (missing.length === 0) return;
  const line = 'fiscal setup --service nfe.io --keys-file keys.txt';
  const hint: Text = {
    en: `without a terminal every answer is an option: ${line}`,
    pt: `sem terminal, cada resposta é uma opção: ${line}`,
  };
  throw new FiscalError('usage.missing', { names: missing.join(', ') }, { sent: 'no', hint });
}

async function keysIn(context: Context, path: string) {
  const [{ openSource }, { readKeys }] = await Promise.all([
    import('../../services/input/source.js'),
    import('../auth/keys.js'),
  ]);
  const source = await openSource(context, path, { again: false });
  return await readKeys(source.bytes(), source.name);
}

async function storedCredential(context: Context, settings: Settings): Promise<Credential | undefined> {
  try {
    return await (await context.config()).credential('invoice', settings);
  } catch (error) {
    if (error instanceof FiscalError && error.code.startsWith('auth.no_')) return undefined;
    throw error;
  }
}

/** The companies of the account: the read that also shows whether the service accepts the key. */
async function companiesOf(
  context: Context,
  account: Account & { readonly credential: Credential },
): Promise<readonly AccountCompany[]> {
  const { withKey } = await import('../auth/keys.js');
  const { interruption } = context;
  const { profile, hosts, keys } = account;
  return await withKey(context, account, {
    work: (client) => listAccount({ client: () => Promise.resolve(client), interruption }),
    async keep() {
      const hasNews = Object.keys({ ...hosts, ...keys }).length > 0;
      if (hasNews) await (await context.config()).storeAnswers(profile, { hosts, keys, settings: {} });
    },
  });
}

async function storeAndCheck(context: Context, answers: Answers): Promise<Outcome> {
  const { profile, hosts, keys, company, archive, completion } = answers;
  const config = await context.config();
  const settings = {
    ...(company === undefined ? {} : { company: company.id }),
    ...(archive === undefined ? {} : { archive }),
  };
  await config.storeAnswers(profile, { hosts, keys, settings });
  if (completion !== undefined) await addCompletion(completion);
  const [{ examine }, { shadowNotice }] = await Promise.all([
    import('../doctor/examine.js'),
    import('../auth/profiles.js'),
  ]);
  const extent = { online: true, probe: false, write: false, ci: false, withoutCompany: true } as const;
  const { data: checks, exitCode } = await examine(context.withProfile(profile), extent);
  const shadow = shadowNotice(context, profile);
  const named = shadow.length === 0 ? undefined : profile;
  const next = nextCommands(profile).map((command) => fiscalLine({ command, profile: named }));
  return {
    data: { ...shownAnswers(answers), current: true, path: config.path, checks, next },
    ...(exitCode === undefined ? {} : { exitCode }),
    notices: [...(keys.data === undefined ? [] : [dataKeyUnchecked]), ...shadow],
  };
}

function shownAnswers({ profile, hosts, keys, company, archive, completion }: Answers) {
  return {
    profile,
    hosts,
    keys: Object.keys(keys),
    ...(company === undefined ? {} : { company }),
    ...(archive === undefined ? {} : { archive }),
    ...(completion === undefined ? {} : { completion }),
  };
}

function nextCommands(profile: string): readonly string[] {
  return profile === sandboxProfile.name
    ? ['sandbox seed --documents 3', 'inbound sync', 'status']
    : ['doctor --probe', 'inbound sync', 'status'];
}

const nothingStored: Text = {
  en: 'nothing was stored, because of --dry-run',
  pt: 'nada foi gravado, por causa de --dry-run',
};

const dataKeyUnchecked: Text = {
  en: 'the data key is stored unchecked; to try it without a query: fiscal doctor --probe',
  pt: 'a chave de consulta foi gravada sem verificação; para testá-la sem uma consulta: fiscal doctor --probe',
};

const leave = '';

/** Asks for the company of the profile. `undefined`: it stays as it is. */
async function askCompany(
  io: Io,
  companies: readonly AccountCompany[],
  kept: string | undefined,
): Promise<AccountCompany | undefined> {
  if (!io.mayAsk || companies.length === 0) return undefined;
  const isPt = io.language === 'pt';
  const found = companies.find(({ id }) => id === kept);
  const shown = found === undefined ? kept : companyText(found);
  const answer = await io.prompts.search(isPt ? 'Empresa' : 'Company', [
    ...(shown === undefined ? [] : [{ value: leave, name: `${isPt ? 'Manter' : 'Keep'}: ${shown}` }]),
    ...companies.map(companyChoice),
    ...(shown === undefined ? [{ value: leave, name: isPt ? 'Nenhuma por enquanto' : 'None for now' }] : []),
  ]);
  return companies.find(({ id }) => id === answer);
}

function companyChoice({ id, name, taxNumber }: AccountCompany) {
  const parts = [name, taxNumber === undefined ? undefined : formatCnpj(taxNumber)];
  const known = parts.filter((part) => part !== undefined);
  return { value: id, name: known.length === 0 ? id : known.join('  ') };
}

/** The one company that a word names. Errors: `company.unknown`, `company.ambiguous`. */
function companyCalled(word: string, companies: readonly AccountCompany[]): AccountCompany {
  const [company, ...others] = companiesNamed(word, companies);
  const facts = { sent: 'no', details: detailsOf(company === undefined ? companies : [company, ...others]) } as const;
  if (company === undefined) throw new FiscalError('company.unknown', { value: word }, facts);
  if (others.length === 0) return company;
  throw new FiscalError('company.ambiguous', { value: word, count: others.length + 1 }, facts);
}

function detailsOf(companies: readonly AccountCompany[]) {
  return companies.slice(0, 10).map((company) => ({ field: company.id, message: companyChoice(company).name }));
}

/** Asks for the folder of the archive. `undefined`: it stays as it is. */
async function askArchive(
  { context, io }: Asking,
  { profile, kept }: { readonly profile: string; readonly kept: string | undefined },
): Promise<string | undefined> {
  if (!io.mayAsk) return undefined;
  const { cwd, directories, env } = context;
  const before = kept ?? join(directories.data, 'archive', safeName(profile));
  const question = io.language === 'pt' ? 'Pasta de documentos' : 'Folder of the archive';
  const typed = (await io.prompts.text(question, before)).trim();
  const home = env['HOME'];
  // No shell has read the answer.
  const path = home !== undefined && typed.startsWith('~/') ? join(home, typed.slice(2)) : archiveLocation(cwd, typed);
  return typed === '' || path === before ? undefined : path;
}
