import type { Hostility } from '../document/documents.js';
import type { Content } from '../routes/handler.js';

const hugeTotal = 5 * 1024 ** 3;
const pieceLength = 64 * 1024;
const bombDepth = 12;

/** What a hostile service would send for an XML. */
export function hostileContent(kind: Hostility): Content['bytes'] {
  switch (kind) {
    case 'huge-body':
      return { piece: Buffer.alloc(pieceLength, '<a></a>\n'), total: hugeTotal };
    case 'xml-bomb':
      return Buffer.from(xmlBomb());
  }
}

/** Each entity names the one before ten times: a trillion letters, were they unfolded. */
function xmlBomb(): string {
  const entities = Array.from({ length: bombDepth }, (_, depth) => {
    const content = depth === 0 ? 'a' : `&e${depth - 1};`.repeat(10);
    return `<!ENTITY e${depth} "${content}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE nfeProc [${entities.join('')}]><nfeProc>&e${bombDepth - 1};</nfeProc>`;
}
