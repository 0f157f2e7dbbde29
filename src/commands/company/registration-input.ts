import { municipalTaxEnvironments, type StateTaxInput, stateTaxEnvironments } from '../../contract/tax-registration.js';
import type { Text } from '../../contract/text.js';
import { type JsonObject, merge } from '../../domain/field-changes.js';
import { inexactNumbers, parseKeepingNumbers } from '../../domain/json-numbers.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import type { Io } from '../../io/io.js';
import type { Context } from '../../services/context.js';
import { readJsonOrYaml } from '../../services/input/records.js';
import { readSecretLine } from '../../services/input/secret.js';
import { openSource } from '../../services/input/source.js';
import type { RegistrationOptions } from './registration-commands.js';
import {
  credentialNames,
  type RegistrationForm,
  registrationForms,
  type RegistrationKind,
  registrationKinds,
} from '../../jobs/resources/registration.js';

/** What is to be written of a registration, by the names of the service. */
export interface WrittenRegistration {
  readonly form: RegistrationForm;
  readonly written: JsonObject;
  readonly file: string | undefined;
}

/**
 * A registration from a file, with or without its wrapper, and options that win over it. Its kind is what `--kind`, the options, the
 * wrapper or the fields of the file say; where none does, that of `standing`. Errors: `usage.missing`, `usage.invalid`, `input.*`.
 */
export async function readWritten(
  context: Context,
  io: Io,
  { options, standing }: { readonly options: RegistrationOptions; readonly standing?: () => Promise<RegistrationForm> },
): Promise<WrittenRegistration> {
  const { kind: _kind, file, askCredentials, ...values } = options;
  if (file === undefined && !askCredentials && Object.values(values).every((value) => value === undefined)) {
    const hint = { en: 'give a file, or fields as flags', pt: 'informe um arquivo, ou campos como opções' };
    throw new FiscalError('usage.missing', { names: '--file' }, { sent: 'no', hint });
  }
  const { fields, wrapper } = file === undefined ? { fields: {} } : await readFile(context, file);
  const form = toldForm(options, { fields, wrapper }) ?? (await standing?.());
  if (form === undefined) {
    const hint = {
      en: 'nothing that is given tells whether it is a state or a municipal registration: --kind state, or --kind municipal',
      pt: 'nada do que foi informado diz se a inscrição é estadual ou municipal: --kind state, ou --kind municipal',
    };
    throw new FiscalError('usage.missing', { names: '--kind' }, { sent: 'no', hint });
  }
  const given =
    form.kind === 'state' ? await stateFields(context, io, options) : await municipalFields(context, io, options);
  const named = Object.entries(given).filter(([, value]) => value !== undefined);
  return { form, written: merge(fields, Object.fromEntries(named)), file };
}

interface FromFile {
  readonly fields: JsonObject;
  /** The kind that the wrapper names. */
  readonly wrapper?: RegistrationKind | undefined;
}

async function readFile(context: Context, file: string): Promise<FromFile> {
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const problems = inexactNumbers(value);
  const form = Object.values(registrationForms).find(({ envelope }) => isRecord(value) && isRecord(value[envelope]));
  const fields = form !== undefined && isRecord(value) ? value[form.envelope] : value;
  if (isRecord(fields) && problems.length === 0) return { fields, wrapper: form?.kind };
  const message = { en: 'must be an object', pt: 'deve ser um objeto' };
  const details = problems.length > 0 ? problems : [{ field: '.', message }];
  throw new FiscalError('input.invalid', { what: file === '-' ? theRegistration : file }, { details, sent: 'no' });
}

const theRegistration: Text = { en: 'the registration', pt: 'a inscrição' };

/** What one kind alone has: a word of the command line or of the file. */
type Told = readonly [kind: RegistrationKind, word: string];

/** Error: `usage.invalid` where two words tell different kinds. */
function toldForm(options: RegistrationOptions, { fields, wrapper }: FromFile): RegistrationForm | undefined {
  const { kind } = options;
  const words: readonly Told[] = [
    ...(kind === undefined ? [] : [[kind, `--kind ${kind}`] as const]),
    ...toldByOptions(options),
    ...(wrapper === undefined ? [] : [[wrapper, registrationForms[wrapper].envelope] as const]),
  ];
  // A field that does not belong there is reported with the others, where the kind is known without it.
  const told = words.length > 0 ? words : toldByFields(fields);
  const wordOf = (kind: RegistrationKind) => told.find(([each]) => each === kind)?.[1];
  const [state, municipal] = [wordOf('state'), wordOf('municipal')];
  if (state === undefined || municipal === undefined)
    return told[0] === undefined ? undefined : registrationForms[told[0][0]];
  const message = {
    en: `${state} is of a state registration, and ${municipal} of a municipal one`,
    pt: `${state} é de uma inscrição estadual, e ${municipal}, de uma municipal`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const environments = { state: stateTaxEnvironments, municipal: municipalTaxEnvironments } as const;

function toldByOptions(options: RegistrationOptions): readonly Told[] {
  const { state, type, cscId, city, credentialsFile, askCredentials, environment = '' } = options;
  const ofState = { '--state': state, '--type': type, '--csc-id': cscId };
  const ofCity = {
    '--city': city,
    '--credentials-file': credentialsFile,
    '--ask-credentials': askCredentials || undefined,
  };
  const given = (of: Readonly<Record<string, unknown>>, kind: RegistrationKind) =>
    Object.entries(of).flatMap(([word, value]): readonly Told[] => (value === undefined ? [] : [[kind, word]]));
  const kinds = registrationKinds.filter((kind) => environments[kind].some((one) => one === environment));
  const ofPlace = kinds.length === 1 ? kinds : [];
  return [
    ...given(ofState, 'state'),
    ...given(ofCity, 'municipal'),
    ...ofPlace.map((kind) => [kind, `--environment ${environment}`] as const),
  ];
}

function toldByFields(fields: JsonObject): readonly Told[] {
  const { state, municipal } = registrationForms;
  return Object.keys(fields).flatMap((name): readonly Told[] => {
    const [isOfState, isOfCity] = [state.fields.includes(name), municipal.fields.includes(name)];
    return isOfState === isOfCity ? [] : [[isOfState ? 'state' : 'municipal', name]];
  });
}

async function stateFields(context: Context, io: Io, options: RegistrationOptions): Promise<JsonObject> {
  const { state, taxNumber, type, environment, serie, number, cscId, cscFile } = options;
  const securityCredential = await gatherCsc(context, io, { id: cscId, file: cscFile });
  return {
    ...{ code: state?.toUpperCase(), taxNumber, type, environmentType: environment },
    // A word that is no number is refused by the check.
    serie: serie !== undefined && /^\d{1,9}$/.test(serie) ? Number(serie) : serie,
    ...{ number, securityCredential },
  };
}

async function municipalFields(context: Context, io: Io, options: RegistrationOptions): Promise<JsonObject> {
  const { city, taxNumber, environment, serie, number, credentialsFile, askCredentials } = options;
  return {
    ...{ city: city === undefined ? undefined : { code: city }, taxNumber, environment },
    ...{ rpsSerialNumber: serie, rpsNumber: number },
    ...(await gatherCredentials(context, io, { file: credentialsFile, ask: askCredentials })),
  };
}

/** Reads the CSC from a file, stdin (`-`) or a prompt, never from an argument. Errors: `usage.missing`, `input.*`. */
async function gatherCsc(
  context: Context,
  io: Io,
  { id, file }: { readonly id: number | undefined; readonly file: string | undefined },
): Promise<Required<StateTaxInput>['securityCredential'] | undefined> {
  if (id === undefined) return undefined;
  if (file !== undefined) {
    const code = (await readSecretLine(context, file))?.trim();
    if (code !== undefined && code !== '') return { id, code };
    const message = { en: `no CSC in the first line of ${file}`, pt: `não há CSC na primeira linha de ${file}` };
    throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
  }
  if (io.mayAsk) return { id, code: await io.prompts.secret('CSC') };
  const hint = {
    en: 'without a terminal, the CSC is read from a file or from stdin: --csc-file -',
    pt: 'sem terminal o CSC vem de um arquivo ou do stdin: --csc-file -',
  };
  throw new FiscalError('usage.missing', { names: '--csc-file' }, { sent: 'no', hint });
}

interface CredentialSource {
  readonly file: string | undefined;
  readonly ask: boolean;
}

/**
 * The credentials of the city hall, from a file, stdin (`-`) or a prompt, never from an argument. Errors: `usage.missing`,
 * `usage.invalid`, `input.*`.
 */
async function gatherCredentials(context: Context, io: Io, { file, ask }: CredentialSource): Promise<JsonObject> {
  if (file !== undefined) return await readCredentials(context, file);
  if (!ask) return {};
  if (io.mayAsk) {
    const isPt = io.language === 'pt';
    const loginName = await io.prompts.secret(isPt ? 'Usuário na prefeitura' : 'User at the city hall');
    const loginPassword = await io.prompts.secret(isPt ? 'Senha na prefeitura' : 'Password at the city hall');
    return { loginName, loginPassword };
  }
  const hint = {
    en: 'without a terminal, the credentials are read from a file or from stdin: --credentials-file -',
    pt: 'sem terminal as credenciais vêm de um arquivo ou do stdin: --credentials-file -',
  };
  throw new FiscalError('usage.missing', { names: '--credentials-file' }, { sent: 'no', hint });
}

async function readCredentials(context: Context, file: string): Promise<JsonObject> {
  const source = await openSource(context, file, { again: false });
  const value = await readJsonOrYaml(source, parseKeepingNumbers);
  const given = Object.entries(isRecord(value) ? value : {});
  const isFit = ([name, text]: readonly [string, unknown]) =>
    credentialNames.some((each) => each === name) && typeof text === 'string' && text !== '';
  if (given.length > 0 && given.every(isFit)) return Object.fromEntries(given);
  const names = credentialNames.join(', ');
  const message = {
    en: `${file} must hold some of these as text, and nothing else: ${names}`,
    pt: `${file} deve conter alguns destes como texto, e nada mais: ${names}`,
  };
  throw new FiscalError('usage.invalid', { message }, { sent: 'no' });
}
