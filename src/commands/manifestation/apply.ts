import type { Given } from '../../cli/command.js';
import type { Text } from '../../contract/text.js';
import type { Outcome } from '../../domain/outcome.js';
import { parseForeignJson } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { requiredFile, writeTemplate } from '../../services/batch/template.js';
import type { Context } from '../../services/context.js';
import { CellReader } from '../../services/input/cell-reader.js';
import type { RecordForm } from '../../services/input/record.js';
import { readRecords } from '../../services/input/records.js';
import { openSource, type Source } from '../../services/input/source.js';
import type { apply } from './plan-commands.js';

/** Sends the rows of a plan, or the events of any other file. Errors: those of either, `usage.missing`, `usage.invalid`. */
export async function applyEvents(context: Context, given: Given<typeof apply>): Promise<Outcome> {
  const { template, input, allCompanies } = given;
  if (template !== undefined) return await writeTemplate(context, template, toFillIn);
  const file = requiredFile(given.file);
  if (file === '-' && input === '-') throw oneStdin();
  const source = await openSource(context, file, { again: true });
  try {
    // What can be read only once is kept by a whole reading.
    if (source.file === undefined) for await (const _chunk of source.bytes());
    if (await isPlan(source, given)) {
      const [idle] = namesOf({ '--skip-invalid': given.skipInvalid, '--detail-unchecked': given.detailUnchecked });
      if (idle !== undefined) throw onlyForEvents(idle, source.name);
      const { applyPlan } = await import('./apply-plan.js');
      return await applyPlan(context, source, given);
    }
    const [idle] = namesOf({ '--input': input !== undefined, '--all-companies': allCompanies });
    if (idle !== undefined) throw onlyForPlan(idle, source.name);
    const { importManifestations } = await import('./import.js');
    return await importManifestations(context, source, given);
  } finally {
    await source.close();
  }
}

/** A sheet of events. */
const toFillIn = {
  titles: [
    { en: 'accessKey', pt: 'chave' },
    { en: 'event', pt: 'evento' },
    { en: 'justification', pt: 'justificativa' },
    { en: 'reason', pt: 'motivo' },
    { en: 'company', pt: 'empresa' },
  ],
  example: ['210240', 'A mercadoria foi recusada na entrega', '', ''],
};

/**
 * A plan has fingerprints. A JSON array without rows is one too: `manifestation plan` writes it when nothing is due.
 * Error: `input.empty` for a blank file.
 */
async function isPlan(source: Source, form: RecordForm): Promise<boolean> {
  let found: boolean | undefined;
  let isArray = false;
  let isBlank = true;
  const rules = {
    parse: (text: string): unknown => {
      const value: unknown = parseForeignJson(text);
      isArray = Array.isArray(value);
      return value;
    },
    rows: (header: readonly string[]) => {
      found = header.includes('fingerprint');
      return () => ({ value: undefined });
    },
  };
  for await (const record of readRecords(source, rules, form.format, new CellReader(form))) {
    found ??= 'value' in record ? isRecord(record.value) && 'fingerprint' in record.value : undefined;
    if (found !== undefined) return found;
    isBlank = false;
  }
  if (found === undefined && isBlank && !isArray) throw new FiscalError('input.empty', { path: source.name });
  return found ?? isArray;
}

function namesOf(given: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.keys(given).filter((name) => given[name]);
}

function oneStdin(): FiscalError {
  return refused({
    en: 'the plan and --input cannot both come from stdin',
    pt: 'o plano e --input não podem vir ambos do stdin',
  });
}

function onlyForPlan(option: string, name: string): FiscalError {
  return refused({
    en: `${option} is for a plan, and ${name} has no fingerprint: it is a file of events`,
    pt: `${option} é para um plano, e ${name} não tem fingerprint: é um arquivo de eventos`,
  });
}

function onlyForEvents(option: string, name: string): FiscalError {
  return refused({
    en: `${option} is for a file of events, and ${name} is a plan, which is sent exactly as it was checked`,
    pt: `${option} é para um arquivo de eventos, e ${name} é um plano, enviado exatamente como foi conferido`,
  });
}

function refused(message: Text): FiscalError {
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
