import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createManifestDirectory } from '../../../host/sources/manifests/files/directory.ts';
import { createSpaceManifest } from '../../../host/sources/manifests/files/space-manifest.ts';
import { createHome, manifest } from '../../kit/homes/home.ts';
import { createMcpLab, fixture, npmServer } from '../../kit/mcp/mcp-source.ts';
import { openPluginHome } from '../../kit/homes/plugin-home.ts';
import { echoTool, memorySource } from '../../kit/source.ts';
import { testToolSource } from '../../kit/mcp/tool-source-suite.ts';
import { manifestContext } from '../../kit/homes/manifest-context.ts';

const context = manifestContext();
const command =
  'parameters:\n  - { name: text, type: string, required: true }\ncommand: printf %s -- {{text}}';
const echo = { name: 'say', parameter: 'text' };
const description = 'Tools of the test';

testToolSource(
  'a source in the same process',
  async () => {
    const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const say = echoTool({ name: 'say', parameters, execute: ({ text }: { text: string }) => text });
    const source = memorySource([say]);
    return { source, echo, change: () => source.change({ tools: [] }), async [Symbol.asyncDispose]() {} };
  },
  { changes: true },
);

testToolSource(
  'a folder of manifests',
  async () => {
    const home = await createHome({ 'tools/say.md': manifest('say', command) });
    const folder = join(home.path, 'tools');
    const source = createManifestDirectory({
      folder,
      root: home.path,
      module: 'demo',
      kind: 'manifest',
      description,
      context,
    });
    return {
      source,
      echo,
      change: async () =>
        source.changed([
          await home.write('tools/more.yaml', manifest('more', 'command: ls').split('---\n')[1]!),
        ]),
      [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
    };
  },
  { changes: true },
);

testToolSource(
  'a space manifest',
  async () => {
    const parameters = [{ name: 'text', type: 'string', required: true }];
    const say = {
      id: 'say',
      name: 'Say',
      description: 'Says it',
      parameters,
      command: 'printf %s -- {{text}}',
    };
    const write = (tools: readonly object[]) =>
      home.write('space.manifest.json', JSON.stringify({ id: 'demo', tools }));
    const home = await createHome();
    await write([say]);
    const source = createSpaceManifest({ root: home.path, module: 'demo', description, context });
    return {
      source,
      echo,
      change: async () => source.changed([await write([say, { ...say, id: 'more' }])]),
      [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
    };
  },
  { changes: true },
);

testToolSource(
  "a plugin's pack",
  async () => {
    const opened = await openPluginHome({
      files: {
        'plugins/demo/plugin.yaml':
          'id: demo\nversion: 1.0.0\ndescription: A demo\nentry: index.ts\npacks: { demo: { description: Tools of the demo } }\n',
        'plugins/demo/index.ts': `
          import { definePlugin } from 'pegboard';
          const parameters = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
          const say = { name: 'say', description: 'Says it', parameters, execute: ({ text }) => text };
          export default definePlugin({ setup: () => ({ packs: { demo: [say] } }) });
        `,
      },
    });
    const { instances } = opened.plugins;
    const source = instances
      .flatMap(({ toolSources }) => toolSources)
      .find(({ module }) => module === 'demo')!;
    return { source, echo, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  },
  { changes: false },
);

testToolSource(
  'an MCP server',
  async () => {
    const lab = await createMcpLab();
    const list = join(lab.data, 'tools.json');
    const inputSchema = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
    const write = (...names: string[]) =>
      writeFile(
        list,
        JSON.stringify({ tools: names.map((name) => ({ name, description: 'Says it', inputSchema })) }),
      );
    await write('say');
    const source = lab.open('demo', fixture('changes-tools', list));
    await source.connect();
    return {
      source,
      echo,
      async change() {
        await write('say', 'more');
        process.kill(source.status().pid!, 'SIGHUP');
      },
      [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
    };
  },
  { changes: true },
);

testToolSource(
  'an MCP server from npm',
  async () => {
    const lab = await createMcpLab();
    const source = lab.open('everything', npmServer('everything'));
    await source.connect();
    return {
      source,
      echo: { name: 'echo', parameter: 'message' },
      [Symbol.asyncDispose]: () => lab[Symbol.asyncDispose](),
    };
  },
  { changes: false },
);
