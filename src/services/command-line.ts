import type { Settings } from '../config/settings.js';

/** The words to type to do this again, with the profile in use. They never hold a secret: no flag takes one. */
export function commandLine(words: readonly string[], settings: Settings): string {
  const profile = settings.profile === undefined ? [] : ['--profile', settings.profile];
  return ['fiscal', ...words, ...profile].map(quoted).join(' ');
}

function quoted(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
