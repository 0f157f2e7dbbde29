import type { HostAddresses } from '../../config/files.js';
import { presets } from '../../config/presets.js';
import { sandboxProfile } from '../../config/sandbox-profile.js';
import type { Text } from '../../contract/text.js';
import type { Choice, Io } from '../../io/io.js';

/** The service of a profile: addresses to store (none: those that it has stay), or the sandbox of this machine. */
type ChosenService = { readonly hosts: HostAddresses } | { readonly sandbox: true };

interface ServiceQuestion {
  /** The addresses that the profile has. */
  readonly kept: HostAddresses;
  readonly offersSandbox: boolean;
}

const keep = 'keep';
const other = 'other';

/** Asks which service a profile uses. */
export async function askService(io: Io, { kept, offersSandbox }: ServiceQuestion): Promise<ChosenService> {
  const { prompts, language } = io;
  const has = Object.keys(kept).length > 0;
  const choices: readonly Choice[] = [
    ...(has ? [{ value: keep, name: `${words.keep[language]}  (${namesOf(kept)})` }] : []),
    ...Object.entries(presets).map(([name, hosts]) => ({
      value: name,
      name: `${name}  (${namesOf(hosts)})`,
      short: name,
    })),
    { value: other, name: words.other[language] },
    ...(offersSandbox ? [{ value: sandboxProfile.name, name: words.sandbox[language] }] : []),
  ];
  const answer = await prompts.choose(words.which[language], choices);
  if (answer === keep) return { hosts: {} };
  if (answer === sandboxProfile.name) return { sandbox: true };
  return { hosts: presets[answer] ?? (await askHosts(io)) };
}

async function askHosts({ prompts, language }: Io): Promise<HostAddresses> {
  const product = await prompts.text(words.product[language]);
  const query = await prompts.text(words.query[language]);
  const service = await prompts.text(words.service[language]);
  const given = Object.entries({ product, query, service }).filter(([, address]) => address.trim() !== '');
  return Object.fromEntries(given);
}

/** The first two addresses, without their scheme: a choice is one line. */
function namesOf(hosts: HostAddresses): string {
  const names = Object.values(hosts).map((address) => address.replace(/^https?:\/\//, ''));
  return [...names.slice(0, 2), ...(names.length > 2 ? ['…'] : [])].join(', ');
}

const words = {
  which: { en: 'Which service?', pt: 'Qual serviço?' },
  keep: { en: 'Keep the addresses', pt: 'Manter os endereços' },
  other: { en: 'Another address', pt: 'Outro endereço' },
  sandbox: {
    en: 'The sandbox of this machine  (no account, no keys)',
    pt: 'O sandbox desta máquina  (sem conta, sem chaves)',
  },
  product: { en: 'Address of the product API (https://…)', pt: 'Endereço da API de produto (https://…)' },
  query: { en: 'Address of the query API (empty: none)', pt: 'Endereço da API de consultas (vazio: nenhum)' },
  service: { en: 'Address of the service API (empty: none)', pt: 'Endereço da API de serviço (vazio: nenhum)' },
} as const satisfies Readonly<Record<string, Text>>;
