import { appendFile, mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { askElsewhere } from '../../../host/dispatch/ask-elsewhere.ts';
import { auditFileOf } from '../../../host/store/audit.ts';
import { listedTool, listingEntry, listingServer } from '../mcp/listing-server.ts';
import { createHome, manifest } from '../homes/home.ts';
import { servePage, type ServedPage } from './served-page.ts';
import { databaseOf } from '../database.ts';

/** What a page may have to show. `busy`: calls of several processes, questions, and something new to look at. */
export const states = ['empty', 'busy', 'broken'] as const;
export type State = (typeof states)[number];

/** A page in that state, which stays so for a few minutes. */
export async function servePageIn(state: State, name = longName): Promise<ServedPage> {
  const home = await createHome(filesOf[state], name);
  if (state === 'busy') await noteEarlierCalls(home.path);
  const page = await servePage({}, home, { mcp: state === 'empty' ? 'off' : 'connect' });
  // Mistakes with which no host starts.
  if (state === 'broken') await home.write('pegboard.local.yaml', 'confirm: sometimes\n');
  const ending = new AbortController();
  // Calls that began before somebody looked are known when they end.
  await page.events(ending.signal).next();
  if (state === 'busy') {
    await planThings(page);
    await storeSecrets(page);
    await useModels(page);
    await keepBusy(page, ending.signal);
  }
  return {
    ...page,
    async [Symbol.asyncDispose]() {
      ending.abort();
      await page[Symbol.asyncDispose]();
    },
  };
}

/** Of a home whose path has a word that is wider than a phone. */
const longName = 'a_home_whose_name_is_wider_than_a_phone_';

/** Removes more than it should: what a person has to look at. */
const deployYaml = `category: ops
confirm: true
parameters:
  - { name: service, type: string, description: Which service, required: true, enum: [shop, search, mail] }
  - { name: version, type: string, description: A tag or a commit, required: true }
  - { name: notes, type: string, description: What changed for the team }
  - { name: canary, type: integer, description: Percent of the traffic that gets it first, default: 10 }
command: "echo deployed {{service}} {{version}}"
examples: [{ input: { service: shop, version: v2.14.0 } }]`;

const filesOf: { readonly [state in State]: { readonly [file: string]: string } } = {
  empty: {},
  busy: {
    'pegboard.yaml': `spaces: { shared: { trusted: false } }\nmcpServers: ${JSON.stringify({ notes: listingEntry, drafts: { ...listingEntry, enabled: false } })}\n`,
    ...listingServer([listedTool('search', 'Searches the notes')], { stderr: 'ready\n' }),
    'spaces/studio/agent/agent.yaml':
      'name: Studio\ndescription: Runs the shop\nblockedTools: [filesystem.*]\n',
    'spaces/studio/agent/skills/releases/SKILL.md':
      '---\nname: releases\ndescription: How a release goes\n---\n\nTest, then deploy.\n',
    'spaces/studio/agent/tools/deploy.md': manifest(
      'deploy',
      deployYaml,
      '\nDeploys one service of the shop, a part of the traffic first.\n\n## When to use it\n\n- after the tests of `main` are green\n- never on **Fridays**\n\n| service | takes |\n|---|---|\n| shop | 4 min |\n| search | 1 min |\n',
    ),
    'spaces/studio/agent/tools/orders.md': manifest(
      'orders',
      'readOnly: true\nparameters: [{ name: since, type: string, description: A day }]\ncommand: "echo 214 orders since {{since}}"',
    ),
    'spaces/studio/agent/tools/render.md': manifest('render', 'command: sleep 300\ntimeout: 400'),
    'spaces/studio/agent/tools/thumbnail.md': manifest(
      'thumbnail',
      'command: "echo {{file}}.png"\nparameters: [{ name: file, type: string, required: true }]',
    ),
    'spaces/studio/agent/tools/invoice.md': manifest('invoice', 'command: "echo no printer >&2; exit 3"'),
    'spaces/studio/agent/tools/publish.md': manifest(
      'publish',
      'command: echo published\nenvironment: { TOKEN: "${REGISTRY_TOKEN}", KEY: "${SHOP_API_KEY}" }',
    ),
    'spaces/shared/space.manifest.json': JSON.stringify({ name: 'Shared', description: 'Of a colleague' }),
    'spaces/shared/agent/tools/greet.md': manifest('greet', 'command: echo hello'),
  },
  broken: {
    'pegboard.yaml':
      'mcpServers:\n  search: { command: node, args: ["-e", "process.exit(1)"], trust: true }\n  files: { url: "http://127.0.0.1:9/mcp" }\n',
    'data/secrets/secrets.json': 'no JSON',
    'spaces/work/agent/tools/one.md': '---\nid: one\nname: One\ntimout: 5\ncommand: echo\n---\n',
    'spaces/work/agent/tools/two.md': '---\nid: [\n---\n',
    'spaces/work/agent/tools/three.yaml': 'id: three\ncommand: "echo {{missing}}"\n',
    ...Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `spaces/work/agent/tools/mistake-${at}.md`,
        `---\nid: mistake-${at}\nname: Mistake\ndescription: Has one\nparamters: []\ncommand: echo\n---\n`,
      ]),
    ),
    'plugins/crashing/plugin.yaml': 'id: crashing\nversion: 1.0.0\n',
    'plugins/crashing/index.ts': "throw new Error('The printer is on fire.');\n",
  },
};

/** Calls of other processes, from the last hour. */
async function noteEarlierCalls(home: string): Promise<void> {
  const file = auditFileOf(home);
  const begin = Date.now() - 3_600_000;
  /** Milliseconds from one group of five to the next: three calls within a fourth one, and one of a client. */
  const groupMs = 400_000;
  const lines = Array.from({ length: 40 }, (_, at) => {
    const isChild = at % 5 < 3;
    const parent = `earlier-${at - (at % 5) + 4}`;
    const isFailed = at % 11 === 7;
    return JSON.stringify({
      id: `earlier-${at}`,
      at: new Date(begin + Math.floor(at / 5) * groupMs + (at % 5) * 700).toISOString(),
      tool: isChild
        ? ['studio.orders', 'web.web_read', 'filesystem.grep'][at % 3]
        : at % 5 === 4
          ? 'meta.run_parallel'
          : 'studio.thumbnail',
      caller: at % 5 === 3 ? 'mcp:cursor' : 'schedule/3',
      ...(at % 5 === 3 ? {} : { agent: 'studio' }),
      ...(isChild && { within: parent }),
      ms: at % 5 === 4 ? 2_800 : 120 + ((at * 137) % 600),
      ...(at % 13 === 3 && { waitedMs: 4_200, by: 'person, Anna (@anna), Telegram' }),
      outcome: isFailed ? 'PEG_TIMEOUT' : 'ok',
    });
  });
  await mkdir(dirname(file), { recursive: true });
  await appendFile(file, `${lines.join('\n')}\n`);
}

/** Schedules for the days to come. */
async function planThings({ host }: ServedPage): Promise<void> {
  for (const args of [
    { instruction: 'Sum up what customers wrote', cron_expression: '0 9 * * 1-5' },
    { instruction: 'Look for orders that nobody has sent', cron_expression: '30 17 * * *' },
    {
      instruction: 'Hidden \u202E text in a plan that is long enough to need two lines',
      cron_expression: '0 0 1 * *',
    },
  ])
    await host.dispatch({
      name: 'scheduler.schedule',
      args,
      scope: host.scopeFor(undefined),
      caller: 'web',
    });
}

/** One that a tool asks for, and one that nothing names; a third is missing. */
async function storeSecrets({ host }: ServedPage): Promise<void> {
  await host.secrets.set('SHOP_API_KEY', 'k9Zq-3vXw-7Rty-1uPo', 'owner');
  await host.secrets.set('OLD_TOKEN_OF_A_SERVICE_WITH_A_NAME_THAT_IS_LONG', 'x4Tz-8bNm-2Qwe', 'environment');
}

/** What models have cost in the last days. */
async function useModels({ home, host }: ServedPage): Promise<void> {
  const database = databaseOf(home);
  const open = await database.open();
  const noon = Date.parse(`${host.usage.today()}T12:00:00Z`);
  await open
    .insertInto('usage')
    .values(
      Array.from({ length: 24 }, (_, at) => {
        const when = new Date(noon - Math.floor(at / 2) * 86_400_000).toISOString();
        return {
          day: when.slice(0, 10),
          at: when,
          agent: at % 3 === 0 ? 'studio' : 'personal',
          model: at % 4 === 0 ? 'small-1' : 'large-2',
          source: 'cli',
          conversation_id: null,
          input: 9_000 + ((at * 3_711) % 24_000),
          output: 600 + at * 20,
          cached: 2_000,
          cost: at === 5 ? null : 0.02 + ((at * 7) % 11) / 20,
        };
      }),
    )
    .execute();
  await database[Symbol.asyncDispose]();
}

/** Calls that run, have failed, and wait for an answer. */
async function keepBusy({ host }: ServedPage, signal: AbortSignal): Promise<void> {
  const call = (name: string, args: object, agent = false): Promise<unknown> =>
    host.dispatch({
      name,
      args,
      scope: host.scopeFor(undefined),
      caller: agent ? 'schedule/3' : 'web',
      ask: askElsewhere,
      signal,
    });
  void call('studio.render', {}, true);
  void call('studio.deploy', { service: 'shop', version: 'v2.14.0', notes: 'Faster search' }, true);
  void call('studio.deploy', { service: 'mail', version: 'v0.9.1', notes: 'Hidden \u202E text' });
  await call('studio.invoice', {});
  await call('studio.orders', { since: '2026-11-01' });
  const end = Date.now() + 30_000;
  while ((await host.questions.list()).length < 2) {
    if (Date.now() > end) throw new Error('Nobody has asked anything.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
