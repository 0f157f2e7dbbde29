import { listCommand } from '../list-command.command.js';

export const command = listCommand('nfe');
