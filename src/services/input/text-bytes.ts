import { isUtf8 } from 'node:buffer';
import type { Text } from '../../contract/text.js';
import { FiscalError } from '../../errors/fiscal-error.js';

/**
 * Passes bytes on as long as they are text: UTF-8 without NUL. Everything that reads a file goes through here, so that
 * garbage is refused by its first wrong byte, before anybody makes strings of it. `before`: the bytes that were read before.
 */
export async function* textBytes(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  before = 0,
): AsyncIterable<Uint8Array> {
  const gate = new Utf8Gate(before);
  for await (const chunk of bytes) {
    const offset = gate.firstWrong(chunk);
    if (offset !== undefined) throw notText(name, offset);
    yield chunk;
  }
  if (gate.isInsideCharacter) throw notText(name, gate.characterStart);
}

/** `offset`: of the first byte that is no text in the encoding. */
export function notText(name: string, offset: number, encoding = 'UTF-8', hint = saveAsUtf8): FiscalError {
  return new FiscalError('input.not_text', { path: name, offset, encoding }, { hint });
}

const saveAsUtf8: Text = {
  en: 'save the file as UTF-8 (in a spreadsheet: "CSV UTF-8")',
  pt: 'salve o arquivo como UTF-8 (na planilha: "CSV UTF-8")',
};

/** Checks UTF-8 across chunk borders and knows where it is. */
class Utf8Gate {
  /** Where the character that is being read began. */
  characterStart = 0;
  private offset: number;
  private missing = 0;
  private low = 0x80;
  private high = 0xbf;

  constructor(before: number) {
    this.offset = before;
  }

  get isInsideCharacter(): boolean {
    return this.missing > 0;
  }

  firstWrong(chunk: Uint8Array): number | undefined {
    if (this.missing === 0 && isUtf8(chunk) && !chunk.includes(0)) {
      this.offset += chunk.length;
      return undefined;
    }
    for (const byte of chunk) {
      if (this.missing === 0) this.characterStart = this.offset;
      if (!this.accepts(byte)) return this.characterStart;
      this.offset += 1;
    }
    return undefined;
  }

  private accepts(byte: number): boolean {
    if (this.missing > 0) {
      if (byte < this.low || byte > this.high) return false;
      this.missing -= 1;
      this.expect(this.missing, 0x80, 0xbf);
      return true;
    }
    if (byte === 0) return false;
    if (byte < 0x80) return true;
    return this.acceptsFirst(byte);
  }

  /** First byte of a longer character (RFC 3629, §4). */
  private acceptsFirst(byte: number): boolean {
    if (byte >= 0xc2 && byte <= 0xdf) return this.expect(1, 0x80, 0xbf);
    if (byte === 0xe0) return this.expect(2, 0xa0, 0xbf);
    if (byte === 0xed) return this.expect(2, 0x80, 0x9f);
    if (byte >= 0xe1 && byte <= 0xef) return this.expect(2, 0x80, 0xbf);
    if (byte === 0xf0) return this.expect(3, 0x90, 0xbf);
    if (byte >= 0xf1 && byte <= 0xf3) return this.expect(3, 0x80, 0xbf);
    return byte === 0xf4 && this.expect(3, 0x80, 0x8f);
  }

  private expect(missing: number, low: number, high: number): true {
    this.missing = missing;
    this.low = low;
    this.high = high;
    return true;
  }
}
