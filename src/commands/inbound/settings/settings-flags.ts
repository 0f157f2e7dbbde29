import type { OptionValues } from '../../../cli/command.js';
import type { InboundFamily } from '../../../contract/inbound.js';
import { FiscalError } from '../../../errors/fiscal-error.js';
import type { SettingsFlags } from '../settings-fields.js';
import type { settingsOptions } from './settings-options.js';

/** Settings belong to one family: it is never guessed. */
export function requiredFamily(type: InboundFamily | undefined): InboundFamily {
  if (type === undefined) throw new FiscalError('usage.missing', { names: '--type' }, { sent: 'no' });
  return type;
}

/** The words of the user as the services take them. */
export function settingsFlags(options: OptionValues<typeof settingsOptions>): SettingsFlags {
  const { type: _type, confirm: _confirm, automaticManifestationDelay, ...flags } = options;
  return { ...flags, automaticManifestationDelayMs: automaticManifestationDelay };
}
