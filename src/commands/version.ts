import { define, does, example, wholeExample } from '../cli/define.js';
import { version } from '../domain/version.js';

const definition = define('The version of the program', 'A versão do programa', {
  options: {},
  examples: [
    wholeExample('fiscal --version', 'One line', 'Uma linha'),
    example('-o json', 'For a script', 'Para um script'),
  ],
});

const show = () => Promise.resolve({ data: { name: 'fiscal', version } });

export const command = does(definition, () => Promise.resolve(show));
