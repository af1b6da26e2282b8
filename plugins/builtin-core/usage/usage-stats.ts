import { defineTool, textResult, type PluginContext, type Tool, type UsageRange } from 'pegboard';

const groups = ['day', 'model', 'agent', 'source', 'tool'] as const;

const costOfLine = {
  type: 'object',
  required: ['name', 'calls', 'input', 'cached', 'output', 'cost', 'unpriced'],
  properties: {
    name: { type: 'string' },
    calls: { type: 'integer' },
    input: { type: 'integer', description: 'Tokens, those in cached included.' },
    cached: { type: 'integer' },
    output: { type: 'integer' },
    cost: { type: 'number', description: 'US dollars.' },
    unpriced: { type: 'integer', description: 'Calls of unknown price.' },
  },
} as const;

const callsOfTool = {
  type: 'object',
  required: ['name', 'calls', 'failed', 'ms'],
  properties: {
    name: { type: 'string' },
    calls: { type: 'integer' },
    failed: { type: 'integer' },
    ms: { type: 'number', description: 'Of all calls together.' },
  },
} as const;

export function createUsageStats(context: PluginContext<any>): Tool {
  return defineTool({
    name: 'usage_stats',
    title: 'Usage statistics',
    description:
      'What models were used for: calls, tokens and cost, by day, model, agent or source; or how often each tool was called and failed.',
    category: 'usage',
    tags: ['cost', 'tokens', 'money', 'spending', 'statistics'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 10,
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: {
        days: {
          type: 'integer',
          minimum: 1,
          maximum: 36_500,
          default: 30,
          description: 'The last so many, today included.',
        },
        by: { enum: groups, default: 'day', description: 'What a line stands for.' },
        source: { type: 'string', minLength: 1, description: 'Only this one: cli, telegram, schedule.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['from', 'to', 'by', 'lines'],
      properties: {
        from: { type: 'string', description: 'YYYY-MM-DD, like to.' },
        to: { type: 'string' },
        by: { enum: groups },
        lines: { type: 'array', items: { anyOf: [costOfLine, callsOfTool] } },
      },
    },
    examples: [{ input: { days: 7, by: 'model' } }],
    async execute({ days = 30, by = 'day', source }) {
      const { usage } = context;
      const to = usage.today();
      const from = dayBefore(to, days - 1);
      const range: UsageRange = { from, to, ...(source !== undefined && { source }) };
      const lines = by === 'tool' ? await usage.tools(range) : await usage.summarize(by, range);
      const shown = lines.map((line) => ('input' in line ? costLine(line) : toolLine(line)));
      const text = shown.length === 0 ? `Nothing was used from ${from} to ${to}.` : shown.join('\n');
      return textResult(text, { from, to, by, lines });
    },
  });
}

type CostLine = Awaited<ReturnType<PluginContext['usage']['summarize']>>[number];
type ToolLine = Awaited<ReturnType<PluginContext['usage']['tools']>>[number];

function costLine({ name, calls, input, cached, output, cost, unpriced }: CostLine): string {
  const price = unpriced === calls ? 'cost unknown' : `$${cost.toFixed(4)}`;
  const partly = unpriced > 0 && unpriced < calls ? ` and ${unpriced} calls of unknown price` : '';
  return `${name}: ${calls === 1 ? '1 call' : `${calls} calls`}, ${input} tokens in (${cached} cached), ${output} out, ${price}${partly}`;
}

function toolLine({ name, calls, failed, ms }: ToolLine): string {
  return `${name}: ${calls === 1 ? '1 call' : `${calls} calls`}, ${failed} failed, ${Math.round(ms / Math.max(calls, 1))} ms each`;
}

function dayBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 86_400_000).toISOString().slice(0, 10);
}
