import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../host/api/result.ts';
import { serveHttp, type HttpServer } from '../../../plugins/builtin-mcp-server/http/http.ts';
import { suiteHost } from '../../fixtures/mcp-server/suite-host.ts';

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/inspector/package.json');
const { bin } = createRequire(import.meta.url)(manifest) as {
  readonly bin: { readonly [name: string]: string };
};
const inspector = join(dirname(manifest), Object.values(bin)[0]!);
const stdioServer = [process.execPath, join(import.meta.dirname, '../../fixtures/mcp-server/stdio.ts')];

/** Runs the Inspector's command line; it exits with 0, or with 5 when the tool failed. */
function inspect(
  ...args: readonly string[]
): Promise<{ readonly code: number; readonly result: JsonObject }> {
  return new Promise((resolve, reject) => {
    const command = [inspector, '--cli', '--format', 'json', '-q', ...args];
    execFile(process.execPath, command, { timeout: 25_000 }, (cause, stdout, stderr) => {
      const code = cause ? Number(cause.code) : 0;
      if (code !== 0 && code !== 5) reject(new Error(`the Inspector exited with ${code}: ${stderr}`));
      else resolve({ code, result: (JSON.parse(stdout) as { readonly result: JsonObject }).result });
    });
  });
}

const overHttp = (server: HttpServer): readonly string[] => [
  server.url,
  '--transport',
  'http',
  '--header',
  `Authorization: Bearer ${server.token}`,
];
const ways = {
  'legacy over HTTP': (server: HttpServer) => ['--protocol-era', 'legacy', ...overHttp(server)],
  'modern over HTTP': (server: HttpServer) => ['--protocol-era', 'modern', ...overHttp(server)],
  'auto over stdio': () => ['--protocol-era', 'auto', ...stdioServer],
};

/** The MCP Inspector as a client of Pegboard: each of its commands is a process. */
export function testInspector(...hows: readonly (keyof typeof ways)[]): void {
  describe.each(hows)('the Inspector, %s', (how) => {
    let server: HttpServer;
    beforeAll(async () => {
      server = await serveHttp(await suiteHost(), { port: 0 });
    });
    afterAll(() => server.close());
    const target = (): readonly string[] => ways[how](server);

    test('lists the tools', async () => {
      const { result } = await inspect('--method', 'tools/list', ...target());
      expect((result['tools'] as readonly JsonObject[]).map(({ name }) => name)).toContain('measure');
    });

    test('calls one, and sees that another fails', async () => {
      const [echo, fail] = await Promise.all([
        inspect('--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hi', ...target()),
        inspect('--method', 'tools/call', '--tool-name', 'fail', ...target()),
      ]);
      expect(echo).toMatchObject({
        code: 0,
        result: { content: [{ text: expect.stringMatching(/^hi for mcp:/) as string }] },
      });
      expect(fail).toMatchObject({ code: 5, result: { isError: true } });
    });
  });
}
