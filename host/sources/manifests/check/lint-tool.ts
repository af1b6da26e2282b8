import { existsSync } from 'node:fs';
import { pegboard } from '../../../core/own-command.ts';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import { messageOf } from '../../../core/errors.ts';
import { nearest } from '../../../core/documents/nearest.ts';
import { schemaProblem, validatorOf } from '../../../core/documents/schema.ts';
import { findInjectionPatterns } from '../../../core/foreign/injection-patterns.ts';
import type { LintedTool } from './lint-file.ts';
import { networkProgramIn } from '../../../core/processes/network-programs.ts';
import type { ToolManifest } from '../manifest.ts';

/** Programs that change something, whatever their arguments are. */
const changing =
  /(?<![\w.-])(rm|rmdir|mv|cp|ln|mkdir|touch|tee|dd|shred|truncate|chmod|chown|install|patch|kill|pkill|killall|sudo|doas)(?![\w./-])/;

/** Checks that compile schemas, try examples, or need the rest of the home. */
export async function lintTool(
  tool: LintedTool,
  servers: ReadonlySet<string>,
): Promise<readonly Diagnostic[]> {
  const { manifest, document, at } = tool;
  const { written } = manifest;
  const report = (
    severity: Diagnostic['severity'],
    pointer: string,
    code: string,
    message: string,
    hint?: string,
  ): Diagnostic => ({
    severity,
    code,
    message,
    path: manifest.path,
    ...document.locate(at + pointer),
    ...(hint !== undefined && { hint }),
  });
  const found: Diagnostic[] = [];

  const problem = await schemaProblem(manifest.schema);
  if (problem !== undefined) found.push(report('error', '/inputSchema', 'bad-schema', problem));
  else found.push(...(await lintExamples(tool, report)));
  for (const [index, { name, description }] of (written.parameters ?? []).entries()) {
    if (description !== undefined && description.trim() !== '') continue;
    const message = `"${name}" has no description, so a model has to guess what it means`;
    found.push(report('warning', `/parameters/${index}`, 'missing-description', message));
  }
  for (const order of findInjectionPatterns({ name: written.name, description: written.description })) {
    const message = `the text that models read of this tool contains instructions to them: ${order}`;
    found.push(report('warning', '/description', 'gives-orders', message, 'check who wrote it'));
  }
  for (const doubt of readOnlyDoubts(manifest)) {
    const message = `readOnly: true declares that it changes nothing, but ${doubt}`;
    found.push(report('warning', '/readOnly', 'not-read-only', message, 'leave readOnly out if in doubt'));
  }
  if (manifest.cwd !== undefined && !existsSync(manifest.cwd)) {
    found.push(report('warning', '/cwd', 'missing-folder', `the folder "${written.cwd}" does not exist`));
  }
  const path =
    written.command === undefined || written.cwd !== undefined ? -1 : placeOfPath(written.parameters);
  if (path >= 0) {
    const { name } = written.parameters![path]!;
    const message = `a relative "${name}" is looked for in the folder of the space, where the command runs`;
    const hint = 'cwd: caller runs it where its caller works; cwd: . says that the space is meant';
    found.push(report('warning', `/parameters/${path}`, 'relative-path', message, hint));
  }
  if (manifest.action.kind === 'mcp' && !servers.has(manifest.action.server)) {
    const { server } = manifest.action;
    const [near] = nearest(server, servers);
    const hint = near === undefined ? `add it with \`${pegboard} mcp add\`` : `${server} → ${near}?`;
    found.push(report('warning', '/server', 'unknown-server', `there is no MCP server "${server}"`, hint));
  }
  return found;
}

/** The first parameter that is named like a path of the caller's. */
const placeOfPath = (parameters: ToolManifest['written']['parameters'] = []): number =>
  parameters.findIndex(
    ({ name, type }) =>
      type === 'string' && /(?:^|[_-])(?:file|path|folder|directory|dir)(?:name)?$/i.test(name),
  );

/** An example that can't be called teaches models wrong calls. */
async function lintExamples(
  { manifest }: LintedTool,
  report: (severity: 'error', pointer: string, code: string, message: string, hint?: string) => Diagnostic,
): Promise<Diagnostic[]> {
  const { examples = [] } = manifest.written;
  if (examples.length === 0) return [];
  const validate = await validatorOf(manifest.schema);
  return examples.flatMap(({ input }, index) => {
    const pointer = `/examples/${index}/input`;
    const args = structuredClone(input);
    const [problem] = validate(args);
    if (problem) {
      const message = `the example doesn't fit the parameters: ${problem.message}`;
      return [report('error', pointer + problem.path, 'bad-example', message, problem.hint)];
    }
    if (manifest.action.kind !== 'command') return [];
    try {
      manifest.action.command.render(args);
      return [];
    } catch (cause) {
      return [
        report(
          'error',
          pointer,
          'bad-example',
          `the command can't be built from the example: ${messageOf(cause)}`,
        ),
      ];
    }
  });
}

/** Reasons to doubt `readOnly: true`, which lets a tool run without confirmation after untrusted content was read. */
function readOnlyDoubts({ written, action }: ToolManifest): readonly string[] {
  if (written.readOnly !== true) return [];
  const doubts: string[] = [];
  if (written.confirm === true)
    doubts.push('"confirm: true" asks before every run, which a tool that only reads would hardly need');
  if (action.kind === 'http' && !/^(?:GET|HEAD)$/.test(action.request.method))
    doubts.push(`a ${action.request.method} request usually changes something`);
  if (action.kind !== 'command') return doubts;
  const { template, command } = action;
  const literal = template.replaceAll(/\{\{.*?\}\}/gs, ' ');
  const program = changing.exec(literal)?.[1];
  if (program !== undefined) doubts.push(`"${program}" changes something`);
  if (/(?<![<>0-9&-])[0-9]?>>?(?!\s*(\/dev\/null\b|&))/.test(literal)) doubts.push('">" writes to a file');
  if (command.confirm) doubts.push('a parameter that is "unsafe: true" may do anything');
  const network = networkProgramIn(template);
  if (network !== undefined && template !== literal)
    doubts.push(`"${network}" sends what a model puts into its parameters over the network`);
  return doubts;
}
