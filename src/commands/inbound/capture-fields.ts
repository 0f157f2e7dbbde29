import { parseForeignJson } from '../../domain/json-numbers.js';
import { type InboundFamily, inboundSettingNames } from '../../contract/inbound.js';
import type { Text } from '../../contract/text.js';
import { parseUtc } from '../../domain/dates.js';
import { isRecord } from '../../domain/record.js';
import { FiscalError } from '../../errors/fiscal-error.js';
import { parseDay } from '../../domain/typed-dates.js';
import { invalidValue } from '../../errors/invalid-value.js';
import type { Context } from '../../services/context.js';
import type { SettingsOptions } from './capture-commands.js';
import { readDocument } from '../../services/input/records.js';
import { openSource } from '../../services/input/source.js';

export type SettingsBody = Readonly<Record<string, unknown>>;

const MAX_DELAY_SECONDS = 604_800;

/** The settings that the user gave, by file and flags, with the names of the service. Errors: `usage.*`, `input.*`. */
export async function givenSettings(
  context: Context,
  family: InboundFamily,
  flags: SettingsOptions,
): Promise<SettingsBody> {
  const written = flags.file === undefined ? {} : await fromFile(context, flags.file);
  const body = { ...written, ...fromFlags(family, flags) };
  const strange = Object.keys(body).find((name) => !inboundSettingNames[family].includes(name));
  if (strange !== undefined) throw notOfFamily(strange, family);
  assertValues(body);
  return body;
}

/** A field of the family whatever the case of its letters: `STARTFROMDATE` is refused like `startFromDate`. */
async function fromFile(context: Context, path: string): Promise<SettingsBody> {
  const source = await openSource(context, path, { again: false });
  const data = await readDocument(source, parseForeignJson).finally(() => source.close());
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    const reason: Text = { en: 'an object is expected', pt: 'espera-se um objeto' };
    throw new FiscalError('input.syntax', { path, format: 'JSON', reason }, { sent: 'no' });
  }
  return withKnownNames(data);
}

/** Fields inside of another one. */
const NESTED = ['minutesToOperationConfirmation', 'minutesToUnknownOperation'] as const;

/** At every depth: a setting that disowns operations is the same in whatever letters it is written. */
function withKnownNames(data: object): Record<string, unknown> {
  const names = [...inboundSettingNames.nfe, ...inboundSettingNames.nfse, ...NESTED];
  const canonical = (name: string): string => names.find((known) => known.toLowerCase() === name.toLowerCase()) ?? name;
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [canonical(name), isRecord(value) ? withKnownNames(value) : value]),
  );
}

function fromFlags(family: InboundFamily, flags: SettingsOptions): SettingsBody {
  const { minutesToOperationConfirmation, minutesToUnknownOperation } = flags;
  const delayMs = flags.automaticManifestationDelay;
  const automaticManifesting = given({ minutesToOperationConfirmation, minutesToUnknownOperation });
  const isManifesting = Object.keys(automaticManifesting).length > 0;
  return given({
    startFromDate:
      flags.startFromDate === undefined ? undefined : (parseDay(flags.startFromDate) ?? flags.startFromDate),
    [family === 'nfse' ? 'initialNsu' : 'startFromNsu']: flags.startFromNsu,
    environmentSEFAZ: flags.environment,
    webhookVersion: flags.webhookVersion,
    webhookEvents: flags.webhookEvents.length === 0 ? undefined : flags.webhookEvents,
    webhookUrl: flags.webhookUrl,
    automaticManifesting: isManifesting ? automaticManifesting : undefined,
    outboundEnabled: toggle(flags.outboundEnabled),
    isAutomaticManifestationEnabled: toggle(flags.automaticManifestation),
    automaticManifestationDelaySeconds: delayMs === undefined ? undefined : delayMs / 1000,
  });
}

function given(fields: SettingsBody): SettingsBody {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function toggle(word: 'true' | 'false' | undefined): boolean | undefined {
  return word === undefined ? undefined : word === 'true';
}

function assertValues(body: SettingsBody): void {
  const { startFromDate, automaticManifestationDelaySeconds: delay, startFromNsu, initialNsu } = body;
  if (startFromDate !== undefined && !isTime(startFromDate)) throw wrong('startFromDate', startFromDate, aTime);
  const nsu = startFromNsu ?? initialNsu;
  if (nsu !== undefined && !/^\d{1,15}$/.test(String(nsu))) throw wrong('startFromNsu', nsu, anNsu);
  const isDelay = typeof delay === 'number' && Number.isInteger(delay) && delay >= 0 && delay <= MAX_DELAY_SECONDS;
  if (delay !== undefined && !isDelay) throw wrong('automaticManifestationDelaySeconds', delay, aDelay);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && parseUtc(value) !== undefined;
}

function wrong(name: string, value: unknown, expected: Text): FiscalError {
  const shown = typeof value === 'string' ? value : JSON.stringify(value);
  return invalidValue(name, shown, expected);
}

function notOfFamily(name: string, family: InboundFamily): FiscalError {
  const known = inboundSettingNames[family].join(', ');
  const message: Text = {
    en: `${family} has no setting ${name.slice(0, 60)}; it has ${known}`,
    pt: `${family} não tem a configuração ${name.slice(0, 60)}; tem ${known}`,
  };
  return new FiscalError('usage.invalid', { message }, { sent: 'no' });
}

const aTime: Text = {
  en: 'a day (2026-10-01) or a UTC time is expected',
  pt: 'espera-se um dia (2026-10-01) ou um horário UTC',
};

const anNsu: Text = { en: 'up to 15 digits are expected', pt: 'esperam-se até 15 algarismos' };

const aDelay: Text = {
  en: `whole seconds from 0 to ${MAX_DELAY_SECONDS} (7 days) are expected`,
  pt: `esperam-se segundos inteiros de 0 a ${MAX_DELAY_SECONDS} (7 dias)`,
};
