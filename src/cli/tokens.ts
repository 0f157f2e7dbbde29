import type { OptionSpecs } from './command.js';
import { flagWord } from './option-value.js';

/** What a token of the command line is, seen by the options that are known so far. */
export interface TokenReading {
  /** The name of the option, when the token is one that is known. */
  readonly name?: string;
  /** The value that stands in the token itself: `--output=json`, `-ojson`. */
  readonly value?: string;
  /** True when the option's value is the next token. */
  readonly takesNext: boolean;
}

const noOption: TokenReading = { takesNext: false };

/** Reads one token: which option it names, and whether the next token is its value. */
export function readToken(token: string, specs: OptionSpecs): TokenReading {
  if (token.startsWith('--')) return readLong(token, specs);
  if (token.startsWith('-') && token.length > 1) return readShort(token.slice(1), specs);
  return noOption;
}

function readLong(token: string, specs: OptionSpecs): TokenReading {
  const equals = token.indexOf('=');
  const word = equals === -1 ? token : token.slice(0, equals);
  const name = Object.keys(specs).find((candidate) => flagWord(candidate) === word);
  if (name === undefined) return noOption;
  if (equals !== -1) return { name, value: token.slice(equals + 1), takesNext: false };
  return { name, takesNext: specs[name]?.kind !== 'toggle' };
}

/** `-q`, `-qv`, `-o json`, `-ojson`: toggles may be joined, a value ends the token. */
function readShort(letters: string, specs: OptionSpecs): TokenReading {
  let name: string | undefined;
  for (let index = 0; index < letters.length; index += 1) {
    name = shortName(letters.charAt(index), specs);
    if (name === undefined) return noOption;
    if (specs[name]?.kind === 'toggle') continue;
    const rest = letters.slice(index + 1);
    return rest === '' ? { name, takesNext: true } : { name, value: rest, takesNext: false };
  }
  return name === undefined ? noOption : { name, takesNext: false };
}

function shortName(letter: string, specs: OptionSpecs): string | undefined {
  return Object.entries(specs).find(([, spec]) => 'short' in spec && spec.short === letter)?.[0];
}
