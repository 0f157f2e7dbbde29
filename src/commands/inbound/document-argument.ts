import type { ArgumentSpec, OptionSpecs } from '../../cli/command.js';

/** The document that a verb is about. */
export const documentArgument: ArgumentSpec = {
  name: 'key',
  required: true,
  summary: {
    en: 'Access key (44 or 50 characters); the id of an NFS-e with --type nfse',
    pt: 'Chave de acesso (44 ou 50 caracteres); o id de uma NFS-e com --type nfse',
  },
};

export const typeOption = {
  type: {
    kind: 'choice',
    choices: ['nfe', 'cte', 'nfse'],
    summary: {
      en: 'Family of the document (default: told by the key)',
      pt: 'Família do documento (padrão: a que a chave indica)',
    },
  },
} as const satisfies OptionSpecs;
