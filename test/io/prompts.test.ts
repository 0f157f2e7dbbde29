import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Language } from '../../src/contract/text.js';
import type { Prompts } from '../../src/io/io.js';
import { terminalPrompts } from '../../src/io/prompts.js';

/** Asks, types `keys` once the question is drawn, and gives the answer and everything that was drawn. */
async function ask<Answer>(
  language: Language,
  question: (prompts: Prompts) => Promise<Answer>,
  keys: string,
): Promise<{ readonly answer: Answer; readonly drawn: string }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let drawn = '';
  let isTyped = false;
  output.on('data', (bytes: Buffer) => {
    drawn += bytes.toString();
    if (isTyped) return;
    isTyped = true;
    setImmediate(() => void typeInTurn(keys, input));
  });
  const prompts = terminalPrompts(() => ({ input, output }), new AbortController().signal, language);
  const answer = await question(prompts);
  return { answer, drawn: stripVTControlCharacters(drawn) };
}

/** A prompt looks for what was typed before it takes Enter: a `|` waits until it has drawn. */
async function typeInTurn(keys: string, input: PassThrough): Promise<void> {
  for (const part of keys.split('|')) {
    input.write(part);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }
}

const goOn = (prompts: Prompts) => prompts.confirm('Continuar?');

describe('a confirmation in Portuguese', () => {
  test.each([
    ['s\n', true, 'sim'],
    ['sim\n', true, 'sim'],
    ['SIM\n', true, 'sim'],
    ['Sim\n', true, 'sim'],
    ['S\n', true, 'sim'],
    ['y\n', true, 'sim'],
    ['n\n', false, 'não'],
    ['não\n', false, 'não'],
    ['nao\n', false, 'não'],
    ['NAO\n', false, 'não'],
    ['N\n', false, 'não'],
    ['\n', false, 'não'],
  ])('%j is %s, and the echo is %s', async (keys, answer, echo) => {
    const asked = await ask('pt', goOn, keys);
    expect(asked.answer).toBe(answer);
    expect(asked.drawn).toContain('Continuar? (s/N)');
    expect(asked.drawn.trimEnd()).toMatch(new RegExp(`${echo}$`, 'u'));
    expect(asked.drawn).not.toMatch(/Yes|No\b|y\/N/);
  });

  test('does not take another word for consent', async () => {
    const asked = await ask('pt', goOn, 'talvez\n|n\n');
    expect(asked.answer).toBe(false);
    expect(asked.drawn).toContain('Responda "sim" ou "não"');
  });
});

test('a confirmation in English takes yes and no', async () => {
  const asked = await ask('en', (prompts) => prompts.confirm('Go on?'), 'yes\n');
  expect(asked.answer).toBe(true);
  expect(asked.drawn).toContain('Go on? (y/N)');
});

test('a secret and a choice have no English text in Portuguese', async () => {
  const secret = await ask('pt', (prompts) => prompts.secret('Senha'), 'abc\n');
  expect(secret.answer).toBe('abc');
  expect(secret.drawn).toContain('[digitação oculta]');
  expect(secret.drawn).toContain('ctrl+t mostrar ou ocultar');
  const choice = await ask('pt', (prompts) => prompts.choose('Qual?', ['um', 'dois']), '\n');
  expect(choice.answer).toBe('um');
  expect(choice.drawn).toContain('↑↓ navegar • ⏎ selecionar');
  expect(secret.drawn + choice.drawn).not.toMatch(/masked|visibility|navigate|select\b/);
});

const companies = [
  { value: 'a', name: 'Padaria São João  12.345.678/0001-95', short: 'Padaria São João' },
  { value: 'b', name: 'Mercado \u001b[31mAzul' },
];

test.each(['en', 'pt'] as const)('one of many is found without accents (%s)', async (language) => {
  const found = await ask(language, (prompts) => prompts.search('?', companies), 'SAO JO|\n');
  expect(found.answer).toBe('a');
  expect(found.drawn.trimEnd()).toMatch(/Padaria São João$/u);
  expect(found.drawn).toContain(String.raw`Mercado \u001b[31mAzul`);
});

test('what is not found is said in Portuguese', async () => {
  const found = await ask('pt', (prompts) => prompts.search('?', companies), 'xyz|\u0015|\n');
  expect(found.answer).toBe('a');
  expect(found.drawn).toContain('> Nada encontrado');
  expect(found.drawn).not.toMatch(/results|navigate/);
});

test('all are ticked at first, none is no answer, and the echo is their number', async () => {
  const ticked = await ask('pt', (prompts) => prompts.tick('?', companies), 'a|\n| |\n');
  expect(ticked.answer).toEqual(['a']);
  expect(ticked.drawn).toContain('> Selecione pelo menos um');
  expect(ticked.drawn).toContain('espaço selecionar • a todos • i inverter • ⏎ confirmar');
  expect(ticked.drawn.trimEnd()).toMatch(/1\/2$/);
  expect(ticked.drawn).not.toMatch(/space|select\b|invert\b|submit|At least/);
});

test('an empty line takes the suggestion', async () => {
  const asked = await ask('en', (prompts) => prompts.text('Folder?', 'notas'), '\n');
  expect(asked.answer).toBe('notas');
});
