import type { EventFacts, XmlFacts, XmlFileKind } from '../domain/document-fact.js';
import { inspectXml, type ExpectedXml } from './inspect.js';
import { Certificates } from './signature-certificate.js';
import type { SignatureVerdict } from './signature.js';
import { type LayoutValues, stemOf, xmlPath } from './layout.js';
import { fileKindOf } from './xml-layouts.js';
import type { ArchiveWriter, Written } from './writer.js';
import type { XmlProblem } from './xml-read.js';

/** An XML file for the archive, and what it is according to its metadata. */
export interface Candidate {
  /** Relative to the archive; or what makes the path, once the XML has told the date of its document. */
  readonly place: string | LayoutPlace;
  readonly bytes: Uint8Array;
  readonly expected: Omit<ExpectedXml, 'certificates' | 'limits'>;
  /** The SHA-256 of the file that stands there, as far as the store knows. */
  readonly replaces?: string | undefined;
}

/** Where a layout puts a new document. */
export interface LayoutPlace {
  readonly template: string;
  readonly values: LayoutValues;
}

/** The file is durably on disk; one with a problem differs from its metadata and is not written. */
export type Admission = { readonly signature: SignatureVerdict } & (
  | {
      readonly file: Written;
      readonly xmlKind: XmlFileKind | undefined;
      readonly facts: XmlFacts | undefined;
      readonly event: EventFacts | undefined;
    }
  | { readonly problem: XmlProblem; readonly facts: XmlFacts | undefined }
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
    async admit({ place, bytes, expected, replaces }) {
      const { kind, signature, problems, facts, event } = inspectXml(bytes, { ...expected, certificates });
      const [problem] = problems;
      if (problem !== undefined) return { signature, problem, facts };
      const file = await writer.write(pathOf(place, facts), bytes, replaces);
      return { signature, xmlKind: fileKindOf(kind), facts, event, file };
    },
    close: () => Promise.resolve(),
  };
}

function pathOf(place: Candidate['place'], facts: XmlFacts | undefined): string {
  if (typeof place === 'string') return place;
  const { template, values } = place;
  return xmlPath(stemOf(template, { ...values, xmlIssuedOn: facts?.issuedOn }));
}
