import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { createAnswerJournal } from '../../jobs/answer-journal.js';
import type { Context } from '../../services/context.js';
import { replayKeptAnswers } from '../../services/kept-answers.js';
import type { CopyMark } from '../../store/copy-mark.js';
import { nameOf, openAt, type Place } from './place.js';

/** The answers that wait on this machine for the store with this id; those of another machine are not seen. */
export async function keptAnswers({ directories }: Pick<Context, 'directories'>, id: string) {
  const { answers, damaged } = await createAnswerJournal(directories.state, id).list();
  return { waiting: answers.length, damaged };
}

/** Answers that wait on this machine are written to their store before it is copied. Throws `store.answers_wait` for those that stay. */
export async function writeKeptAnswers(
  context: Context,
  { place, id, copy }: { readonly place: Place; readonly id: string; readonly copy?: CopyMark },
): Promise<void> {
  const journal = createAnswerJournal(context.directories.state, id);
  const countWaiting = async () => {
    const { waiting, damaged } = await keptAnswers(context, id);
    return waiting + damaged.length;
  };
  if ((await countWaiting()) === 0) return;
  if (copy === undefined) {
    const store = await openAt(context, place);
    try {
      for (const sentence of await replayKeptAnswers(store, journal)) await context.notice(sentence);
    } finally {
      await store.close();
    }
  }
  const count = await countWaiting();
  if (count === 0) return;
  const values = { path: nameOf(place), count, folder: journal.folder };
  throw new FiscalError('store.answers_wait', values, {
    sent: 'no',
    hint: copy === undefined ? whenFree : afterRelease,
  });
}

const whenFree: Text = {
  en: '"fiscal store status" writes them when no other machine works on their items, and names files that it cannot read; move such a file away when you have checked its item at the service',
  pt: '"fiscal store status" as grava quando nenhuma outra máquina trabalha nos itens delas, e indica arquivos que não consegue ler; tire um arquivo assim da pasta depois de conferir o item dele no serviço',
};

const afterRelease: Text = {
  en: 'give the copy up with "fiscal store release" on the store that it reads from, run "fiscal store status", which writes them, and copy again',
  pt: 'desista da cópia com "fiscal store release" no banco de origem, execute "fiscal store status", que as grava, e copie de novo',
};
