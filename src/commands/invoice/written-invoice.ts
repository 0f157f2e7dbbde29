import type { Text } from '../../contract/text.js';
import { inexactNumbers, isNumber, parseKeepingNumbers } from '../../domain/json-numbers.js';
import { checkInvoice, type CheckedModel } from '../../domain/invoice-check.js';
import { isRecord } from '../../domain/record.js';
import { type BodyForms, requestBody } from '../../domain/request-body.js';
import type { InvoiceFinding } from '../../domain/invoice-rules.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { lastName, parseFieldPath, placeAt, cellValue } from '../../services/input/field-path.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import type { Given } from '../../cli/command.js';
import type { issue } from './issue-commands.js';
import type { InvoiceModel } from '../../jobs/kinds/invoice-items.js';
import { openSource, type InputContext } from '../../services/input/source.js';
import { taxHint } from '../../services/input/tax-hint.js';
import { issueOperations, lineOf, modelNames } from './invoice.js';
import { samples } from './samples.js';

export type InvoiceFields = Readonly<Record<string, unknown>>;

/** What is made of the content. */
interface WritingRules {
  readonly model: CheckedModel;
  readonly externalId: string | undefined;
  readonly environment: string | undefined;
  /** Whether an NF-e or NFC-e is sent with its `externalId` and `environment`. */
  readonly isInBody: boolean;
  /** Leaves the local check out. */
  readonly unchecked: boolean;
  /** The forms in which the profile sends tax numbers and decimals. */
  readonly forms: BodyForms;
}

/** The content of one invoice. Errors: `usage.missing`, `usage.invalid_value`, `input.*`. */
export async function readContent(context: InputContext, { model, file, set }: Given<typeof issue>): Promise<unknown> {
  if (file === undefined && set.length === 0) throw nothingGiven(model);
  const source = file === undefined ? undefined : await openSource(context, file, { again: false });
  const base = source === undefined ? {} : await readJsonOrYaml(source, parseKeepingNumbers);
  let whole: unknown = base;
  for (const assignment of set) whole = assigned(whole, assignment);
  return whole;
}

/** One invoice, checked. Error: `input.invalid`, which lists every problem. */
export function checkedInvoice(
  content: unknown,
  { file, ...rules }: WritingRules & Pick<Given<typeof issue>, 'file'>,
): InvoiceFields {
  const what = file === undefined || file === '-' ? modelNames[rules.model] : file;
  const checked = checkWritten(content, rules);
  if ('problems' in checked) throw invalidInvoice(checked.problems, what);
  return checked.invoice;
}

export type CheckedInvoice = { readonly invoice: InvoiceFields } | { readonly problems: readonly InvoiceFinding[] };

/** The last step for one file and for every record of an import: numbers that lose nothing, and the rules of the model. */
export function checkWritten(written: unknown, rules: WritingRules): CheckedInvoice {
  const problems = inexactNumbers(written);
  if (!isRecord(written)) return { problems: [{ field: '', message: mustBeObject }] };
  const { model, externalId, environment, isInBody, unchecked, forms } = rules;
  const invoice: InvoiceFields = {
    ...written,
    ...(externalId === undefined ? {} : { externalId }),
    ...(environment === undefined ? {} : { environment }),
  };
  const formProblems = requestBody(issueOperations[model], invoice, forms).problems;
  const isLost = (model === 'nfe' || model === 'nfce') && !isInBody && invoice['environment'] === 'Test';
  const unsent = isLost ? [{ field: 'environment', message: notSent }] : [];
  const checked = unchecked ? [] : checkInvoice(model, invoice);
  const named = new Set(checked.map(({ field }) => field));
  const found = [...problems, ...unsent, ...checked, ...formProblems.filter(({ field }) => !named.has(field))];
  return found.length > 0 ? { problems: found } : { invoice };
}

/** The minimal body of a model, as it is sent. */
export function sampleInvoice(model: CheckedModel, forms: BodyForms): unknown {
  return requestBody(issueOperations[model], samples[model], forms).body;
}

function assigned(root: unknown, assignment: string): unknown {
  const at = assignment.indexOf('=');
  const path = parseFieldPath(assignment.slice(0, Math.max(0, at)).trim());
  if (at < 1 || path === undefined) throw invalidSet(assignment, aPathAndValue);
  const placed = placeAt(root, path, valueOf(assignment.slice(at + 1), lastName(path), assignment));
  if ('problem' in placed) throw invalidSet(assignment, placed.problem);
  return placed.value;
}

function valueOf(text: string, field: string, assignment: string): unknown {
  try {
    return cellValue(text, field);
  } catch (error) {
    if (error instanceof SyntaxError) throw invalidSet(assignment, brokenJson);
    throw error;
  }
}

export function invalidInvoice(problems: readonly InvoiceFinding[], what: string | Text): FiscalError {
  const details = problems.map(({ field, message }) => ({ field: field === '' ? '.' : field, message }));
  const hint = hintOfTaxFields(problems);
  return new FiscalError('input.invalid', { what }, { details, sent: 'no', ...(hint && { hint }) });
}

/** Where to find valid values when a problem concerns a tax field. */
export function hintOfTaxFields(problems: readonly { readonly field: string }[]): Text | undefined {
  const taxFields = problems.map(({ field }) => field).filter(isTaxField);
  return taxFields.length === 0 ? undefined : taxHint(taxFields, seeTaxCodes);
}

/** `items[0].tax.icms.cst`, `taxDetermination.operationCode`, `ncm`; a taxpayer's number is none of them. */
function isTaxField(field: string): boolean {
  return /(?:^|[.\]])(?:tax|taxDetermination|ncm|cfop|cest|icms|ipi|pis|cofins|operationCode)(?:$|[.[])/i.test(field);
}

/** Where the values of tax fields are found. */
export const seeTaxCodes: Text = {
  en: 'codes of tax fields: fiscal tax codes operation-code; tax rules of a product: fiscal product get',
  pt: 'códigos dos campos de tributos: fiscal tax codes operation-code; regras fiscais de um produto: fiscal product get',
};

function nothingGiven(model: CheckedModel = 'nfe'): FiscalError {
  const line = lineOf('issue', model);
  return new FiscalError(
    'usage.missing',
    { names: '--file' },
    {
      sent: 'no',
      hint: {
        en: `see a minimal body: ${line} --sample > nota.json`,
        pt: `veja um corpo mínimo: ${line} --sample > nota.json`,
      },
    },
  );
}

function invalidSet(assignment: string, expected: Text): FiscalError {
  return invalidValue('--set', assignment, expected);
}

/** What is meant for the test environment must not become a valid invoice. */
const notSent: Text = {
  en: "is not part of the published body: the company's state registration decides it, so Test cannot be asked for; leave it out, or send it with --external-id-in-body",
  pt: 'não faz parte do corpo publicado: quem decide é a inscrição estadual da empresa, e Test não pode ser pedido; retire o campo ou envie-o com --external-id-in-body',
};
const aPathAndValue: Text = {
  en: 'a field and its value are expected, such as items[0].quantity=2',
  pt: 'espera-se um campo e seu valor, como items[0].quantity=2',
};
const brokenJson: Text = {
  en: 'a value that begins with { [ or " must be complete JSON',
  pt: 'o que começa com { [ ou " deve ser JSON completo',
};
const mustBeObject: Text = { en: 'must be an object', pt: 'deve ser um objeto' };

/** An invoice without the state registration that it names: the registration belongs to the path of the call. */
type Registered =
  | { readonly invoice: InvoiceFields; readonly stateTaxId: string | undefined }
  | { readonly problems: readonly InvoiceFinding[] };

/**
 * Takes `stateTax` (or `stateTaxId`) out of an NF-e or NFC-e. `named`: the registration of `--state-tax`, which a record may
 * repeat and not contradict. The invoice needs its own externalId: one made of the content would be the same below two
 * registrations.
 */
export function takeRegistration(model: InvoiceModel, written: InvoiceFields, named: string | undefined): Registered {
  const field = Object.keys(written).find((name) => /^statetax(?:id)?$/i.test(name));
  if (model === 'nfse') return { invoice: written, stateTaxId: undefined };
  if (field === undefined) return { invoice: written, stateTaxId: named };
  const { [field]: value, ...invoice } = written;
  const stateTaxId = isNumber(value) ? String(value) : value;
  if (stateTaxId === null) return { invoice, stateTaxId: named };
  if (typeof stateTaxId !== 'string' || stateTaxId === '') return { problems: [{ field, message: notARegistration }] };
  if (named !== undefined && named !== stateTaxId) return { problems: [{ field, message: anotherRegistration }] };
  const { externalId } = invoice;
  if (typeof externalId !== 'string' || externalId === '')
    return { problems: [{ field: 'externalId', message: ownIdNeeded }] };
  return { invoice, stateTaxId };
}

const notARegistration = {
  en: 'must be the id of a state registration (fiscal company registration list)',
  pt: 'deve ser o id de uma inscrição estadual (fiscal company registration list)',
};

const anotherRegistration = {
  en: 'names another state registration than --state-tax',
  pt: 'indica outra inscrição estadual, e não a de --state-tax',
};

const ownIdNeeded = {
  en: 'is required in a record that names its state registration: below another one, the same content is another invoice',
  pt: 'é obrigatório no registro que indica a inscrição estadual: em outra inscrição, o mesmo conteúdo é outra nota',
};
