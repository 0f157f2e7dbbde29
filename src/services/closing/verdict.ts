import type { Direction } from '../../domain/direction.js';
import { issuedReasons, issuedRules } from './issued-verdict.js';
import type { Judgement, ProofFacts, Reason, Rules } from './proof-facts.js';
import { receivedReasons, receivedRules } from './received-verdict.js';

/** Pure. A gap outweighs a doubt: a missing document makes the month incomplete, whatever else cannot be proven. */
export function judge(facts: ProofFacts): Judgement {
  const reasons = [
    ...(Date.parse(facts.clock.now) < facts.month.until ? [monthNotOver(facts)] : []),
    ...(facts.direction === 'received' ? receivedReasons(facts) : issuedReasons(facts)),
  ];
  const gaps = Object.values(facts.gaps).reduce((sum, count) => sum + count, 0);
  if (gaps > 0) return { verdict: 'incomplete', reasons };
  return { verdict: reasons.length === 0 ? 'complete' : 'not-provable', reasons };
}

/** What the verdicts of each direction assume. */
export const rulesOf: Readonly<Record<Direction, Rules>> = { received: receivedRules, issued: issuedRules };

function monthNotOver({ month, clock }: ProofFacts): Reason {
  const whose = {
    service: { en: "the service's", pt: 'do serviço' },
    machine: { en: "this machine's", pt: 'desta máquina' },
  };
  const { en, pt } = whose[clock.source];
  return {
    code: 'month-not-over',
    message: {
      en: `${month.name} is not over in Brasília by ${en} clock (${clock.now})`,
      pt: `${month.name} ainda não terminou em Brasília pelo relógio ${pt} (${clock.now})`,
    },
  };
}
