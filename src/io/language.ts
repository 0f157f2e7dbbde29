import type { Language } from '../contract/text.js';
import type { Environment } from '../domain/world.js';

/** `pt-BR`, `pt_BR.UTF-8` and `pt` give `pt`; any other value gives `en`; unset gives `undefined`. */
export function languageOf(tag: string | undefined): Language | undefined {
  if (tag === undefined || tag === '') return undefined;
  return /^pt(?:$|[-_.@])/i.test(tag) ? 'pt' : 'en';
}

/** The language of the machine, by the POSIX order of its variables. */
export function localeLanguage(env: Environment): Language {
  return languageOf(env['LC_ALL']) ?? languageOf(env['LC_MESSAGES']) ?? languageOf(env['LANG']) ?? 'en';
}

/** True for a locale with another encoding than UTF-8: `C`, `POSIX`, `pt_BR.ISO-8859-1`. Without one, UTF-8 is assumed. */
export function isAsciiLocale(env: Environment): boolean {
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '');
  if (locale === undefined || /utf-?8/i.test(locale)) return false;
  return locale === 'C' || locale === 'POSIX' || locale.includes('.');
}
