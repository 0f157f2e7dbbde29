import { getCommand } from '../get-command.command.js';

export const command = getCommand('nfe');
