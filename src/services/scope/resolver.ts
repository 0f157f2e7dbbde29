import { placeOf } from '../../config/layers.js';
import type { Text } from '../../contract/text.js';
import { isOutOfService } from '../../domain/call-end.js';
import {
  aliasKey,
  closestFirst,
  companiesCalled,
  companiesNamed,
  countedAs,
  isIdShaped,
  taxNumberIn,
  wordsIn,
} from '../../domain/company-reference.js';
import { formatCnpj } from '../../domain/tax-number.js';
import { FiscalError, type ErrorDetail, type ErrorFacts } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../context.js';
import {
  keepCompanies,
  knownCompanies,
  knownCompany,
  listAccount,
  readAccountCompany,
  storeMentions,
  type Keeper,
} from './account.js';
import type { AccountCompany, CompanyLabel, FindOptions, Scope } from './scope.js';

/** What a resolver needs of a run. */
export type ScopeSources = Pick<
  Context,
  'client' | 'clock' | 'config' | 'flags' | 'interruption' | 'notice' | 'settings' | 'store'
>;

const MOST_CANDIDATES = 10;

/** Which companies and which tenant a run acts for: the one place that decides it. */
export function createScope(context: ScopeSources): Scope {
  const resolver = new Resolver(context);
  return {
    find: (words, options) => resolver.find(words, options),
    async named(options) {
      const words = await companyWords(context);
      return words === undefined ? undefined : await resolver.find(words, options);
    },
    async one(options) {
      const words = await companyWords(context);
      if (words === undefined) return undefined;
      if (words.length > 1) throw oneCompanyOnly(words, options?.what);
      const [company] = await resolver.find(words, options);
      return company;
    },
    async all() {
      const companies = await resolver.all();
      if (companies.length === 0) throw new FiscalError('company.none', {}, { hint: createOne });
      return companies;
    },
    async remember(companies) {
      await keepCompanies(context, companies, false);
      resolver.forgetKnown();
    },
    async labels(storeNamespace) {
      const known = await resolver.knownById(storeNamespace);
      const counted = new Map([...known].map(([id, company]) => [countedAs(id), company]));
      return (id) => labelOf(id === undefined ? undefined : (known.get(id) ?? counted.get(countedAs(id))));
    },
    async tenant() {
      const { tenant } = await context.settings();
      if (tenant?.includes(',') === true) throw oneTenantOnly(tenant);
      return tenant;
    },
  };
}

/** The one company that a text names. Errors: those of `Scope.find`; `usage.invalid` for two. */
export async function oneAmong(scope: Pick<Scope, 'find'>, text: string): Promise<AccountCompany> {
  const words = wordsIn(text);
  const [company] = words.length === 1 ? await scope.find(words) : [];
  if (company !== undefined) return company;
  throw words.length > 1 ? oneCompanyOnly(words) : invalidValue('COMPANY', text, aCompany);
}

/**
 * The id of the one company that the argument of a command names. An id is taken as it is, since the command reads it anyway.
 * Errors: those of `oneAmong`.
 */
export async function idAmong(context: Pick<Context, 'scope'>, text: string): Promise<string> {
  const word = text.trim();
  if (isOnlyAnId(word)) return word;
  return (await oneAmong(await context.scope(), text)).id;
}

/**
 * Throws `company.ambiguous` when a word already names another company of the account, as far as this machine knows: whole, or
 * as the beginning of names that are not the name of `company`.
 */
export async function requireFreeWord(context: Keeper, word: string, company: AccountCompany): Promise<void> {
  const known = await knownCompanies(context);
  const begun = companiesNamed(word, known);
  const isItsOwn = begun.some(({ id }) => id === company.id);
  const others = (isItsOwn ? companiesCalled(word, known) : begun).filter(({ id }) => id !== company.id);
  if (others.length === 0) return;
  const named = [company, ...others];
  const facts: ErrorFacts = { sent: 'no', details: candidates(named), hint: chooseAnother };
  throw new FiscalError('company.ambiguous', { value: shown(word), count: named.length }, facts);
}

export function labelOf(company: Omit<AccountCompany, 'id'> | undefined): CompanyLabel {
  const { name, taxNumber } = company ?? {};
  return {
    ...(name === undefined ? {} : { companyName: name }),
    ...(taxNumber === undefined ? {} : { companyTaxNumber: taxNumber }),
  };
}

class Resolver {
  readonly #found = new Map<string, AccountCompany>();
  /** Words that name no company: rows of a file repeat them, and the service is asked once. */
  readonly #notFound = new Map<string, FiscalError>();
  #all: Promise<readonly AccountCompany[]> | undefined;
  #known: Promise<ReadonlyMap<string, AccountCompany>> | undefined;

  constructor(private readonly context: ScopeSources) {}

  async all(): Promise<readonly AccountCompany[]> {
    this.#all ??= this.#list();
    return await this.#all;
  }

  async knownById(storeNamespace?: string): Promise<ReadonlyMap<string, AccountCompany>> {
    const { storeNamespace: own } = await this.context.settings();
    if (storeNamespace !== undefined && storeNamespace !== own)
      return byId(await knownCompanies(this.context, storeNamespace));
    this.#known ??= knownCompanies(this.context).then(byId);
    return await this.#known;
  }

  forgetKnown(): void {
    this.#known = undefined;
    this.#notFound.clear();
  }

  async find(words: readonly string[], { local = false }: FindOptions = {}): Promise<readonly AccountCompany[]> {
    const { aliases, dryRun } = await this.context.settings();
    const meant = words.map((word) => ({ word, meaning: meaningOf(word, aliases) }));
    for (const { word, meaning } of meant) {
      if (this.#found.has(word)) continue;
      const refused = this.#notFound.get(word);
      if (refused !== undefined) throw refused;
      if (word !== meaning) await this.#requireOneMeaning(word, meaning);
      const company = await this.#stored({ word, meaning }, local || dryRun);
      if (company !== undefined) this.#found.set(word, company);
    }
    const left = meant.filter(({ word }) => !this.#found.has(word));
    if (left.length > 0) await this.#ask(left, local);
    const companies = words.flatMap((word) => this.#found.get(word) ?? []);
    return [...new Map(companies.map((company) => [company.id, company])).values()];
  }

  /** An alias that is by now also the id, the CNPJ or the whole name of another company stands for neither. */
  async #requireOneMeaning(word: string, meaning: string): Promise<void> {
    const known = await this.knownById();
    const others = companiesCalled(word, [...known.values()]).filter(({ id }) => id !== meaning);
    if (others.length === 0) return;
    throw await this.#ambiguous(word, [known.get(meaning) ?? withoutName(meaning), ...others]);
  }

  /** What the store is enough for: an exact id; without network also names and CNPJs, and ids that only documents name. */
  async #stored({ word, meaning }: Meant, isOffline: boolean): Promise<AccountCompany | undefined> {
    const company = await knownCompany(this.context, meaning);
    if (company !== undefined || !isOffline) return company;
    if (await storeMentions(this.context, meaning)) return withoutName(meaning);
    const [first, ...others] = companiesNamed(meaning, [...(await this.knownById()).values()]);
    if (others.length > 0 && first !== undefined) throw await this.#ambiguous(word, [first, ...others]);
    return first;
  }

  async #ask(left: readonly Meant[], local: boolean): Promise<void> {
    const [{ dryRun }, hasKey] = [await this.context.settings(), !local || (await this.#hasKey())];
    for (const { word, meaning } of dryRun ? left : []) {
      // Nothing may be sent to check it, and the request is only shown.
      if (!isOnlyAnId(meaning)) throw await this.#unknown(word, [], notKnownHere);
      this.#found.set(word, withoutName(meaning));
    }
    const [first] = left;
    if (dryRun || first === undefined) return;
    if (!hasKey) throw await this.#unknown(first.word, [...(await this.knownById()).values()], notKnownHere);
    if (left.length === 1 && isOnlyAnId(first.meaning)) {
      await this.#askForOne(first);
    } else await this.#askForList(left);
  }

  async #askForOne({ word, meaning }: Meant): Promise<void> {
    try {
      const company = await readAccountCompany(this.context, meaning);
      if (company === undefined) throw await this.#unknown(word, await this.all().catch(() => []));
      await this.#keep([company], false);
      this.#found.set(word, company);
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      await this.#takeWithoutList({ word, meaning }, error);
    }
  }

  async #askForList(left: readonly Meant[]): Promise<void> {
    try {
      const companies = await this.all();
      for (const { word, meaning } of left) {
        const [company, ...others] = companiesNamed(meaning, companies);
        if (company === undefined) throw await this.#unknown(word, companies);
        if (others.length > 0) throw await this.#ambiguous(word, [company, ...others]);
        this.#found.set(word, company);
      }
    } catch (error) {
      if (!isUnanswered(error)) throw error;
      for (const one of left) await this.#takeWithoutList(one, error);
    }
  }

  /** Only an id stands for itself; a CNPJ or a name would be another word for an id that nobody here knows. */
  async #takeWithoutList({ word, meaning }: Meant, error: FiscalError): Promise<void> {
    const [company, ...others] = companiesCalled(meaning, [...(await this.knownById()).values()]);
    if (others.length > 0 && company !== undefined) throw await this.#ambiguous(word, [company, ...others]);
    if (company !== undefined) this.#found.set(word, company);
    else if (isOnlyAnId(meaning)) await this.#takeAsTyped({ word, meaning }, error);
    else if (!isForbidden(error)) throw error;
    else
      throw error.with({
        hint: {
          en: `the key may not list the companies, so "${shown(word)}" cannot be looked up: give the id of the company`,
          pt: `a chave não permite listar as empresas, portanto "${shown(word)}" não pode ser procurada: informe o id da empresa`,
        },
      });
  }

  async #takeAsTyped({ word, meaning }: Meant, error: FiscalError): Promise<void> {
    this.#found.set(word, withoutName(meaning));
    const why = isForbidden(error) ? mayNotRead : error.text;
    await this.context.notice({
      en: `company ${meaning} was not checked: ${why.en}`,
      pt: `a empresa ${meaning} não foi verificada: ${why.pt}`,
    });
  }

  async #list(): Promise<readonly AccountCompany[]> {
    const companies = await listAccount(this.context);
    await this.#keep(companies, true);
    return companies;
  }

  async #keep(companies: readonly AccountCompany[], isAll: boolean): Promise<void> {
    await keepCompanies(this.context, companies, isAll);
    this.forgetKnown();
  }

  async #hasKey(): Promise<boolean> {
    const [config, settings] = await Promise.all([this.context.config(), this.context.settings()]);
    try {
      await config.credential('invoice', settings);
      return true;
    } catch (error) {
      if (error instanceof FiscalError && error.code.startsWith('auth.no_')) return false;
      throw error;
    }
  }

  async #unknown(word: string, companies: readonly AccountCompany[], hint = seeTheList): Promise<FiscalError> {
    const details = candidates(closestFirst(word, companies));
    const facts: ErrorFacts = { sent: 'no', details, hint: await this.#withPlace(word, hint) };
    const error = new FiscalError('company.unknown', { value: shown(word) }, facts);
    this.#notFound.set(word, error);
    return error;
  }

  async #ambiguous(word: string, companies: readonly AccountCompany[]): Promise<FiscalError> {
    const hint = await this.#withPlace(word, nameItByCnpj);
    const facts: ErrorFacts = { sent: 'no', details: candidates(companies), hint };
    return new FiscalError('company.ambiguous', { value: shown(word), count: companies.length }, facts);
  }

  /** A company that nobody typed in this command line: the hint says where it is set. */
  async #withPlace(word: string, hint: typeof seeTheList): Promise<typeof seeTheList> {
    const { company } = await this.context.settings();
    if (!wordsIn(company ?? '').includes(word) || this.context.flags['company'] !== undefined) return hint;
    const shownSettings = await (await this.context.config()).show(this.context.flags);
    const origin = shownSettings.find(({ name }) => name === 'company')?.origin;
    if (origin === undefined) return hint;
    const place = placeOf('company', origin);
    return { en: `it is set by ${place}; ${hint.en}`, pt: `definida em ${place}; ${hint.pt}` };
  }
}

/** A word, and what it stands for: an alias stands for an id. */
interface Meant {
  readonly word: string;
  readonly meaning: string;
}

async function companyWords(context: ScopeSources): Promise<readonly string[] | undefined> {
  const { company } = await context.settings();
  if (company === undefined) return undefined;
  const words = wordsIn(company);
  if (words.length > 0) return words;
  throw invalidValue('--company', company, aCompany);
}

function isOnlyAnId(meaning: string): boolean {
  return isIdShaped(meaning) && taxNumberIn(meaning) === undefined;
}

function meaningOf(word: string, aliases: Readonly<Record<string, string>>): string {
  const alias = aliasKey(word);
  return Object.hasOwn(aliases, alias) ? (aliases[alias] ?? word) : word;
}

function byId(companies: readonly AccountCompany[]): ReadonlyMap<string, AccountCompany> {
  return new Map(companies.map((company) => [company.id, company]));
}

function isForbidden(error: unknown): boolean {
  return error instanceof FiscalError && error.facts.httpStatus === 403;
}

/** The service does not tell this key, or cannot tell now, what the companies are: a company named by its id needs neither. */
function isUnanswered(error: unknown): error is FiscalError {
  return isForbidden(error) || (error instanceof FiscalError && isOutOfService(error.facts.httpStatus ?? 0));
}

const mayNotRead: Text = {
  en: 'the key may not read the companies of the account',
  pt: 'a chave não permite ler as empresas da conta',
};

function withoutName(id: string): AccountCompany {
  return { id, name: undefined, taxNumber: undefined };
}

function candidates(companies: readonly AccountCompany[]): readonly ErrorDetail[] {
  const rows = companies
    .slice(0, MOST_CANDIDATES)
    .map(({ id, name, taxNumber }) => ({
      field: id,
      message: [name, taxNumber === undefined ? undefined : formatCnpj(taxNumber)]
        .filter((part) => part !== undefined)
        .join(', '),
    }));
  const more = companies.length - rows.length;
  const rest = { en: `and ${more} more: fiscal company list --all`, pt: `e mais ${more}: fiscal company list --all` };
  return more > 0 ? [...rows, { field: '', message: rest }] : rows;
}

function shown(word: string): string {
  return word.slice(0, 100);
}

function oneCompanyOnly(words: readonly string[], what: Text = thisCommand): FiscalError {
  const list = words.map(shown).join(', ');
  const message = {
    en: `${what.en} one company, and ${words.length} are given: ${list}`,
    pt: `${what.pt} uma empresa, e foram informadas ${words.length}: ${list}`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const thisCommand: Text = { en: 'this command acts for', pt: 'este comando atua para' };

function oneTenantOnly(tenant: string): FiscalError {
  const expected = { en: 'one tenant is expected', pt: 'espera-se um só tenant' };
  return invalidValue('--tenant', tenant, expected);
}

export const aCompany = {
  en: 'the id, CNPJ or name of a company is expected',
  pt: 'espera-se o id, o CNPJ ou o nome de uma empresa',
};

const seeTheList = {
  en: 'the companies of the account: fiscal company list',
  pt: 'as empresas da conta: fiscal company list',
};

const createOne = {
  en: 'register one with: fiscal company create; is the key of the right account? fiscal auth status',
  pt: 'cadastre uma com: fiscal company create; a chave é da conta certa? fiscal auth status',
};

const notKnownHere = {
  en: 'this machine has not seen it, and the service was not queried; first read the companies: fiscal company list --all',
  pt: 'esta máquina não a conhece, e nada foi perguntado ao serviço; primeiro leia as empresas: fiscal company list --all',
};

const chooseAnother = {
  en: 'it is the name or the id of another company: choose another word as the alias',
  pt: 'é o nome ou o id de outra empresa: escolha outra palavra como apelido',
};

const nameItByCnpj = { en: 'name it by its CNPJ or its id', pt: 'informe o CNPJ ou o id' };
