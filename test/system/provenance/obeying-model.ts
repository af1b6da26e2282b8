import type { Script, ScriptedCall } from '../../../host/testing/index.ts';

/** The format of an order, which survives Markdown, JSON and shells. */
export const order = (name: string, args: object): string =>
  `DO:${Buffer.from(JSON.stringify({ name, arguments: args })).toString('hex')}`;

/** What the model is told to answer, in the same way. */
export const answer = (text: string): string => `SAY:${Buffer.from(text).toString('hex')}.`;

/** A model that obeys all orders in the last message at once, whoever wrote them. */
export const obeying: Script = ({ messages }) => {
  const text = JSON.stringify((messages.at(-1) as { readonly content: unknown }).content);
  const calls = [...text.matchAll(/DO:([0-9a-f]+)/g)].map(
    ([, hex]) => JSON.parse(Buffer.from(hex!, 'hex').toString()) as ScriptedCall,
  );
  const said = /SAY:([0-9a-f]+)/.exec(text)?.[1];
  return calls.length > 0
    ? { toolCalls: calls }
    : { text: said === undefined ? 'done' : Buffer.from(said, 'hex').toString() };
};
