import { listCommand } from '../list-command.js';

export const command = listCommand('nfce');
