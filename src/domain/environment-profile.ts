import type { Environment } from './world.js';

/** The profile of runs for which none is chosen: their rows have this name, and so have the settings that they store. */
export const environmentProfile = 'environment';

/** Whether the environment says whose account a run without a profile acts for. */
export function namesKey(env: Environment): boolean {
  return Object.entries(env).some(([name, value]) => keyVariable.test(name) && value !== undefined && value !== '');
}

const keyVariable = /^FISCAL_(?:INVOICE_KEY|DATA_KEY|JWT)(?:_FILE|_COMMAND)?$/;
