import { pegboard } from '../core/own-command.ts';
import type { JsonObject, ToolResult } from '../api/result.ts';
import type { Tool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { originsOf } from '../core/foreign/untrusted.ts';
import type { StoredJob } from '../store/jobs.ts';
import { textResult } from '../tools/result.ts';
import { describeJob } from './describe-job.ts';
import type { Jobs } from './jobs.ts';

const modes = ['start', 'status', 'result', 'cancel', 'list'] as const;

interface Args {
  readonly mode: (typeof modes)[number];
  readonly tool?: string;
  readonly params?: JsonObject;
  readonly id?: number;
}

/** Seconds. Starting may wait for a person's answer; cancelling waits for the tool to stop. */
const timeout = 600;

export function backgroundRun({ jobs }: { readonly jobs: Jobs }): Tool<Args> {
  return {
    name: 'background_run',
    description:
      'Run a tool in the background: start returns an id at once; status, result and cancel take it; list shows all. The end is announced: no need to poll.',
    parameters: {
      type: 'object',
      properties: {
        mode: { type: 'string', enum: [...modes] },
        tool: { type: 'string', description: 'For start' },
        params: { type: 'object', description: 'For start: the arguments of the tool' },
        id: { type: 'integer', description: 'For status, result and cancel' },
      },
      required: ['mode'],
      additionalProperties: false,
    },
    innerCalls: [{ tool: 'tool', args: 'params' }],
    // A started tool is checked in its own call.
    guarded: ({ mode }) => mode === 'cancel',
    timeout,
    async execute(args, call) {
      switch (args.mode) {
        case 'start':
          return textResult(await start(jobs, args, call));
        case 'list':
          return textResult(await list(jobs, call));
        case 'status':
          return textResult(describe(await findJob(jobs, args, call), jobs, call));
        case 'result':
          return resultOf(await findJob(jobs, args, call), jobs, call);
        case 'cancel':
          return textResult(await cancel(await findJob(jobs, args, call), jobs, call));
      }
    },
  };
}

async function start(jobs: Jobs, { tool, params = {} }: Args, call: ToolCall): Promise<string> {
  if (tool === undefined) throw new PegboardError('PEG_INVALID_ARGUMENTS', 'Mode "start" needs "tool".');
  const job = await jobs.start(call, tool, params);
  if (job.state === 'running' && jobs.oneShot)
    return `Job ${job.id} runs ${tool} in the background of this command alone, and is interrupted when the command ends. Its end is not announced. For a job that outlives the command, run it from "${pegboard} start", the prompt, or a chat of a running host.`;
  if (job.state === 'running')
    return `Job ${job.id} runs ${tool} in the background. You will be notified when it is done.`;
  return `${describe(job, jobs, call)}. Get what it returned with mode "result".`;
}

async function list(jobs: Jobs, call: ToolCall): Promise<string> {
  const found = await jobs.list(call);
  return found.length === 0 ? 'No jobs.' : found.map((job) => describe(job, jobs, call)).join('\n');
}

async function findJob(jobs: Jobs, { mode, id }: Args, call: ToolCall): Promise<StoredJob> {
  if (id === undefined) throw new PegboardError('PEG_INVALID_ARGUMENTS', `Mode "${mode}" needs "id".`);
  const job = await jobs.findFor(call, id);
  if (job) return job;
  throw new PegboardError('PEG_INVALID_ARGUMENTS', `There is no job ${id}. ${await list(jobs, call)}`);
}

/** The tool's own result, once the job has ended. */
function resultOf(job: StoredJob, jobs: Jobs, call: ToolCall): ToolResult {
  if (job.result) return job.result;
  const hint =
    job.state === 'running'
      ? ' You will be notified when it is done.'
      : ' Start it again if it is still needed.';
  return textResult(`${describe(job, jobs, call)}.${hint}`);
}

async function cancel(job: StoredJob, jobs: Jobs, call: ToolCall): Promise<string> {
  if (job.state !== 'running') return `${describe(job, jobs, call)}: there is nothing to cancel.`;
  if (await jobs.cancel(job.id)) return `Job ${job.id} (${job.tool}) was cancelled.`;
  return `Job ${job.id} (${job.tool}) runs in another process of this home, which was asked to stop it and has not done so yet.`;
}

/** Progress messages may hold untrusted content, so their origins are noted. */
function describe(job: StoredJob, jobs: Jobs, call: ToolCall): string {
  const step = jobs.progressOf(job.id);
  if (step) call.recordOrigins?.(originsOf(step));
  return describeJob(job, step?.message);
}
