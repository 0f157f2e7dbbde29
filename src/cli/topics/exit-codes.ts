import type { Language, Text } from '../../contract/text.js';
import { exitCodeMeanings } from '../exit-codes.js';
import { columns, helperOf } from '../help.js';

function table(language: Language): string {
  const rows = Object.entries(exitCodeMeanings).map(([code, meaning]) => [code, meaning[language]] as const);
  return columns(rows, helperOf(80)).join('\n');
}

export const topic: Text = {
  en: `Exit codes

The exit code tells a script what to do next without reading the output. Codes
never change their meaning.

${table('en')}

After codes 5, 8, 11 and 12, wait and run the same command again. Codes 3, 14,
130 and 143 leave a job that the same command, or fiscal job resume, continues.

"get" exits 0 whatever the state is; --wait and "poll" exit 13 when the state is
Rejected, Failed or Error. In a batch, an entry that was already done is
skipped, which is not a failure.`,
  pt: `Códigos de saída

O código de saída diz a um script o que fazer em seguida, sem ler a saída. O
significado dos códigos nunca muda.

${table('pt')}

Depois dos códigos 5, 8, 11 e 12, espere e execute o mesmo comando de novo. Os
códigos 3, 14, 130 e 143 deixam um lote que continua com o mesmo comando
ou com fiscal job resume.

"get" termina com 0 qualquer que seja o estado; --wait e "poll" terminam com 13
quando o estado é Rejected, Failed ou Error. Num lote, uma entrada que já estava
feita é pulada (skipped), o que não é falha.`,
};
