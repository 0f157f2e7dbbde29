import { eventsCommand } from '../events-command.js';

export const command = eventsCommand('nfce');
