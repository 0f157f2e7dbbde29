import { expect, test } from 'vitest';
import { loadCommands } from '../support/commands.js';
import { runFiscal } from '../support/host.js';

test('--tenant is in the help of commands for products and tax calculation', async () => {
  const commands = await loadCommands();
  const named = [...commands].filter(([, { scope }]) => scope?.includes('tenant')).map(([name]) => name);
  const registry = [...commands.keys()].filter((name) => name.startsWith('product '));
  expect(named.toSorted()).toEqual(expect.arrayContaining(registry));
  expect(named.filter((name) => !registry.includes(name)).toSorted()).toEqual(['store adopt', 'tax calculate']);
});

test('the flag is among the shared ones, in both languages', async () => {
  const lines = async (...words: string[]) => (await runFiscal([...words, '--help', '--all'])).stdout.split('\n');
  const company = await lines('inbound', 'get', '--lang', 'pt-BR');
  const tenant = await lines('product', 'create', '--lang', 'pt-BR');
  const none = await lines('webhook', 'list');
  const shown = [company, tenant, none].map((help) => help.filter((line) => /--(company|tenant) /.test(line)));
  expect(shown.map((found) => found.map((line) => line.trim().replaceAll(/ {2,}/g, '  ')))).toEqual([
    ['--company <company>  Empresa: id, CNPJ, início do nome ou apelido'],
    ['--tenant <id>  Id do tenant (cadastro de produtos)'],
    [],
  ]);
});
