import type { Diagnostic } from '../../api/diagnostic.ts';
import type { JsonSchema } from '../../api/result.ts';
import type { Document } from '../../core/documents/document.ts';
import { nearest } from '../../core/documents/nearest.ts';
import { pointerTo } from '../../core/documents/pointer.ts';
import { shapeProblem } from '../../core/documents/schema.ts';
import type { WrittenPlugin } from '../../formats/plugin.ts';
import type { CommandUse, ScreenDeclaration } from '../../formats/screens.ts';
import { placeholderIn } from '../commands/fill-use.ts';

type Report = (pointer: string, message: string, hint?: string) => void;

/**
 * What the schema of plugin.yaml can't say about `screens`: whether what they name is there. A screen calls commands with
 * what is written here and nothing else, so a mistake would only show when somebody opens it.
 */
export function checkScreens(plugin: WrittenPlugin, document: Document): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = [];
  const report: Report = (pointer, message, hint) =>
    void diagnostics.push({
      severity: 'error',
      code: 'invalid-screen',
      message,
      path: document.path,
      ...document.locate(pointer, 'value'),
      ...(hint !== undefined && { hint }),
    });
  for (const [name, screen] of Object.entries(plugin.screens ?? {}))
    checkScreen(plugin, screen, pointerTo('screens', name), report);
  return diagnostics;
}

function checkScreen(plugin: WrittenPlugin, screen: ScreenDeclaration, at: string, report: Report): void {
  const check = (use: CommandUse | undefined, part: string, known: readonly string[]): void => {
    if (use) checkUse(plugin, use, at + part, known, report);
  };
  for (const kind of ['calendar', 'graph'] as const) {
    if (screen.kind === kind && !screen[kind])
      report(`${at}/kind`, `a screen of the kind ${kind} needs "${kind}"`);
    if (screen.kind !== kind && screen[kind])
      report(`${at}/${kind}`, `only a screen of the kind ${kind} has "${kind}"`, `write kind: ${kind}`);
  }
  check(screen.list, '/list', []);
  check(screen.search, '/search', ['query']);
  check(screen.graph, '/graph', []);
  check(screen.detail, '/detail', ['row']);
  if (screen.search && !placeholdersOf(screen.search).includes('query'))
    report(`${at}/search`, 'the search does not use {query}, what was typed');
  for (const [name, action] of Object.entries(screen.actions ?? {})) {
    const part = `/actions${pointerTo(name)}`;
    const row = action.on === 'screen' ? [] : ['row'];
    const parameters = checkParameters(action.parameters, `${at}${part}/parameters`, report);
    check(action, part, [...row, ...parameters]);
    check(action.shows, `${part}/shows`, row);
    const used = placeholdersOf(action);
    for (const unused of parameters.filter((one) => !used.includes(one)))
      report(
        `${at}${part}/parameters/properties${pointerTo(unused)}`,
        `the parameter "${unused}" is not used`,
        `write {${unused}} in words or options`,
      );
    if (action.when && action.on === 'screen')
      report(`${at}${part}/when`, "it is done to no row, so it can't depend on one", 'remove "when"');
  }
}

function checkUse(
  { commands = {} }: WrittenPlugin,
  use: CommandUse,
  at: string,
  known: readonly string[],
  report: Report,
): void {
  const declared = Object.hasOwn(commands, use.command) ? commands[use.command] : undefined;
  if (!declared)
    return report(
      `${at}/command`,
      `this plugin declares no command "${use.command}"`,
      near(use.command, Object.keys(commands)),
    );
  for (const [index, word] of (use.words ?? []).entries())
    checkPlaceholder(word, `${at}/words/${index}`, known, report);
  for (const [name, value] of Object.entries(use.options ?? {})) {
    const { options = {} } = declared;
    const pointer = `${at}/options${pointerTo(name)}`;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (!option)
      report(pointer, `"${use.command}" has no option "${name}"`, near(name, Object.keys(options)));
    else if (option.value === undefined && value !== true && placeholderIn(value) === undefined)
      report(pointer, `"${name}" is a flag and takes no value`, 'write true');
    else if (option.value !== undefined && value === true)
      report(pointer, `"${name}" needs a value: ${option.value}`);
    if (value !== true) checkPlaceholder(value, pointer, known, report);
  }
}

function checkPlaceholder(text: string, at: string, known: readonly string[], report: Report): void {
  const named = placeholderIn(text);
  if (named === undefined || known.includes(named)) return;
  const hint = known.length === 0 ? 'here is none' : `here is ${known.map((one) => `{${one}}`).join(', ')}`;
  report(at, `nothing is called {${named}} here`, hint);
}

const placeholdersOf = ({ words = [], options = {} }: CommandUse): readonly string[] =>
  [...words, ...Object.values(options)].flatMap((one) => (one === true ? [] : (placeholderIn(one) ?? [])));

const single = new Set<unknown>(['string', 'integer', 'number', 'boolean']);

/** The names of the parameters. */
function checkParameters(schema: JsonSchema | undefined, at: string, report: Report): readonly string[] {
  if (!schema) return [];
  const problem = shapeProblem(schema);
  if (problem !== undefined) {
    report(at, `these parameters are not a JSON Schema of an object: ${problem}`);
    return [];
  }
  const properties = (schema['properties'] ?? {}) as { readonly [name: string]: JsonSchema };
  for (const [name, { type, enum: values }] of Object.entries(properties)) {
    const pointer = `${at}/properties${pointerTo(name)}`;
    if (name === 'row' || name === 'query')
      report(pointer, `"${name}" means something else in screens`, 'give it another name');
    if (!single.has(type) && values === undefined)
      report(
        pointer,
        'a parameter of a screen is a single value',
        'type: string, integer, number or boolean',
      );
  }
  return Object.keys(properties);
}

function near(written: string, known: readonly string[]): string | undefined {
  const [found] = nearest(written, known);
  return found === undefined ? undefined : `${written} → ${found}?`;
}
