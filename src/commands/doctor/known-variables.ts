import { closestWord } from '../../cli/closest-word.js';
import { loadVerb } from '../../cli/command.js';
import { variableWord } from '../../cli/option-value.js';
import { sharedFlags } from '../../cli/shared-flags.js';
import { hostVariables } from '../../config/hosts.js';

/** Each also with `_FILE` and `_COMMAND`. */
export const secrets = [
  'FISCAL_INVOICE_KEY',
  'FISCAL_DATA_KEY',
  'FISCAL_JWT',
  'FISCAL_WEBHOOK_SECRET',
  'FISCAL_STORE_URL',
];

/** What a program of ours reads and no option is called after. */
const others = ['CONFIG_DIR', 'STATE_DIR', 'DATA_DIR', 'CACHE_DIR', 'PAGER', 'PROFILE'].map((name) => `FISCAL_${name}`);

/** Every variable with our prefix that this program or one of its commands reads. */
export async function knownVariables(): Promise<ReadonlySet<string>> {
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

/** The one that a misspelt name probably means. */
export function nearestVariable(name: string, known: ReadonlySet<string>): string | undefined {
  return closestWord(name, [...known]);
}
