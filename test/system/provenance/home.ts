import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noteInService } from '../../../plugins/builtin-self/in-service.ts';
import { manifest } from '../../kit/homes/home.ts';
import { openAgentHome, type AgentHome } from '../../kit/homes/agent-home.ts';
import { fixture } from '../../kit/mcp/mcp-source.ts';
import { openWebServer } from '../../kit/servers/web-server.ts';
import { modelsOf, startScriptedModel } from '../../../host/testing/index.ts';
import { createProject } from '../../plugins/builtin-self/project.ts';
import { obeying } from './obeying-model.ts';

export interface HostileHome extends AsyncDisposable {
  readonly agents: AgentHome;
  /**
   * Sets the content of all web pages. Returns the address of one. To read one as HTML starts a thread that loads a
   * browser's parser, half a second of processor time each.
   */
  page(text: string, type?: 'plain' | 'html'): string;
  /** Paths that were requested from the web server. */
  readonly requested: readonly string[];
  /** Of a folder that is a root of the file tools, and not the home. */
  readonly outside: string;
}

const text = (name: string): string =>
  `parameters: [{ name: ${name}, type: string, description: Which, required: true }]`;
const tools = 'spaces/work/agent/tools';

/** A home whose model obeys everything it reads, with every way for untrusted content to come in. */
export async function openHostileHome(config: object = {}, agent = ''): Promise<HostileHome> {
  await using opened = new AsyncDisposableStack();
  let said: { readonly text: string; readonly type: 'plain' | 'html' } = { text: '', type: 'plain' };
  const requested: string[] = [];
  const web = opened.use(
    await openWebServer((request, response) => {
      requested.push(request.url!);
      const { text, type } = said;
      response
        .setHeader('content-type', `text/${type}`)
        .end(
          type === 'plain'
            ? text
            : `<html><body><article><h1>News</h1><p>${text}</p></article></body></html>`,
        );
    }),
  );
  const outside = await mkdtemp(join(tmpdir(), 'pegboard-outside-'));
  opened.defer(() => rm(outside, { recursive: true, force: true }));
  const project = createProject();
  opened.defer(() => rm(project.root, { recursive: true, force: true }));
  const model = opened.use(await startScriptedModel(obeying));
  const agents = opened.use(
    await openAgentHome(obeying, {
      files: {
        'pegboard.yaml': JSON.stringify({
          models: modelsOf(model),
          mcpServers: { notes: fixture('speaks') },
          plugins: {
            'builtin-core': { config: { roots: [outside] } },
            'builtin-web': { config: { allowHosts: [web.host] } },
            'builtin-self': { config: { projectRoot: project.root } },
          },
          ...config,
        }),
        'spaces/work/space.manifest.json': '{"id":"work","name":"Work","description":"Work"}',
        'spaces/work/agent/agent.yaml': `id: work\nname: Work\nrole: coordinator\n${agent}`,
        'spaces/work/workspace/mine.md': 'mine\n',
        'spaces/work/agents/helper.yaml': 'id: helper\nname: Helper\n',
        [`${tools}/fetch.md`]: manifest('fetch', `${text('url')}\ncommand: curl -s {{url}}`),
        [`${tools}/fetch-by-path.md`]: manifest(
          'fetch-by-path',
          `${text('url')}\ncommand: /usr/bin/curl -s {{url}}`,
        ),
        [`${tools}/fetch-wrapped.md`]: manifest(
          'fetch-wrapped',
          `${text('url')}\ncommand: env -u HTTP_PROXY nice curl -s {{url}}`,
        ),
        [`${tools}/show.md`]: manifest('show', `${text('path')}\nreadOnly: true\ncommand: cat -- {{path}}`),
        [`${tools}/show-all.md`]: manifest(
          'show-all',
          'parameters: []\nreadOnly: true\ncommand: cat workspace/*',
        ),
        [`${tools}/find-all.md`]: manifest(
          'find-all',
          'parameters: []\nreadOnly: true\ncommand: grep -rh DO workspace',
        ),
        [`${tools}/show-one.md`]: manifest(
          'show-one',
          'parameters: []\nreadOnly: true\ncommand: cat workspace/kept.md',
        ),
        [`${tools}/copy.md`]: manifest(
          'copy',
          `${text('to')}\ncommand: cp workspace/kept.md workspace/{{to}}`,
        ),
        [`${tools}/renamed.md`]: manifest(
          'renamed',
          `${text('text')}\nreadOnly: true\nmcp: true\nserver: notes\ntool: say`,
        ),
        [`${tools}/publish.md`]: manifest('publish', 'confirm: true\ncommand: touch published'),
        [`${tools}/leak.md`]: manifest('leak', 'parameters: []\ncommand: touch leaked'),
        [`${tools}/spill.md`]: manifest('spill', 'parameters: []\ncommand: touch spilt'),
      },
    }),
  );
  await noteInService({ ...project, env: process.env }, agents.home.path);
  await agents.host.servers.get('notes')!.connect();
  const owned = opened.move();
  return {
    agents,
    page(text, type = 'plain') {
      said = { text, type };
      return `${web.url}/news`;
    },
    requested,
    outside,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
