import type { Text } from '../contract/text.js';
import { fiscalLine } from '../domain/command-words.js';
import { shown } from './layers.js';
import type { ProjectChoices } from './settings.js';

/** Says what a project file does to this run, and what of it has no effect. */
export function projectNotice({ path, set, without }: ProjectChoices): Text {
  const values = set.map(({ name, value }) => `${name} ${shown(value)}`).join(', ');
  const names = without.join(', ');
  const list = fiscalLine({ command: 'config list --show-origin', positionals: [] });
  const rest: Text =
    names === ''
      ? { en: '', pt: '' }
      : {
          en: ` and cannot change ${names}: it only fills a scope that is open, and tightens what protects`,
          pt: ` e não pode mudar ${names}: só preenche um escopo em aberto e reforça o que protege`,
        };
  return {
    en: `${path} sets ${values || 'nothing'} for this run${rest.en}; see: ${list}`,
    pt: `${path} define ${values || 'nada'} nesta execução${rest.pt}; veja: ${list}`,
  };
}
