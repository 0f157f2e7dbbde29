import type { Given } from '../../cli/command.js';
import type { alias as aliasDefinition } from './commands.js';
import { aliasKey, isAlias } from '../../domain/company-reference.js';
import type { Outcome } from '../../domain/outcome.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import { labelOf, oneAmong, requireFreeWord } from '../../services/scope/resolver.js';
import { storingProfile } from '../../services/scope/storing-profile.js';
import { sentenceOf } from '../../domain/sentence.js';
import { companyText } from '../../services/scope/text.js';

/** Stores an alias for a company in the profile. Errors: `usage.invalid_value`, `auth.no_profile`, `company.ambiguous`, those of `Scope.find`. */
export async function setAlias(
  context: Context,
  { alias: word = '', company }: Given<typeof aliasDefinition>,
): Promise<Outcome> {
  if (company === undefined) throw new FiscalError('usage.missing', { names: '<company>' }, { sent: 'no' });
  const profile = await storingProfile(context);
  const alias = checkedAlias(word);
  const found = await oneAmong(await context.scope(), company);
  await requireFreeWord(context, word, found);
  const { dryRun } = await context.settings();
  if (!dryRun) await (await context.config()).set(profile, `aliases.${alias}`, found.id);
  const whose = companyText(found);
  const would = dryRun
    ? sentenceOf('none', { en: `Dry run: ${alias} would mean ${whose}`, pt: `Simulação: ${alias} indicaria ${whose}` })
    : sentenceOf('good', { en: `${alias} means ${whose}`, pt: `${alias} indica ${whose}` });
  return { data: { profile, alias, companyId: found.id, ...labelOf(found) }, sentence: would };
}

/** The aliases of the profile, in alphabetical order. Error: `auth.no_profile`. */
export async function listAliases(context: Context): Promise<Outcome> {
  await storingProfile(context);
  const { aliases } = await context.settings();
  const label = await (await context.scope()).labels();
  const data = Object.entries(aliases)
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([alias, companyId]) => ({ alias, companyId, ...label(companyId) }));
  return { data };
}

/** Removes an alias; the company does not change. Error: `company.no_alias` where the profile has none. */
export async function removeAlias(
  context: Context,
  { remove: word = '' }: Given<typeof aliasDefinition>,
): Promise<Outcome> {
  const profile = await storingProfile(context);
  const alias = checkedAlias(word);
  const { aliases, dryRun } = await context.settings();
  if (!Object.hasOwn(aliases, alias)) throw new FiscalError('company.no_alias', { alias, profile }, { sent: 'no' });
  if (!dryRun) await (await context.config()).unset(profile, `aliases.${alias}`);
  const sentence = dryRun
    ? sentenceOf('none', { en: `Dry run: the alias ${alias} would go`, pt: `Simulação: o apelido ${alias} sairia` })
    : sentenceOf('good', { en: `alias ${alias} removed`, pt: `apelido ${alias} removido` });
  return { data: { profile, alias, companyId: aliases[alias], removed: !dryRun }, sentence };
}

function checkedAlias(word: string): string {
  if (isAlias(word)) return aliasKey(word);
  const expected = {
    en: 'expected a letter, then letters, digits, dots, dashes or underscores; not an id or a CNPJ',
    pt: 'espera-se uma letra e depois letras, algarismos, pontos, hífens ou sublinhados; não um id nem um CNPJ',
  };
  throw invalidValue('ALIAS', word, expected);
}
