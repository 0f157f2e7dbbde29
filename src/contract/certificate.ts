/** A digital certificate of a company (public). The service never returns the key or the password. */
export interface Certificate {
  readonly subject?: string;
  /** ISO 8601, UTC. */
  readonly validUntil?: string;
  /** SHA-1 of the certificate, 40 hexadecimal digits. */
  readonly thumbprint: string;
  /** `Active`, `Overdue`, `Inactive`, `Pending`; may grow. */
  readonly status?: string;
}

export interface CertificateList {
  readonly certificates: readonly Certificate[];
}

/** Sent as `multipart/form-data` with the parts `file` and `password`, never as JSON. */
export interface CertificateUpload {
  /** PKCS #12, with the private key. */
  readonly file: Uint8Array;
  readonly password: string;
}

export interface CertificateEnvelope {
  readonly certificate: Certificate;
}
