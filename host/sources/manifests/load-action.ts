import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Diagnostic } from '../../api/diagnostic.ts';
import type { SourceDocument } from '../../core/documents/document.ts';
import { valueAt } from '../../core/documents/check-document.ts';
import { pointerTo } from '../../core/documents/pointer.ts';
import { isFile, isWithin } from '../../core/files/paths.ts';
import { briefly } from '../../core/text/shorten.ts';
import type { WrittenRequest } from '../../formats/http-request.ts';
import { loadCommand } from './command/load.ts';
import { TemplateRefusal } from './command/refusal.ts';
import type { ManifestAction } from './manifest.ts';
import type { WrittenManifest } from '../../formats/tool.ts';
import { loadRequest } from './http/load-request.ts';
import { RequestRefusal } from './http/request-text.ts';
import { commandParameters, declaredParameters } from './parameters.ts';
import { placeInside } from './files/confine.ts';

/** The action of a manifest, ready to be prepared; or the reason why it can't be. */
export async function loadAction(
  written: WrittenManifest,
  document: SourceDocument,
  at: string,
  root: string,
): Promise<ManifestAction | Diagnostic> {
  const { command, http, server, tool, handler, script, id, type } = written;
  if (type !== undefined) return { kind: 'bridge', tool: tool ?? id, fixed: written.arguments ?? {} };
  if (server !== undefined) return { kind: 'mcp', server, tool: tool ?? id };
  if (script !== undefined) return { kind: 'script', program: script };
  if (http !== undefined) return loadHttp(http, written, document, at);
  if (handler !== undefined) {
    const found = findHandler(handler, dirname(document.path), root);
    return 'kind' in found ? found : refused(document, `${at}/handler`, found.code, found.message);
  }
  try {
    const parameters = commandParameters(written.parameters, written.inputSchema);
    return { kind: 'command', template: command!, command: await loadCommand(command!, parameters) };
  } catch (cause) {
    if (!(cause instanceof TemplateRefusal)) throw cause;
    return briefly<Diagnostic>({
      severity: 'error',
      code: cause.code,
      message: cause.message,
      path: document.path,
      ...document.locateInside(`${at}/command`, cause.offset),
    });
  }
}

function loadHttp(
  http: WrittenRequest,
  written: WrittenManifest,
  document: SourceDocument,
  at: string,
): ManifestAction | Diagnostic {
  try {
    return { kind: 'http', request: loadRequest(http, declaredParameters(written)) };
  } catch (cause) {
    if (!(cause instanceof RequestRefusal)) throw cause;
    const { code, message, hint, pointer } = cause;
    return briefly<Diagnostic>({
      severity: 'error',
      code,
      message,
      path: document.path,
      ...document.locate(`${at}/http${pointer}`),
      ...(hint !== undefined && { hint }),
    });
  }
}

/** Warnings about a command that may run. */
export function warningsOf(
  { template, command }: Extract<ManifestAction, { kind: 'command' }>,
  document: SourceDocument,
  at: string,
): readonly Diagnostic[] {
  const warnings = command.warnings.map(({ code, message, line, column }) => {
    const before = template.split(/\r\n?|\n/).slice(0, line - 1);
    const offset = before.reduce((length, text) => length + text.length + 1, column - 1);
    const place = document.locateInside(`${at}/command`, offset);
    return briefly<Diagnostic>({ severity: 'warning', code, message, path: document.path, ...place });
  });
  const environment = Object.keys(valueAt(document.value, `${at}/environment`) ?? {});
  const { required, optional, inner } = command.variables;
  const filledIn = new Set([...environment, ...required, ...optional]);
  return [
    ...warnings,
    ...command.unused.map((name) => unusedParameter(name, document, at)),
    ...inner.filter((name) => !filledIn.has(name)).map((name) => innerVariable(name, document, at)),
  ];
}

function innerVariable(name: string, document: SourceDocument, at: string): Diagnostic {
  return briefly<Diagnostic>({
    severity: 'warning',
    code: 'inner-variable',
    message: `the text for another shell names $${name}, which nothing fills in there: without a credential of that name it is empty`,
    path: document.path,
    ...document.locate(`${at}/command`, 'value'),
    hint: `write ${name}: "\${${name}}" under environment`,
  });
}

function unusedParameter(name: string, document: SourceDocument, at: string): Diagnostic {
  const declared = valueAt(document.value, `${at}/parameters`);
  const index = Array.isArray(declared)
    ? declared.findIndex((one: { readonly name?: unknown }) => one.name === name)
    : -1;
  return briefly<Diagnostic>({
    severity: 'warning',
    code: 'unused-parameter',
    message: `the command never uses the parameter "${name}"`,
    path: document.path,
    ...document.locate(
      index < 0 ? `${at}/inputSchema/properties${pointerTo(name)}` : `${at}/parameters/${index}/name`,
    ),
    hint: `write {{${name}}} where its value belongs, or take the parameter out`,
  });
}

/** `./file.ts#export`, relative to the manifest's folder. The file must exist inside the space or plugin. */
function findHandler(
  handler: string,
  folder: string,
  root: string,
): Extract<ManifestAction, { kind: 'handler' }> | { readonly code: string; readonly message: string } {
  const [file = '', name = ''] = handler.split('#');
  const place = placeInside(folder, file);
  if ('problem' in place) return { code: 'outside-space', message: `the file "${file}" ${place.problem}` };
  if (!isFile(place.path)) {
    return { code: 'missing-file', message: `the file "${file}" does not exist beside the manifest` };
  }
  if (!isWithin(realpathSync(root), realpathSync(place.path))) {
    return { code: 'outside-space', message: `the file "${file}" lies outside the space's folder` };
  }
  return { kind: 'handler', file: place.path, export: name };
}

function refused(document: SourceDocument, pointer: string, code: string, message: string): Diagnostic {
  return briefly<Diagnostic>({
    severity: 'error',
    code,
    message,
    path: document.path,
    ...document.locate(pointer),
  });
}
