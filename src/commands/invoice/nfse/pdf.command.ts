import { bytesCommand } from '../bytes-command.command.js';

export const command = bytesCommand('nfse', 'pdf');
