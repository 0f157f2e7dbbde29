import type { Text } from '../../contract/text.js';

export const topic: Text = {
  en: `Jobs

Whatever has an effect at the service is a job, of one item or of many. It is
written to this machine before it is sent, so that a crash, a cut connection or
a closed laptop loses nothing and sends nothing twice.

States of an item
  prepared → sending → pending → succeeded | rejected | failed
  skipped     it was done already, or another item does it
  uncertain   it was sent and the answer never came; only a person can say what
              happened
  cancelled   taken back before it was sent

What to type
  the same command again      goes on with the same job: same input, same
                              operation, same profile
  fiscal job list             what is under way (--all: also what is done)
  fiscal job show <id>        counts, times, the next command
  fiscal job items <id>       item by item; --state uncertain shows what needs
                              you
  fiscal job resume <id>      goes on
  fiscal job retry <id>       sends rejected and failed items again, as new
                              items linked to the old ones; goes on with what
                              an interrupted retry left
  fiscal job resolve <item>   says what became of an uncertain item, or of one
                              that stays pending or in sending
  fiscal job cancel <id>      takes back what was not sent

An uncertain item is never sent again by itself. Calls that the service bills
are not repeated after an unclear outcome unless --retry-billable says so.

The first Ctrl-C lets what is in flight finish and saves the state; the second
leaves at once. Both are safe. Two processes may run the same job: they share
the items and never work on one item together.`,
  pt: `Trabalhos (jobs)

Tudo o que tem efeito no serviço é um trabalho, de um item ou de muitos. Ele é
gravado nesta máquina antes de ser enviado, para que uma queda, uma conexão
cortada ou um notebook fechado não perca nada e não envie nada duas vezes.

Estados de um item
  prepared → sending → pending → succeeded | rejected | failed
  skipped     já estava feito, ou outro item o faz
  uncertain   foi enviado e a resposta nunca veio; só uma pessoa pode dizer o
              que aconteceu
  cancelled   retirado antes do envio

O que digitar
  o mesmo comando de novo     continua o mesmo trabalho: mesma entrada, mesma
                              operação, mesmo perfil
  fiscal job list             o que está em andamento (--all: também o que
                              terminou)
  fiscal job show <id>        contagens, horários, o próximo comando
  fiscal job items <id>       item por item; --state uncertain mostra o que
                              precisa de você
  fiscal job resume <id>      continua
  fiscal job retry <id>       envia de novo itens rejeitados e falhos, como
                              itens novos ligados aos antigos; continua o que
                              um retry interrompido deixou
  fiscal job resolve <item>   diz o que aconteceu com um item incerto, ou com
                              um que continua em pending ou em sending
  fiscal job cancel <id>      retira o que não foi enviado

Um item incerto nunca é reenviado sozinho. Chamadas que o serviço cobra não são
repetidas após um resultado incerto, a menos que --retry-billable o diga.

O primeiro Ctrl-C deixa terminar o que está em curso e salva o estado; o segundo
sai na hora. Ambos são seguros. Dois processos podem executar o mesmo trabalho:
dividem os itens e nunca tratam juntos o mesmo item.`,
};
