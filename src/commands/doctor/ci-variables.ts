import { closestWord } from '../../cli/closest-word.js';
import { loadVerb } from '../../cli/command.js';
import { variableWord } from '../../cli/option-value.js';
import { sharedFlags } from '../../cli/shared-flags.js';
import { hostVariables } from '../../config/hosts.js';
import type { Environment } from '../../domain/world.js';
import type { Check } from './local-checks.js';

const secrets = ['FISCAL_INVOICE_KEY', 'FISCAL_DATA_KEY', 'FISCAL_JWT', 'FISCAL_WEBHOOK_SECRET', 'FISCAL_STORE_URL'];

/** What a program of ours reads and no option is called after. */
const others = ['CONFIG_DIR', 'STATE_DIR', 'DATA_DIR', 'CACHE_DIR', 'PAGER', 'PROFILE'].map((name) => `FISCAL_${name}`);

/** Names that are set and mean nothing, or of which only one counts. Values are never shown. */
export async function checkVariables(env: Environment): Promise<readonly Check[]> {
  const check = 'variables';
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const names = Object.keys(env).filter((name) => name.startsWith('FISCAL_') && isSet(name));
  const known = await knownVariables();
  const checks: Check[] = [];
  for (const name of names.filter((each) => !known.has(each)).toSorted()) {
    const meant = closestWord(name, [...known]);
    checks.push({
      ...{ check, status: 'problem' },
      found: { en: `${name} is set and means nothing`, pt: `${name} está definida e não significa nada` },
      advice:
        meant === undefined
          ? {
              en: `remove ${name}; see "fiscal help environment"`,
              pt: `remova ${name}; veja "fiscal help environment"`,
            }
          : { en: `set ${meant} instead, or remove it`, pt: `defina ${meant} no lugar, ou remova-a` },
    });
  }
  const pairs = [
    ...secrets.map((name) => [name, `${name}_FILE`, `${name}_COMMAND`].filter(isSet)),
    ['FISCAL_COMPANY', 'FISCAL_ALL_COMPANIES'].filter(isSet),
  ];
  for (const [first, ...rest] of pairs) {
    if (first === undefined || rest.length === 0) continue;
    const more = rest.join(', ');
    checks.push({
      ...{ check, status: 'warn' },
      found: { en: `${first} goes before ${more}`, pt: `${first} vale mais que ${more}` },
      advice: { en: `keep one of them: remove ${more}`, pt: `mantenha só uma: remova ${more}` },
    });
  }
  if (checks.length > 0) return checks;
  const count = String(names.length);
  return [
    { check, status: 'ok', found: { en: `FISCAL_*: ${count}, all known`, pt: `FISCAL_*: ${count}, todas conhecidas` } },
  ];
}

async function knownVariables(): Promise<ReadonlySet<string>> {
  const { groups, singles } = await import('../groups.js');
  const options = Object.keys(sharedFlags);
  for (const { load } of Object.values(singles)) options.push(...Object.keys((await load()).command.options));
  for (const { load } of Object.values(groups)) {
    for (const verb of Object.values((await load()).group.verbs))
      options.push(...Object.keys((await loadVerb(verb)).options));
  }
  const ofSecrets = secrets.flatMap((name) => [name, `${name}_FILE`, `${name}_COMMAND`]);
  return new Set([...options.map(variableWord), ...Object.values(hostVariables), ...ofSecrets, ...others]);
}
