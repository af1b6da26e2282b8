import type { Script, ScriptedCall } from '../../../host/testing/index.ts';

/** An order that survives Markdown, JSON and shells. */
export const order = (name: string, args: object): string =>
  `DO:${Buffer.from(JSON.stringify({ name, arguments: args })).toString('hex')}`;

/** Does whatever it reads, whoever wrote it: each order in the last message, all at once. */
export const obeying: Script = ({ messages }) => {
  const text = JSON.stringify((messages.at(-1) as { readonly content: unknown }).content);
  const calls = [...text.matchAll(/DO:([0-9a-f]+)/g)].map(
    ([, hex]) => JSON.parse(Buffer.from(hex!, 'hex').toString()) as ScriptedCall,
  );
  return calls.length > 0 ? { toolCalls: calls } : { text: 'done' };
};
