import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, relative } from 'node:path';
import {
  asSentence,
  defineTool,
  PegboardError,
  textResult,
  type PluginContext,
  type Tool,
  type ToolCall,
} from 'pegboard';
import { diffOf, draftName, openFolder, judgeWrite } from 'pegboard/files';
import { git } from './git.ts';
import type { Project } from './project.ts';
import type { Rejections } from './rejections.ts';

interface Edit {
  readonly path: string;
  readonly old_string: string;
  readonly new_string: string;
  readonly message: string;
}

/** The change that was shown and will be written. */
interface EditPlan {
  readonly file: string;
  readonly before: string;
  readonly after: string;
}

export function createEditSource(
  project: Project,
  rejections: Rejections,
  { knownFoldersFor }: Pick<PluginContext, 'knownFoldersFor'>,
): Tool {
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
        new_string: { type: 'string', description: 'The text to put there instead.' },
        message: { type: 'string', minLength: 5, maxLength: 200, description: 'Why, for the commit.' },
      },
    },
    outputSchema: {
      type: 'object',
      required: ['path', 'commit'],
      properties: { path: { type: 'string' }, commit: { type: 'string' } },
    },
    async prepare(edit, { scope }) {
      const { isOwn, ...plan } = applied(project, edit);
      const { class: kind, reason } = judgeWrite(plan.file, await knownFoldersFor(scope));
      if (kind === 'denied')
        throw new PegboardError('PEG_DENIED', `${edit.path} is not changed: ${asSentence(reason)}`);
      return {
        preview: isOwn ? placeOf(edit, plan.before) : wholeOf(edit, plan),
        cwd: project.root,
        // Every change of its own source needs confirmation, whatever was allowed before.
        sensitive: `It changes ${isOwn ? edit.path : `a part of Pegboard itself, ${edit.path}`}, and commits it.`,
        plan,
      };
    },
    async execute(edit, call) {
      if (rejections.recent((call as ToolCall).turn?.conversation.id)) {
        throw new PegboardError(
          'PEG_DENIED',
          'The user has just rejected something. Nothing was changed; ask what they would like instead.',
        );
      }
      const { file, before, after }: EditPlan = call.prepared!.plan!;
      const now = applied(project, edit);
      if (now.file !== file || now.before !== before)
        throw new PegboardError('PEG_TOOL_FAILED', `${edit.path} changed while the question was open.`);
      replace(file, after);
      const path = relative(project.root, file);
      await git(project, ['add', '--', path], { signal: call.signal });
      await git(project, ['commit', '-q', '-m', edit.message, '--', path], { signal: call.signal });
      const commit = (await git(project, ['rev-parse', '--short', 'HEAD'])).trim();
      return textResult(`${path} is changed, as commit ${commit}.`, { path, commit });
    },
  });
}

/** Follows no link on the path, and replaces the file atomically. */
function replace(file: string, text: string): void {
  using folder = openFolder(dirname(file), { make: true });
  const draft = `${folder.path}/${draftName()}`;
  try {
    const mode = statSync(file, { throwIfNoEntry: false })?.mode;
    writeFileSync(draft, text, { flag: 'wx' });
    if (mode !== undefined) chmodSync(draft, mode & 0o777);
    renameSync(draft, `${folder.path}/${basename(file)}`);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw cause;
  }
}

function applied(project: Project, edit: Edit): EditPlan & { readonly isOwn: boolean } {
  const { path: file, isOwn } = project.writable(edit.path);
  const fail = (why: string): never => {
    throw new PegboardError('PEG_TOOL_FAILED', `${edit.path} is not changed: ${asSentence(why)}`);
  };
  if (!existsSync(file)) {
    if (edit.old_string !== '') fail('it does not exist, so old_string must be empty');
    return { file, isOwn, before: '', after: edit.new_string };
  }
  if (edit.old_string === '') fail('it exists, so old_string must say what to replace');
  const before = readFileSync(file, 'utf8');
  const count = before.split(edit.old_string).length - 1;
  if (count !== 1) fail(`old_string is ${count === 0 ? 'not in it' : `in it ${count} times`}`);
  return { file, isOwn, before, after: before.replace(edit.old_string, () => edit.new_string) };
}

/** All changes of the file, with context. */
function wholeOf({ path, message }: Edit, { before, after }: EditPlan): string {
  return `${path}  (${message})\n${diffOf(before, after, { maxLines: Infinity })}`;
}

/** The location of the change, and its lines. */
function placeOf({ path, old_string: from, new_string: to, message }: Edit, before: string): string {
  const line = before.slice(0, before.indexOf(from)).split('\n').length;
  const lines = (text: string, mark: string): string[] =>
    text === '' ? [] : text.split('\n').map((one) => mark + one);
  return [`${path}:${line}  (${message})`, ...lines(from, '- '), ...lines(to, '+ ')].join('\n');
}
