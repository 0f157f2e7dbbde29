import type { Text } from '../../contract/text.js';
import { amountText } from '../../domain/amount-text.js';
import { countedAs } from '../../domain/company-reference.js';
import { dayAt } from '../../domain/dates.js';
import { addExactly, compareExactly, type JsonNumber, subtractExactly } from '../../domain/exact-decimal.js';
import { NumberLiteral } from '../../domain/json-numbers.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { CountedCalls, NewUsage, UsageLimit } from '../../store/store.js';
import { monthOf } from '../closing/month.js';
import type { Context } from '../context.js';
import { RuleFindings, readYamlFile } from '../input/rules-file.js';
import { oneAmong } from '../scope/resolver.js';
import { companyNamed } from '../scope/text.js';
import { type Calls, CallSums } from './call-sums.js';
import { pricesIn, type Prices } from './prices.js';

/** The budget of the settings; `undefined`: they name none. Errors: those of `Budget.read`. */
export async function budgetOf(context: Context): Promise<Budget | undefined> {
  const { budget } = await context.settings();
  return budget === undefined ? undefined : await Budget.read(context, budget);
}

/** What the billed calls of one company may cost in a month, in BRL; calls for no company are counted as one company. */
export class Budget {
  readonly #ofCompany = new Map<string, string>();
  #ofOthers: string | undefined;

  private constructor(
    private readonly context: Context,
    private readonly path: string,
    readonly prices: Prices,
  ) {}

  /**
   * Reads a file of prices with budgets (YAML): `prices` as in `pricesIn`, and `budgets`, entries with `amount` (BRL a month) and
   * `company` (absent: every company without an entry, and calls for none). Errors: `input.invalid` with the path of every problem,
   * and those of the file and of `Scope.find`.
   */
  static async read(context: Context, path: string): Promise<Budget> {
    const findings = new RuleFindings();
    const file = findings.mapping('', await readYamlFile(context, path), ['prices', 'budgets']);
    const prices = pricesIn(file['prices'], { path, findings });
    const entries = entriesIn(file['budgets'], findings);
    if (findings.list.length > 0) throw invalid(path, findings);
    const budget = new Budget(context, path, prices);
    for (const { at, company, amount } of entries) {
      if (!(await budget.#take(company, amount))) findings.add(at, second(company));
    }
    if (findings.list.length > 0) throw invalid(path, findings);
    return budget;
  }

  /** False where the company has an amount already. */
  async #take(company: string | undefined, amount: string): Promise<boolean> {
    if (company === undefined) {
      const isFirst = this.#ofOthers === undefined;
      this.#ofOthers = amount;
      return isFirst;
    }
    const id = countedAs((await oneAmong(await this.context.scope(), company)).id);
    const isFirst = !this.#ofCompany.has(id);
    this.#ofCompany.set(id, amount);
    return isFirst;
  }

  /** BRL a month; `undefined`: nothing limits the company. */
  amountOf(companyId: string | undefined): string | undefined {
    const own = companyId === undefined ? undefined : this.#ofCompany.get(countedAs(companyId));
    return own ?? this.#ofOthers;
  }

  /** BRL, what is left of an amount after calls with these costs; those without an answer count as billed. */
  left(amount: string, costs: Pick<Calls, 'cost' | 'unknownCost'>): string {
    return String(subtractExactly(new NumberLiteral(amount), spent(costs)));
  }

  /** The limit that a call meets; `undefined`: none. */
  limitFor(call: NewUsage): CallLimit | undefined {
    const amount = this.amountOf(call.companyId);
    if (amount === undefined) return undefined;
    const { prices } = this;
    const price = prices.of({ ...call, day: dayAt(call.at) });
    const month = monthOf(dayAt(call.at).slice(0, 7));
    let total: Calls = CallSums.total([], prices);
    return {
      ...{ since: month.since, until: month.until },
      allows(counts: readonly CountedCalls[]) {
        total = CallSums.total(counts, prices);
        const after = addExactly(spent(total), new NumberLiteral(price));
        return compareExactly(after, new NumberLiteral(amount)) <= 0;
      },
      refuse: async () => {
        const { cost = '0', unknownCost = '0' } = total;
        const company = await this.#nameOf(call.companyId);
        const values = {
          ...{ company, month: month.name },
          amount: amountText(amount),
          spent: amountText(String(spent({ cost, unknownCost }))),
          price: amountText(price),
        };
        throw new FiscalError('budget.reached', values, { sent: 'no', hint: this.#hint(unknownCost) });
      },
    };
  }

  async #nameOf(companyId: string | undefined): Promise<Text> {
    if (companyId === undefined) return { en: 'calls for no company', pt: 'chamadas sem empresa' };
    const name = await companyNamed(this.context, companyId);
    return { en: name, pt: name };
  }

  #hint(unknownCost: string): Text {
    const isUnknown = compareExactly(new NumberLiteral(unknownCost), 0) > 0;
    const unknown = amountText(unknownCost);
    const en = isUnknown ? `; R$ ${unknown.en} of it is for calls without an answer` : '';
    const pt = isUnknown ? `; R$ ${unknown.pt} disso é de chamadas sem resultado` : '';
    return {
      en: `raise the amount in ${this.path}, or go on next month${en}`,
      pt: `aumente o valor em ${this.path}, ou continue no próximo mês${pt}`,
    };
  }
}

/** A limit on the calls of one company in one month. */
export interface CallLimit extends UsageLimit {
  /** Throws `budget.reached` for a call that the limit did not allow. */
  refuse(): Promise<never>;
}

function spent({ cost = '0', unknownCost = '0' }: Pick<Calls, 'cost' | 'unknownCost'>): JsonNumber {
  return addExactly(new NumberLiteral(cost), new NumberLiteral(unknownCost));
}

interface BudgetEntry {
  readonly at: string;
  readonly company: string | undefined;
  readonly amount: string;
}

function entriesIn(value: unknown, findings: RuleFindings): readonly BudgetEntry[] {
  if (!Array.isArray(value) || value.length === 0) {
    findings.add('budgets', { en: 'must be a list of budgets', pt: 'deve ser uma lista de orçamentos' });
    return [];
  }
  return value.flatMap((entry: unknown, nth): readonly BudgetEntry[] => {
    const at = `budgets[${nth}]`;
    const fields = findings.mapping(at, entry, ['company', 'amount']);
    const company = fields['company'] === undefined ? undefined : findings.text(`${at}.company`, fields['company']);
    const amount = findings.price(`${at}.amount`, fields['amount']);
    return amount === undefined ? [] : [{ at, company, amount }];
  });
}

function second(company: string | undefined): Text {
  return company === undefined
    ? { en: 'is the second one without a company', pt: 'é o segundo sem empresa' }
    : { en: `is the second one of company ${company}`, pt: `é o segundo da empresa ${company}` };
}

function invalid(path: string, findings: RuleFindings): FiscalError {
  return new FiscalError('input.invalid', { what: path }, { details: findings.list, sent: 'no' });
}
