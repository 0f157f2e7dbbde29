import { cancelCommand } from '../cancel-command.command.js';

export const command = cancelCommand('nfe');
