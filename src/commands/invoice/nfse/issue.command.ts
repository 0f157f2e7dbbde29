import { issueCommand } from '../issue-command.command.js';

export const command = issueCommand('nfse');
