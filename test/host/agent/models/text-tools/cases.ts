import type { WireTool } from '../../../../../host/api/model.ts';

/** A title, what a model wrote, the calls in it, and the text that is left: "" where calls are, else all of it. */
export type OutputCase = readonly [
  title: string,
  output: string,
  calls: readonly (readonly [name: string, args: object])[],
  text?: string,
];

const tool = (name: string, properties: object): WireTool => ({
  name,
  description: name,
  parameters: { type: 'object', properties },
});

/** The tools on offer in every case. */
export const offered: readonly WireTool[] = [
  tool('read_file', { path: { type: 'string' }, lines: { type: 'integer' } }),
  tool('write_file', { path: { type: 'string' }, content: { type: 'string' } }),
  tool('now', {}),
  tool('bash', { command: { type: 'string' } }),
  tool('get_weather', { city: { type: 'string' } }),
  tool('set_flag', { name: {}, on: { type: 'boolean' }, none: {} }),
];
