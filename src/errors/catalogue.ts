import type { Text } from '../contract/text.js';
import { ExitCode } from './exit-code.js';

export interface CatalogueEntry extends Text {
  readonly exitCode: ExitCode;
  /** Replaces `exitCode` where retrying the same request may help. */
  readonly exitCodeWhenRetryable?: ExitCode;
  /** After a request that writes: 2 would say that nothing was sent. */
  readonly exitCodeWhenSent?: ExitCode;
}

/**
 * The closed list of error codes, one sentence each. A code is never reused with another meaning. It is a function so that
 * a run without an error does not build it.
 */
export const errorCatalogue = () =>
  ({
    'internal.defect': {
      exitCode: ExitCode.internal,
      en: 'internal error in fiscal: {message}',
      pt: 'erro interno do fiscal: {message}',
    },
    'usage.unknown_command': {
      exitCode: ExitCode.usage,
      en: 'there is no command "{command}"',
      pt: 'não existe o comando "{command}"',
    },
    'usage.unknown_option': {
      exitCode: ExitCode.usage,
      en: 'there is no option {option} in "{command}"',
      pt: 'não existe a opção {option} em "{command}"',
    },
    'usage.invalid': { exitCode: ExitCode.usage, en: '{message}', pt: '{message}' },
    'usage.invalid_value': {
      exitCode: ExitCode.usage,
      en: 'the value "{value}" of {name} is not valid: {expected}',
      pt: 'o valor "{value}" de {name} não é válido: {expected}',
    },
    'usage.missing': { exitCode: ExitCode.usage, en: 'missing: {names}', pt: 'falta: {names}' },
    'usage.confirmation_required': {
      exitCode: ExitCode.usage,
      en: 'this needs your consent: {what}',
      pt: 'confirmação necessária: {what}',
    },
    'usage.dry_run': {
      exitCode: ExitCode.usage,
      en: '{operation} cannot be shown beforehand, and --dry-run sends and changes nothing',
      pt: '{operation} não pode ser mostrado de antemão, e --dry-run não envia nem altera nada',
    },
    'usage.declined': {
      exitCode: ExitCode.usage,
      en: 'not confirmed; nothing was sent',
      pt: 'não confirmado; nada foi enviado',
    },
    'usage.cancelled': {
      exitCode: ExitCode.interrupted,
      en: 'cancelled at the prompt; nothing was done',
      pt: 'cancelado na pergunta; nada foi feito',
    },
    'output.lost': {
      exitCode: ExitCode.temporary,
      en: 'the output was lost: writing to {stream} failed: {reason}',
      pt: 'a saída se perdeu: falha ao gravar em {stream}: {reason}',
    },
    'output.query': {
      exitCode: ExitCode.usage,
      exitCodeWhenSent: ExitCode.refused,
      en: 'the command has run, but --query cannot be applied to its result: {reason}',
      pt: 'o comando foi executado, mas --query não se aplica ao resultado: {reason}',
    },
    'input.unreadable': {
      exitCode: ExitCode.usage,
      en: 'cannot read {path}: {reason}',
      pt: 'não foi possível ler {path}: {reason}',
    },
    'input.syntax': {
      exitCode: ExitCode.usage,
      en: '{path} is not valid {format}: {reason}',
      pt: '{path} não é {format} válido: {reason}',
    },
    'input.invalid': {
      exitCode: ExitCode.usage,
      en: '{what} is not valid; nothing was sent',
      pt: '{what}: dados inválidos; nada foi enviado',
    },
    'input.not_found': { exitCode: ExitCode.usage, en: 'there is no file {path}', pt: 'o arquivo {path} não existe' },
    'input.not_text': {
      exitCode: ExitCode.usage,
      en: '{path} is not {encoding} text: byte {offset} does not belong to any character; nothing was sent',
      pt: '{path} não é texto {encoding}: o byte {offset} não pertence a nenhum caractere; nada foi enviado',
    },
    'input.line_too_long': {
      exitCode: ExitCode.usage,
      en: 'line {line} of {path} is longer than {limit} MiB; nothing was sent',
      pt: 'a linha {line} de {path} tem mais de {limit} MiB; nada foi enviado',
    },
    'input.too_large': {
      exitCode: ExitCode.usage,
      en: '{path} is larger than the {limit} MiB that one JSON document may have; use NDJSON or CSV',
      pt: '{path} é maior que os {limit} MiB permitidos para um documento JSON; use NDJSON ou CSV',
    },
    'input.missing_column': {
      exitCode: ExitCode.usage,
      en: '{path} is missing the column {columns}; nothing was sent',
      pt: 'falta a coluna {columns} em {path}; nada foi enviado',
    },
    'input.unknown_column': {
      exitCode: ExitCode.usage,
      en: '{path} has an unknown column: {columns}; nothing was sent',
      pt: '{path} tem uma coluna desconhecida: {columns}; nada foi enviado',
    },
    'input.empty': {
      exitCode: ExitCode.usage,
      en: '{path} has no records; nothing was sent',
      pt: '{path} não tem registros; nada foi enviado',
    },
    'input.changed': {
      exitCode: ExitCode.usage,
      en: '{path} changed while it was being read; nothing was sent',
      pt: '{path} mudou durante a leitura; nada foi enviado',
    },
    'company.unknown': {
      exitCode: ExitCode.notFound,
      en: 'no company is named "{value}"',
      pt: 'nenhuma empresa corresponde a "{value}"',
    },
    'company.ambiguous': {
      exitCode: ExitCode.usage,
      en: '"{value}" may be any of {count} companies',
      pt: '"{value}" pode ser qualquer uma de {count} empresas',
    },
    'company.none': {
      exitCode: ExitCode.notFound,
      en: 'the account has no company, so nothing was done',
      pt: 'a conta não tem nenhuma empresa, então nada foi feito',
    },
    'company.no_alias': {
      exitCode: ExitCode.notFound,
      en: 'the profile {profile} has no alias {alias}',
      pt: 'o perfil {profile} não tem o apelido {alias}',
    },
    'config.invalid': {
      exitCode: ExitCode.usage,
      en: 'the configuration {path} is not valid: {reason}',
      pt: 'a configuração {path} não é válida: {reason}',
    },
    'config.no_folder': {
      exitCode: ExitCode.usage,
      en: 'this user has no home folder, and {variable} is not set: there is no place for these files',
      pt: 'este usuário não tem pasta pessoal e {variable} não está definida: não há lugar para esses arquivos',
    },
    'config.not_in_project': {
      exitCode: ExitCode.usage,
      en: 'the project file {path} may not contain "{name}": set keys, addresses and consent in the profile, the environment or a flag',
      pt: 'o arquivo de projeto {path} não pode conter "{name}": chaves, endereços e consentimento ficam no perfil, no ambiente ou na opção',
    },
    'config.unknown_name': {
      exitCode: ExitCode.usage,
      en: 'there is no setting "{name}"',
      pt: 'não existe a configuração "{name}"',
    },
    'config.not_set': {
      exitCode: ExitCode.usage,
      en: 'profile "{profile}" does not set "{name}"',
      pt: 'o perfil "{profile}" não define "{name}"',
    },
    'config.secret_as_argument': {
      exitCode: ExitCode.usage,
      en: 'keys are not accepted on the command line, where other users can see them',
      pt: 'uma chave nunca é passada na linha de comando, onde outros usuários podem vê-la',
    },
    'config.built_in_profile': {
      exitCode: ExitCode.usage,
      en: 'the profile "{profile}" is built in and cannot be changed',
      pt: 'o perfil "{profile}" é interno e não pode ser alterado',
    },
    'config.unknown_profile': {
      exitCode: ExitCode.usage,
      en: 'there is no profile "{profile}"',
      pt: 'não existe o perfil "{profile}"',
    },
    'config.insecure_host': {
      exitCode: ExitCode.usage,
      en: 'the host {host} must be https; http is only for this machine (loopback)',
      pt: 'o endereço {host} precisa ser https; http só vale para esta máquina (loopback)',
    },
    'config.key_host_mismatch': {
      exitCode: ExitCode.usage,
      en: 'a {kind} key may not be sent to {host}',
      pt: 'uma chave {kind} não pode ser enviada a {host}',
    },
    'config.missing_host': {
      exitCode: ExitCode.usage,
      en: 'profile "{profile}" has no address for the host "{host}"',
      pt: 'o perfil "{profile}" não tem endereço para o host "{host}"',
    },
    'auth.no_credentials': {
      exitCode: ExitCode.credentials,
      en: 'no {kind} key: none in the environment and none stored for profile "{profile}"',
      pt: 'sem chave {kind}: nenhuma no ambiente e nenhuma guardada no perfil "{profile}"',
    },
    'auth.no_profile': {
      exitCode: ExitCode.credentials,
      en: 'no profile is chosen and no key is set',
      pt: 'nenhum perfil foi escolhido e nenhuma chave foi definida',
    },
    'auth.unusable_key': {
      exitCode: ExitCode.credentials,
      en: 'the content of {source} is not a key: {reason}',
      pt: 'o conteúdo de {source} não é uma chave: {reason}',
    },
    'auth.refused': {
      exitCode: ExitCode.credentials,
      en: 'the service refused the {kind} key (from {source})',
      pt: 'o serviço recusou a chave {kind} (de {source})',
    },
    'auth.key_command_failed': {
      exitCode: ExitCode.credentials,
      en: 'the command in {variable} did not give a key: {reason}',
      pt: 'o comando em {variable} não forneceu uma chave: {reason}',
    },
    'webhook.no_secret': {
      exitCode: ExitCode.credentials,
      en: 'no secret to verify deliveries: none in a file, in the environment or in the profile',
      pt: 'sem segredo para conferir as entregas: nenhum em arquivo, no ambiente nem guardado no perfil',
    },
    'webhook.unusable_secret': {
      exitCode: ExitCode.usage,
      en: 'the content of {source} is not a webhook secret: {reason}',
      pt: 'o conteúdo de {source} não é um segredo de webhook: {reason}',
    },
    'webhook.secret_kept_nowhere': {
      exitCode: ExitCode.usage,
      en: 'without a profile, the new secret could not be stored; nothing was sent',
      pt: 'sem um perfil, não haveria onde guardar o novo segredo; nada foi enviado',
    },
    'webhook.exists': {
      exitCode: ExitCode.conflict,
      en: 'a webhook for this address exists: {id}; nothing was sent',
      pt: 'já existe um webhook para este endereço: {id}; nada foi enviado',
    },
    'webhook.unknown_event': {
      exitCode: ExitCode.notFound,
      en: 'this machine has no stored event {id}',
      pt: 'esta máquina não tem o evento {id} guardado',
    },
    'network.unreachable': {
      exitCode: ExitCode.temporary,
      en: 'cannot reach {host}: {reason}',
      pt: 'não foi possível alcançar {host}: {reason}',
    },
    'network.timeout': {
      exitCode: ExitCode.temporary,
      en: '{host} did not answer within {seconds} s',
      pt: '{host} não respondeu em {seconds} s',
    },
    'network.cut': {
      exitCode: ExitCode.temporary,
      en: 'the connection to {host} was cut before the answer was complete',
      pt: 'a conexão com {host} caiu antes do fim da resposta',
    },
    'network.untrusted': {
      exitCode: ExitCode.temporary,
      en: 'no secure connection to {host}: {reason}',
      pt: 'sem conexão segura com {host}: {reason}',
    },
    'service.unavailable': {
      exitCode: ExitCode.temporary,
      en: 'the service is temporarily unavailable (HTTP {status}): {message}',
      pt: 'o serviço está temporariamente indisponível (HTTP {status}): {message}',
    },
    'service.unreadable': {
      exitCode: ExitCode.refused,
      exitCodeWhenRetryable: ExitCode.temporary,
      en: 'the answer of {operation} (HTTP {status}) cannot be read: {reason}',
      pt: 'a resposta de {operation} (HTTP {status}) não pôde ser lida: {reason}',
    },
    'service.list_cut': {
      exitCode: ExitCode.temporary,
      en: 'the list of {operation} breaks off after {count} rows: {reason}',
      pt: 'a lista de {operation} foi interrompida depois de {count} linhas: {reason}',
    },
    'service.other_company': {
      exitCode: ExitCode.conflict,
      en: 'the answer of {operation} is about {who} {answered}{id}, not about {asked}, which was asked for',
      pt: 'a resposta de {operation} é sobre {who} {answered}{id}, e não sobre {asked}, como pedido',
    },
    'service.other_subject': {
      exitCode: ExitCode.conflict,
      en: 'the answer of {operation} is about {field} {answered}, not about {asked}, which was asked for',
      pt: 'a resposta de {operation} é sobre {field} {answered}, e não sobre {asked}, como pedido',
    },
    'service.refused': {
      exitCode: ExitCode.refused,
      en: 'the service refused the request (HTTP {status}): {message}',
      pt: 'o serviço recusou a requisição (HTTP {status}): {message}',
    },
    'service.forbidden': {
      exitCode: ExitCode.forbidden,
      en: 'the service does not allow this (HTTP 403): {message}',
      pt: 'o serviço não permite isto (HTTP 403): {message}',
    },
    'service.not_found': {
      exitCode: ExitCode.notFound,
      en: 'not found (HTTP 404): {message}',
      pt: 'não encontrado (HTTP 404): {message}',
    },
    'service.conflict': {
      exitCode: ExitCode.conflict,
      en: 'conflict (HTTP 409): {message}',
      pt: 'conflito (HTTP 409): {message}',
    },
    'service.busy': {
      exitCode: ExitCode.rateLimited,
      en: 'the service limits the rate of requests (HTTP 429): {message}',
      pt: 'o serviço limita a taxa de requisições (HTTP 429): {message}',
    },
    'service.rate_limited': {
      exitCode: ExitCode.rateLimited,
      en: 'requests to the service wait {seconds} s, longer than --max-retry-wait allows: try after {after}',
      pt: 'as requisições ao serviço esperam {seconds} s, mais do que --max-retry-wait permite: tente depois de {after}',
    },
    'job.looks_later': {
      exitCode: ExitCode.rateLimited,
      en: 'the outcome of a request will be looked up again in {seconds} s, longer than --max-retry-wait allows: try after {after}',
      pt: 'o resultado de uma requisição será consultado de novo em {seconds} s, mais do que --max-retry-wait permite: tente depois de {after}',
    },
    'outcome.other_company': {
      exitCode: ExitCode.conflict,
      en: 'the request was sent, but nothing shows that it took effect for the company or tenant given: {reason}',
      pt: 'a requisição foi enviada, mas nada mostra que teve efeito para a empresa ou o tenant indicado: {reason}',
    },
    'outcome.unknown': {
      exitCode: ExitCode.partial,
      en: 'the request was sent, but its outcome is unknown: {reason}',
      pt: 'a requisição foi enviada, mas o resultado é desconhecido: {reason}',
    },
    'capture.not_active': {
      exitCode: ExitCode.partial,
      en: 'the capture of {family} for company {company} is not shown as active: {reason}',
      pt: 'a captura de {family} da empresa {company} não aparece como ativa: {reason}',
    },
    'outcome.ended_badly': {
      exitCode: ExitCode.endedBadly,
      en: '{what} ended as {status}: {reason}',
      pt: '{what} terminou como {status}: {reason}',
    },
    'outcome.still_pending': {
      exitCode: ExitCode.pending,
      en: '{what} is still {status} after {seconds} s',
      pt: '{what} ainda está {status} após {seconds} s',
    },
    'job.not_found': {
      exitCode: ExitCode.notFound,
      en: 'this machine knows no job "{id}"',
      pt: 'esta máquina não conhece o lote "{id}"',
    },
    'job.unknown_kind': {
      exitCode: ExitCode.usage,
      en: 'job {id} is of a kind that this version of fiscal does not know: {kind}',
      pt: 'o lote {id} é de um tipo que esta versão do fiscal não conhece: {kind}',
    },
    'job.other_profile': {
      exitCode: ExitCode.usage,
      en: 'job {id} belongs to profile {profile}, and this run uses {current}; add --profile {profile}',
      pt: 'o lote {id} é do perfil {profile}, e esta execução usa {current}; acrescente --profile {profile}',
    },
    'job.nothing_to_retry': {
      exitCode: ExitCode.conflict,
      en: 'no item of job {id} failed or was rejected',
      pt: 'nenhum item do lote {id} falhou ou foi rejeitado',
    },
    'job.nothing_uncertain': {
      exitCode: ExitCode.conflict,
      en: 'no item of job {id} waits for a decision',
      pt: 'nenhum item do lote {id} aguarda decisão',
    },
    'job.several_uncertain': {
      exitCode: ExitCode.usage,
      en: 'several items of job {id} wait for a decision; name one: fiscal job items {id} --state uncertain',
      pt: 'vários itens do lote {id} aguardam decisão; indique um: fiscal job items {id} --state uncertain',
    },
    'job.resource_without_success': {
      exitCode: ExitCode.usage,
      en: '--resource names what was found at the service, so it requires --as succeeded',
      pt: '--resource indica o que foi encontrado no serviço, por isso só vale com --as succeeded',
    },
    'job.item_not_found': {
      exitCode: ExitCode.notFound,
      en: 'this machine knows no item "{id}"',
      pt: 'esta máquina não conhece o item "{id}"',
    },
    'job.item_not_uncertain': {
      exitCode: ExitCode.conflict,
      en: 'item {id} needs no decision: it is {state}',
      pt: 'o item {id} não precisa de decisão: está {state}',
    },
    'job.not_whole': {
      exitCode: ExitCode.conflict,
      en: 'job {id} was interrupted while its input was read, and nothing was sent; run the same command with the same input again',
      pt: 'o lote {id} foi interrompido durante a leitura da entrada, e nada foi enviado; repita o mesmo comando com a mesma entrada',
    },
    'job.held': {
      exitCode: ExitCode.held,
      en: 'another process holds job {id} (process {pid}, until {until})',
      pt: 'outro processo detém o lote {id} (processo {pid}, até {until})',
    },
    'job.interrupted': {
      exitCode: ExitCode.interrupted,
      en: 'interrupted; the state is saved',
      pt: 'interrompido; o estado foi salvo',
    },
    'job.lease_lost': {
      exitCode: ExitCode.held,
      en: 'another process has taken over job {id}',
      pt: 'outro processo assumiu o lote {id}',
    },
    'job.store_failed': {
      exitCode: ExitCode.temporary,
      en: '{reason}; by then {sent} requests were sent, and the answers to {unknown} of them could not be stored',
      pt: '{reason}; até então {sent} requisições foram enviadas, e as respostas de {unknown} delas não puderam ser guardadas',
    },
    'job.answers_kept': {
      exitCode: ExitCode.temporary,
      en: '{reason}; by then {sent} requests were sent: {kept} answers are kept on this machine, and the next command that opens the store here writes them to it; the answers to {unknown} could not be stored',
      pt: '{reason}; até então {sent} requisições foram enviadas: {kept} respostas estão guardadas nesta máquina, e o próximo comando que abrir o estado aqui as grava nele; as respostas de {unknown} não puderam ser guardadas',
    },
    'job.ambiguous': {
      exitCode: ExitCode.usage,
      en: '"{id}" is the beginning of {count} jobs: {ids}',
      pt: '"{id}" é o começo de {count} lotes: {ids}',
    },
    'job.item_ambiguous': {
      exitCode: ExitCode.usage,
      en: '"{id}" is the beginning of several items and jobs: {ids}',
      pt: '"{id}" é o começo de vários itens e lotes: {ids}',
    },
    'job.item_changed': {
      exitCode: ExitCode.conflict,
      en: 'item {label} cannot be sent again: it is {state}',
      pt: 'o item {label} não pode ser enviado de novo: ele está {state}',
    },
    'job.key_held': {
      exitCode: ExitCode.conflict,
      en: 'item {label} cannot be sent: item {id} is already the same request',
      pt: 'o item {label} não pode ser enviado: o item {id} já é o mesmo pedido',
    },
    'product.already_created': {
      exitCode: ExitCode.conflict,
      en: 'this machine has already created {name} as product {id}, with other content',
      pt: 'esta máquina já criou {name} como produto {id}, com outro conteúdo',
    },
    'product.not_known': {
      exitCode: ExitCode.notFound,
      en: '{value} is neither a SKU that this machine knows in tenant {tenant} nor an id; nothing was sent',
      pt: '{value} não é um SKU que esta máquina conheça no tenant {tenant}, nem tem a forma de um id; nada foi enviado',
    },
    'product.in_work': {
      exitCode: ExitCode.held,
      en: 'another run is working on {name} (job {job})',
      pt: 'outra execução está trabalhando em {name} (lote {job})',
    },
    'product.id_not_known': {
      exitCode: ExitCode.partial,
      en: '{name} was created, and this machine does not know its id',
      pt: '{name} foi criado, e esta máquina não conhece o id',
    },
    'product.gone': {
      exitCode: ExitCode.notFound,
      en: 'this machine knows {name} as product {id}, but the service has no such product',
      pt: 'esta máquina conhece {name} como o produto {id}, mas o serviço não tem esse produto',
    },
    'product.content_not_shown': {
      exitCode: ExitCode.conflict,
      en: 'the service shows nothing of the content of {name} (product {id}), so the file cannot be compared with it; to send it all the same: fiscal product update {id} --file <file>',
      pt: 'o serviço não mostra nada do conteúdo de {name} (produto {id}), portanto o arquivo não pode ser comparado com ele; para enviar mesmo assim: fiscal product update {id} --file <file>',
    },
    'product.other_sku': {
      exitCode: ExitCode.conflict,
      en: 'this machine knows {name} as product {id}, which has the SKU {sku} now',
      pt: 'esta máquina conhece {name} como o produto {id}, que agora tem o SKU {sku}',
    },
    'product.several': {
      exitCode: ExitCode.usage,
      en: 'the SKU {value} matches {count} products of tenant {tenant}: {ids}; nothing was sent',
      pt: 'o SKU {value} corresponde a {count} produtos do tenant {tenant}: {ids}; nada foi enviado',
    },
    'manifestation.other_content': {
      exitCode: ExitCode.conflict,
      en: 'this machine has already submitted {what} as event {id} ({status}), with other content; nothing was sent',
      pt: 'esta máquina já enviou {what} como evento {id} ({status}), com outro conteúdo; nada foi enviado',
    },
    'manifestation.already_live': {
      exitCode: ExitCode.conflict,
      en: 'the service already has {what} as event {id} (HTTP 409); nothing new was submitted',
      pt: 'o serviço já tem {what} como evento {id} (HTTP 409); nada novo foi enviado',
    },
    'manifestation.unknown_event': {
      exitCode: ExitCode.notFound,
      en: 'this machine knows no {what}',
      pt: 'esta máquina não conhece {what}',
    },
    'manifestation.changed': {
      exitCode: ExitCode.partial,
      en: '{what} was not sent: {reason}',
      pt: '{what} não foi enviado: {reason}',
    },
    'manifestation.captured_by_other': {
      exitCode: ExitCode.conflict,
      en: '{accessKey} was captured for {others}, not for company {company}; nothing was sent',
      pt: '{accessKey} foi capturada para {others}, não para a empresa {company}; nada foi enviado',
    },
    'manifestation.taken_for_other': {
      exitCode: ExitCode.conflict,
      en: 'the service records events of {accessKey} for company {other}, not for company {company}, as its answer to an earlier one showed; nothing was sent',
      pt: 'o serviço registra os eventos de {accessKey} pela empresa {other}, e não pela empresa {company}, como mostrou a resposta a um anterior; nada foi enviado',
    },
    'manifestation.not_recipient': {
      exitCode: ExitCode.conflict,
      en: '{accessKey} is not a note that company {company} received: {reason}; nothing was sent',
      pt: '{accessKey} não é uma nota que a empresa {company} recebeu: {reason}; nada foi enviado',
    },
    'manifestation.several_captured': {
      exitCode: ExitCode.conflict,
      en: '{accessKey} was captured for several companies ({companies}), and the request names none of them; nothing was sent',
      pt: '{accessKey} foi capturada para várias empresas ({companies}), e a requisição não indica nenhuma delas; nada foi enviado',
    },
    'manifestation.not_captured': {
      exitCode: ExitCode.notFound,
      en: 'company {company} has not captured {accessKey}, nor has any company of which this machine knows documents; nothing was sent',
      pt: 'a empresa {company} não capturou {accessKey}, nem outra empresa cujos documentos esta máquina conhece; nada foi enviado',
    },
    'manifestation.no_protocol': {
      exitCode: ExitCode.usage,
      en: 'no protocol is known for {what}; nothing was sent',
      pt: 'não há protocolo conhecido para {what}; nada foi enviado',
    },
    'budget.reached': {
      exitCode: ExitCode.limitReached,
      en: 'the budget of {company} for {month} is R$ {amount}; R$ {spent} is spent and the next call costs R$ {price}, so it was not sent',
      pt: 'o orçamento de {company} para {month} é de R$ {amount}; já foram gastos R$ {spent} e a próxima chamada custa R$ {price}, por isso não foi enviada',
    },
    'inbound.list_limit': {
      exitCode: ExitCode.limitReached,
      en: 'the list did not end within {pages} pages; narrow it, or raise --max-pages',
      pt: 'a lista não terminou em {pages} páginas; restrinja a consulta ou aumente --max-pages',
    },
    'inbound.not_outstanding': {
      exitCode: ExitCode.notFound,
      en: 'nothing with the key {key} is outstanding here; list what is: fiscal inbound outstanding',
      pt: 'nada com a chave {key} está pendente aqui; veja o que está: fiscal inbound outstanding',
    },
    'inbound.no_bytes': {
      exitCode: ExitCode.notFound,
      en: 'the service has no {what} of {key}',
      pt: 'o serviço não tem {what} de {key}',
    },
    'inbound.billable_limit': {
      exitCode: ExitCode.limitReached,
      en: 'the limit of billed calls that you set is reached ({limit}); nothing was sent',
      pt: 'o limite de chamadas cobradas definido foi atingido ({limit}); nada foi enviado',
    },
    'inbound.fiscal_secrecy': {
      exitCode: ExitCode.forbidden,
      en: 'fiscal secrecy: company {company} is neither provider nor taker nor intermediary of {key} (HTTP 403)',
      pt: 'sigilo fiscal: a empresa {company} não é prestadora, tomadora nem intermediária de {key} (HTTP 403)',
    },
    'inbound.manifest_unreadable': {
      exitCode: ExitCode.usage,
      en: 'the manifest {path} cannot be read: line {line} is no entry with a safe path, a hash and a size',
      pt: 'o manifesto {path} não pode ser lido: a linha {line} não é uma entrada com caminho seguro, hash e tamanho',
    },
    'inbound.no_manifest': {
      exitCode: ExitCode.usage,
      en: 'there is no manifest under {path}; write one: {close}',
      pt: 'não há manifesto em {path}; grave um: {close}',
    },
    'invoice.other_content': {
      exitCode: ExitCode.conflict,
      en: 'this machine has already used the externalId {externalId} for {what}, with other content; nothing was sent',
      pt: 'esta máquina já usou o externalId {externalId} para {what}, com outro conteúdo; nada foi enviado',
    },
    'invoice.not_found': {
      exitCode: ExitCode.notFound,
      en: 'the service has no invoice with the externalId {externalId}',
      pt: 'o serviço não tem nota com o externalId {externalId}',
    },
    'invoice.unknown_key': {
      exitCode: ExitCode.usage,
      en: 'this machine does not know which invoice has the access key {key}; nothing was sent',
      pt: 'esta máquina não sabe qual nota tem a chave de acesso {key}; nada foi enviado',
    },
    'invoice.external_id_taken': {
      exitCode: ExitCode.conflict,
      en: 'the service already has an invoice with the {name} {externalId}: {id} ({status}); nothing was issued',
      pt: 'o serviço já tem uma nota com o {name} {externalId}: {id} ({status}); nada foi emitido',
    },
    'backfill.forbidden': {
      exitCode: ExitCode.forbidden,
      en: 'the key may not do this for company {company} (HTTP 403): it needs the role {role}',
      pt: 'a chave não pode fazer isto para a empresa {company} (HTTP 403): ela precisa do papel {role}',
    },
    'backfill.no_capture': {
      exitCode: ExitCode.notFound,
      en: 'company {company} has no NFS-e capture (HTTP 404); enable it with "fiscal inbound capture enable --type nfse --company {company}"',
      pt: 'a empresa {company} não tem captura de NFS-e (HTTP 404); ative com "fiscal inbound capture enable --type nfse --company {company}"',
    },
    'backfill.overtaken': {
      exitCode: ExitCode.endedBadly,
      en: 'the {asked} of company {company} was superseded: another request asked for the opposite in the meantime',
      pt: 'o pedido de {asked} da empresa {company} foi superado: outro pedido solicitou o contrário nesse meio-tempo',
    },
    'backfill.plan_altered': {
      exitCode: ExitCode.usage,
      en: 'the plan {path} was edited: {lines}; rows may be removed, not changed; nothing was sent',
      pt: 'o plano {path} foi alterado à mão: {lines}; linhas podem ser removidas, não mudadas; nada foi enviado',
    },
    'backfill.plan_used': {
      exitCode: ExitCode.usage,
      en: 'the plan {path} was used: company {company} was released by it at {at} and revoked since; nothing was sent',
      pt: 'o plano {path} já foi usado: a empresa {company} foi liberada por ele em {at} e a liberação foi desfeita depois; nada foi enviado',
    },
    'backfill.approval_other': {
      exitCode: ExitCode.usage,
      en: 'the approval {path} is of plan {approved}, and this is plan {plan}; nothing was sent',
      pt: 'a aprovação {path} é do plano {approved}, e este é o plano {plan}; nada foi enviado',
    },
    'backfill.changed': {
      exitCode: ExitCode.partial,
      en: 'company {company} was not sent: its cut-off or release changed since the plan was made',
      pt: 'a empresa {company} não foi enviada: a data de corte ou a liberação mudou desde que o plano foi feito',
    },
    'company.exists': {
      exitCode: ExitCode.conflict,
      en: 'the account already has a company with the CNPJ {cnpj} (HTTP 409); nothing was created',
      pt: 'a conta já tem uma empresa com o CNPJ {cnpj} (HTTP 409); nada foi criado',
    },
    'company.registration_exists': {
      exitCode: ExitCode.conflict,
      en: 'the company already has this registration: {id}; nothing was sent',
      pt: 'a empresa já tem esta inscrição: {id}; nada foi enviado',
    },
    'company.registration_unclear': {
      exitCode: ExitCode.conflict,
      en: 'the company has a registration that may be this one: {id}; the service does not show enough of it to tell, and nothing was sent',
      pt: 'a empresa tem uma inscrição que pode ser esta: {id}; o serviço não mostra o bastante dela para saber, e nada foi enviado',
    },
    'resource.changed': {
      exitCode: ExitCode.conflict,
      en: 'somebody changed {name} since it was read; nothing was sent',
      pt: 'alguém alterou {name} depois da leitura; nada foi enviado',
    },
    'client.step_waits': {
      exitCode: ExitCode.temporary,
      en: 'it waits for an earlier step of the same client: {step}',
      pt: 'aguarda uma etapa anterior do mesmo cliente: {step}',
    },
    'client.step_blocked': {
      exitCode: ExitCode.partial,
      en: 'not sent, because an earlier step of the same client did not succeed: {step}',
      pt: 'não enviado, porque uma etapa anterior do mesmo cliente não deu certo: {step}',
    },
    'client.blocked': { exitCode: ExitCode.partial, en: '{reason}', pt: '{reason}' },
    'client.secret_needed': {
      exitCode: ExitCode.usage,
      en: '{path} is read again when it is sent: run the same apply again',
      pt: '{path} é lido de novo no envio: execute a mesma aplicação de novo',
    },
    'certificate.unusable': {
      exitCode: ExitCode.usage,
      en: '{path} cannot be used as a certificate: {reason}',
      pt: '{path} não pode ser usado como certificado: {reason}',
    },
    'lookup.number_not_kept': {
      exitCode: ExitCode.usage,
      en: 'the CPFs of job {id} are not kept on this machine; to continue, run its command again with the same list',
      pt: 'os CPFs do lote {id} não ficam nesta máquina; para continuar, repita o comando com a mesma lista',
    },
    'store.damaged': {
      exitCode: ExitCode.usage,
      en: 'the store {path} is damaged: {reason}; it was left as it is',
      pt: 'o arquivo de estado {path} está danificado: {reason}; ele foi deixado como está',
    },
    'store.damaged_row': {
      exitCode: ExitCode.usage,
      en: 'the store {path} has a row in {table} that cannot be read ({key}): {reason}; nothing was copied',
      pt: 'o banco do estado {path} tem uma linha em {table} que não pode ser lida ({key}): {reason}; nada foi copiado',
    },
    'store.answers_wait': {
      exitCode: ExitCode.usage,
      en: 'answers of the service wait on this machine for the store {path} ({count} in {folder}), and a copy would be without them; nothing was copied',
      pt: 'respostas do serviço esperam nesta máquina pelo banco do estado {path} ({count} em {folder}), e uma cópia ficaria sem elas; nada foi copiado',
    },
    'store.older': {
      exitCode: ExitCode.usage,
      en: 'the store {path} was written by an older version of fiscal (schema {found}; this one reads {known}): use the version that wrote it; a new store would not know what was sent from this one',
      pt: 'o banco do estado {path} foi gravado por uma versão mais antiga do fiscal (esquema {found}; esta lê o {known}): use a versão que o gravou; um banco novo não saberia o que foi enviado a partir deste',
    },
    'store.absent': {
      exitCode: ExitCode.usage,
      en: 'there is no store at {path} yet: the first command that needs one creates it; nothing was looked at',
      pt: 'ainda não há banco do estado em {path}: o primeiro comando que precisar dele o cria; nada foi examinado',
    },
    'store.newer': {
      exitCode: ExitCode.usage,
      en: 'the store {path} was written by a newer version of fiscal (schema {found}; this one knows {known})',
      pt: 'o arquivo de estado {path} foi gravado por uma versão mais nova do fiscal (esquema {found}; esta conhece {known})',
    },
    'store.unwritable': {
      exitCode: ExitCode.usage,
      en: 'cannot write {path}: {reason}',
      pt: 'não foi possível gravar {path}: {reason}',
    },
    'store.busy': {
      exitCode: ExitCode.temporary,
      en: 'the store {path} did not answer in time: another process keeps it locked, or it has too much to do',
      pt: 'o estado {path} não respondeu a tempo: outro processo o mantém bloqueado, ou ele está sobrecarregado',
    },
    'store.replaced': {
      exitCode: ExitCode.temporary,
      en: 'the store {path} was removed, emptied or replaced while the program was running; nothing more was sent',
      pt: 'o arquivo de estado {path} foi removido, esvaziado ou trocado durante a execução; nada mais foi enviado',
    },
    'store.unreachable': {
      exitCode: ExitCode.temporary,
      en: 'the store {path} cannot be reached: {reason}; nothing more was sent',
      pt: 'não foi possível alcançar o banco do estado {path}: {reason}; nada mais foi enviado',
    },
    'store.login_refused': {
      exitCode: ExitCode.credentials,
      en: 'the store {path} refuses the login: {reason}; nothing more was sent',
      pt: 'o banco do estado {path} recusa o acesso: {reason}; nada mais foi enviado',
    },
    'store.tls_refused': {
      exitCode: ExitCode.usage,
      en: 'no safe connection to the store {path}: {reason}; nothing more was sent',
      pt: 'não há conexão segura com o banco do estado {path}: {reason}; nada mais foi enviado',
    },
    'store.forbidden': {
      exitCode: ExitCode.forbidden,
      en: 'the login has too few rights in the store {path}: {reason}; nothing more was sent',
      pt: 'o acesso tem poucos direitos no banco do estado {path}: {reason}; nada mais foi enviado',
    },
    'store.standby': {
      exitCode: ExitCode.usage,
      en: 'the store {path} is a server that only reads, such as a standby: {reason}; nothing more was sent',
      pt: 'o banco do estado {path} fica em um servidor só de leitura, como uma réplica: {reason}; nada mais foi enviado',
    },
    'store.unusable_address': {
      exitCode: ExitCode.usage,
      en: 'the address of the store in {source} cannot be used: {reason}; nothing was sent',
      pt: 'não foi possível usar o endereço do banco do estado em {source}: {reason}; nada foi enviado',
    },
    'store.unusable': {
      exitCode: ExitCode.usage,
      en: 'the store {path} cannot be used: {reason}; nothing more was sent',
      pt: 'não foi possível usar o banco do estado {path}: {reason}; nada mais foi enviado',
    },
    'store.copied_away': {
      exitCode: ExitCode.usage,
      en: 'the rows of the store {path} are in {other}, and only one of the two may send; nothing was sent',
      pt: 'as linhas do banco do estado {path} estão em {other}, e só um dos dois pode enviar; nada foi enviado',
    },
    'store.copy_unfinished': {
      exitCode: ExitCode.usage,
      en: 'the copy between the stores {path} and {other} is not finished; nothing was sent',
      pt: 'a cópia entre os bancos do estado {path} e {other} não terminou; nada foi enviado',
    },
    'store.in_use': {
      exitCode: ExitCode.held,
      en: 'the store {path} is in use by {who}: end that first, or wait a minute if it was killed; nothing was copied',
      pt: 'o banco do estado {path} está em uso por {who}: encerre esse processo antes, ou espere um minuto se ele foi interrompido; nada foi copiado',
    },
    'store.copy_overtaken': {
      exitCode: ExitCode.held,
      en: 'another "fiscal store copy" or "fiscal store release" used the store {path} meanwhile; this run stopped there and let no other store send',
      pt: 'outro "fiscal store copy" ou "fiscal store release" usou o banco do estado {path} ao mesmo tempo; esta execução parou aí e não permitiu que outro banco envie',
    },
    'store.not_empty': {
      exitCode: ExitCode.usage,
      en: 'the store {path} has rows of its own ({rows} in {table}), and a copy needs an empty one; nothing was copied',
      pt: 'o banco do estado {path} tem linhas próprias ({rows} em {table}), e uma cópia precisa de um banco vazio; nada foi copiado',
    },
    'store.copy_differs': {
      exitCode: ExitCode.endedBadly,
      en: 'the rows of {table} in {to} are not those of {path}: {found} instead of {expected}; neither of the two sends',
      pt: 'as linhas de {table} em {to} não são as de {path}: {found} em vez de {expected}; nenhum dos dois envia',
    },
    'store.required': {
      exitCode: ExitCode.usage,
      en: 'the profile {profile} has sent nothing from the store {path} yet, or its newest rows are lost, and --require-store does not allow sending then',
      pt: 'o perfil {profile} ainda não enviou nada com o estado {path}, ou as linhas mais novas dele se perderam, e --require-store não permite enviar assim',
    },
    'store.went_back': {
      exitCode: ExitCode.usage,
      en: 'the store {path} was put back to an earlier state and lacks sends of this machine; what may have been sent already is not sent again',
      pt: 'o estado {path} voltou a uma situação anterior, em que faltam envios desta máquina; o que talvez já tenha sido enviado não é enviado de novo',
    },
    'store.full': {
      exitCode: ExitCode.temporary,
      en: 'no space left to write {path}; nothing more was sent',
      pt: 'não há espaço para gravar {path}; nada mais foi enviado',
    },
    'archive.unusable_address': {
      exitCode: ExitCode.usage,
      en: 'the address {path} of the archive cannot be used: {reason}; nothing was sent',
      pt: 'não foi possível usar o endereço {path} da pasta de documentos: {reason}; nada foi enviado',
    },
    'archive.unusable': {
      exitCode: ExitCode.usage,
      en: 'the archive {path} cannot be used: {reason}',
      pt: 'não foi possível usar a pasta de documentos {path}: {reason}',
    },
    'archive.no_bucket': {
      exitCode: ExitCode.notFound,
      en: 'there is no bucket for the archive {path}: create it first',
      pt: 'não existe o bucket da pasta de documentos {path}: crie-o antes',
    },
    'archive.login_refused': {
      exitCode: ExitCode.credentials,
      en: 'the object store of the archive {path} refuses the login: {reason}',
      pt: 'o servidor da pasta de documentos {path} recusa o acesso: {reason}',
    },
    'archive.forbidden': {
      exitCode: ExitCode.forbidden,
      en: 'the login has too few rights in the archive {path}: {reason}',
      pt: 'o acesso tem poucos direitos na pasta de documentos {path}: {reason}',
    },
    'archive.unreachable': {
      exitCode: ExitCode.temporary,
      en: 'the object store of the archive {path} cannot be reached or is overloaded: {reason}; run the command again to go on',
      pt: 'o servidor da pasta de documentos {path} não responde ou está sobrecarregado: {reason}; repita o comando para continuar',
    },
    'archive.bad_answer': {
      exitCode: ExitCode.refused,
      en: 'the object store of the archive {path} gives an answer that cannot be right: {reason}',
      pt: 'o servidor da pasta de documentos {path} dá uma resposta que não pode estar certa: {reason}',
    },
    'archive.locked': {
      exitCode: ExitCode.held,
      en: 'another process holds the lock {path} for longer than --lock-wait; run the command again',
      pt: 'outro processo detém a trava {path} por mais tempo que --lock-wait; repita o comando',
    },
    'archive.lock_lost': {
      exitCode: ExitCode.temporary,
      en: 'another process took over the lock {path}, because this one was stopped for too long; run the command again',
      pt: 'outro processo assumiu a trava {path}, porque este ficou parado por tempo demais; repita o comando',
    },
    'export.meanwhile': {
      exitCode: ExitCode.held,
      en: 'another run handed over {month} of {company} meanwhile, so this package was not written; run the command again',
      pt: 'outra execução entregou {month} de {company} enquanto isso, e este pacote não foi gravado; repita o comando',
    },
    'sandbox.unavailable': {
      exitCode: ExitCode.temporary,
      en: 'the sandbox does not answer: {reason}',
      pt: 'o sandbox não responde: {reason}',
    },
    'sandbox.cannot_start': {
      exitCode: ExitCode.usage,
      en: 'the sandbox cannot start: {reason}',
      pt: 'o sandbox não pôde ser iniciado: {reason}',
    },
    'sandbox.already_running': {
      exitCode: ExitCode.conflict,
      en: 'a sandbox is already running at {url} (process {pid})',
      pt: 'já existe um sandbox em execução em {url} (processo {pid})',
    },
    'sandbox.command_not_started': {
      exitCode: ExitCode.usage,
      en: 'cannot run {command}: {reason}',
      pt: 'não foi possível executar {command}: {reason}',
    },
    'webhook.port_taken': {
      exitCode: ExitCode.temporary,
      en: 'another program listens on {address}: end it, or choose another port with --port',
      pt: 'outro programa já escuta em {address}: encerre-o ou escolha outra porta com --port',
    },
    'webhook.cannot_listen': {
      exitCode: ExitCode.usage,
      en: 'cannot listen on {address}: {reason}',
      pt: 'não foi possível escutar em {address}: {reason}',
    },
  }) as const satisfies Record<string, CatalogueEntry>;

export type ErrorCode = keyof ReturnType<typeof errorCatalogue>;
