/** A fact of a document, a list or a company, and the only modules that work it out. The picture in docs/architecture.md shows the same. */
export interface FactHome {
  readonly fact: string;
  /** Files below `src/`; the first one is named in the picture. */
  readonly homes: readonly string[];
  /** What working it out looks like: in no other file of the program, the sandbox aside. Comments do not count. */
  readonly looksLike: RegExp;
}

export const factHomes: readonly FactHome[] = [
  {
    fact: 'month and day of a document',
    homes: ['domain/document-date.ts'],
    looksLike: /Date\.parse\([^)]*issuedOn|\bday(?:Of|At)\([^)]*issuedOn|issuedOn\??\.slice|\.\{36\}\(/,
  },
  {
    fact: 'state of a document',
    homes: ['domain/document-state.ts', 'domain/event-codes.ts'],
    looksLike: /\b(?:110111|110112|240140|240150|101101|105102|305101)\b|\/\^cancel[^/\n]*\/i|'65[01]'/,
  },
  {
    fact: 'state of a document of the store',
    homes: ['services/documents/record.ts', 'services/documents/events.ts'],
    looksLike: /\{[^}]*\bstateOf\b[^}]*\} from '[^']*document-state\.js'/,
  },
  {
    fact: 'terms of a document',
    homes: ['services/documents/open-terms.ts'],
    looksLike: /\? 'presumed' : 'lost'|'presumed'\s*;/,
  },
  { fact: 'whether an event is registered', homes: ['domain/document-fact.ts'], looksLike: /'135'|"135"/ },
  {
    fact: 'whether a list is whole',
    homes: ['client/list-reading.ts'],
    looksLike: /class \w*(?:ListReading|RecentKeys)\b/,
  },
  {
    fact: 'whether a capture is active',
    homes: ['domain/capture-settings.ts'],
    looksLike: /'isActive'\)\s*[=!]==|\bisActive === (?:true|false)|inactiveWords/,
  },
  { fact: 'whether an address stays on this machine', homes: ['domain/loopback.ts'], looksLike: /\b127\(/ },
  {
    fact: 'how a resource of the account is written',
    homes: [
      ...['company', 'registration', 'certificate', 'capture', 'webhook', 'resource'].map(
        (name) => `jobs/resources/${name}.ts`,
      ),
      'services/calls/change.ts',
    ],
    // Calls, previews, and requests as data.
    looksLike:
      /(?:call|previewOne|removeOne)(?:<\w+>)?\(\s*(?:context,\s*)?['`](?:(?:company|stateTax|municipalTax|webhook|product)\.(?:create|update|delete)|certificate\.(?:upload|delete)|[^'`]*\.inbound\.(?:enable|update|disable))|operation: '(?:company|stateTax|municipalTax|webhook|product)\.(?:create|update)'|\.inbound\.(?:enable|update)[`'],\s*input/,
  },
];
