import type { Given } from '../../cli/command.js';
import { bareKey, checkInvoiceKey, checkKey, checkServiceKey, wasRounded } from '../../domain/access-key.js';
import type { Issue } from '../../domain/issue.js';
import type { DataRecord, Outcome } from '../../domain/outcome.js';
import { checkPostalCode, formatPostalCode } from '../../domain/address.js';
import { checkCnpj, checkCpf, formatCnpj } from '../../domain/tax-number.js';
import { ExitCode } from '../../errors/exit-code.js';
import type { Context } from '../../services/context.js';
import type { check } from './commands.js';
import { readLines } from '../../services/input/lines.js';

/** Checks each value without network; `-` reads values from stdin, one per line. Exits 2 if one is invalid. */
export async function checkKeys(
  context: Pick<Context, 'stdin'>,
  { value: values }: Given<typeof check>,
): Promise<Outcome<AsyncIterable<DataRecord>>> {
  let invalid = 0;
  async function* records(): AsyncGenerator<DataRecord> {
    for await (const value of allValues(context, values)) {
      const identified = identify(value);
      if (!identified.valid) invalid += 1;
      yield checkRecord(identified);
    }
  }
  return {
    data: records(),
    // Known only when the last record has been written.
    get exitCode() {
      return invalid === 0 ? ExitCode.ok : ExitCode.usage;
    },
  };
}

function checkRecord({ value, kind, valid, parts, issues }: Identified): DataRecord {
  return { type: 'key', value, kind, valid, ...(valid ? { parts } : {}), issues };
}

async function* allValues(context: Pick<Context, 'stdin'>, values: readonly string[]): AsyncGenerator<string> {
  for (const value of values) {
    if (value === '-') yield* linesOfStdin(context);
    else yield value;
  }
}

async function* linesOfStdin({ stdin }: Pick<Context, 'stdin'>): AsyncGenerator<string> {
  for await (const { text } of readLines(stdin.read(), { name: 'stdin', limitMib: 1 })) {
    if (text.trim() !== '') yield text.trim();
  }
}

/** A value, whose length decides the kind: 44 and 50 are access keys, 14 a CNPJ, 11 a CPF, 8 a CEP. */
interface Identified {
  readonly value: string;
  readonly kind: string;
  readonly valid: boolean;
  readonly parts: Readonly<Record<string, unknown>>;
  readonly issues: readonly Issue[];
}

const lengths = {
  en: '44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF) or 8 (CEP) characters are expected',
  pt: 'esperam-se 44 (NF-e, NFC-e, CT-e), 50 (NFS-e), 14 (CNPJ), 11 (CPF) ou 8 (CEP) caracteres',
};

function identify(text: string): Identified {
  const { value, issues } = checkKey(text);
  if (wasRounded({ issues })) return { value, kind: 'unknown', valid: false, parts: {}, issues };
  switch (value.length) {
    case 44: {
      const check = checkInvoiceKey(text);
      const { kind = 'unknown', ...parts } = check.parts ?? {};
      return { ...check, kind, parts };
    }
    case 50: {
      const check = checkServiceKey(text);
      const { kind = 'nfse', ...parts } = check.parts ?? {};
      return { ...check, kind, parts };
    }
    case 14: {
      const check = checkCnpj(text);
      const parts = { cnpj: check.value, formatted: formatCnpj(check.value) };
      return { ...check, parts };
    }
    case 11: {
      const check = checkCpf(text);
      return { ...check, parts: { cpf: check.value } };
    }
    case 8: {
      const check = checkPostalCode(text);
      const parts = { cep: check.value, formatted: formatPostalCode(check.value) };
      return { ...check, parts };
    }
    default:
      return unidentified(bareKey(text));
  }
}

function unidentified(value: string): Identified {
  const issue: Issue = { code: 'length', severity: 'error', field: 'value', message: lengths };
  return { value: value.slice(0, 60), kind: 'unknown', valid: false, parts: {}, issues: [issue] };
}
