import { defineCommand } from '../../cli/command.js';
import { ExitCode } from '../../errors/exit-code.js';

export const command = defineCommand({
  summary: {
    en: 'Check the signature of a delivery that another program received',
    pt: 'Confere a assinatura de uma entrega recebida por outro programa',
  },
  description: {
    en: 'The body comes on stdin, byte for byte; nothing is asked of the service. Ends 2 when the delivery is not genuine. The verdict stale: signed with the secret, but more than 5 minutes from now.',
    pt: 'O corpo vem pelo stdin, byte a byte; nada é perguntado ao serviço. Termina com 2 quando a entrega não é autêntica. O veredito stale: assinada com o segredo, mas a mais de 5 minutos de agora.',
  },
  options: {
    signature: {
      kind: 'text',
      value: 'header',
      summary: {
        en: 'The header X-Hub-Signature (sha1=…) or webhook-signature (v1,…)',
        pt: 'O cabeçalho X-Hub-Signature (sha1=…) ou webhook-signature (v1,…)',
      },
    },
    scheme: {
      kind: 'choice',
      choices: ['hub-sha1', 'standard-webhooks'],
      default: 'hub-sha1',
      summary: { en: 'How the delivery is signed', pt: 'Como a entrega é assinada' },
    },
    id: {
      kind: 'text',
      value: 'header',
      summary: { en: 'The header webhook-id', pt: 'O cabeçalho webhook-id' },
    },
    timestamp: {
      kind: 'text',
      value: 'header',
      summary: { en: 'The header webhook-timestamp', pt: 'O cabeçalho webhook-timestamp' },
    },
    secretFile: {
      kind: 'text',
      value: 'file',
      summary: {
        en: 'The secret, one a line (default: FISCAL_WEBHOOK_SECRET, then the stored ones)',
        pt: 'O segredo, um por linha (padrão: FISCAL_WEBHOOK_SECRET, depois os guardados)',
      },
    },
  },
  examples: [
    {
      command:
        'fiscal webhook verify --secret-file webhook.secret --signature "$X_HUB_SIGNATURE" < body.json',
      summary: { en: 'In a shell script', pt: 'Em um script de shell' },
    },
  ],
  exitCodes: [ExitCode.credentials],
  async run({ context, options }) {
    const { verifyDelivery } = await import('./verify.js');
    return verifyDelivery(context, options);
  },
});
