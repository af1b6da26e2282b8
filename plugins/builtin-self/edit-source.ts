import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { defineTool, PegboardError, type Tool, type ToolCall } from 'pegboard';
import { git } from './git.ts';
import type { Project } from './project.ts';
import type { Rejections } from './rejections.ts';

interface Edit {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly message: string;
}

export function createEditSource(project: Project, rejections: Rejections): Tool {
  return defineTool({
    name: 'self_edit_source',
    title: 'Edit own source',
    description:
      "Replaces exact text in a file of Pegboard's own source, and commits it. old_string must be there exactly once; empty for a new file. Not possible after the user has just said no to something.",
    category: 'self',
    tags: ['source', 'code', 'change'],
    aliases: ['self_edit'],
    annotations: { destructiveHint: true, openWorldHint: false },
    confirm: true,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'old_string', 'new_string', 'message'],
      properties: {
        path: { type: 'string', minLength: 1, description: 'Relative to the project.' },
        old_string: { type: 'string', description: 'The exact text to replace.' },
        new_string: { type: 'string', description: 'What stands there instead.' },
        message: { type: 'string', minLength: 5, maxLength: 200, description: 'Why, for the commit.' },
      },
    },
    prepare(edit) {
      const { before } = applied(project, edit);
      return { preview: diffOf(edit, before), cwd: project.root };
    },
    async execute(edit, call) {
      if (rejections.recent((call as ToolCall).turn?.conversation.id)) {
        throw new PegboardError(
          'PEG_DENIED',
          'The user has just said no to something. Nothing is changed; ask what they would like instead.',
        );
      }
      const { file, after } = applied(project, edit);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, after);
      const path = relative(project.root, file);
      await git(project.root, ['add', '--', path], call.signal);
      await git(project.root, ['commit', '-q', '-m', edit.message, '--', path], call.signal);
      const commit = (await git(project.root, ['rev-parse', '--short', 'HEAD'])).trim();
      return `${path} is changed, as commit ${commit}.`;
    },
  });
}

function applied(
  project: Project,
  edit: Edit,
): { readonly file: string; readonly before: string; readonly after: string } {
  const file = project.writable(edit.path);
  const fail = (why: string): never => {
    throw new PegboardError('PEG_TOOL_FAILED', `${edit.path} is not changed: ${why}.`);
  };
  if (!existsSync(file)) {
    if (edit.old_string !== '') fail('it does not exist, so old_string must be empty');
    return { file, before: '', after: edit.new_string };
  }
  if (edit.old_string === '') fail('it exists, so old_string must say what to replace');
  const before = readFileSync(file, 'utf8');
  const count = before.split(edit.old_string).length - 1;
  if (count !== 1) fail(`old_string is there ${count === 0 ? 'nowhere' : `${count} times`}`);
  return { file, before, after: before.replace(edit.old_string, () => edit.new_string) };
}

/** The place of the change, and its lines. */
function diffOf({ path, old_string: from, new_string: to, message }: Edit, before: string): string {
  const line = before.slice(0, before.indexOf(from)).split('\n').length;
  const lines = (text: string, mark: string): string[] =>
    text === '' ? [] : text.split('\n').map((one) => mark + one);
  return [`${path}:${line}  (${message})`, ...lines(from, '- '), ...lines(to, '+ ')].join('\n');
}
