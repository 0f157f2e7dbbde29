import { requestSchema } from '../../contract/request-schemas.js';
import type { Text } from '../../contract/text.js';
import { checkKey, wasRounded } from '../../domain/access-key.js';
import type { CheckedModel } from '../../domain/invoice-check.js';
import { isRecord } from '../../domain/record.js';
import { errorIn } from '../../domain/issue.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { invalidValue } from '../../errors/invalid-value.js';
import { textField } from '../../jobs/kinds/answer-fields.js';
import { generalInvoice } from '../../jobs/kinds/invoice-issue.js';
import type { Context } from '../../services/context.js';
import { syncLine } from '../../services/documents/facts.js';
import { environments, issuedGroup } from '../../services/issued/book.js';
import { companyOf, namedCompany } from '../../services/scope/companies.js';
import { issueOperations, modelNames, orOf } from './invoice.js';
import { documents, everyModel } from './options.js';

type DocumentModel = (typeof documents)[number];

/** One invoice as it is named. */
export interface NamedInvoice<Model extends CheckedModel> {
  /** The command, for messages: `invoice events`. */
  readonly command: string;
  /** Those that the command is for. */
  readonly models: readonly Model[];
  /** That of `--model`. */
  readonly model: CheckedModel | undefined;
  /** The id at the service, or the access key. */
  readonly id: string;
}

export interface FoundInvoice<Model extends CheckedModel> {
  readonly model: Model;
  readonly companyId: string;
  readonly id: string;
}

/**
 * The model and the id of one invoice: the model is told by the access key, by `--model`, or by what this machine knows of the id;
 * the id of a key is the one that `invoice sync` has stored. Nothing is guessed. `companyId` is empty for `general`.
 * Errors: `usage.missing` where nothing, or more than one thing, tells the model; `usage.invalid` for a model that the key
 * contradicts or that the command is not for; `invoice.unknown_key`.
 */
export async function invoiceOf<Model extends CheckedModel>(
  context: Context,
  named: NamedInvoice<Model>,
): Promise<FoundInvoice<Model>> {
  const key = keyIn(named.id);
  const known = key?.model ?? named.model ?? (await modelOfId(context, named));
  if (key !== undefined && named.model !== undefined && named.model !== key.model)
    throw contradiction(named.model, key.model);
  const model = named.models.find((one) => one === known);
  if (model === undefined) throw notFor(named, known);
  const id = key === undefined ? named.id : await idOfKey(context, key);
  context.goOn.found({ id, model });
  return { model, companyId: model === 'general' ? '' : await companyOf(context), id };
}

/** An access key tells the model. `undefined`: an id. Error: `usage.invalid_value` for a key that is wrong, or of another kind. */
function keyIn(text: string): { readonly model: DocumentModel; readonly key: string } | undefined {
  const { parts, value: key, issues } = checkKey(text);
  const wrong = errorIn(issues);
  if (parts === undefined && !wasRounded({ issues })) return undefined;
  if (wrong !== undefined) throw invalidValue('<id>', text, wrong);
  const model = documents.find((one) => one === parts?.kind);
  if (model === undefined) throw invalidValue('<id>', text, ofAnotherKind);
  return { model, key };
}

/** The id that a sync of this machine has stored beside the key. Errors: `invoice.unknown_key`, `usage.invalid` for two ids. */
async function idOfKey(
  context: Context,
  { model, key }: { readonly model: DocumentModel; readonly key: string },
): Promise<string> {
  const companyId = await namedCompany(context);
  const store = await context.store();
  const { storeNamespace } = await context.settings();
  const pages = environments.map(async (environment) => {
    const { profile, family } = issuedGroup(storeNamespace, '', { model, environment });
    const ofCompany = companyId === undefined ? {} : { companies: [companyId] };
    return await store.documents.list({ profile, families: [family], ...ofCompany, accessKey: key, limit: 2 });
  });
  const [id, ...others] = new Set((await Promise.all(pages)).flat().map((row) => row.id));
  if (others.length > 0) {
    const ids = [id, ...others].join(', ');
    throw refused({
      en: `this machine knows several invoices with the key ${key}; give the id of one: ${ids}`,
      pt: `esta máquina conhece várias notas com a chave ${key}; informe o id de uma: ${ids}`,
    });
  }
  if (id !== undefined) return id;
  const line = await syncLine(context, [companyId], 'invoice sync');
  throw new FiscalError(
    'invoice.unknown_key',
    { key },
    {
      sent: 'no',
      hint: {
        en: `give its id at the service, or let a sync learn it: ${line}`,
        pt: `informe o id da nota no serviço, ou faça um sync para conhecê-lo: ${line}`,
      },
    },
  );
}

/** What the store knows of an id; the one model of the command where it has no other. */
async function modelOfId(context: Context, { id, models }: NamedInvoice<CheckedModel>): Promise<CheckedModel> {
  const [only, ...more] = models;
  if (only !== undefined && more.length === 0) return only;
  const known = await knownModels(context, id);
  const [model, ...others] = known.filter((one) => known.length === 1 || models.includes(one));
  if (model !== undefined && others.length === 0) return model;
  const text: Text =
    model === undefined
      ? { en: `this machine does not know the invoice ${id}`, pt: `esta máquina não conhece a nota ${id}` }
      : { en: `this machine knows several invoices ${id}`, pt: `esta máquina conhece várias notas ${id}` };
  throw await modelMissing(context, models, text);
}

/** The models of the invoices with this id, of the company of the run, that this machine has issued, looked up or listed. */
async function knownModels(context: Context, id: string): Promise<readonly CheckedModel[]> {
  const { items, jobs, documents: rows } = await context.store();
  const { storeNamespace: profile } = await context.settings();
  const company = await namedCompany(context);
  const isOfRun = (companyId: string | undefined) => company === undefined || companyId === company;
  const isKnown = async (model: DocumentModel): Promise<boolean> => {
    for (const item of await items.claimants({ kind: `${model}-issue`, resourceIds: [id] })) {
      if (item.resourceId !== id || !isOfRun(textField(item.input, 'companyId'))) continue;
      if ((await jobs.get(item.jobId))?.profile === profile) return true;
    }
    for (const environment of environments) {
      const group = issuedGroup(profile, '', { model, environment });
      if ((await rows.capturers({ ...group, id })).some(({ companyId }) => isOfRun(companyId))) return true;
    }
    return false;
  };
  const general = await items.ofResource({ profile, kind: generalInvoice.name, resourceId: id });
  const found: CheckedModel[] = general.length > 0 ? ['general'] : [];
  for (const model of documents) if (await isKnown(model)) found.push(model);
  return found;
}

/** The models whose published body has the fields that this one has, by those that each requires: `cliente`, `servicesAmount`. */
export function modelsOfBody(body: unknown): readonly CheckedModel[] {
  if (!isRecord(body)) return [];
  const told = everyModel.filter((model) =>
    requestSchema(issueOperations[model])?.required?.some((field) => Object.hasOwn(body, field)),
  );
  // The fields of goods are those of NF-e and NFC-e; of two other models, none is meant beyond doubt.
  const isGoods = told.every((model) => model === 'nfe' || model === 'nfce');
  return isGoods || told.length === 1 ? told : [];
}

/** The model of what is issued. Error: `usage.missing`, which names the choices. */
export async function modelOfBody(
  context: Context,
  body: unknown,
  models: readonly CheckedModel[] = everyModel,
): Promise<CheckedModel> {
  const [model, ...others] = modelsOfBody(body);
  if (model !== undefined && others.length === 0) return model;
  const text: Text = { en: 'the content does not tell which model it is', pt: 'o conteúdo não diz de que modelo é' };
  throw await modelMissing(context, model === undefined ? models : [model, ...others], text);
}

/** `usage.missing` with the choices, and with this command once it names one. */
export async function modelMissing(
  context: Context,
  models: readonly CheckedModel[],
  why?: Text,
): Promise<FiscalError> {
  const line = await context.goOn.again({ without: [], flags: [['--model', models[0] ?? 'nfe']] });
  const reason = why === undefined ? { en: '', pt: '' } : { en: `${why.en}; `, pt: `${why.pt}; ` };
  const { en, pt } = orOf(models);
  return new FiscalError(
    'usage.missing',
    { names: '--model' },
    {
      sent: 'no',
      hint: {
        en: `${reason.en}give --model ${en}, e.g. ${line}`,
        pt: `${reason.pt}informe --model ${pt}, p. ex. ${line}`,
      },
    },
  );
}

/** The command is not for this model. */
export function notFor(
  { command, models }: Pick<NamedInvoice<CheckedModel>, 'command' | 'models'>,
  model: CheckedModel,
): FiscalError {
  const [is, only] = [modelNames[model], orOf(models.map((one) => modelNames[one].en))];
  return refused({
    en: `${command} is for ${only.en}, and this is ${is.en}`,
    pt: `${command} vale para ${only.pt}, e esta é ${is.pt}`,
  });
}

function contradiction(model: CheckedModel, ofKey: CheckedModel): FiscalError {
  const name = modelNames[ofKey];
  return refused({
    en: `--model ${model} contradicts the key, which is one of an ${name.en}`,
    pt: `--model ${model} contradiz a chave, que é de uma ${name.pt}`,
  });
}

function refused(message: Text): FiscalError {
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const ofAnotherKind: Text = {
  en: 'the key of an NF-e, NFC-e or NFS-e is expected',
  pt: 'espera-se a chave de uma NF-e, NFC-e ou NFS-e',
};
