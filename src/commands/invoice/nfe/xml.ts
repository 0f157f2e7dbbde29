import { bytesCommand } from '../bytes-command.js';

export const command = bytesCommand('nfe', 'xml');
