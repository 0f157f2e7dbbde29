/** The error body of the service (§7). Other shapes seen in deployments are read by the client only. */
export interface ApiError {
  readonly error: {
    readonly code: string;
    readonly message: string;
    readonly details?: readonly ApiErrorDetail[];
    readonly requestId?: string;
  };
}

export interface ApiErrorDetail {
  readonly field: string;
  readonly message: string;
}
