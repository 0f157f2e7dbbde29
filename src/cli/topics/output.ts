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
           import them as text into a spreadsheet.
  id       only the id, one per line, for the next command.

  --fields id,status,tax.ncm
           only these fields
  --query "[?status=='Error'].id"
           JMESPath over the whole result, once; before --fields

Money and rates are text, times are ISO 8601 UTC, and values of the service are
not changed. Fields are only ever added.

Errors
  On a failure stdout stays empty. With a machine output, or with
  --error-format json, the last line of stderr is
  {"type":"error","error":{"code":…,"message":…,"sent":…,…,"exitCode":…}}
  "sent" (yes, no, unknown) says whether the request reached the service: after
  "no" it can safely be sent again.

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
           @: importe-as como texto numa planilha.
  id       só o id, um por linha, para o próximo comando.

  --fields id,status,tax.ncm
           só estes campos
  --query "[?status=='Error'].id"
           JMESPath sobre o resultado inteiro, uma vez; antes de --fields

Valores e alíquotas são texto, horas são ISO 8601 UTC, e os valores do serviço
não são alterados. Campos só são acrescentados.

Erros
  Numa falha o stdout fica vazio. Com uma saída para máquinas, ou com
  --error-format json, a última linha do stderr é
  {"type":"error","error":{"code":…,"message":…,"sent":…,…,"exitCode":…}}
  "sent" (yes, no, unknown) diz se a requisição chegou ao serviço: depois de
  "no" ela pode ser enviada de novo com segurança.

As cores seguem NO_COLOR, FORCE_COLOR, TERM=dumb, CI e --color, para stdout e
stderr separadamente. Caracteres de controle vindos do serviço ficam visíveis
antes de chegar a um terminal.`,
};
