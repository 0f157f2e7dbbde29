import { eventsCommand } from '../events-command.command.js';

export const command = eventsCommand('nfce');
