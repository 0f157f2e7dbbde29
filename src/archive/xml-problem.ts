import type { Text } from '../contract/text.js';

/** Why the bytes are not the document that was expected. A closed list, kept in rows and in verdicts. */
export type XmlProblemCode =
  | 'empty'
  | 'too-large'
  | 'encoding'
  | 'malformed'
  | 'doctype'
  | 'too-deep'
  | 'too-many-parts'
  | 'unknown-layout'
  | 'several-documents'
  | 'no-key'
  | 'other-key'
  | 'other-protocol'
  | 'other-type'
  | 'other-event'
  | 'other-company'
  | 'summary-after-full'
  | 'no-signature'
  | 'bad-signature';

export interface XmlProblem {
  readonly code: XmlProblemCode;
  readonly message: Text;
}

/** Thrown inside the reader of XML only; `inspectXml` turns it into a problem of the document. */
export class XmlRefused extends Error {
  constructor(readonly problem: XmlProblem) {
    super(problem.message.en);
  }
}

export function xmlProblem(code: XmlProblemCode, en: string, pt: string): XmlProblem {
  return { code, message: { en, pt } };
}

export function refuseXml(code: XmlProblemCode, en: string, pt: string): never {
  throw new XmlRefused(xmlProblem(code, en, pt));
}
