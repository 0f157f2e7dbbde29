import { callExitCodes } from '../../cli/exit-codes.js';
import { ExitCode } from '../../errors/exit-code.js';

/** 9: nobody holds the number. 5: its source does not answer, which is no verdict. */
export const lookupExitCodes = [ExitCode.partial, ...callExitCodes, ExitCode.held, ExitCode.limitReached];
