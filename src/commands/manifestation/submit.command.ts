import { defineCommand } from '../../cli/command.js';
import { followOptionsOf } from '../../cli/batch-options.js';
import { callExitCodes } from '../../cli/call-exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';
import { followOptions } from './follow-options.js';
import { contentOptions, keyArgument } from './submit-options.js';

export const command = defineCommand({
  summary: { en: 'Submit one event', pt: 'Envia um evento' },
  description: {
    en: 'The key tells whether it is an NF-e (44) or an NFS-e (50); "fiscal manifestation codes" lists the events. Everything that the service checks is checked here first. The same event is never sent twice while it is live; after Rejected or Failed the same words send it anew. 110001 takes an earlier event back: --cancels names it. Events that deny (210220, 210240, 203206) or take back (110001) need consent (--yes). Nothing is sent for a company that did not capture the note, unless --company-unchecked is given.',
    pt: 'A chave diz se é NF-e (44) ou NFS-e (50); "fiscal manifestation codes" lista os eventos. Tudo o que o serviço confere é conferido aqui antes. O mesmo evento nunca é enviado duas vezes enquanto vive; depois de Rejected ou Failed as mesmas palavras o enviam de novo. O 110001 cancela um evento anterior: --cancels diz qual. Eventos que negam (210220, 210240, 203206) ou cancelam (110001) precisam de consentimento (--yes). Nada é enviado por uma empresa que não capturou a nota, a menos que se use --company-unchecked.',
  },
  arguments: [keyArgument],
  options: { ...contentOptions, ...followOptions },
  scope: ['company'],
  examples: [
    {
      command:
        'fiscal manifestation submit 35250530057049000141550010000280181030656857 --event confirmation --wait',
      summary: { en: 'Until the authority has decided', pt: 'Até a decisão da autoridade' },
    },
    {
      command:
        'fiscal manifestation submit 35250530057049000141550010000280181030656857 --event not-performed --justification "Goods were never delivered" --yes',
      summary: { en: 'With a justification', pt: 'Com justificativa' },
    },
    {
      command:
        'fiscal manifestation submit 21113002200574753000100000000000146726037032711025 --event reject --reason 3 --yes',
      summary: { en: 'An NFS-e is rejected', pt: 'Uma NFS-e é rejeitada' },
    },
  ],
  exitCodes: [
    ExitCode.partial,
    ...callExitCodes,
    ExitCode.pending,
    ExitCode.conflict,
    ExitCode.held,
    ExitCode.endedBadly,
  ],
  idField: 'id',
  async run({ context, options, arguments: { accessKey = '' } }) {
    const { submitManifestation } = await import('./submit.js');
    const { event, sequence, detail, justification, reason, cancels, legacy, detailUnchecked } = options;
    const { companyUnchecked } = options;
    return submitManifestation(context, {
      ...{ accessKey, event, sequence, detail, justification, reason, cancels, legacy, companyUnchecked },
      ...{ unchecked: detailUnchecked, ...followOptionsOf(options) },
    });
  },
});
