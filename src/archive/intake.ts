import type { XmlFileKind } from '../domain/document-fact.js';
import { inspectXml, type ExpectedXml } from './inspect.js';
import { Certificates } from './signature-certificate.js';
import type { SignatureVerdict } from './signature.js';
import { fileKindOf } from './xml-layouts.js';
import type { ArchiveWriter, Written } from './writer.js';
import type { XmlProblem } from './xml-read.js';

/** An XML file for the archive, and what it is according to its metadata. */
export interface Candidate {
  /** Relative to the archive. */
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly expected: Omit<ExpectedXml, 'certificates' | 'limits'>;
  /** The SHA-256 of the file that stands there, as far as the store knows. */
  readonly replaces?: string | undefined;
}

/** The file is durably on disk; one with a problem differs from its metadata and is not written. */
export type Admission = { readonly signature: SignatureVerdict } & (
  | { readonly file: Written; readonly xmlKind: XmlFileKind | undefined }
  | { readonly problem: XmlProblem }
);

/** Inspects each XML, and writes it if it matches its metadata. Errors: `store.unwritable`, `store.full`. */
export interface Intake {
  admit(candidate: Candidate): Promise<Admission>;
  close(): Promise<void>;
}

/** Admits on the thread of the caller. */
export function createIntake(writer: ArchiveWriter): Intake {
  const certificates = new Certificates();
  return {
    async admit({ path, bytes, expected, replaces }) {
      const { kind, signature, problems } = inspectXml(bytes, { ...expected, certificates });
      const [problem] = problems;
      if (problem !== undefined) return { signature, problem };
      return { signature, xmlKind: fileKindOf(kind), file: await writer.write(path, bytes, replaces) };
    },
    close: () => Promise.resolve(),
  };
}
