import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifest } from '../../kit/home.ts';
import { openAgentHome, type AgentHome } from '../../kit/agent-home.ts';
import { fixture } from '../../kit/mcp-source.ts';
import { openWebServer } from '../../kit/web-server.ts';
import { modelsOf, startScriptedModel } from '../../../host/testing/index.ts';
import { obeying } from './obeying-model.ts';

export interface HostileHome extends AsyncDisposable {
  readonly agents: AgentHome;
  /** What every page of the web says from now on. Returns the address of one. */
  page(text: string): string;
  /** Of a folder that is a root of the file tools, and not the home. */
  readonly outside: string;
}

/** A home whose model obeys whatever it reads, with every way in which others' words come in. */
export async function openHostileHome(): Promise<HostileHome> {
  await using opened = new AsyncDisposableStack();
  let said = '';
  const web = opened.use(
    await openWebServer((_request, response) =>
      response
        .setHeader('content-type', 'text/html')
        .end(`<html><body><article><h1>News</h1><p>${said}</p></article></body></html>`),
    ),
  );
  const outside = await mkdtemp(join(tmpdir(), 'pegboard-outside-'));
  opened.defer(() => rm(outside, { recursive: true, force: true }));
  const tools = [
    { name: 'say', description: 'Says it', inputSchema: { type: 'object' } },
    {
      name: 'wipe',
      description: 'Wipes it',
      inputSchema: { type: 'object' },
      annotations: { destructiveHint: true },
    },
  ];
  const toolsFile = join(outside, 'tools.json');
  await writeFile(toolsFile, JSON.stringify({ tools }));
  const model = opened.use(await startScriptedModel(obeying));
  const agents = opened.use(
    await openAgentHome(obeying, {
      files: {
        'pegboard.yaml': JSON.stringify({
          models: modelsOf(model),
          mcpServers: { notes: fixture('changes-tools', toolsFile) },
          plugins: {
            'builtin-core': { config: { roots: [outside] } },
            'builtin-web': { config: { allowHosts: [web.host] } },
          },
        }),
        'spaces/work/space.manifest.json': '{"id":"work","name":"Work","description":"Work"}',
        'spaces/work/agent/agent.yaml': 'id: work\nname: Work\nrole: coordinator\n',
        'spaces/work/agent/tools/fetch.md': manifest(
          'fetch',
          'parameters: [{ name: url, type: string, description: Which, required: true }]\ncommand: curl -s {{url}}',
        ),
        'spaces/work/agent/tools/show.md': manifest(
          'show',
          'parameters: [{ name: path, type: string, description: Which, required: true }]\ncommand: cat -- {{path}}',
        ),
        'spaces/work/agent/tools/publish.md': manifest('publish', 'confirm: true\ncommand: touch published'),
      },
    }),
  );
  await agents.host.servers.get('notes')!.connect();
  const owned = opened.move();
  return {
    agents,
    page(text) {
      said = text;
      return `${web.url}/news`;
    },
    outside,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
