import { expect, test } from 'vitest';
import { actorOf } from '../../src/domain/actor.js';

const names = { machine: 'runner-7', user: 'ana' };

test('outside of a CI system, only machine and user are named', () => {
  expect(actorOf(names, { HOME: '/home/ana', CI: 'true' })).toEqual(names);
});

test.each([
  [
    { GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'serra-azul/fiscal', GITHUB_RUN_ID: '4711' },
    'https://github.com/serra-azul/fiscal/actions/runs/4711',
  ],
  [{ GITHUB_RUN_ID: '4711' }, '4711'],
  [
    { GITHUB_SERVER_URL: 'https://github.com', CI_JOB_URL: 'https://gitlab.com/a/b/-/jobs/12' },
    'https://gitlab.com/a/b/-/jobs/12',
  ],
  [{ CI_JOB_URL: 'https://gitlab.com/a/b/-/jobs/12' }, 'https://gitlab.com/a/b/-/jobs/12'],
  [{ CI_JOB_ID: '12' }, '12'],
  [{ BUILD_URL: 'http://jenkins.local:8080/job/close/9/' }, 'http://jenkins.local:8080/job/close/9/'],
])('the run of a CI system: %j', (env, ciRun) => {
  expect(actorOf(names, env)).toEqual({ ...names, ciRun });
});

test('an address of a run loses user, password, query and fragment', () => {
  expect(actorOf(names, { CI_JOB_URL: 'https://ci:canary-token@gitlab.com/a/b?private_token=canary#canary' })).toEqual({
    ...names,
    ciRun: 'https://gitlab.com/a/b',
  });
});

test.each(['canary', 'file:///canary', 'javascript:canary', '', 'https://'])(
  'what is no address of the web names no run: %j',
  (text) => {
    expect(actorOf(names, { CI_JOB_URL: text, BUILD_URL: text, GITHUB_RUN_ID: text })).toEqual(names);
  },
);

test('names are short texts of one line without control characters', () => {
  expect(actorOf({ machine: `a\u001b[2J\n\u202eb${'x'.repeat(500)}`, user: ' \u0000 ' }, {})).toEqual({
    machine: `a[2Jb${'x'.repeat(95)}`,
  });
  const long = `https://ci.example/${'x'.repeat(5_000)}`;
  expect(actorOf(names, { BUILD_URL: long }).ciRun).toHaveLength(300);
});

test('a user without a name in the system is that of the environment', () => {
  expect(actorOf({ machine: 'pod', user: '' }, { USER: 'fiscal' })).toEqual({ machine: 'pod', user: 'fiscal' });
});
