import type { Text } from '../../contract/text.js';

export const topic: Text = {
  en: `Jobs

Every change at the service is a job of one or more items. It is stored on this
machine before it is sent, so that a crash, a dropped connection or a closed
laptop loses nothing and sends nothing twice.

States of an item
  prepared → sending → pending → succeeded | rejected | failed
  skipped     it was already done, or another item does it
  uncertain   it was sent and its outcome is unknown; only a person can find out
              what happened
  cancelled   cancelled before it was sent

What to type
  the same command again      continues the same job: same input, same
                              operation, same profile
  fiscal job list             jobs in progress (--all: also finished ones)
  fiscal job show <id>        counts, times, the next command
  fiscal job items <id>       item by item; --state uncertain shows what needs
                              you
  fiscal job resume <id>      continues the job, or follows the process that
                              works on it; --failed also sends rejected and
                              failed items again, as new items linked to the
                              old ones
  fiscal job resolve <item>   records what happened to an uncertain item, or to
                              one that stays pending or in sending
  fiscal job cancel <id>      cancels what was not sent

An uncertain item is never sent again automatically. Billed calls are not
repeated after an unknown outcome unless --retry-billable is given.

The first Ctrl-C lets requests in flight finish and saves the state; the second
exits immediately. Both are safe. Two processes with the same command share the
items of their job and never work on the same item.`,
  pt: `Lotes (jobs)

Tudo o que tem efeito no serviço é um lote, de um item ou de muitos. Ele é
gravado nesta máquina antes de ser enviado, para que uma queda, uma conexão
cortada ou um notebook fechado não perca nada e não envie nada duas vezes.

Estados de um item
  prepared → sending → pending → succeeded | rejected | failed
  skipped     já estava feito, ou outro item o faz
  uncertain   foi enviado e o resultado é desconhecido; só uma pessoa pode
              descobrir o que aconteceu
  cancelled   cancelado antes do envio

O que digitar
  o mesmo comando de novo     continua o mesmo lote: mesma entrada, mesma
                              operação, mesmo perfil
  fiscal job list             o que está em andamento (--all: também o que
                              terminou)
  fiscal job show <id>        contagens, horários, o próximo comando
  fiscal job items <id>       item por item; --state uncertain mostra o que
                              precisa de você
  fiscal job resume <id>      continua o lote, ou acompanha o processo que
                              trabalha nele; --failed também envia de novo
                              itens rejeitados e com falha, como itens novos
                              ligados aos antigos
  fiscal job resolve <item>   registra o que aconteceu com um item sem
                              confirmação do serviço, ou com um que continua
                              em pending ou em sending
  fiscal job cancel <id>      cancela o que não foi enviado

Um item sem confirmação do serviço nunca é reenviado automaticamente. Chamadas
cobradas não são repetidas após um resultado desconhecido, a não ser com
--retry-billable.

O primeiro Ctrl-C deixa terminar o que está em curso e salva o estado; o segundo
sai imediatamente. Ambos são seguros. Dois processos com o mesmo comando dividem
os itens do lote e nunca trabalham no mesmo item.`,
};
