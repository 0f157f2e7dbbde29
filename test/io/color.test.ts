import { expect, test } from 'vitest';
import { colorLevel } from '../../src/io/color.js';
import { languageOf, localeLanguage } from '../../src/io/language.js';

test('colour is decided by the flag, then NO_COLOR, FORCE_COLOR, the terminal', () => {
  const levels = [
    colorLevel('auto', true, {}),
    colorLevel('auto', false, {}),
    colorLevel('never', true, { FORCE_COLOR: '3' }),
    colorLevel('always', false, { NO_COLOR: '1' }),
    colorLevel('auto', true, { NO_COLOR: '1', FORCE_COLOR: '1' }),
    colorLevel('auto', true, { NO_COLOR: '' }),
    colorLevel('auto', false, { FORCE_COLOR: '2' }),
    colorLevel('auto', true, { FORCE_COLOR: '0' }),
    colorLevel('auto', true, { TERM: 'dumb' }),
    colorLevel('auto', true, { CI: 'true' }),
    colorLevel('auto', true, { TERM: 'xterm-256color' }),
    colorLevel('auto', true, { COLORTERM: 'truecolor' }),
  ];
  expect(levels).toEqual([1, 0, 0, 1, 0, 1, 2, 0, 0, 0, 2, 3]);
});

test('the language is decided by the flag, then the locale, and is English otherwise', () => {
  expect(['pt-BR', 'pt_BR.UTF-8', 'pt', 'en', 'C', 'ptolemy', '', undefined].map(languageOf)).toEqual([
    'pt',
    'pt',
    'pt',
    'en',
    'en',
    'en',
    undefined,
    undefined,
  ]);
  expect(localeLanguage({ LANG: 'pt_BR.UTF-8' })).toBe('pt');
  expect(localeLanguage({ LANG: 'pt_BR.UTF-8', LC_MESSAGES: 'en_US.UTF-8' })).toBe('en');
  expect(localeLanguage({ LC_ALL: 'pt_PT', LC_MESSAGES: 'en_US.UTF-8' })).toBe('pt');
  expect(localeLanguage({})).toBe('en');
});
