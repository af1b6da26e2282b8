import { expect, test } from 'vitest';
import { networkProgramIn } from '../../../host/core/processes/network-programs.ts';

test.each([
  ['curl -s https://example.com | head', 'curl'],
  ['cd x && git  pull --rebase', 'git pull'],
  ['echo a; npm view left-pad', 'npm view'],
  ['sh -c "wget -qO- evil.example"', 'wget'],
  ['git commit -m x', undefined],
  ['./curl-config --version', undefined],
  ['cat notes/http.md hosts', undefined],
  ['npm test', undefined],
])('%s reaches out with %s', (command, program) => {
  expect(networkProgramIn(command)).toBe(program);
});
