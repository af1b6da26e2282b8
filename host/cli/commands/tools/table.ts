import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

export const toolCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: '',
    summary: 'Chat with an agent; without a model, say what you want, and the tool is found and run',
    usage: '',
    details:
      'With no terminal on stdin, messages or commands are read from it line by line; the exit code is that of the last one, as in a shell script.',
    options: [yes],
    examples: ['pegboard', "echo 'call example.greet name=Ada' | pegboard"],
    load: () => import('./prompt.ts'),
  },
  {
    name: 'chat',
    summary: 'Say one thing to an agent, and get its reply',
    usage: '[TEXT…]',
    details:
      'Without TEXT, or with "-", it is read from stdin. The answer goes to stdout as it comes; tools, with the time they took, to stderr. Its Markdown is rendered on a terminal, and written as it is into a pipe or file.\nExit codes: 0 done, 1 no model answered or the turn ended early, 2 no model is connected, 130 interrupted. --json prints {text, toolCalls, usage, conversation}, and stopped when it ended early.',
    options: [
      { name: 'new', summary: 'Begin a new conversation instead of going on with the last' },
      { name: 'conversation', value: 'NAME', summary: 'Go on with the conversation of this name (cli)' },
      {
        name: 'request',
        value: 'JSON',
        summary:
          'A dispatch request: {type, agentID, message, context: {tools}}; "-" reads it from stdin, @FILE from a file',
      },
      yes,
      json,
    ],
    examples: [
      'pegboard chat "What is in this folder?"',
      'pegboard chat --agent example --new "Greet Ada"',
      'git diff | pegboard chat --json -',
    ],
    load: () => import('./chat.ts'),
  },
  {
    name: 'tools',
    summary: 'List the tools that are registered, and what is wrong with others',
    usage: '[MODULE]',
    details: 'MODULE may also be a pattern over ids: "*.deploy*".',
    options: [json],
    home: 'reads',
    examples: ['pegboard tools', 'pegboard tools filesystem', 'pegboard tools --json'],
    load: () => import('./tools.ts'),
  },
  {
    name: 'search',
    summary: 'Find tools by what they do',
    usage: 'QUERY…',
    options: [{ name: 'limit', short: 'k', value: 'N', summary: 'At most so many (10)' }, json],
    home: 'reads',
    examples: ['pegboard search deploy to staging', 'pegboard search "read a file" -k 3 --json'],
    load: () => import('./search.ts'),
  },
  {
    name: 'show',
    summary: 'Show one tool: parameters, command, source',
    usage: 'TOOL',
    options: [json],
    home: 'reads',
    examples: ['pegboard show example.greet', 'pegboard show bash --json'],
    load: () => import('./show.ts'),
  },
  {
    name: 'schema',
    summary: 'Show all tools of a module with their schemas',
    usage: 'MODULE',
    options: [json],
    home: 'reads',
    examples: ['pegboard schema filesystem', 'pegboard schema everything --json'],
    load: () => import('./schema.ts'),
  },
  {
    name: 'call',
    summary: 'Run one tool',
    usage: 'TOOL [key=value…]',
    details:
      "Values are read as the tool's schema types them: numbers, true and false, a list by repeating key=, objects as JSON.\nExit codes: 0 done, 1 the tool failed, 2 the arguments don't fit, 3 declined or denied, 4 no such tool, 124 timed out, 130 interrupted.",
    options: [
      {
        name: 'args',
        value: 'JSON',
        summary: 'All arguments as a JSON object; "-" reads it from stdin, @FILE from a file',
      },
      yes,
      json,
    ],
    examples: [
      'pegboard call example.greet name=Ada',
      'pegboard call glob pattern=**/*.ts path=.',
      `pegboard call example.greet --args '{"name": "Ada"}' --json`,
      `pegboard --tool example.greet --args '{"name": "Ada"}'`,
    ],
    load: () => import('./call.ts'),
  },
  {
    name: 'inject',
    summary: 'Show what a model would get to see of the tools, and why',
    usage: '',
    details:
      'A fifth of the context window may go to tools. Full schemas if they fit into that, else names with one line each, else tools that find the others.',
    options: [
      { name: 'context-window', value: 'N', summary: "Tokens (the model's own)" },
      { name: 'mode', value: 'auto|direct|compact|discovery', summary: 'Force a mode' },
      { name: 'query', value: 'TEXT', summary: 'For this message: packs are selected by it' },
      json,
    ],
    home: 'reads',
    examples: ['pegboard inject', 'pegboard inject --context-window 8000', 'pegboard inject --json'],
    load: () => import('./inject.ts'),
  },
  {
    name: 'approvals list',
    summary: 'List what waits for your answer, and the tools that run without asking',
    usage: '',
    options: [json],
    home: 'reads',
    examples: ['pegboard approvals list'],
    load: () => import('./approvals-list.ts'),
  },
  {
    name: 'approvals show',
    summary: 'Show the whole of something that waits: the difference, or the question',
    usage: 'WHAT',
    options: [json],
    home: 'reads',
    examples: ['pegboard approvals show 7', 'pegboard approvals show spaces/recipes'],
    load: () => import('./approvals-show.ts'),
  },
  {
    name: 'approvals allow',
    summary: 'Approve what waits, once you have seen it; without WHAT, one after the other',
    usage: '[WHAT…]',
    details:
      'Questions by their number, wherever they were asked: the first answer counts, and exit code 3 says that somebody was first or its time is up. MCP servers and plugins by their names, spaces as spaces/NAME: each is shown and asked about, --yes takes it as seen. Tools whose manifests name secrets get them.',
    options: [
      { ...yes, summary: 'Take what is named as seen, without asking' },
      {
        name: 'for',
        value: 'EXTENT',
        summary: 'A question: file, folder or conversation, for the rest of the conversation',
      },
      { name: 'always', summary: 'A question: do not ask for this tool again until it changes' },
      json,
    ],
    examples: [
      'pegboard approvals allow',
      'pegboard approvals allow 7',
      'pegboard approvals allow everything spaces/recipes',
    ],
    load: () => import('./approvals-allow.ts'),
  },
  {
    name: 'approvals deny',
    summary: 'Refuse the call that a question is about',
    usage: 'NUMBER…',
    options: [json],
    examples: ['pegboard approvals deny 7'],
    load: () => import('./approvals-deny.ts'),
  },
  {
    name: 'approvals revoke',
    summary: 'Revoke an approval: of a tool, a plugin, a space, an MCP server, a client',
    usage: '[WHAT…]',
    options: [{ name: 'all', summary: 'Everything' }],
    examples: ['pegboard approvals revoke example.deploy', 'pegboard approvals revoke --all'],
    load: () => import('./approvals-revoke.ts'),
  },
];
