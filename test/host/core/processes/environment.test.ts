import { expect, test } from 'vitest';
import { childEnvironment, isSteeringVariable } from '../../../../host/core/processes/environment.ts';

const steering =
  'PATH LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES GLIBC_TUNABLES NODE_OPTIONS NODE_PATH BASH_ENV ENV IFS PS4 SHELLOPTS PROMPT_COMMAND CDPATH PYTHONSTARTUP PYTHONPATH PERL5OPT PERL5LIB RUBYOPT RUBYLIB GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT EDITOR GIT_EDITOR PAGER JAVA_TOOL_OPTIONS _JAVA_OPTIONS PEG_RUN _peg1'.split(
    ' ',
  );
test.each([...steering, 'BASH_FUNC_ls%%'])('%s can not be set for a command', (name) => {
  expect(isSteeringVariable(name)).toBe(true);
  expect(() => childEnvironment(process.env, { [name]: 'x' })).toThrow(
    expect.objectContaining({ code: 'PEG_CONFIG' }),
  );
});

test.each(
  'DATABASE_URL API_KEY HOME_DIR MY_PATH NODE_ENV PYTHONUNBUFFERED GIT_AUTHOR_NAME GIT_COMMITTER_EMAIL JAVA_HOME TOKEN'.split(
    ' ',
  ),
)('%s can be set for a command', (name) => {
  expect(isSteeringVariable(name)).toBe(false);
  expect(childEnvironment(process.env, { [name]: 'x' })[name]).toBe('x');
});

test('a child gets a short list of the host’s own variables', () => {
  const environment = childEnvironment({ PATH: '/bin', PEGBOARD_TEST_SECRET: 'hidden' });
  expect(environment['PATH']).toBe('/bin');
  expect(environment).not.toHaveProperty('PEGBOARD_TEST_SECRET');
});
