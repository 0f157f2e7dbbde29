import type { Settings } from '../../config/settings.js';
import type { Text } from '../../contract/text.js';
import type { Check } from './check.js';

const check = 'addresses';
const setAdvice = {
  en: 'run "fiscal auth login", or set FISCAL_PRODUCT_URL',
  pt: 'execute "fiscal auth login", ou defina FISCAL_PRODUCT_URL',
};

/** Only https, except for this machine (§1, convention 6). */
export function checkHosts({ hosts, profile }: Settings): Check {
  if (profile === 'sandbox') {
    return {
      check,
      status: 'ok',
      found: { en: 'the sandbox of this machine', pt: 'o sandbox desta máquina' },
    };
  }
  const addresses = Object.entries(hosts);
  if (hosts.product === undefined) {
    return { check, status: 'problem', found: missing, advice: setAdvice };
  }
  const open = addresses.filter(([, address]) => !isProtected(address)).map(([name]) => name);
  if (open.length === 0) return { check, status: 'ok', found: list(addresses) };
  const names = open.join(', ');
  return {
    check,
    status: 'problem',
    found: { en: `not https: ${names}`, pt: `sem https: ${names}` },
    advice: setAdvice,
  };
}

const missing: Text = {
  en: 'there is no address for the host "product"',
  pt: 'não há endereço para o host "product"',
};

function list(addresses: readonly (readonly [string, string])[]): Text {
  const text = addresses.map(([name, address]) => `${name} ${address}`).join(', ');
  return { en: text, pt: text };
}

function isProtected(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'https:' || /^(localhost|\[::1\]|127(\.\d{1,3}){3})$/.test(hostname);
}
