import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { NumberRange } from '../../services/closing/serie-numbers.js';
import type { Context } from '../../services/context.js';
import { RuleFindings, readYamlFile } from '../../services/input/rules-file.js';
import { oneAmong } from '../../services/scope/resolver.js';

/** Ranges by serie. */
export type SerieRanges = ReadonlyMap<number, readonly NumberRange[]>;

/** Numbers that were disabled with another program or machine, as a person wrote them down. */
export class DeclaredNumbers {
  readonly #ranges = new Map<string, Map<number, NumberRange[]>>();

  /**
   * Reads a file (YAML) with `disabled`, a list of `company` (absent: of every company that is closed), `model` (nfe or nfce), `serie`,
   * `from` and `to` (absent: one number). Without a path there are none. Errors: `input.invalid` with the path of every problem, and
   * those of the file and of `Scope.find`.
   */
  static async read(context: Context, path: string | undefined): Promise<DeclaredNumbers> {
    const declared = new DeclaredNumbers();
    if (path === undefined) return declared;
    const findings = new RuleFindings();
    const file = findings.mapping('', await readYamlFile(context, path), ['disabled']);
    const entries = entriesIn(file['disabled'], findings);
    if (findings.list.length > 0)
      throw new FiscalError('input.invalid', { what: path }, { details: findings.list, sent: 'no' });
    for (const { company, model, serie, range } of entries) {
      const id = company === undefined ? '' : (await oneAmong(await context.scope(), company)).id;
      const key = `${model} ${id}`;
      const series = declared.#ranges.get(key) ?? new Map<number, NumberRange[]>();
      declared.#ranges.set(key, series.set(serie, [...(series.get(serie) ?? []), range]));
    }
    return declared;
  }

  of(companyId: string, model: string): SerieRanges {
    const [own, any] = [companyId, ''].map((id) => this.#ranges.get(`${model} ${id}`) ?? []);
    const series = new Map<number, readonly NumberRange[]>();
    for (const [serie, ranges] of [...(own ?? []), ...(any ?? [])])
      series.set(serie, [...(series.get(serie) ?? []), ...ranges]);
    return series;
  }
}

interface Entry {
  readonly company: string | undefined;
  readonly model: 'nfe' | 'nfce';
  readonly serie: number;
  readonly range: NumberRange;
}

const HIGHEST_SERIE = 969;
const HIGHEST_NUMBER = 999_999_999;

function entriesIn(value: unknown, findings: RuleFindings): readonly Entry[] {
  if (!Array.isArray(value) || value.length === 0) {
    findings.add('disabled', { en: 'must be a list of ranges', pt: 'deve ser uma lista de faixas' });
    return [];
  }
  return value.flatMap((entry: unknown, nth): readonly Entry[] => {
    const at = `disabled[${nth}]`;
    const fields = findings.mapping(at, entry, ['company', 'model', 'serie', 'from', 'to']);
    const company =
      fields['company'] === undefined ? undefined : findings.text(`${at}.company`, fields['company']);
    const model = findings.choice(`${at}.model`, fields['model'], ['nfe', 'nfce'] as const);
    const number = (name: string, most: number, least: number): number | undefined => {
      const text = findings.text(`${at}.${name}`, fields[name]);
      if (text === undefined) return undefined;
      const isNumber = /^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most;
      return isNumber ? Number(text) : findings.add(`${at}.${name}`, wholeNumber(least, most));
    };
    const serie = number('serie', HIGHEST_SERIE, 0);
    const from = number('from', HIGHEST_NUMBER, 1);
    const to = fields['to'] === undefined ? from : number('to', HIGHEST_NUMBER, 1);
    if (model === undefined || serie === undefined || from === undefined || to === undefined) return [];
    if (to >= from) return [{ company, model, serie, range: [from, to] }];
    findings.add(`${at}.to`, { en: 'is before from', pt: 'é menor que from' });
    return [];
  });
}

function wholeNumber(least: number, most: number): Text {
  return {
    en: `must be a whole number from ${least} to ${most}`,
    pt: `deve ser um número inteiro de ${least} a ${most}`,
  };
}
