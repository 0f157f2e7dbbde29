import type { XmlFileKind } from '../domain/document-fact.js';
import { inspectXml, type ExpectedXml } from './inspect.js';
import { Certificates } from './signature-certificate.js';
import type { SignatureVerdict } from './signature.js';
import { fileKindOf } from './xml-layouts.js';
import type { ArchiveWriter, Written } from './write.js';
import type { XmlProblem } from './xml-read.js';

/** One XML before the archive, with what it is said to be. */
export interface Candidate {
  /** Relative to the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly expected: Omit<ExpectedXml, 'certificates' | 'limits'>;
}

/** A file is on the disk for good; what has a problem is not what it should be, and stands nowhere. */
export type Admission = { readonly signature: SignatureVerdict } & (
  | { readonly file: Written; readonly xmlKind: XmlFileKind | undefined }
  | { readonly problem: XmlProblem }
);

/** Looks at each XML, and keeps it when it is what it should be. Errors: `store.unwritable`, `store.full`. */
export interface Intake {
  admit(candidate: Candidate): Promise<Admission>;
}

export function createIntake(writer: ArchiveWriter): Intake {
  const certificates = new Certificates();
  return {
    async admit({ path, bytes, expected }) {
      const { kind, signature, problems } = inspectXml(bytes, { ...expected, certificates });
      const [problem] = problems;
      if (problem !== undefined) return { signature, problem };
      return { signature, xmlKind: fileKindOf(kind), file: await writer.write(path, bytes) };
    },
  };
}
