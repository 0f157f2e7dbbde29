import { type CommandGroup, defineCommand } from '../../cli/command.js';

const reset = defineCommand({
  summary: {
    en: 'End the waits that the service asked for',
    pt: 'Encerra as esperas que o serviço pediu',
  },
  description: {
    en: 'When a service answers 429 or 503 with Retry-After, every command of this machine waits before it calls that host again, for --max-believed-wait at most. This ends the waits of the profile. A command that already waits for that notices within 5 seconds, and items of jobs that the service sent away become due; what was sent already, and is followed or looked up, keeps its time. "store status" and "doctor" show the waits.',
    pt: 'Quando um serviço responde 429 ou 503 com Retry-After, todo comando desta máquina espera antes de chamar esse host de novo, no máximo --max-believed-wait. Este comando encerra as esperas do perfil. Um comando que já está nessa espera percebe em até 5 segundos, e os itens de jobs que o serviço mandou voltar depois ficam liberados; o que já foi enviado, e é acompanhado ou consultado, mantém seu horário. "store status" e "doctor" mostram as esperas.',
  },
  options: {},
  refusesCompany: true,
  examples: [
    {
      command: 'fiscal pace reset',
      summary: {
        en: 'After the service asked for a wait by mistake',
        pt: 'Depois que o serviço pediu uma espera por engano',
      },
    },
  ],
  exitCodes: [],
  async run({ context }) {
    const { resetPace } = await import('./reset.js');
    return await resetPace(context);
  },
});

export const group: CommandGroup = { verbs: { reset } };
