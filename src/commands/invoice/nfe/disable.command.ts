import { disableCommand } from '../disable-command.command.js';

export const command = disableCommand('nfe');
