import { ExitCode } from '../errors/exit-code.js';

/** How any call of the service can end. */
export const callExitCodes = [
  ExitCode.credentials,
  ExitCode.temporary,
  ExitCode.refused,
  ExitCode.forbidden,
  ExitCode.notFound,
  ExitCode.conflict,
  ExitCode.rateLimited,
  ExitCode.interrupted,
  ExitCode.terminated,
] as const;
