/** Its characters from 0x80 to 0x9F; all others are those of Latin-1. Some versions of Node decode it as Latin-1. */
const ownCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

export function decodeWindows1252(bytes: Uint8Array): string {
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return latin.replaceAll(/[\u0080-\u009f]/g, (character) => ownCharacters.charAt(character.charCodeAt(0) - 0x80));
}

/** `undefined` for a text with other characters. */
export function encodeWindows1252(text: string): Uint8Array | undefined {
  const latin = text.replaceAll(/[\u0080-\u009f\u0100-\uffff]/g, (character) => {
    const at = ownCharacters.indexOf(character);
    return at === -1 ? character : String.fromCharCode(0x80 + at);
  });
  return /[^\u0000-\u00ff]/.test(latin) ? undefined : Buffer.from(latin, 'latin1');
}
