import { pegboard } from '../core/own-command.ts';
import type { JsonObject, StructuredResult, ToolResult } from '../api/result.ts';
import type { Tool, ToolCall } from '../api/tool.ts';
import { PegboardError } from '../core/errors.ts';
import { originsOf } from '../core/foreign/untrusted.ts';
import { progressText } from '../core/text/progress-text.ts';
import type { StoredJob } from '../store/jobs.ts';
import { textOf, textResult } from '../tools/result.ts';
import type { StructureOf } from '../tools/structure.ts';
import { describeJob } from './describe-job.ts';
import type { Jobs } from './jobs.ts';

const modes = ['start', 'status', 'result', 'cancel', 'list'] as const;

interface Args {
  readonly mode: (typeof modes)[number];
  readonly tool?: string;
  readonly params?: JsonObject;
  readonly id?: number;
}

const jobItem = {
  type: 'object',
  required: ['id', 'tool', 'state', 'startedAt'],
  properties: {
    id: { type: 'integer' },
    tool: { type: 'string' },
    state: { enum: ['running', 'done', 'failed', 'cancelled', 'interrupted'] },
    startedAt: { type: 'string', description: 'ISO 8601.' },
    endedAt: { type: 'string' },
    progress: { type: 'string' },
  },
} as const;

/** Mode "result" returns the tool's own result. */
const outputSchema = {
  type: 'object',
  properties: {
    job: jobItem,
    jobs: { type: 'array', items: jobItem, description: 'Of mode "list".' },
  },
} as const;

type JobResult = StructuredResult<StructureOf<typeof outputSchema>>;

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
    outputSchema,
    innerCalls: [{ tool: 'tool', args: 'params' }],
    // A started tool is checked in its own call.
    guarded: ({ mode }) => mode === 'cancel',
    timeout,
    async execute(args, call) {
      switch (args.mode) {
        case 'start':
          return await start(jobs, args, call);
        case 'list':
          return await list(jobs, call);
        case 'status':
          return describedJob(await findJob(jobs, args, call), jobs, call);
        case 'result':
          return resultOf(await findJob(jobs, args, call), jobs, call);
        case 'cancel':
          return await cancel(await findJob(jobs, args, call), jobs, call);
      }
    },
  };
}

async function start(jobs: Jobs, { tool, params = {} }: Args, call: ToolCall): Promise<JobResult> {
  if (tool === undefined) throw new PegboardError('PEG_INVALID_ARGUMENTS', 'Mode "start" needs "tool".');
  const job = await jobs.start(call, tool, params);
  if (job.state === 'running' && jobs.oneShot)
    return textResult(
      `Job ${job.id} runs ${tool} in the background of this command alone, and is interrupted when the command ends. Its end is not announced. For a job that outlives the command, run it from "${pegboard} start", the prompt, or a chat of a running host.`,
      { job: toItem(job, jobs, call) },
    );
  const text =
    job.state === 'running'
      ? `Job ${job.id} runs ${tool} in the background. You will be notified when it is done.`
      : `${describe(job, jobs, call)}. Get what it returned with mode "result".`;
  return textResult(text, { job: toItem(job, jobs, call) });
}

async function list(jobs: Jobs, call: ToolCall): Promise<JobResult> {
  const found = await jobs.list(call);
  const text = found.map((job) => describe(job, jobs, call)).join('\n') || 'No jobs.';
  return textResult(text, { jobs: found.map((job) => toItem(job, jobs, call)) });
}

const describedJob = (job: StoredJob, jobs: Jobs, call: ToolCall): JobResult =>
  textResult(describe(job, jobs, call), { job: toItem(job, jobs, call) });

function toItem(
  { id, tool, state, startedAt, endedAt }: StoredJob,
  jobs: Jobs,
  call: ToolCall,
): StructureOf<typeof jobItem> {
  const progress = state === 'running' ? progressOf(id, jobs, call) : undefined;
  return {
    id,
    tool,
    state,
    startedAt,
    ...(endedAt !== undefined && { endedAt }),
    ...(progress !== undefined && { progress }),
  };
}

async function findJob(jobs: Jobs, { mode, id }: Args, call: ToolCall): Promise<StoredJob> {
  if (id === undefined) throw new PegboardError('PEG_INVALID_ARGUMENTS', `Mode "${mode}" needs "id".`);
  const job = await jobs.findFor(call, id);
  if (job) return job;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `There is no job ${id}. ${textOf(await list(jobs, call))}`,
  );
}

/** The tool's own result, once the job has ended. */
function resultOf(job: StoredJob, jobs: Jobs, call: ToolCall): ToolResult {
  if (job.result) return job.result;
  const hint =
    job.state === 'running'
      ? ' You will be notified when it is done.'
      : ' Start it again if it is still needed.';
  return textResult(`${describe(job, jobs, call)}.${hint}`, { job: toItem(job, jobs, call) });
}

async function cancel(job: StoredJob, jobs: Jobs, call: ToolCall): Promise<JobResult> {
  if (job.state !== 'running')
    return textResult(`${describe(job, jobs, call)}: there is nothing to cancel.`, {
      job: toItem(job, jobs, call),
    });
  if (await jobs.cancel(job.id))
    return textResult(`Job ${job.id} (${job.tool}) was cancelled.`, {
      job: toItem({ ...job, state: 'cancelled' }, jobs, call),
    });
  const text = `Job ${job.id} (${job.tool}) runs in another process of this home, which was asked to stop it and has not done so yet.`;
  return textResult(text, { job: toItem(job, jobs, call) });
}

function describe(job: StoredJob, jobs: Jobs, call: ToolCall): string {
  return describeJob(job, progressOf(job.id, jobs, call));
}

/** Progress messages may hold untrusted content, so their origins are noted. */
function progressOf(id: number, jobs: Jobs, call: ToolCall): string | undefined {
  const step = jobs.progressOf(id);
  if (step) call.recordOrigins?.(originsOf(step));
  return step && progressText(step);
}
