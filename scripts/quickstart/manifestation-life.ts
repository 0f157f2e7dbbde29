import { list, look } from './look.js';
import type { Stage } from './stage.js';

/** Events about received invoices: one accepted, one that the authority rejects, and a file of many. */
export async function manifestationLife(stage: Stage): Promise<void> {
  const keys = await receive(stage);
  await accept(stage, keys[0] ?? '');
  await reject(stage, keys[1] ?? '');
  await importMany(stage, keys.slice(2));
  await askTheService(stage, keys);
}

async function receive(stage: Stage): Promise<readonly string[]> {
  stage.title({ en: 'Let five invoices be received', pt: 'Receber cinco notas' });
  const { data } = await stage.fiscal('sandbox', 'seed', '--documents', '5', '-o', 'json');
  const keys = list(data).map((document) => String(look(document, 'accessKey')));
  stage.check({ en: 'five keys are known', pt: 'cinco chaves conhecidas' }, keys.length, 5);
  return keys;
}

async function accept(stage: Stage, key: string): Promise<void> {
  stage.title({ en: 'Confirm one and follow it to the end', pt: 'Confirmar uma e acompanhar até o fim' });
  const submitted = await stage.fiscal('manifestation', 'submit', key, '--event', 'confirmation', '-o', 'json');
  stage.check({ en: 'the event is on its way', pt: 'o evento está a caminho' }, submitted.exitCode, 0);
  const polled = await stage.fiscal('manifestation', 'poll', String(look(submitted.data, 'id')), '-o', 'json');
  stage.check(
    { en: 'the authority accepted it', pt: 'a autoridade aceitou' },
    [polled.exitCode, look(polled.data, 'status')],
    [0, 'Accepted'],
  );
}

async function reject(stage: Stage, key: string): Promise<void> {
  stage.title({
    en: 'See one rejected: the note was cancelled before its awareness',
    pt: 'Ver uma rejeição: a nota já estava cancelada antes da ciência',
  });
  await stage.fiscal(
    ...['sandbox', 'fault', 'add', '--of', 'authority', '--outcome', 'reject', '--code', '650', '--access-key', key],
    ...['-o', 'json'],
  );
  const words = ['manifestation', 'submit', key, '--event', 'awareness', '--wait', '-o', 'json'];
  const { exitCode, stderr } = await stage.fiscal(...words);
  stage.check(
    { en: 'the command ends 13, with the code of the authority', pt: 'termina com 13 e o código da autoridade' },
    [exitCode, stderr.includes('650')],
    [13, true],
  );
}

async function importMany(stage: Stage, keys: readonly string[]): Promise<void> {
  stage.title({
    en: 'Submit a file of events, twice: the second time nothing is sent',
    pt: 'Enviar um arquivo de eventos, duas vezes: na segunda nada é enviado',
  });
  await stage.file('events.csv', ['accessKey,event', ...keys.map((key) => `${key},210210`)].join('\n'));
  for (const time of [1, 2]) {
    const { exitCode, data } = await stage.fiscal(...'manifestation apply events.csv --wait --yes -o json'.split(' '));
    const summary = list(data).find((record) => look(record, 'type') === 'summary');
    stage.check(
      { en: `time ${time}: all were accepted`, pt: `vez ${time}: todos foram aceitos` },
      [exitCode, look(summary, 'succeeded')],
      [0, keys.length],
    );
  }
}

async function askTheService(stage: Stage, keys: readonly string[]): Promise<void> {
  stage.title({ en: 'Ask the service which events it took', pt: 'Perguntar ao serviço quais eventos recebeu' });
  const words = 'sandbox ledger --effects --operation nfe.manifestation.submit -o json'.split(' ');
  const { data } = await stage.fiscal(...words);
  const taken = list(data).map((entry) => String(look(entry, 'effect', 'accessKey')));
  stage.check(
    { en: 'one event for each invoice, none twice', pt: 'um evento por nota, nenhum repetido' },
    taken.toSorted((left, right) => left.localeCompare(right)),
    keys.toSorted((left, right) => left.localeCompare(right)),
  );
}
