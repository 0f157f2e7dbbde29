import { issueCommand } from '../issue-command.js';

export const command = issueCommand('nfse');
