import { pegboard } from '../../../core/own-command.ts';
import type { Command } from '../../command.ts';
import { json, yes } from '../../options.ts';

const args = {
  name: 'args',
  value: 'JSON',
  summary: 'All arguments as a JSON object; "-" reads it from stdin, @FILE from a file',
};

export const toolCommands: readonly Omit<Command, 'group'>[] = [
  {
    name: '',
    summary: 'Chat with an agent; without a model, find and run the tool for what you type',
    usage: '',
    details:
      'With no terminal on stdin, messages or commands are read from it line by line; the exit code is that of the last one, as in a shell script.',
    options: [
      {
        name: 'continue',
        short: 'c',
        summary: 'Go on with the last conversation of this folder: the default',
      },
      {
        name: 'resume',
        short: 'r',
        value: 'NUMBER|TITLE',
        summary: `Go on with another conversation; \`${pegboard} sessions\` lists them`,
      },
      { name: 'new', summary: 'Start a new conversation' },
      yes,
    ],
    examples: [pegboard, `${pegboard} --resume 12`, `echo 'call example.greet name=Ada' | ${pegboard}`],
    load: () => import('./prompt.ts'),
  },
  {
    name: 'chat',
    summary: 'Send one message to an agent and print its reply',
    usage: '[TEXT…]',
    details:
      'Without TEXT, or with "-", the message is read from stdin. The answer goes to stdout as it comes, the tools that ran and their times to stderr. Markdown is rendered on a terminal, and left as it is in a pipe or file.\nExit codes: 0 done, 1 no model answered or the turn ended early, 2 no model is connected, 130 interrupted. --json prints {text, toolCalls, usage, conversation}, "stopped" when the turn ended early, and "uncertain" with the calls that an interruption cut off.',
    options: [
      { name: 'new', summary: 'Start a new conversation instead of continuing the last one' },
      { name: 'continue', summary: 'Go on with the last turn, if it was interrupted, instead of a message' },
      {
        name: 'conversation',
        value: 'NAME',
        summary: 'Continue the conversation of this name (default: cli)',
      },
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
      `${pegboard} chat "What is in this folder?"`,
      `${pegboard} chat --agent example --new "Greet Ada"`,
      `git diff | ${pegboard} chat --json -`,
    ],
    load: () => import('./chat.ts'),
  },
  {
    name: 'tools',
    summary: 'List the registered tools, and problems with others',
    usage: '[MODULE]',
    details: 'MODULE may also be a pattern for tool ids: "*.deploy*".',
    options: [json],
    home: 'reads',
    examples: [`${pegboard} tools`, `${pegboard} tools filesystem`, `${pegboard} tools --json`],
    load: () => import('./tools.ts'),
  },
  {
    name: 'search',
    summary: 'Find tools by what they do',
    usage: 'QUERY…',
    options: [
      { name: 'limit', short: 'k', value: 'N', summary: 'The maximum number of results (default: 10)' },
      json,
    ],
    home: 'reads',
    examples: [`${pegboard} search deploy to staging`, `${pegboard} search "read a file" -k 3 --json`],
    load: () => import('./search.ts'),
  },
  {
    name: 'show',
    summary: 'Show one tool: parameters, command, source',
    usage: 'TOOL',
    options: [json],
    home: 'reads',
    examples: [`${pegboard} show example.greet`, `${pegboard} show bash --json`],
    load: () => import('./show.ts'),
  },
  {
    name: 'schema',
    summary: 'Show all tools of a module with their schemas',
    usage: 'MODULE',
    options: [json],
    home: 'reads',
    examples: [`${pegboard} schema filesystem`, `${pegboard} schema everything --json`],
    load: () => import('./schema.ts'),
  },
  {
    name: 'call',
    summary: 'Run one tool',
    usage: 'TOOL [key=value…]',
    details:
      "Values are read as the tool's schema types them: numbers, true and false, a list by repeating key=, objects as JSON.\nExit codes: 0 done, 1 the tool failed, 2 the arguments don't fit, 3 declined or denied, 4 no such tool, 124 timed out, 130 interrupted.",
    options: [args, yes, json],
    examples: [
      `${pegboard} call example.greet name=Ada`,
      `${pegboard} call glob pattern=**/*.ts path=.`,
      `${pegboard} call example.greet --args '{"name": "Ada"}' --json`,
      `${pegboard} --tool example.greet --args '{"name": "Ada"}'`,
    ],
    load: () => import('./call.ts'),
  },
  {
    name: 'inject',
    summary: 'Show how the tools would be presented to a model, and why',
    usage: '',
    details:
      'Tools may use a fifth of the context window. The model gets full schemas if they fit, else the names with one line each, else tools that find the others.',
    options: [
      { name: 'context-window', value: 'N', summary: "The size in tokens (default: the model's own)" },
      { name: 'mode', value: 'auto|direct|compact|discovery', summary: 'Force a mode' },
      { name: 'query', value: 'TEXT', summary: 'Select packs for this message' },
      json,
    ],
    home: 'reads',
    examples: [`${pegboard} inject`, `${pegboard} inject --context-window 8000`, `${pegboard} inject --json`],
    load: () => import('./inject.ts'),
  },
  {
    name: 'approvals list',
    summary: 'List what is waiting for your approval, and what you have approved',
    usage: '',
    options: [json],
    home: 'reads',
    examples: [`${pegboard} approvals list`],
    load: () => import('./approvals-list.ts'),
  },
  {
    name: 'approvals show',
    summary: 'Show a pending approval or question in full',
    usage: 'WHAT',
    options: [json],
    home: 'reads',
    examples: [`${pegboard} approvals show 7`, `${pegboard} approvals show spaces/recipes`],
    load: () => import('./approvals-show.ts'),
  },
  {
    name: 'approvals allow',
    summary: 'Review and approve what is waiting; without WHAT, one after the other',
    usage: '[WHAT…]',
    details:
      'A number answers that question with yes, wherever it was asked. The first answer counts: exit code 3 means that somebody else was first, or that the question has expired. MCP servers and plugins are approved by name, spaces as spaces/NAME; each is shown first, and --yes approves it without asking. A tool may be named too, to let it use the secrets in its manifest.',
    options: [
      { ...yes, summary: 'Approve what is named without asking' },
      {
        name: 'for',
        value: 'EXTENT',
        summary:
          'Questions only: file, folder or conversation; do not ask about it again in this conversation',
      },
      { name: 'always', summary: 'Questions only: do not ask for this tool again until it changes' },
      json,
    ],
    examples: [
      `${pegboard} approvals allow`,
      `${pegboard} approvals allow 7`,
      `${pegboard} approvals allow everything spaces/recipes`,
    ],
    load: () => import('./approvals-allow.ts'),
  },
  {
    name: 'approvals deny',
    summary: 'Answer questions with no',
    usage: 'NUMBER…',
    options: [
      {
        name: 'instead',
        value: 'TEXT',
        summary: 'What the agent should do instead; it reads that as the result',
      },
      json,
    ],
    examples: [`${pegboard} approvals deny 7`, `${pegboard} approvals deny 7 --instead "ask Ada first"`],
    load: () => import('./approvals-deny.ts'),
  },
  {
    name: 'approvals test',
    summary: 'Show whether a call would run without asking, and which rule decides',
    usage: 'TOOL [key=value…]',
    details:
      "Nothing runs. A single word after TOOL is the command, path or address that the tool's rules are about. Hooks are not asked, and the conversation counts as one that has read nothing of others.\nExit codes: 0 it would run, 1 it would be asked about or refused.",
    options: [args, json],
    examples: [
      `${pegboard} approvals test bash "git status && rm x"`,
      `${pegboard} approvals test write path=notes/a.md content=x --agent example`,
      `${pegboard} approvals test "bash: git push"`,
    ],
    load: () => import('./approvals-test.ts'),
  },
  {
    name: 'approvals revoke',
    summary: 'Revoke approvals of tools, plugins, spaces, MCP servers and clients',
    usage: '[WHAT…]',
    options: [{ name: 'all', summary: 'Revoke every approval' }],
    examples: [`${pegboard} approvals revoke example.deploy`, `${pegboard} approvals revoke --all`],
    load: () => import('./approvals-revoke.ts'),
  },
];
