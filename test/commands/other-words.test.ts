import { describe, expect, test } from 'vitest';
import { otherWords } from '../../src/commands/other-words.js';
import { loadCommands, parse } from '../support/commands.js';
import { runFiscal } from '../support/host.js';

const asText = { FISCAL_ERROR_FORMAT: 'text' };

async function hintFor(words: readonly string[], env = {}): Promise<string> {
  const { stderr, exitCode } = await runFiscal(words, { env: { ...asText, ...env } });
  expect(exitCode).toBe(2);
  return stderr.split('\n')[1] ?? '';
}

describe('a word that is no command suggests the commands that it means', () => {
  test.each([
    [['nfe'], '"fiscal inbound list --type nfe" or "fiscal invoice list --model nfe"? See fiscal --help'],
    [['nota'], '"fiscal inbound list" or "fiscal invoice list"? See fiscal --help'],
    [['DANFE'], '"fiscal inbound pdf" or "fiscal invoice pdf"? See fiscal --help'],
    [['Ciência'], '"fiscal manifestation submit"? See fiscal --help'],
    [['inbound', 'listar'], '"fiscal inbound list"? See fiscal inbound --help'],
    [['inbound', 'baixar'], '"fiscal inbound sync"? See fiscal inbound --help'],
    [['invoice', 'cancelar'], '"fiscal invoice cancel"? See fiscal invoice --help'],
    [['invoice', 'emitir'], '"fiscal invoice issue"? See fiscal invoice --help'],
    [['company', 'state-tax'], '"fiscal company registration"? See fiscal company --help'],
    [['company', 'inscrições'], '"fiscal company registration"? See fiscal company --help'],
    [['inbound', 'settings'], '"fiscal inbound capture"? See fiscal inbound --help'],
    [['backfill', 'wait'], '"fiscal backfill show"? See fiscal backfill --help'],
    [['certificate', 'get'], '"fiscal certificate list"? See fiscal certificate --help'],
    [['product', 'consultar'], '"fiscal product get"? See fiscal product --help'],
    [['manifestation', 'enviar'], '"fiscal manifestation submit"? See fiscal manifestation --help'],
  ])('%j', async (words, meant) => {
    expect(await hintFor(words)).toBe(`  hint: did you mean ${meant}`);
  });

  test('in Portuguese', async () => {
    expect(await hintFor(['danfe'], { LANG: 'pt_BR.UTF-8' })).toBe(
      '  dica: você quis dizer "fiscal inbound pdf" ou "fiscal invoice pdf"? Veja fiscal --help',
    );
  });
});

test('every suggested command exists, and no word is a command already', async () => {
  const commands = await loadCommands();
  const nouns = new Set([...commands.keys()].map((name) => name.split(' ')[0]));
  const unknown = Object.values(otherWords.commands)
    .flat()
    .filter((command) => {
      const words = command.replace(/ --.*/, '');
      return !commands.has(words) && !nouns.has(words) && !['help', '--version'].includes(words);
    });
  expect(unknown).toEqual([]);
  expect(Object.keys(otherWords.commands).filter((word) => nouns.has(word))).toEqual([]);
  expect(await parse(['inbound', 'list', '--type', 'nfe'])).toBeDefined();
});

test('every suggested verb is a verb of some noun, or its first word', async () => {
  const verbs = new Set([...(await loadCommands()).keys()].flatMap((name) => name.split(' ').slice(1)));
  const unknown = Object.values(otherWords.verbs)
    .flat()
    .filter((verb) => !verbs.has(verb));
  expect([...new Set(unknown)]).toEqual([]);
});
