import type { Text } from '../../contract/text.js';
import type { SecretPlaces } from './keep-secret.js';

export interface SecretWords {
  readonly places: SecretPlaces;
  /** False: the user gave the secret and knows it. */
  readonly isNew: boolean;
  /** The secret itself, where it is to be shown: on a terminal, once. */
  readonly shown: string | undefined;
}

/** Where a secret is now. It stands in no data, so that no file or pipe gets it by accident. */
export function secretNotices({ places, isNew, shown }: SecretWords): readonly Text[] {
  const { profile, out } = places;
  return [
    ...(shown === undefined ? [] : [once(shown)]),
    ...(profile === undefined ? [] : [inProfile(profile)]),
    ...(out === undefined || !isNew ? [] : [inFile(out)]),
  ];
}

function once(secret: string): Text {
  return {
    en: `secret, shown this once: ${secret}`,
    pt: `segredo, mostrado só esta vez: ${secret}`,
  };
}

function inProfile(profile: string): Text {
  return {
    en: `the secret is kept with the keys of profile ${profile}, where "fiscal webhook listen" finds it`,
    pt: `o segredo fica guardado com as chaves do perfil ${profile}, onde "fiscal webhook listen" o encontra`,
  };
}

function inFile(out: string): Text {
  return { en: `the secret is in ${out}`, pt: `o segredo está em ${out}` };
}
