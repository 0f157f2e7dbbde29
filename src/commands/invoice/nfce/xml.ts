import { bytesCommand } from '../bytes-command.js';

export const command = bytesCommand('nfce', 'xml');
