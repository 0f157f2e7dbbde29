import { importCommand } from '../import-command.command.js';

export const command = importCommand('nfe');
