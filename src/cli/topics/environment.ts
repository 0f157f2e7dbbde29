import type { Text } from '../../contract/text.js';

export const topic: Text = {
  en: `Environment and configuration

Precedence: flag > environment > profile > default. "fiscal config list
--show-origin" shows every value and its source.

Keys (never as a flag)
  FISCAL_INVOICE_KEY      issuing and managing
  FISCAL_DATA_KEY         queries
  FISCAL_JWT              bearer token
  FISCAL_WEBHOOK_SECRET   signs webhook deliveries
  FISCAL_STORE_URL        a store that machines share, postgres://…
  Each also with _FILE (read from a file) or _COMMAND (printed by a command).

Variables
  FISCAL_PROFILE, FISCAL_TENANT, FISCAL_COMPANY
      what to work on
  FISCAL_PRODUCT_URL, FISCAL_QUERY_URL, FISCAL_SERVICE_URL,
  FISCAL_LEGAL_ENTITY_URL, FISCAL_NATURAL_PERSON_URL, FISCAL_ADDRESS_URL
      addresses of the service
  FISCAL_CONFIG_DIR, FISCAL_STATE_DIR, FISCAL_DATA_DIR, FISCAL_CACHE_DIR
      where files are kept
  NO_COLOR, FORCE_COLOR, TERM, CI, LC_ALL, LC_CTYPE, LC_MESSAGES, LANG,
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
      are obeyed
  FISCAL_PAGER, PAGER
      the program that shows long tables and help on a terminal (less -FRX);
      cat or --no-pager: none
  GITHUB_ACTIONS=true
      enables --ci github: annotations, and a section in the file of
      GITHUB_STEP_SUMMARY
  GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_JOB_URL, CI_JOB_ID,
  BUILD_URL, USER, USERNAME
      name the CI run and the user that jobs and the history show
  Every flag --a-b can be set as FISCAL_A_B, e.g. FISCAL_READ_TIMEOUT=10s or
  FISCAL_NO_INPUT=1.

Flags of every command
  --profile --tenant --company
  -o/--output --fields --query --error-format   --color --lang --utc
  -q/--quiet -v/--verbose --debug-http   --no-input --no-pager -y/--yes
  --dry-run --ci
  --connect-timeout --read-timeout --max-retry-wait --max-believed-wait
  --concurrency --rps --ca-cert --proxy

A project file .fiscalrc.json (in this folder or above) chooses what is shown
(output, lang, color …), names a company, tenant or profile only where nothing
else does, and only tightens what protects (settleTime, requireStore, quiet,
waits, rates). It holds no keys, no addresses, no paths. The first write of a
run says what it set. A relative path of a flag or a variable starts in the
working folder; a profile stores paths absolute.`,
  pt: `Ambiente e configuração

Precedência: opção > ambiente > perfil > padrão. "fiscal config list
--show-origin" mostra cada valor e sua origem.

Chaves (nunca como opção)
  FISCAL_INVOICE_KEY      emitir e gerenciar
  FISCAL_DATA_KEY         consultas
  FISCAL_JWT              token bearer
  FISCAL_WEBHOOK_SECRET   assina as entregas de webhooks
  FISCAL_STORE_URL        um estado que máquinas dividem, postgres://…
  Cada uma também com _FILE (lida de um arquivo) ou _COMMAND (impressa por um
  comando).

Variáveis
  FISCAL_PROFILE, FISCAL_TENANT, FISCAL_COMPANY
      sobre o que trabalhar
  FISCAL_PRODUCT_URL, FISCAL_QUERY_URL, FISCAL_SERVICE_URL,
  FISCAL_LEGAL_ENTITY_URL, FISCAL_NATURAL_PERSON_URL, FISCAL_ADDRESS_URL
      endereços do serviço
  FISCAL_CONFIG_DIR, FISCAL_STATE_DIR, FISCAL_DATA_DIR, FISCAL_CACHE_DIR
      onde ficam os arquivos
  NO_COLOR, FORCE_COLOR, TERM, CI, LC_ALL, LC_CTYPE, LC_MESSAGES, LANG,
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY
      são respeitadas
  FISCAL_PAGER, PAGER
      o programa que mostra tabelas e ajuda longas no terminal (less -FRX);
      cat ou --no-pager: nenhum
  GITHUB_ACTIONS=true
      vale por --ci github: anotações e uma seção no arquivo de
      GITHUB_STEP_SUMMARY
  GITHUB_SERVER_URL, GITHUB_REPOSITORY, GITHUB_RUN_ID, CI_JOB_URL, CI_JOB_ID,
  BUILD_URL, USER, USERNAME
      dizem a execução de CI e o usuário que os lotes e o histórico mostram
  Toda opção --a-b pode ser definida como FISCAL_A_B, p. ex.
  FISCAL_READ_TIMEOUT=10s ou FISCAL_NO_INPUT=1.

Opções de todo comando
  --profile --tenant --company
  -o/--output --fields --query --error-format   --color --lang --utc
  -q/--quiet -v/--verbose --debug-http   --no-input --no-pager -y/--yes
  --dry-run --ci
  --connect-timeout --read-timeout --max-retry-wait --max-believed-wait
  --concurrency --rps --ca-cert --proxy

Um arquivo de projeto .fiscalrc.json (nesta pasta ou acima) escolhe o que é
mostrado (output, lang, color …), indica empresa, tenant ou perfil só onde nada
mais indica, e só reforça o que protege (settleTime, requireStore, quiet,
esperas, ritmo). Não guarda chaves, endereços nem caminhos. A primeira gravação
de uma execução diz o que ele definiu. Um caminho relativo de uma opção ou
variável parte da pasta de trabalho; um perfil guarda caminhos absolutos.`,
};
