import { dirname } from 'node:path';
import type { Diagnostic } from '../../../api/diagnostic.ts';
import type { JsonSchema } from '../../../api/result.ts';
import { checkDotenv } from '../../../core/documents/check-dotenv.ts';
import { checkDocument } from '../../../core/documents/check-document.ts';
import { checkFilled } from '../../../core/documents/check-filled.ts';
import { readDocument, type SourceDocument } from '../../../core/documents/document.ts';
import {
  agentSchema,
  mcpSchema,
  pegboardSchema,
  pluginSchema,
  spaceSchema,
} from '../../../core/documents/file-schemas.ts';
import type { Boundary } from '../../../core/files/links.ts';
import { realPathOf } from '../../../core/files/paths.ts';
import { readTextFile, type TextFile } from '../../../core/files/text-file.ts';
import type { FileKind, HomeFile } from '../files/home-files.ts';
import { readIdentity } from '../files/identity-files.ts';
import { lintCode } from './lint-code.ts';
import type { ToolManifest } from '../manifest.ts';
import { isScriptPath } from '../parse-script.ts';
import { parseManifest, readManifest } from '../read-manifest.ts';
import { readSkill } from '../files/skill-files.ts';

/** A usable tool, with the document that has the positions of its parts. */
export interface LintedTool {
  readonly manifest: ToolManifest;
  readonly document: SourceDocument;
  /** JSON pointer of the tool in its document. */
  readonly at: string;
  readonly file: HomeFile;
}

export interface LintedFile {
  readonly diagnostics: readonly Diagnostic[];
  readonly tools: readonly LintedTool[];
  /** Names of the MCP servers that it configures. */
  readonly servers: readonly string[];
}

/** Checks the tools entry by entry, so that each error is reported at its own entry. */
const withoutTools: JsonSchema = {
  ...spaceSchema,
  properties: { ...spaceSchema.properties, tools: { type: 'array' } },
};
const schemas: {
  readonly [kind in Exclude<FileKind, 'environment' | 'tool' | 'skill' | 'identity' | 'code'>]: JsonSchema;
} = {
  config: pegboardSchema,
  mcp: mcpSchema,
  space: withoutTools,
  agent: agentSchema,
  plugin: pluginSchema,
};

/** A variable without a default gets its value when the server starts. */
const checkShape = async (
  document: SourceDocument,
  kind: keyof typeof schemas,
): Promise<readonly Diagnostic[]> =>
  kind === 'config'
    ? (
        await checkFilled(document, pegboardSchema, () => undefined, {
          except: ['/mcpServers'],
          unset: 'anything',
        })
      ).problems
    : checkDocument(document, schemas[kind]);

export const lintFile = (file: HomeFile): Promise<LintedFile> =>
  lintContent(file, readTextFile(file.path, boundaryOf(file)));

/** Secrets are often kept elsewhere, and nothing of them is shown, so `.env` may be a link to anywhere. */
const boundaryOf = ({ kind, path, boundary }: HomeFile): Boundary =>
  kind === 'environment' ? [dirname(realPathOf(path))] : boundary;

/** Checks what stands in the file, or will. */
export async function lintContent(file: HomeFile, content: TextFile): Promise<LintedFile> {
  const { path, kind, root } = file;
  if (kind === 'tool') {
    const opened = parseManifest(content, path);
    if (!('document' in opened)) return { diagnostics: opened.diagnostics, tools: [], servers: [] };
    const { document } = opened;
    const { manifest, diagnostics: found } = await readManifest(document, '', root);
    const diagnostics = [...found, ...(manifest ? lintProgram(manifest) : [])];
    return { diagnostics, tools: manifest ? [{ manifest, document, at: '', file }] : [], servers: [] };
  }

  const { text, diagnostics: unreadable } = content;
  if (text === undefined) return { diagnostics: unreadable, tools: [], servers: [] };
  if (kind === 'environment') return { diagnostics: checkDotenv(text, path), tools: [], servers: [] };
  if (kind === 'code') {
    // A script is checked as a tool.
    const diagnostics = isScriptPath(path) ? [] : lintCode(text, path);
    return { diagnostics, tools: [], servers: [] };
  }
  if (kind === 'skill' || kind === 'identity') {
    const { diagnostics } = kind === 'skill' ? await readSkill(text, path) : readIdentity(text, path);
    return { diagnostics, tools: [], servers: [] };
  }
  const document = readDocument(text, { path, format: path.endsWith('.json') ? 'json' : 'yaml' });
  if (document.diagnostics.length > 0) {
    return { diagnostics: document.diagnostics, tools: [], servers: [] };
  }
  const diagnostics = [...(await checkShape(document, kind))];
  const value = (document.value ?? {}) as { readonly tools?: unknown; readonly mcpServers?: object };
  const tools: LintedTool[] = [];
  if (kind === 'space' && Array.isArray(value.tools)) {
    for (const index of value.tools.keys()) {
      const at = `/tools/${index}`;
      const found = await readManifest(document, at, root);
      diagnostics.push(...found.diagnostics);
      if (found.manifest) tools.push({ manifest: found.manifest, document, at, file });
    }
  }
  return { diagnostics, tools, servers: Object.keys(value.mcpServers ?? {}) };
}

/** The syntax errors of a script, whose lines count from the start of its file. */
const lintProgram = ({ action, path }: ToolManifest): readonly Diagnostic[] =>
  action.kind === 'script' && isScriptPath(path) ? lintCode(`async () => {${action.program}\n}`, path) : [];
