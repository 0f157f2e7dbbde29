import { type ArgumentSpec, defineCommand, type Example, type OptionSpecs } from '../../cli/command.js';
import { callExitCodes } from '../../cli/exit-codes.js';
import type { Text } from '../../contract/text.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { RegistrationReads } from './registration-read.js';

/** What the commands of state and municipal registrations have in common. */
interface RegistrationNoun {
  readonly noun: RegistrationReads['noun'];
  /** Loaded when a command runs. */
  reads(): Promise<RegistrationReads>;
}

/** `list`: one table of the registrations of a company. */
export function listCommand({
  reads,
  summary,
  example,
  columns,
}: RegistrationNoun & {
  readonly summary: Text;
  readonly example: Example;
  readonly columns: readonly string[];
}) {
  return defineCommand({
    summary,
    options: {},
    scope: ['company'],
    examples: [example],
    exitCodes: callExitCodes,
    idField: 'id',
    view: async () => {
      const { columnsView } = await import('../../presenters/generic.js');
      return columnsView(columns);
    },
    async run({ context }) {
      const { listRegistrations } = await import('./registration-read.js');
      return await listRegistrations(context, await reads());
    },
  });
}

/** `get`: one registration. */
export function getCommand({
  noun,
  reads,
  summary,
  description,
  example,
}: RegistrationNoun & {
  readonly summary: Text;
  readonly description: Text;
  readonly example: Example;
}) {
  const argument = idArgument(noun);
  return defineCommand({
    ...{ summary, description, arguments: [argument] },
    options: {},
    scope: ['company'],
    examples: [example],
    exitCodes: callExitCodes,
    idField: 'id',
    async run({ context, arguments: { [argument.name]: id = '' } }) {
      const { getRegistration } = await import('./registration-read.js');
      return await getRegistration(context, await reads(), id);
    },
  });
}

/** The id of a registration, as an argument. */
export function idArgument(noun: RegistrationReads['noun']): ArgumentSpec {
  return {
    name: noun === 'state-tax' ? 'stateTaxId' : 'municipalTaxId',
    required: true,
    summary: {
      en: `Id of the registration (company ${noun} list)`,
      pt: `Id da inscrição (company ${noun} list)`,
    },
  };
}

export const fileOption = {
  file: {
    kind: 'text',
    value: 'file',
    summary: {
      en: 'The registration as JSON or YAML; - for stdin',
      pt: 'A inscrição em JSON ou YAML; - para o stdin',
    },
  },
} as const satisfies OptionSpecs;

export const updateDescription: Text = {
  en: 'Reads the registration, merges the file and the flags into it (null removes a field), and shows the difference before it asks. It is read again before it is sent, and refused (10) when someone changed it meanwhile. Without a terminal it needs --yes.',
  pt: 'Lê a inscrição, aplica o arquivo e as opções (null remove um campo) e mostra a diferença antes de confirmar. É lida de novo antes do envio e recusada (10) se alguém a alterou nesse meio-tempo. Sem terminal, use --yes.',
};

const writeExitCodes = [ExitCode.partial, ...callExitCodes, ExitCode.conflict];
export const updateExitCodes = writeExitCodes;
export const createExitCodes = [...writeExitCodes, ExitCode.held, ExitCode.endedBadly];
