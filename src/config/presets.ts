import type { HostName } from '../contract/operation.js';
import type { HostAddresses } from './files.js';

/** Published addresses of existing services, for `auth login --preset`. */
export const presets: Readonly<Record<string, Readonly<Record<HostName, string>>>> = {
  'nfe.io': {
    product: 'https://api.nfse.io',
    service: 'https://api.nfe.io',
    query: 'https://nfe.api.nfe.io',
    legalEntity: 'https://legalentity.api.nfe.io',
    naturalPerson: 'https://naturalperson.api.nfe.io',
    address: 'https://address.api.nfe.io',
  },
};

/** Those that were typed. */
export function typedHosts(hosts: Readonly<Partial<Record<HostName, string | undefined>>>): HostAddresses {
  return Object.fromEntries(Object.entries(hosts).filter(([, address]) => address !== undefined));
}
