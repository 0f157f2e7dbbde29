import type { Text } from '../../contract/text.js';
import { counted } from '../../domain/counted.js';
import type { DataRecord } from '../../domain/outcome.js';
import type { ExitCode } from '../../errors/exit-code.js';
import { Prose } from '../../domain/prose.js';
import { itemRecord } from '../../services/batch/records.js';
import { changeText } from '../../services/calls/change.js';
import type { StopReason } from '../../jobs/engine.js';
import type { ItemRow } from '../../store/store.js';
import type { OrderedStep, PlannedStep, StepAction } from './clients-plan.js';

/** `11222333000181 state-tax SP 110042490114 NFE`. */
export function labelOf({ cnpj, step, resource }: PlannedStep): string {
  return `${cnpj} ${step} ${resource}`.trim();
}

interface Report {
  readonly exitCode: ExitCode;
  /** Nothing was sent. */
  readonly isPlan: boolean;
  /** How the run ended, and by which error. */
  readonly stopped?: StopReason;
  readonly errorCode?: string | undefined;
  readonly ordered?: readonly OrderedStep[];
  readonly items?: ReadonlyMap<number, ItemRow> | undefined;
  readonly jobId?: string;
}

const actions: readonly StepAction[] = ['create', 'update', 'unchanged', 'blocked', 'unread', 'extra'];

/** One record per step, and a summary. */
export function stepRecords(
  steps: readonly PlannedStep[],
  { exitCode, isPlan, ordered = [], items, jobId, stopped, errorCode }: Report,
): readonly DataRecord[] {
  const byLabel = new Map(ordered.map(({ ordinal, ...step }) => [labelOf(step), ordinal]));
  const states = new Map<string, number>();
  const rows = steps.map((step) => {
    const item = items?.get(byLabel.get(labelOf(step)) ?? 0);
    if (item !== undefined) states.set(item.state, (states.get(item.state) ?? 0) + 1);
    return recordOf(step, item);
  });
  const count = (action: StepAction) => steps.filter((step) => step.action === action).length;
  const summary = {
    type: 'summary',
    clients: new Set(steps.filter(({ line, cnpj }) => line > 0 && cnpj !== '').map(({ cnpj }) => cnpj)).size,
    total: steps.length,
    ...Object.fromEntries(actions.map((action) => [action, count(action)])),
    ...Object.fromEntries(states),
    ...(isPlan ? { dryRun: true } : {}),
    ...(jobId === undefined ? {} : { jobId }),
    ...(stopped === undefined ? {} : { stopped }),
    ...(errorCode === undefined ? {} : { errorCode }),
    exitCode,
  };
  return [...rows, summary];
}

export function recordOf(planned: PlannedStep, item: ItemRow | undefined): DataRecord {
  const { line, cnpj, companyName, companyId, step, resource, action, changes, problem } = planned;
  const fields = {
    ...{ line, action, step, resource },
    ...(cnpj === '' ? {} : { companyTaxNumber: cnpj }),
    ...(companyName === undefined ? {} : { companyName }),
    ...(companyId === undefined ? {} : { companyId }),
    ...(changes === undefined ? {} : { changes: changes.map(({ field, from = null, to }) => ({ field, from, to })) }),
    ...(problem === undefined ? {} : { errorCode: problem.code, error: new Prose(problem.text) }),
  };
  if (item === undefined) return { type: 'item', label: labelOf(planned), ...fields };
  const { resourceId } = item;
  return itemRecord(item, { ...fields, ...(resourceId === undefined ? {} : { resourceId }) });
}

/** What a person must know of steps before they are sent, all of it. */
export function warningsOf(steps: readonly PlannedStep[]): readonly Text[] {
  return steps.flatMap((step) => {
    const { warning } = step;
    return warning === undefined
      ? []
      : [{ en: `! ${named(step)}: ${warning.en}`, pt: `! ${named(step)}: ${warning.pt}` }];
  });
}

const SHOWN = 40;

/** The difference between file and account, for the confirmation. */
export function planNotices(steps: readonly PlannedStep[]): readonly Text[] {
  const changed = steps.filter(({ action }) => action !== 'unchanged' && action !== 'extra');
  const hidden = changed.length - SHOWN;
  return [
    ...changed.slice(0, SHOWN).map(lineOf),
    ...(hidden > 0
      ? [{ en: `… and ${hidden} more: --dry-run shows all of them`, pt: `… e mais ${hidden}: --dry-run mostra todos` }]
      : []),
  ];
}

function named(step: PlannedStep): string {
  return step.companyName === undefined ? labelOf(step) : `${step.companyName}: ${labelOf(step)}`;
}

function lineOf(step: PlannedStep): Text {
  const { action, changes = [], problem } = step;
  const label = named(step);
  if (problem !== undefined) return { en: `! ${label}: ${problem.text.en}`, pt: `! ${label}: ${problem.text.pt}` };
  if (action === 'create') return { en: `+ ${label}`, pt: `+ ${label}` };
  const fields = changes
    .map((change) => changeText(change).en)
    .join(', ')
    .slice(0, 400);
  return { en: `~ ${label}: ${fields}`, pt: `~ ${label}: ${fields}` };
}

/** What a reader must know besides the rows. */
export function endNotices(steps: readonly PlannedStep[]): readonly Text[] {
  const of = (action: StepAction) => steps.filter((step) => step.action === action);
  const [extra, unread, blocked] = [of('extra'), of('unread'), of('blocked')];
  const isSame = steps.every(({ action }) => action === 'unchanged' || action === 'extra');
  return [
    ...(isSame ? [asInFile] : []),
    ...(extra.length > 0 ? [notInFile(extra.length)] : []),
    ...(unread.length > 0 ? [notRead(unread.length)] : []),
    ...(blocked.length > 0 ? [notSendable(blocked.length)] : []),
  ];
}

const asInFile: Text = {
  en: 'the account is as in the file; nothing was sent',
  pt: 'a conta está como no arquivo; nada foi enviado',
};

function notInFile(count: number): Text {
  return counted(count, {
    en: [
      '# resource of the account is not in the file and stays as it is',
      '# resources of the account are not in the file and stay as they are',
    ],
    pt: [
      '# recurso da conta não está no arquivo e fica como está',
      '# recursos da conta não estão no arquivo e ficam como estão',
    ],
  });
}

function notRead(count: number): Text {
  const { en, pt } = counted(count, { en: ['# part', '# parts'], pt: ['# parte', '# partes'] });
  return {
    en: `${en} could not be read and so not compared: the rows with the action unread say why`,
    pt: `${pt}: a leitura falhou e não houve comparação; as linhas com a ação unread dizem por quê`,
  };
}

function notSendable(count: number): Text {
  const { en, pt } = counted(count, {
    en: ['# step was', '# steps were'],
    pt: ['# etapa não foi enviada', '# etapas não foram enviadas'],
  });
  return {
    en: `${en} not sent: the rows with the action blocked say why`,
    pt: `${pt}: as linhas com a ação blocked dizem por quê`,
  };
}
