import { describe, expect, it } from 'vitest';
import { companiesPath } from '../facts/authentication.js';
import { tooManyRequests, waitHeader } from '../facts/errors.js';
import { testService } from './service.js';

const service = testService({ rate: 5 });

describe('§8 limits', () => {
  it('answers 429 with Retry-After in whole seconds beyond the rate', async () => {
    const answers = await Promise.all(Array.from({ length: 30 }, () => service.send('GET', companiesPath)));
    const refused = answers.filter((answer) => answer.status === tooManyRequests);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter((answer) => answer.status === 200).length).toBeGreaterThanOrEqual(5);
    expect(refused.map((answer) => [answer.headers.get(waitHeader), answer.json.error.code])).toEqual(
      refused.map(() => ['1', 'rate_limited']),
    );
  });
});
