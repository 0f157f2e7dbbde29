import { invalid } from '../core/refusal.js';

/** §4, check 1: 44 digits. Letters in the CNPJ (facts §1) only where the service has been told to know them. */
export function requireNfeKey(accessKey: string, lettersAllowed: boolean): void {
  const form = lettersAllowed ? /^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$/ : /^[0-9]{44}$/;
  if (!form.test(accessKey)) throw invalid('accessKey', 'Must have 44 digits.');
}

/** facts §2: 50 characters. */
export function requireNfseKey(accessKey: string, lettersAllowed: boolean): void {
  const form = lettersAllowed ? /^[0-9]{9}[0-9A-Z]{14}[0-9]{27}$/ : /^[0-9]{50}$/;
  if (!form.test(accessKey)) throw invalid('accessKey', 'Must have 50 digits.');
}
