import { text, toggle } from '../../cli/define.js';
import { waitOptions } from '../../cli/options.js';

export const followOptions = {
  ...waitOptions,
  wait: toggle(
    'Wait until the authority has decided; the exit code shows the decision',
    'Aguarda a decisão da autoridade; o código de saída indica o resultado',
  ),
};

export const uncheckedOption = {
  detailUnchecked: toggle(
    'Send detail and justification as written, without local checks',
    'Envia o detalhe e a justificativa como estão, sem conferência local',
    { rare: true },
  ),
};

export const companyUncheckedOption = {
  companyUnchecked: toggle(
    'Send without proof that the company captured the document',
    'Envia sem prova de que a empresa capturou a nota',
    { rare: true },
  ),
};

/** Required when events of a batch deny documents: 210220, 210240, 203206. */
export const confirmOption = {
  confirm: text(
    'companyId',
    'The company again, to confirm events that deny documents',
    'A empresa, indicada de novo, para confirmar eventos que negam documentos',
  ),
};
