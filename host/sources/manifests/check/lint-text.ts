import type { Diagnostic } from '../../../api/diagnostic.ts';
import { checkText } from '../../../core/files/text-file.ts';
import type { HomeFile } from '../files/home-files.ts';
import { lintContent, type LintedTool } from './lint-file.ts';
import { lintTool } from './lint-tool.ts';

export interface LintedText {
  /** In the order of the text. */
  readonly diagnostics: readonly Diagnostic[];
  /** Those that could be used. */
  readonly tools: readonly LintedTool[];
}

/**
 * What `lint` would find in the file if it had this text, but for names that other files have too. `servers`: the names
 * of the home's MCP servers.
 */
export async function lintText(
  file: HomeFile,
  text: string,
  servers: ReadonlySet<string>,
): Promise<LintedText> {
  const { diagnostics, tools } = await lintContent(file, checkText(file.path, text));
  const ofTools: Diagnostic[] = [];
  for (const tool of tools) ofTools.push(...(await lintTool(tool, servers)));
  const all = [...diagnostics, ...ofTools];
  return {
    diagnostics: all.toSorted((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0)),
    tools,
  };
}
