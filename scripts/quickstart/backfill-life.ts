import { list, look } from './look.js';
import type { Stage } from './stage.js';

const HIDDEN = 40;

/** A new client's history: seen, released, followed to its end, and collected. */
export async function backfillLife(stage: Stage): Promise<void> {
  const company = await showHidden(stage);
  await release(stage, company);
  await collect(stage);
}

async function showHidden(stage: Stage): Promise<string> {
  stage.title({
    en: 'See the NFS-e from before the cut-off, which are captured but hidden',
    pt: 'Ver as NFS-e anteriores à data de corte, capturadas mas ocultas',
  });
  const words = 'sandbox seed --scenario history --companies 1 --month 2026-10 -o json'.split(' ');
  await stage.fiscal(...words, '--documents', String(HIDDEN));
  const { data } = await stage.fiscal('backfill', 'show', '-o', 'json');
  stage.check(
    { en: 'they are counted, and not released', pt: 'estão contadas, e não liberadas' },
    [look(data, 'released'), look(data, 'hiddenDocumentsCount')],
    [false, HIDDEN],
  );
  return String(look(data, 'companyId'));
}

async function release(stage: Stage, company: string): Promise<void> {
  stage.title({ en: 'Release them, then wait for the sweep', pt: 'Liberar, depois esperar a varredura' });
  const confirmed = ['--company', company, '--confirm', company, '--yes', '-o', 'json'];
  const released = await stage.fiscal('backfill', 'release', ...confirmed);
  stage.check({ en: 'it is accepted', pt: 'foi aceito' }, released.exitCode, 0);
  const waited = await stage.fiscal('backfill', 'show', '--wait', '--company', company, '-o', 'json');
  stage.check(
    { en: 'nothing is hidden any more', pt: 'nada mais está oculto' },
    [waited.exitCode, look(waited.data, 'released'), look(waited.data, 'hiddenDocumentsCount')],
    [0, true, 0],
  );
}

async function collect(stage: Stage): Promise<void> {
  stage.title({ en: 'Collect exactly what was uncovered', pt: 'Trazer exatamente o que apareceu' });
  const words = 'inbound sync --type nfse --archive notas -o json'.split(' ');
  const { exitCode, data } = await stage.fiscal(...words);
  const summary = list(data).find((record) => look(record, 'type') === 'summary');
  stage.check(
    { en: 'the uncovered NFS-e are in the archive', pt: 'as NFS-e que apareceram estão no arquivo' },
    [exitCode, look(summary, 'archived'), look(summary, 'failed')],
    [0, HIDDEN, 0],
  );
}
