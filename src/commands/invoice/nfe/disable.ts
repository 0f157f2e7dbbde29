import { disableCommand } from '../disable-command.js';

export const command = disableCommand('nfe');
