import { define, example, wholeExample } from '../cli/define.js';
import { version } from '../domain/version.js';

export const command = define('The version of the program', 'A versão do programa', {
  options: {},
  examples: [
    wholeExample('fiscal --version', 'One line', 'Uma linha'),
    example('-o json', 'For a script', 'Para um script'),
  ],
  run: () => Promise.resolve({ data: { name: 'fiscal', version } }),
});
