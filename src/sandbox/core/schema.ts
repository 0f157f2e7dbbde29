/** The number of this schema. Nothing was released: there is one, and a file of another one is refused. */
export const schemaVersion = 1;

/**
 * The tables of the file. Columns have the names of the fields of their records, so that a row is a record. Times are
 * milliseconds since the epoch.
 */
export const tables = {
  // Small named values: clock, modes, counters, the account.
  meta: `
    CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;`,

  // What is stored as it is: companies, registrations, certificates, captures, products, webhooks, manifestations, rules of tests.
  // records.ts has the form of each kind. What is deleted stays, so that a page continues after it. No index is of one kind
  // only: SQLite would compile every statement with "kind = ?" again for each request.
  resources: `
    CREATE TABLE resources (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      id TEXT NOT NULL,
      owner TEXT NOT NULL,
      json TEXT NOT NULL,
      deletedOn INTEGER,
      UNIQUE (kind, id)
    );
    CREATE INDEX resourcesOfOwner ON resources (kind, owner, position);
    CREATE INDEX resourcesByTaxNumber ON resources (kind, owner, json ->> '$.federalTaxNumber');`,

  // Captured documents. issuedOn + 0 is an expression, so that SQLite does not use its index to filter a list in another
  // order, which would sort every page.
  documents: `
    CREATE TABLE documents (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      family TEXT NOT NULL,
      id TEXT NOT NULL,
      accessKey TEXT NOT NULL,
      companyId TEXT NOT NULL,
      issuerTaxNumber TEXT NOT NULL,
      issuerName TEXT NOT NULL,
      totalAmount TEXT NOT NULL,
      issuedOn INTEGER NOT NULL,
      authorizedOn INTEGER NOT NULL,
      cancelled INTEGER NOT NULL,
      direction TEXT NOT NULL,
      nsu INTEGER,
      status TEXT NOT NULL,
      webhookStatus TEXT NOT NULL,
      visibility TEXT NOT NULL,
      stage TEXT NOT NULL,
      recipientTaxNumber TEXT,
      recipientName TEXT,
      intermediaryTaxNumber TEXT,
      intermediaryName TEXT,
      number TEXT,
      createdOn INTEGER NOT NULL,
      modifiedOn INTEGER NOT NULL,
      hostile TEXT,
      signature TEXT,
      UNIQUE (accessKey, companyId)
    );
    CREATE INDEX documentsOfCompany ON documents (companyId, family, visibility, position);
    CREATE INDEX documentsByCreation ON documents (companyId, family, visibility, createdOn, position);
    CREATE INDEX documentsByNsu ON documents (companyId, family, nsu);
    CREATE INDEX documentsById ON documents (id);
    CREATE INDEX documentsByIssue ON documents (companyId, family, visibility, (issuedOn + 0));
    CREATE INDEX documentsByChange
      ON documents (companyId, family, visibility, modifiedOn, accessKey, position DESC);`,

  documentEvents: `
    CREATE TABLE documentEvents (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      family TEXT NOT NULL,
      accessKey TEXT NOT NULL,
      companyId TEXT NOT NULL,
      eventKey TEXT NOT NULL,
      type TEXT NOT NULL,
      description TEXT NOT NULL,
      sequence INTEGER NOT NULL,
      protocol TEXT NOT NULL,
      author TEXT,
      detail TEXT NOT NULL,
      nsu INTEGER,
      issuedOn INTEGER NOT NULL,
      createdOn INTEGER NOT NULL,
      UNIQUE (companyId, eventKey)
    );
    CREATE INDEX documentEventsOfDocument ON documentEvents (companyId, accessKey);
    CREATE INDEX documentEventsByKey ON documentEvents (accessKey);
    CREATE INDEX documentEventsByNsu ON documentEvents (companyId, family, nsu);`,

  // XML of the user, served as it is.
  givenXml: `
    CREATE TABLE givenXml (
      companyId TEXT NOT NULL,
      name TEXT NOT NULL,
      digest TEXT NOT NULL,
      bytes BLOB NOT NULL,
      PRIMARY KEY (companyId, name)
    );`,

  // The uniqueness of an externalId is a mode of the service, not a constraint of the file.
  invoices: `
    CREATE TABLE invoices (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL UNIQUE,
      tenantId TEXT NOT NULL,
      companyId TEXT NOT NULL,
      kind TEXT NOT NULL,
      externalId TEXT,
      stateTaxId TEXT,
      environment TEXT NOT NULL,
      content TEXT NOT NULL,
      totalAmount TEXT NOT NULL,
      status TEXT NOT NULL,
      serie INTEGER,
      number INTEGER,
      accessKey TEXT,
      protocol TEXT,
      errorCode TEXT,
      errorMessage TEXT,
      createdAt INTEGER NOT NULL,
      modifiedAt INTEGER NOT NULL,
      issuedAt INTEGER,
      cancelledAt INTEGER,
      signature TEXT
    );
    CREATE INDEX invoicesOfCompany ON invoices (companyId, kind, environment, position);
    CREATE INDEX invoicesByNumber ON invoices (companyId, kind, environment, serie, number)
      WHERE accessKey IS NOT NULL;
    CREATE INDEX invoicesByKey ON invoices (accessKey);
    CREATE INDEX invoicesByExternalId ON invoices (companyId, kind, externalId);`,

  // A copy has the id of the original. webhookId is null for the address in a company's settings.
  deliveries: `
    CREATE TABLE deliveries (
      position INTEGER PRIMARY KEY AUTOINCREMENT,
      id TEXT NOT NULL,
      kind TEXT NOT NULL,
      tenantId TEXT NOT NULL,
      webhookId TEXT,
      uri TEXT NOT NULL,
      event TEXT NOT NULL,
      resource TEXT NOT NULL,
      body TEXT NOT NULL,
      documentId TEXT,
      state TEXT NOT NULL,
      attempts INTEGER NOT NULL,
      dueAt INTEGER NOT NULL,
      claimedUntil INTEGER NOT NULL,
      status INTEGER,
      error TEXT,
      createdOn INTEGER NOT NULL,
      endedOn INTEGER
    );
    CREATE INDEX deliveriesDue ON deliveries (dueAt, position) WHERE state = 'waiting';
    CREATE INDEX deliveriesOfDocument ON deliveries (documentId) WHERE documentId IS NOT NULL;
    CREATE INDEX deliveriesOfWebhook ON deliveries (webhookId) WHERE state = 'waiting';`,

  dueWork: `
    CREATE TABLE dueWork (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      dueAt INTEGER NOT NULL,
      payload TEXT NOT NULL
    );
    CREATE INDEX dueWorkByTime ON dueWork (dueAt, id);`,

  usage: `
    CREATE TABLE usage (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      at INTEGER NOT NULL,
      tenantId TEXT NOT NULL,
      operation TEXT NOT NULL,
      action TEXT NOT NULL,
      resourceId TEXT NOT NULL
    );`,

  ledger: `
    CREATE TABLE ledger (
      sequence INTEGER PRIMARY KEY AUTOINCREMENT,
      at TEXT NOT NULL,
      operation TEXT,
      method TEXT NOT NULL,
      path TEXT NOT NULL,
      keyKind TEXT,
      status INTEGER,
      cut TEXT,
      effect TEXT,
      billed TEXT,
      idempotencyKey TEXT,
      requestId TEXT NOT NULL,
      fault TEXT
    );`,
} as const;

export type TableName = keyof typeof tables;
