import { PegboardError } from 'pegboard';
import { plural } from 'pegboard/kit';
import { toId } from '../names.ts';
import { privateAddressNotes } from '../private-address.ts';
import type { ReadSource } from '../read-source.ts';
import type { LeftOutTool, PlannedTool, ToolPlan } from '../tool-plan.ts';
import { openDocument, UnusableOperation } from './api-document.ts';
import { operationToTool } from './operation-to-tool.ts';
import { chooseOperations, findOperations, type Filters } from './operations.ts';
import { readSecurity } from './security.ts';
import { readServers } from './servers.ts';

export interface ApiOptions extends Filters {
  /** Named after the document when absent. */
  readonly space: string | undefined;
  readonly server: string | undefined;
}

/** The tools of an OpenAPI document. Throws PEG_USAGE for anything else, and where nothing can be chosen. */
export async function readApi(source: ReadSource, options: ApiOptions): Promise<ToolPlan> {
  const document = openDocument(source.value, source.from);
  const { title, root } = document;
  const space = options.space ?? spaceOf(title);
  const servers = readServers(root, { given: options.server, documentUrl: source.url, from: source.from });
  const security = readSecurity(document);
  const { operations, deprecated, unusable } = findOperations(document);
  const chosen = chooseOperations(operations, options, title);
  const hasFolders = new Set(chosen.map(({ tags: [tag] }) => tag)).size > 1;
  const isPattern = await patternCheck();
  const tools: PlannedTool[] = [];
  const leftOut: LeftOutTool[] = [...unusable];
  for (const operation of chosen) {
    try {
      tools.push(
        operationToTool(operation, { document, servers, security, isPattern, from: source.from, hasFolders }),
      );
    } catch (cause) {
      if (!(cause instanceof UnusableOperation)) throw cause;
      leftOut.push({ what: operation.id, why: cause.message });
    }
  }
  return {
    format: 'openapi',
    source: title,
    space,
    tools,
    secrets: security.secrets,
    notes: [
      ...servers.notes,
      ...privateAddressNotes(tools.map(({ manifest }) => manifest.http?.url ?? '')),
      ...(deprecated > 0 ? [`${plural(deprecated, 'deprecated operation')} left out`] : []),
    ],
    leftOut,
  };
}

/** "Swagger Petstore - OpenAPI 3.0" → "swagger-petstore" */
function spaceOf(title: string): string {
  const plain = title.replaceAll(
    /\b(?:rest|http|web|public|open ?api|api|specification|v?\d+(?:\.\d+)*)\b/gi,
    ' ',
  );
  const space = toId(plain) || toId(title);
  if (space !== '') return space;
  throw new PegboardError('PEG_USAGE', 'The document has no title that can name a space: pass --space NAME.');
}

/** Patterns run on RE2, which has no look-around and no back-references. */
async function patternCheck(): Promise<(pattern: string) => boolean> {
  const { RE2JS } = await import('re2js');
  const known = new Map<string, boolean>();
  return (pattern) => {
    const answer = known.get(pattern) ?? compiles(pattern);
    known.set(pattern, answer);
    return answer;
  };

  function compiles(pattern: string): boolean {
    try {
      RE2JS.compile(pattern);
      return true;
    } catch {
      return false;
    }
  }
}
