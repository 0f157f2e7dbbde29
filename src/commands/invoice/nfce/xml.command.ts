import { bytesCommand } from '../bytes-command.command.js';

export const command = bytesCommand('nfce', 'xml');
