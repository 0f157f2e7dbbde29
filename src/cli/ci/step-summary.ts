import { appendFile, stat } from 'node:fs/promises';
import type { Text } from '../../contract/text.js';

/** GitHub refuses the whole page of a step beyond this (public). Other commands of the step write to it as well. */
const MAX_BYTES = 1024 * 1024;

/** Adds to the page of the step. Gives the reason when that was not possible: the work itself is not concerned. */
export async function appendToStepSummary(path: string, markdown: string): Promise<Text | undefined> {
  try {
    const written = await sizeOf(path);
    if (written + Buffer.byteLength(markdown) > MAX_BYTES) return full;
    await appendFile(path, markdown);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    const code = String(error.code);
    return {
      en: `the file of GITHUB_STEP_SUMMARY could not be written (${code})`,
      pt: `não foi possível gravar o arquivo de GITHUB_STEP_SUMMARY (${code})`,
    };
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return 0;
    throw error;
  }
}

const full: Text = {
  en: 'the summary of this step is full (1 MiB); nothing was added',
  pt: 'o resumo deste passo está cheio (1 MiB); nada foi acrescentado',
};
