import { splitCommand } from '../../src/domain/command-words.js';
import { list, look } from './look.js';
import type { Stage } from './stage.js';

const MONTH = '2026-10';

/** A month of received documents, proven; then the daily way of new NF-e from the summary to the full XML. */
export async function inboundLife(stage: Stage): Promise<void> {
  await seedMonth(stage);
  await lookAtSettings(stage);
  await sync(stage);
  await closeAndVerify(stage);
  await repair(stage);
  await reportOfTheMonth(stage);
  await fromSummaryToFull(stage);
}

/** A file is lost; the command that close prints brings it back. */
async function repair(stage: Stage): Promise<void> {
  stage.title({
    en: 'Lose a file: the close says so, and prints the command that repairs',
    pt: 'Perder um arquivo: o fechamento avisa e mostra o comando que repara',
  });
  await stage.remove('notas', '.xml');
  const words = ['inbound', 'close', MONTH, '--archive', 'notas', '-o', 'json'];
  const open = await stage.fiscal(...words);
  const command = String(look(recordOf(open.data, 'close'), 'repair'));
  stage.check(
    { en: 'the month is incomplete now', pt: 'o mês está incompleto agora' },
    [open.exitCode, look(recordOf(open.data, 'close'), 'verdict'), look(recordOf(open.data, 'gap'), 'kind')],
    [3, 'incomplete', 'file-missing'],
  );
  const split = splitCommand(command);
  const repaired = await stage.fiscal(...('words' in split ? split.words.slice(1) : []));
  const again = await stage.fiscal(...words);
  stage.check(
    { en: 'after that command it is complete again', pt: 'depois desse comando, está completo de novo' },
    [repaired.exitCode, again.exitCode],
    [0, 0],
  );
}

/** The page that an office hands over says what the close has proven. */
async function reportOfTheMonth(stage: Stage): Promise<void> {
  stage.title({ en: 'Write the month as a page', pt: 'Gerar o relatório do mês' });
  const words = ['report', 'month', MONTH, '--archive', 'notas', '--out', 'relatorios', '-o', 'json'];
  const { exitCode, data } = await stage.fiscal(...words);
  const report = recordOf(data, 'report');
  stage.check(
    {
      en: 'the page is written, and says that the month is complete',
      pt: 'a página está gravada e diz que o mês está completo',
    },
    [exitCode, look(report, 'verdict'), look(report, 'gaps')],
    [0, 'complete', 0],
  );
}

function recordOf(data: unknown, type: string): unknown {
  return list(data).find((record) => look(record, 'type') === type);
}

async function seedMonth(stage: Stage): Promise<void> {
  stage.title({ en: 'Let a month of documents be received', pt: 'Receber um mês de documentos' });
  const words = ['sandbox', 'seed', '--scenario', 'month', '--month', MONTH];
  const { exitCode } = await stage.fiscal(...words, '--documents', '60', '--companies', '1', '-o', 'json');
  stage.check({ en: 'the sandbox has them', pt: 'o sandbox os tem' }, exitCode, 0);
}

async function lookAtSettings(stage: Stage): Promise<void> {
  stage.title({ en: 'See whether the capture is on', pt: 'Ver se a captura está ligada' });
  const { data } = await stage.fiscal('inbound', 'capture', 'show', '--type', 'nfe', '-o', 'json');
  stage.check({ en: 'it is active', pt: 'está ativa' }, look(data, 'status'), 'Active');
}

async function sync(stage: Stage): Promise<void> {
  stage.title({
    en: 'Bring every document to the disk, twice: the second time nothing is new',
    pt: 'Trazer todos os documentos para o disco, duas vezes: na segunda não há nada novo',
  });
  const archived: unknown[] = [];
  for (let time = 1; time <= 2; time += 1) {
    const { exitCode, data } = await stage.fiscal(...'inbound sync --archive notas -o json'.split(' '));
    const summary = list(data).find((record) => look(record, 'type') === 'summary');
    archived.push([exitCode, Number(look(summary, 'archived')) >= 60, look(summary, 'failed')]);
  }
  stage.check(
    {
      en: 'all are there after the first, none came with the second',
      pt: 'todos vieram na primeira, nenhum na segunda',
    },
    archived,
    [
      [0, true, 0],
      [0, false, 0],
    ],
  );
}

async function closeAndVerify(stage: Stage): Promise<void> {
  stage.title({ en: 'Close the month, and prove it offline', pt: 'Fechar o mês e provar sem rede' });
  const closed = await stage.fiscal('inbound', 'close', MONTH, '--archive', 'notas', '-o', 'json');
  const summary = list(closed.data).find((record) => look(record, 'type') === 'summary');
  stage.check(
    { en: 'the month is complete', pt: 'o mês está completo' },
    [closed.exitCode, look(summary, 'complete'), look(summary, 'problems')],
    [0, 1, 0],
  );
  const [coverage] = list(look(recordOf(closed.data, 'close'), 'coverage'));
  stage.check(
    {
      en: 'its coverage says that the capture began before it, and that the list was read to its end',
      pt: 'a cobertura diz que a captura começou antes dele e que a lista foi lida até o fim',
    },
    [String(look(coverage, 'enabledSince')) < MONTH, look(coverage, 'list', 'readAt') !== null],
    [true, true],
  );
  const verified = await stage.fiscal('inbound', 'verify', '--archive', 'notas', '-o', 'json');
  const proof = list(verified.data).find((record) => look(record, 'type') === 'verify');
  stage.check({ en: 'every file is as it was', pt: 'cada arquivo está como era' }, look(proof, 'state'), 'proven');
}

async function fromSummaryToFull(stage: Stage): Promise<void> {
  stage.title({
    en: 'New NF-e come as summaries: send the Ciência, and the full XML follows',
    pt: 'NF-e novas chegam como resumo: enviar a ciência, e o XML completo vem depois',
  });
  const run = (words: string) => stage.fiscal(...words.split(' '), '-o', 'json');
  const waiting = async () => {
    const { exitCode, data } = await run('inbound list --summaries');
    return [exitCode, ...list(data).map((row) => look(row, 'awareness', 'state'))];
  };
  await run('sandbox seed --documents 3 --stage summary --spread 1m');
  await run('inbound sync --archive notas --type nfe');
  stage.check({ en: 'three wait for the Ciência', pt: 'três aguardam a ciência' }, await waiting(), [
    0,
    'open',
    'open',
    'open',
  ]);
  await run('manifestation plan --new --event awareness --out ciencia.csv');
  const applied = await run('manifestation apply ciencia.csv --wait --yes');
  stage.check({ en: 'every event was accepted', pt: 'todos os eventos foram aceitos' }, applied.exitCode, 0);
  // The authority delivers the full note some time after the event.
  await run('sandbox clock advance 1m');
  await run('inbound sync --archive notas --type nfe');
  stage.check({ en: 'no summary is left', pt: 'não resta nenhum resumo' }, await waiting(), [0]);
}
