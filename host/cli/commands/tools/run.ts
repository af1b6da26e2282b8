import { dirname, resolve } from 'node:path';
import { toJson } from '../../../core/documents/written-numbers.ts';
import { PegboardError } from '../../../core/errors.ts';
import { readTextFile } from '../../../core/files/text-file.ts';
import { describeDiagnostic } from '../../../core/documents/describe-diagnostic.ts';
import { isScriptPath } from '../../../sources/manifests/parse-script.ts';
import { readManifestFile } from '../../../sources/manifests/read-manifest.ts';
import { metaSource } from '../../../tools/meta.ts';
import type { CommandHandler, Context } from '../../command.ts';
import { readCallArguments } from '../../tools/call-arguments.ts';
import { callTool, reportCall, type Call } from '../../tools/call-tool.ts';

const tool = `${metaSource}.run_script`;

export const run: CommandHandler = async (context) => {
  const code = await readProgram(context);
  const host = await context.openHost();
  const confirm = context.options.flag('yes') ? 'never' : undefined;
  const startedAt = performance.now();
  const found = host.registry.snapshot.find(tool);
  const request: Call = { name: tool, tool: found, args: { code }, ...(confirm && { confirm }) };
  const result = await callTool(host, request, context);
  return reportCall(result, { tool, ms: performance.now() - startedAt }, context);
};

/** The program of the file, with the arguments as its constant `args`. Its lines keep their numbers. */
async function readProgram(context: Context): Promise<string> {
  const [name = '', ...words] = context.words;
  const path = resolve(name);
  const { program, parameters } = isScriptPath(path) ? await readTool(path) : readPlain(path);
  const args = await readCallArguments(words, parameters, context);
  return `const args = ${toJson(args ?? {})}; ${program}`;
}

async function readTool(path: string) {
  const { manifest, diagnostics } = await readManifestFile(path, dirname(path));
  if (manifest?.action.kind === 'script')
    return { program: manifest.action.program, parameters: manifest.schema };
  throw new PegboardError(
    'PEG_USAGE',
    diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
  );
}

function readPlain(path: string) {
  const { text, diagnostics } = readTextFile(path, [dirname(path)]);
  if (text !== undefined) return { program: text, parameters: {} };
  throw new PegboardError(
    'PEG_USAGE',
    diagnostics.map((one) => describeDiagnostic(one)).join('\n') || `There is no file ${path}.`,
  );
}
