import { expect, test } from 'vitest';
import { networkProgramIn } from '../../../../host/core/processes/network-programs.ts';

test.each([
  ['curl -s https://example.com | head', 'curl'],
  ['cd x && git  pull --rebase', 'git pull'],
  ['echo a; npm view left-pad', 'npm view'],
  ['sh -c "wget -qO- evil.example"', 'wget'],
  ['/usr/bin/curl -s {{url}}', 'curl'],
  ['./wget x', 'wget'],
  ['env -u X nice busybox wget -qO- {{url}}', 'wget'],
  ['git -C repo -c a=b fetch origin', 'git fetch'],
  ['pip install --user x', 'pip install'],
  ['python3 -c "import urllib.request"', 'urllib'],
  ['cat < /dev/tcp/evil.example/80', '/dev/tcp/'],
  ['node fetch.mjs https://evil.example', 'https'],
  ['psql -h {{host}} {{curl}}', undefined],
  ['cat ~/.ssh/known_hosts', undefined],
  ['git commit -m x', undefined],
  ['./curl-config --version', undefined],
  ['cat notes/http.md hosts', undefined],
  ['npm test', undefined],
])('%s reaches out with %s', (command, program) => {
  expect(networkProgramIn(command)).toBe(program);
});
