import { defineCommand } from '../../cli/command.js';
import { knownCompaniesOption } from '../../cli/company-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';

export const command = defineCommand({
  summary: { en: 'List events', pt: 'Lista eventos' },
  description: {
    en: 'With the key of an NFS-e, the events that the service has of it. Otherwise what this machine has seen, with the state that was seen last: the service has no list of NF-e events.',
    pt: 'Com a chave de uma NFS-e, os eventos que o serviço tem dela. Sem ela, o que esta máquina viu, com o último estado visto: o serviço não tem lista de eventos de NF-e.',
  },
  arguments: [
    {
      name: 'accessKey',
      required: false,
      summary: { en: 'Only the events of this key', pt: 'Só os eventos desta chave' },
    },
  ],
  options: {
    ...knownCompaniesOption,
    status: {
      kind: 'text',
      value: 'name',
      summary: { en: 'Only this state, e.g. Rejected', pt: 'Só este estado, p. ex. Rejected' },
    },
    limit: {
      kind: 'count',
      value: 'n',
      min: 1,
      summary: { en: 'At most so many', pt: 'No máximo tantos' },
    },
  },
  scope: ['company'],
  examples: [
    {
      command: 'fiscal manifestation list --status Rejected',
      summary: { en: 'What was rejected, newest first', pt: 'O que foi rejeitado, o mais novo primeiro' },
    },
    {
      command: 'fiscal manifestation list 21113002200574753000100000000000146726037032711025',
      summary: { en: 'The events of an NFS-e', pt: 'Os eventos de uma NFS-e' },
    },
  ],
  exitCodes: callExitCodes,
  idField: 'id',
  async run({ context, options, arguments: { accessKey } }) {
    const { listManifestations } = await import('./list.js');
    return listManifestations(context, { accessKey, ...options });
  },
});
