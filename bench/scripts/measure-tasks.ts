import { isDeepStrictEqual } from 'node:util';
import type { Ask } from '../../host/api/ask.ts';
import type { ToolResult } from '../../host/api/result.ts';
import {
  openTestHost,
  type ScriptedReply,
  type ScriptedRequest,
  type TestHost,
} from '../../host/testing/index.ts';
import { textOf } from '../../host/tools/result.ts';
import type { Task } from './task.ts';
import { fanOutTasks } from './tasks/fan-out.ts';
import { listTasks } from './tasks/lists.ts';
import { singleTasks } from './tasks/single.ts';
import { writeTasks } from './tasks/writes.ts';

const tasks: readonly Task[] = [...singleTasks, ...fanOutTasks, ...listTasks, ...writeTasks];

/** `direct`: the model is shown all tools. `discovery`: it searches among a thousand more. */
export type World = 'direct' | 'discovery';
export type How = 'calls' | 'script';

/** What some tasks took, in tokens of four characters. */
export interface Spent {
  readonly modelCalls: number;
  readonly input: number;
  /** The largest request. */
  readonly largest: number;
}

const moreTools = 1_000;
const tokensOf = (value: unknown): number => Math.floor(JSON.stringify(value).length / 4);
const answer: ScriptedReply = { text: `Here is the answer: ${'x'.repeat(120)}` };
const accept: Ask = async () => ({ action: 'accept', content: { answer: 'once' } });

/** Does every task in the agent's loop. Throws when a script returns anything else than it has to. */
export async function measureTasks(world: World): Promise<ReadonlyMap<Task, Readonly<Record<How, Spent>>>> {
  let plan: ScriptedReply[] = [];
  await using home = await openTestHost({
    plugins: [`${import.meta.dirname}/shop`],
    files: {
      'pegboard.yaml': 'models:\n  contextWindow: 128000\n',
      ...(world === 'discovery' && { 'spaces/more/space.manifest.json': manyTools() }),
    },
    model: () => plan.shift() ?? { text: 'Nothing is left to do.' },
  });
  const spend = async (task: Task, how: How): Promise<Spent> => {
    const before = home.model.requests.length;
    plan = [...planOf(task, world, how)];
    const last = await perform(home, task, how);
    if (how === 'script') check(task, last);
    return spentIn(home.model.requests.slice(before));
  };
  const all = new Map<Task, Record<How, Spent>>();
  for (const task of tasks)
    all.set(task, { calls: await spend(task, 'calls'), script: await spend(task, 'script') });
  return all;
}

/** Returns the result of its last call. */
async function perform(home: TestHost, task: Task, how: How): Promise<ToolResult | undefined> {
  let last: ToolResult | undefined;
  await home.say(task.say, {
    externalId: `${how} ${task.say}`,
    ask: accept,
    onEvent: (event) => void (event.type === 'tool_end' && (last = event.result)),
  });
  return last;
}

function planOf(task: Task, world: World, how: How): readonly ScriptedReply[] {
  const toCall = ({ tool, args }: Task['rounds'][number][number]) =>
    world === 'direct'
      ? { name: tool.slice('shop.'.length), arguments: args }
      : { name: 'execute_tool', arguments: { name: tool, params: args } };
  const search = { name: 'search_tools', arguments: { queries: task.find.split(', ') } };
  const rounds =
    how === 'script'
      ? [[{ name: 'run_script', arguments: { code: task.code } }]]
      : task.rounds.map((calls) => calls.map(toCall));
  const all = world === 'discovery' ? [[search], ...rounds] : rounds;
  return [...all.map((toolCalls) => ({ toolCalls })), answer];
}

function check({ say, want }: Task, result: ToolResult | undefined): void {
  if (!result || result.error) throw new Error(`${say}: ${result?.error?.message ?? 'no call was made'}`);
  if (want === undefined) return;
  const text = textOf(result);
  const got: unknown = typeof want === 'string' ? text : JSON.parse(text);
  if (!isDeepStrictEqual(got, want)) throw new Error(`${say}: it returned ${text}`);
}

function spentIn(requests: readonly ScriptedRequest[]): Spent {
  const sizes = requests.map(({ messages, tools }) => tokensOf(messages) + tokensOf(tools ?? []));
  const input = sizes.reduce((sum, size) => sum + size, 0);
  return { modelCalls: requests.length, input, largest: Math.max(...sizes) };
}

const manyTools = (): string =>
  JSON.stringify({
    id: 'more',
    name: 'More',
    description: 'More tools',
    tools: Array.from({ length: moreTools }, (_, at) => ({
      id: `filler-${at}`,
      name: `Filler ${at}`,
      description: `Does number ${at} of many other things for a machine in a hall`,
      parameters: [{ name: 'machine', type: 'string', description: 'Which machine', required: true }],
      command: 'echo {{machine}}',
    })),
  });
