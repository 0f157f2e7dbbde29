import { importCommand } from '../import-command.js';

export const command = importCommand('nfe');
