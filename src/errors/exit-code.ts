/** All exit codes. The numbers are part of the interface and never change their meaning. */
export const ExitCode = {
  ok: 0,
  internal: 1,
  usage: 2,
  partial: 3,
  credentials: 4,
  temporary: 5,
  refused: 6,
  forbidden: 7,
  pending: 8,
  notFound: 9,
  conflict: 10,
  held: 11,
  rateLimited: 12,
  endedBadly: 13,
  limitReached: 14,
  interrupted: 130,
  terminated: 143,
} as const;

/** The exit code of a run that a signal ended. */
export function exitOfSignal(signal: unknown): ExitCode {
  return signal === 'SIGTERM' ? ExitCode.terminated : ExitCode.interrupted;
}

export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];
