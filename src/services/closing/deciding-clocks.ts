import { sandboxProfile } from '../../config/sandbox-profile.js';

/** `at`: this machine's; `servedAt`: the service's. */
export type DecidingClock = 'at' | 'servedAt';

/**
 * The clocks that must all say that a month is over: of this machine, and of a service that has one. The sandbox has a time of its
 * own, which people move themselves: it alone decides.
 */
export function decidingClocks(profile: string | undefined, servedAt: number | undefined): readonly DecidingClock[] {
  if (servedAt === undefined) return ['at'];
  return profile === sandboxProfile.name ? ['servedAt'] : ['at', 'servedAt'];
}
