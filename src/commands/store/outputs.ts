import {
  called,
  each,
  list,
  listOf,
  mapOf,
  nullable,
  one,
  orNull,
  type Outputs,
  record,
  titled,
  usual,
} from '../../presenters/record.js';
import { wait } from '../shared-records.js';

/** Answers that wait on this machine until the store takes them. */
const keptAnswers = titled(
  'answers kept on this machine | respostas guardadas nesta máquina',
  record({ ...usual('waiting'), ...each(listOf('text'), 'damaged: danificados') }),
);

export const outputs: Outputs = {
  'store adopt': list({
    product: record('id line', 'sku status state error'),
    summary: called('In total | No total', {
      ...usual('total failed exitCode'),
      ...each('count', 'adopted: importados'),
    }),
  }),
  'store check': list({
    finding: record(
      { ...usual('table'), ...each('sentence', 'reason: motivo') },
      { ...each(mapOf('anything'), 'key: chave'), ...each('text', 'column') },
    ),
    summary: called(
      'In total | No total',
      {
        ...usual('path rows listed exitCode'),
        ...nullable('id'),
        ...each('text', 'engine: banco de dados'),
        ...each('count', 'findings: problemas'),
        ...each('decimal', 'seconds: segundos'),
        ...each(listOf(record('table rows')), 'tables: tabelas'),
        ...each(listOf('text'), 'notRead: não lidas'),
        keptAnswers,
      },
      { copy: titled('copy | cópia', record({ ...usual('step'), ...each('text', 'other: outro') })) },
    ),
  }),
  'store copy': one({
    copy: record(
      { ...usual('from to rows'), ...each(listOf(record('table rows', 'sha256')), 'tables: tabelas') },
      { ...usual('dryRun'), ...each('flag', 'already') },
    ),
  }),
  'store release': one({
    release: record('path released', {
      ...usual('dryRun'),
      ...each('text', 'copiedTo: copiado para'),
      ...each(orNull('time'), 'missingSince: sends missing since | faltam envios desde'),
      ...each('time', 'missingUntil: sends missing until | faltam envios até'),
    }),
  }),
  'store grant': { prints: 'text', records: {} },
  'store migrate': one({
    migration: record({ ...usual('path'), ...each('count', 'from: origem, to: destino') }, 'dryRun'),
  }),
  'store status': one({
    store: record({
      ...usual('path id profile'),
      ...each(
        'flag',
        `new: novo, lostRows: rows were lost | houve perda de linhas,
    wentBack: put back to an earlier state | voltou a uma situação anterior`,
      ),
      ...each('count', 'openJobs: lotes abertos'),
      ...each(listOf(wait), 'waits: waits asked by hosts | esperas pedidas por hosts'),
      keptAnswers,
    }),
  }),
};
