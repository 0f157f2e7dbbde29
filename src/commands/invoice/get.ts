import { getCommand } from './get-command.js';

export const command = getCommand('general');
