import { cancelCommand } from '../cancel-command.js';

export const command = cancelCommand('nfse');
