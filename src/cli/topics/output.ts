import type { Text } from '../../contract/text.js';

export const topic: Text = {
  en: `Output

stdout contains only data; progress, questions, notices and errors go to
stderr.

Formats (-o)
  table    for people; the default on a terminal. May shorten long values.
  json     exactly one document, also for an empty list. The default elsewhere
           for one object.
  ndjson   one record per line. The default elsewhere for lists and batches; a
           batch ends with a summary record.
  yaml     the same data as json.
  csv      RFC 4180. Columns are the fields of the first record, or those of
           --fields; only the latter give an empty list its header line.
           Cells are not changed, even if they start with = + - or @:
           import them as text into a spreadsheet. --csv-style excel-br
           writes what Excel in Portuguese opens: semicolons, decimal commas,
           UTF-8 with a mark; access keys and codes with leading zeros as
           ="…", and text that would run as a formula behind an apostrophe.
  xlsx     a workbook of Excel, to --out FILE or a pipe. Keys and CNPJ are text,
           amounts and times typed, titles in the language; no cell is a
           formula. Columns are the fields of the first 1000 records. The
           summary of a batch is not a row.
  id       only the id, one per line, for the next command.

  --fields id,status,tax.ncm
           only these fields
  --query "[?status=='Error'].id"
           JMESPath over the whole result, once; before --fields. Numbers keep
           their digits, and sums and comparisons are exact

Money and rates are text, times are ISO 8601 UTC, and values of the service are
not changed. Fields are only ever added. A table is for people: it has titles,
states and times as they are written in the language, in Brasília time or, with
--utc, in UTC; it leaves columns out where a terminal is narrow, and names them.

fiscal schema <command> prints the JSON Schema of the output of a command.

Errors
  On a failure stdout stays empty, or has the rows that were read before a list
  broke off; as json they have no closing bracket, so that no parser takes them
  for the whole list. With a machine output, or with --error-format json, the
  last line of stderr is
  {"type":"error","error":{"code":…,"message":…,"sent":…,…,"exitCode":…}}
  "sent" (yes, no, unknown) says whether the request reached the service: after
  "no" it can safely be sent again. A batch that stops early ends with its
  summary record instead, which has the exitCode.

Colour follows NO_COLOR, FORCE_COLOR, TERM=dumb, CI and --color, for stdout and
stderr separately. Control characters that come from the service are made
visible before they reach a terminal.`,
  pt: `Saída

O stdout contém só dados; progresso, perguntas, avisos e erros vão para o
stderr.

Formatos (-o)
  table    para pessoas; o padrão num terminal. Pode encurtar valores longos.
  json     exatamente um documento, também para uma lista vazia. O padrão fora
           do terminal para um único objeto.
  ndjson   um registro por linha. O padrão fora do terminal para listas e lotes;
           um lote termina com um registro summary.
  yaml     os mesmos dados do json.
  csv      RFC 4180. As colunas são os campos do primeiro registro, ou os de
           --fields; só com estes uma lista vazia tem a linha de cabeçalho.
           As células não são alteradas, mesmo quando começam com = + - ou
           @: importe-as como texto numa planilha. --csv-style excel-br
           escreve o que o Excel em português abre: ponto e vírgula, vírgula
           decimal, UTF-8 com marca; chaves e códigos com zeros à esquerda
           como ="…", e texto que viraria fórmula atrás de um apóstrofo.
  xlsx     uma pasta de trabalho do Excel, para --out ARQUIVO ou um pipe. Chaves
           e CNPJ são texto, valores e horários têm tipo, títulos no idioma;
           nenhuma célula é fórmula. As colunas são os campos dos primeiros
           1000 registros. O summary de um lote não é uma linha.
  id       só o id, um por linha, para o próximo comando.

  --fields id,status,tax.ncm
           só estes campos
  --query "[?status=='Error'].id"
           JMESPath sobre o resultado inteiro, uma vez; antes de --fields. Os
           números mantêm os dígitos; somas e comparações são exatas

Valores e alíquotas são texto, horas são ISO 8601 UTC, e os valores do serviço
não são alterados. Campos só são acrescentados. A tabela é para pessoas: traz
títulos, situações e horários como se escrevem no idioma, no horário de Brasília
ou, com --utc, em UTC; num terminal estreito deixa colunas de fora e as nomeia.

fiscal schema <comando> imprime o JSON Schema do resultado de um comando.

Erros
  Numa falha o stdout fica vazio, ou traz as linhas lidas antes de uma lista se
  interromper; em json elas ficam sem o colchete final, para que nenhum leitor
  as tome pela lista inteira. Com uma saída para máquinas, ou com
  --error-format json, a última linha do stderr é
  {"type":"error","error":{"code":…,"message":…,"sent":…,…,"exitCode":…}}
  "sent" (yes, no, unknown) diz se a requisição chegou ao serviço: depois de
  "no" ela pode ser enviada de novo com segurança. Um lote que para antes do fim
  termina com o registro summary, que traz o exitCode.

As cores seguem NO_COLOR, FORCE_COLOR, TERM=dumb, CI e --color, para stdout e
stderr separadamente. Caracteres de controle vindos do serviço ficam visíveis
antes de chegar a um terminal.`,
};
