import type { Text } from '../../contract/text.js';

export const topic: Text = {
  en: `Security

Keys
  No flag and no argument accepts a key: the list of processes and the history
  of your shell would show it. Keys come from the environment, a file (_FILE),
  a command (_COMMAND), or the profile that "fiscal auth login" wrote.
  They are never printed; errors name the kind of key and where it came from.
  The service has two keys: the invoice key (issue, manage) and the data key
  (queries). The wrong one is a 401.

Network
  Only https, except to this machine. A redirect never carries a key to another
  host. Sandbox keys (sbx_…) never leave this machine; other keys are never sent
  to the sandbox.

Files
  Folders are 0700 and files 0600. Requests are redacted before they are
  written: keys, tokens, passwords and the digits of a CPF never reach the
  history, a log or an error. With each job, request and billed call the store
  keeps the names of the machine and of its user, and the address of the CI run.

The terminal
  Text from the service is shown with its control characters made visible, so
  that a name in an invoice cannot move your cursor or disguise a number.
  --debug-http shows requests with the same masking.

If a key may have leaked: rotate it at the service, then fiscal auth login
again.`,
  pt: `Segurança

Chaves
  Nenhuma opção e nenhum argumento recebe uma chave: a lista de processos e o
  histórico do shell a mostrariam. As chaves vêm do ambiente, de um arquivo
  (_FILE), de um comando (_COMMAND) ou do perfil que "fiscal auth login" grava.
  Elas nunca são impressas; os erros dizem o tipo da chave e de onde ela veio.
  O serviço tem duas chaves: a de emissão (emitir, gerenciar) e a de consulta
  (consultar). A chave errada resulta em 401.

A rede
  Só https, exceto para esta máquina. Um redirecionamento nunca leva uma chave a
  outro endereço. Chaves do sandbox (sbx_…) nunca saem desta máquina; outras
  chaves nunca são enviadas ao sandbox.

Arquivos
  As pastas são 0700 e os arquivos 0600. As requisições são
  mascaradas antes de serem gravadas: chaves, tokens, senhas e os dígitos de um
  CPF nunca chegam ao histórico, a um log ou a um erro. Com cada lote,
  requisição e chamada cobrada são guardados os nomes da máquina e do usuário e
  o endereço da execução de CI.

O terminal
  Textos do serviço aparecem com seus caracteres de controle visíveis, para que
  um nome numa nota não possa mover o cursor nem disfarçar um número.
  --debug-http mostra as requisições com o mesmo mascaramento.

Se uma chave pode ter vazado: troque-a no serviço e depois faça fiscal auth
login de novo.`,
};
