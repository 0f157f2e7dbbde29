import type { Text } from '../contract/text.js';
import { terminalLine } from '../domain/terminal-text.js';
import type { AnswerJournal, KeptAnswer } from '../jobs/answer-journal.js';
import { type Replayed, replayAnswers } from '../jobs/replay-answers.js';
import type { Store } from '../store/store.js';

/** Writes the answers that wait on this machine into the store, and says what became of them. */
export async function replayKeptAnswers(store: Store, journal: AnswerJournal): Promise<readonly Text[]> {
  return sentences(await replayAnswers(store, journal));
}

function sentences({ written, waiting, contradicted, orphaned, damaged }: Replayed): readonly Text[] {
  return [
    ...(written === 0 ? [] : [writtenNow(written)]),
    ...(waiting === 0 ? [] : [stillWaiting(waiting)]),
    ...contradicted.map(({ itemId, label }) => saysOtherwise(itemId, label)),
    ...orphaned.map(withoutItem),
    ...damaged.map(unreadable),
  ];
}

function writtenNow(count: number): Text {
  return {
    en: `the store has taken the answers that were kept on this machine: ${count}`,
    pt: `o estado recebeu as respostas que estavam guardadas nesta máquina: ${count}`,
  };
}

function stillWaiting(count: number): Text {
  return {
    en: `answers kept on this machine that wait until another machine has left their items: ${count}`,
    pt: `respostas guardadas nesta máquina que esperam até outra máquina deixar os itens delas: ${count}`,
  };
}

function saysOtherwise(itemId: string, label: string): Text {
  const item = `${terminalLine(label)} (${terminalLine(itemId)})`;
  return {
    en: `an answer that was kept on this machine says something else than the store about ${item}: check it at the service; the history of the item has both`,
    pt: `uma resposta guardada nesta máquina diz outra coisa que o estado sobre ${item}: confira no serviço; o histórico do item tem as duas`,
  };
}

/** It is removed, so the sentence says what it said. */
function withoutItem({ itemId, label, patch }: KeptAnswer): Text {
  const item = `${terminalLine(label)} (${terminalLine(itemId)})`;
  const said = terminalLine([patch.state, patch.resourceId ?? ''].join(' ').trim());
  return {
    en: `the store does not have ${item}, of which an answer was kept on this machine: ${said}`,
    pt: `o estado não tem ${item}, de que uma resposta estava guardada nesta máquina: ${said}`,
  };
}

function unreadable(path: string): Text {
  return {
    en: `an answer kept on this machine is damaged and was left as it is: ${path}`,
    pt: `uma resposta guardada nesta máquina está danificada e foi deixada como está: ${path}`,
  };
}
