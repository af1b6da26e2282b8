import { expect, test } from 'vitest';
import { withoutSecretParts } from '../../../host/status/secret-parts.ts';

test.for([
  [
    "it can't be reached (http://ada:Pw8secret@127.0.0.1:9/mcp?token=Query9secret)",
    ['Pw8secret', 'Query9secret'],
  ],
  ['sh -c "exec tool --password Arg6666x -p https://u:Url8888x@host/x"', ['Arg6666x', 'Url8888x']],
  ['https://host/v1/sk-proj-1234567890abcdefghijABCDEFGHIJ/mcp', ['sk-proj-1234567890abcdefghijABCDEFGHIJ']],
  ['postgres://ada:Pw8@secret/x@127.0.0.1/db', ['Pw8', 'secret/x']],
  ['run --api-key=Key77777x and go', ['Key77777x']],
] as const)('%s is shown without its secrets', ([text, secrets]) => {
  const shown = withoutSecretParts(text);
  for (const secret of secrets) expect(shown).not.toContain(secret);
  expect(shown).toContain('[secret]');
});

test.for([
  'its process exited with code 1',
  'npx -y @modelcontextprotocol/server-everything',
  'https://example.com/mcp?page=2',
])('%s stays as it is', (text) => expect(withoutSecretParts(text)).toBe(text));
