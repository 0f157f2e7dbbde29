import { look } from './look.js';
import type { Stage } from './stage.js';

/** One invoice issued, one tax calculation, one look-up. */
export async function issuanceLife(stage: Stage): Promise<void> {
  await issue(stage);
  await calculate(stage);
  await lookUp(stage);
}

async function issue(stage: Stage): Promise<void> {
  stage.title({
    en: 'Issue an invoice once, though the command is typed twice',
    pt: 'Emitir uma nota uma só vez, mesmo repetindo o comando',
  });
  const sample = await stage.fiscal('invoice', 'issue', '--model', 'nfe', '--sample', '-o', 'json');
  await stage.file('nota.json', sample.data);
  const words =
    'invoice issue --model nfe --file nota.json --external-id PEDIDO-1001 --yes --wait --interval 300ms -o json';
  const first = await stage.fiscal(...words.split(' '));
  const second = await stage.fiscal(...words.split(' '));
  stage.check(
    { en: 'it is issued, and the second time it is the same one', pt: 'foi emitida, e na segunda vez é a mesma' },
    [first.exitCode, look(first.data, 'status'), second.exitCode, look(second.data, 'id')],
    [0, 'Issued', 0, look(first.data, 'id')],
  );
}

async function calculate(stage: Stage): Promise<void> {
  stage.title({ en: 'Calculate the taxes of a sale', pt: 'Calcular os tributos de uma venda' });
  const sample = await stage.fiscal('tax', 'calculate', '--sample', '-o', 'json');
  await stage.file('venda.json', sample.data);
  const query = 'items[0].[cfop, icms.vBC, icms.vICMS]';
  const { exitCode, data } = await stage.fiscal(
    ...['tax', 'calculate', '--file', 'venda.json', '--query', query, '-o', 'json'],
  );
  stage.check(
    { en: 'amounts come back as text', pt: 'os valores voltam como texto' },
    [exitCode, data],
    [0, [6102, '37.80', '4.54']],
  );
}

async function lookUp(stage: Stage): Promise<void> {
  stage.title({ en: 'Look a company up; the answer is kept', pt: 'Consultar uma empresa; a resposta fica guardada' });
  const words = ['lookup', 'cnpj', '11.222.333/0001-81', '-o', 'json'];
  const first = await stage.fiscal(...words);
  const second = await stage.fiscal(...words);
  stage.check(
    { en: 'the second time nothing is asked', pt: 'na segunda vez nada é consultado' },
    [first.exitCode, second.data, second.stderr.includes('--refresh')],
    [0, first.data, true],
  );
}
