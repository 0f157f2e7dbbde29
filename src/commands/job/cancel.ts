import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { Outcome } from '../../domain/outcome.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import { labelsOf, ownJob, previewJob, shownJob, whoseJob } from './read.js';
import { sentenceOf } from '../../domain/sentence.js';

/** Cancels the items that were not sent yet. Items in progress stay and are reported. */
export async function cancelJob(context: Context, { id }: { readonly id: string }): Promise<Outcome> {
  const store = await context.store();
  const job = await ownJob(context, id);
  if ((await context.settings()).dryRun) return await previewJob(context, job, ['prepared']);
  const { prepared } = await store.jobs.counts(job.id);
  await context.consent({ what: cancelling(job.id, prepared, await whoseJob(context, job)) });
  const cancelled = await (await context.jobs()).cancel(job.id);
  const counts = await store.jobs.counts(job.id);
  const after = await store.jobs.get(job.id);
  const onTheWay = counts.sending + counts.pending;
  const shown = shownJob(after ?? { ...job, state: 'cancelled' }, await labelsOf(context, job));
  return {
    data: { ...shown, cancelled, counts },
    sentence: sentenceOf(
      counts.prepared + onTheWay + counts.uncertain === 0 ? 'good' : 'warn',
      cancelledText(cancelled),
    ),
    ...(counts.prepared === 0 ? {} : { exitCode: ExitCode.held }),
    notices: [
      ...(onTheWay === 0 ? [] : [left(job.id, onTheWay)]),
      ...(counts.prepared === 0 ? [] : [held(job.id, counts.prepared)]),
      ...(counts.uncertain === 0 ? [] : [resolveHint(job.id, counts.uncertain)]),
    ],
  };
}

function cancelling(id: string, count: number, whose: Text): Text {
  return counted(count, {
    en: [
      `cancel # item of job ${id} that was not sent yet (${whose.en})`,
      `cancel # items of job ${id} that were not sent yet (${whose.en})`,
    ],
    pt: [
      `cancelar # item do lote ${id} que ainda não foi enviado (${whose.pt})`,
      `cancelar # itens do lote ${id} que ainda não foram enviados (${whose.pt})`,
    ],
  });
}

function held(id: string, count: number): Text {
  return counted(count, {
    en: [
      `# item is held by a running process and was not cancelled; stop it, then: fiscal job cancel ${id}`,
      `# items are held by a running process and were not cancelled; stop it, then: fiscal job cancel ${id}`,
    ],
    pt: [
      `# item está em um processo em execução e não foi cancelado; encerre-o e depois: fiscal job cancel ${id}`,
      `# itens estão em um processo em execução e não foram cancelados; encerre-o e depois: fiscal job cancel ${id}`,
    ],
  });
}

function resolveHint(id: string, count: number): Text {
  return counted(count, {
    en: [
      `# item may have arrived at the service and was not cancelled: fiscal job items ${id} --state uncertain`,
      `# items may have arrived at the service and were not cancelled: fiscal job items ${id} --state uncertain`,
    ],
    pt: [
      `# item pode ter chegado ao serviço e não foi cancelado: fiscal job items ${id} --state uncertain`,
      `# itens podem ter chegado ao serviço e não foram cancelados: fiscal job items ${id} --state uncertain`,
    ],
  });
}

function left(id: string, count: number): Text {
  return counted(count, {
    en: [
      `# item was already sent and cannot be cancelled: fiscal job resume ${id}`,
      `# items were already sent and cannot be cancelled: fiscal job resume ${id}`,
    ],
    pt: [
      `# item já foi enviado e não pode ser cancelado: fiscal job resume ${id}`,
      `# itens já foram enviados e não podem ser cancelados: fiscal job resume ${id}`,
    ],
  });
}

function cancelledText(count: number): Text {
  return counted(count, {
    en: ['# item cancelled', '# items cancelled'],
    pt: ['# item cancelado', '# itens cancelados'],
  });
}
