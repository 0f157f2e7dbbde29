/** The error body of the service (§7). The client also reads other shapes that deployments use. */
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
