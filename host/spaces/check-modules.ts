import type { Diagnostic } from '../api/diagnostic.ts';
import type { JsonSchema } from '../api/result.ts';
import { checkDocument } from '../core/documents/check-document.ts';
import { pointerTo } from '../core/documents/pointer.ts';
import type { SourceDocument } from '../core/documents/document.ts';
import { messageOf } from '../core/errors.ts';
import { matchesGlob } from '../core/text/glob.ts';
import { nearest } from '../core/documents/nearest.ts';
import type { KnownModule, KnownModules } from './known-modules.ts';
import type { WrittenAgent } from '../formats/agent.ts';
import type { WrittenModule } from '../formats/agent-module.ts';

/** Something wrong with what an agent's file says of a module. */
export interface ModuleProblem {
  readonly diagnostic: Diagnostic;
  readonly module: string;
  /** The agent must not use the module while this is so: it might do more than the file admits. */
  readonly withholds: boolean;
}

/** What an agent's file says of modules, compared with the modules themselves, in the order of the file. */
export async function checkModules(
  document: SourceDocument,
  modules: KnownModules,
): Promise<readonly ModuleProblem[]> {
  const { tools, runtime } = (document.value ?? {}) as WrittenAgent;
  const found: ModuleProblem[] = [];
  for (const [name, block] of Object.entries(tools?.modules ?? {})) {
    const at = pointerTo('tools', 'modules', name);
    const known = modules.get(name);
    if (!known) found.push(unknownModule(document, at, name, modules, 'error'));
    else if (block) found.push(...(await checkBlock({ document, at, name, known }, block)));
  }
  for (const [index, name] of (runtime?.direct_modules ?? []).entries()) {
    if (modules.has(name)) continue;
    found.push(
      unknownModule(document, pointerTo('runtime', 'direct_modules', index), name, modules, 'warning'),
    );
  }
  return found.toSorted(({ diagnostic: a }, { diagnostic: b }) => a.line! - b.line! || a.column! - b.column!);
}

/** A module block with its position and its module. */
interface Checked {
  readonly document: SourceDocument;
  /** JSON pointer of the block. */
  readonly at: string;
  readonly name: string;
  readonly known: KnownModule;
}

async function checkBlock(checked: Checked, block: WrittenModule): Promise<readonly ModuleProblem[]> {
  const { constraints, config, setup = [], credential } = block;
  const found: ModuleProblem[] = [];
  for (const key of ['allowed_actions', 'blocked_actions'] as const) {
    for (const [index, pattern] of (constraints?.[key] ?? []).entries()) {
      // A misspelt action that is to be blocked is not blocked.
      const withholds = key === 'blocked_actions';
      found.push(...checkAction(checked, pointerTo('constraints', key, index), pattern, withholds));
    }
  }
  for (const [index, { action }] of setup.entries())
    found.push(...checkAction(checked, pointerTo('setup', index, 'action'), action, false));
  if (constraints) found.push(...(await checkConstraints(checked)));
  if (config) found.push(...(await checkConfig(checked, Object.keys(config))));
  if (credential !== undefined && checked.known.kind === 'mcp') {
    const message = `${checked.name} is an MCP server: it is one process for all agents, which gets its secrets when it starts`;
    const hint = 'name it in env or headers of the server in pegboard.yaml';
    found.push(report(checked, '/credential', 'warning', 'unused-credential', message, hint));
  }
  return found;
}

function checkAction(
  checked: Checked,
  pointer: string,
  pattern: string,
  withholds: boolean,
): ModuleProblem[] {
  const { known, name } = checked;
  const { actions } = known;
  if (!actions || actions.some((action) => matchesGlob(pattern, action))) return [];
  const [near] = nearest(pattern, actions);
  const message = `${name} has no tool "${pattern}"${actions.length > 0 ? `; it has ${actions.slice(0, 30).join(', ')}` : ''}`;
  const hint = near === undefined ? undefined : `${pattern} → ${near}?`;
  return [{ ...report(checked, pointer, 'error', 'unknown-action', message, hint), withholds }];
}

async function checkConstraints(checked: Checked): Promise<readonly ModuleProblem[]> {
  const problems = await against(
    checked,
    'constraints',
    withUniversal(checked.known.declares.constraints ?? nothing),
  );
  return problems.map(({ diagnostic, ...rest }) => ({
    ...rest,
    diagnostic:
      diagnostic.code === 'unknown-key' ? { ...diagnostic, code: 'unknown-constraint' } : diagnostic,
  }));
}

async function checkConfig(checked: Checked, keys: readonly string[]): Promise<readonly ModuleProblem[]> {
  const { name, known } = checked;
  if (known.declares.config) return await against(checked, 'config', known.declares.config);
  if (keys.length === 0) return [];
  const message = `${name} takes no settings from agents, so ${keys.join(', ')} may have no effect`;
  return [report(checked, '/config', 'warning', 'unknown-settings', message)];
}

/** One part of the block, compared with what the module declares. */
async function against(
  checked: Checked,
  part: 'constraints' | 'config',
  schema: JsonSchema,
): Promise<readonly ModuleProblem[]> {
  const { document, at, name } = checked;
  try {
    const problems = await checkDocument(document, schema, { at: `${at}/${part}` });
    return problems.map((problem) => ({
      diagnostic: { ...problem, message: `${part} of ${name}: ${problem.message}` },
      module: name,
      withholds: true,
    }));
  } catch (cause) {
    const message = `the JSON Schema that ${name} declares for its ${part} can't be used: ${messageOf(cause)}`;
    return [{ ...report(checked, `/${part}`, 'error', 'bad-schema', message), withholds: true }];
  }
}

const nothing: JsonSchema = { type: 'object' };
const extended = new WeakMap<JsonSchema, JsonSchema>();

/** The schema of all constraints of a module: its own and the two that every module has. */
function withUniversal(own: JsonSchema): JsonSchema {
  let schema = extended.get(own);
  if (!schema) {
    const properties = { ...(own['properties'] as JsonSchema), allowed_actions: {}, blocked_actions: {} };
    extended.set(own, (schema = { ...own, properties, additionalProperties: false }));
  }
  return schema;
}

function unknownModule(
  document: SourceDocument,
  pointer: string,
  name: string,
  modules: KnownModules,
  severity: Diagnostic['severity'],
): ModuleProblem {
  const [near] = nearest(name, modules.keys());
  return {
    diagnostic: {
      severity,
      code: 'unknown-module',
      message: `there is no module "${name}": no plugin, space or MCP server of this home has this name`,
      path: document.path,
      ...document.locate(pointer, 'key'),
      ...(near !== undefined && { hint: `${name} → ${near}?` }),
    },
    module: name,
    withholds: false,
  };
}

function report(
  { document, at, name }: Checked,
  pointer: string,
  severity: Diagnostic['severity'],
  code: string,
  message: string,
  hint?: string,
): ModuleProblem {
  return {
    diagnostic: {
      severity,
      code,
      message,
      path: document.path,
      ...document.locate(at + pointer),
      ...(hint !== undefined && { hint }),
    },
    module: name,
    withholds: false,
  };
}
