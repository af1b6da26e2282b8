import { parse as parseWithHandlebars } from 'handlebars/dist/cjs/handlebars/compiler/base.js';
import { messageOf } from '../../../../core/errors.ts';
import { TemplateRefusal, refuse } from '../refusal.ts';
import {
  limits,
  type Arm,
  type Condition,
  type LoopValue,
  type Operand,
  type Parameters,
  type Path,
  type TemplateNode,
} from './template.ts';

type Expression = hbs.AST.Expression;
/** Around a node: the names that each loop gives, outermost first, and the arms of blocks that lead here. */
interface Surroundings {
  readonly loops: readonly (readonly string[])[];
  readonly within: readonly Arm[];
  readonly depth: number;
}
const loopData: readonly string[] = ['index', 'first', 'last'] satisfies LoopValue[];

/** Parses with Handlebars, never compiles, and admits only what a command may hold. Throws TemplateRefusal. */
export function parseHandlebars(template: string, parameters: Parameters): TemplateNode[] {
  const offsetOf = createLocator(template);
  const at = (node: hbs.AST.Node): number => offsetOf(node.loc?.start);
  let blocks = 0;

  const path = (expression: Expression, { loops }: Surroundings): Path => {
    if (expression.type !== 'PathExpression')
      refuse('not-a-name', 'only the name of a parameter may stand here', at(expression));
    const { original, parts, depth, data } = expression as hbs.AST.PathExpression;
    const refusePath = (code: 'bad-depth' | 'unknown-data' | 'dotted-path', why: string): never =>
      refuse(code, `{{${original}}} ${why}`, at(expression));
    if (depth > loops.length) refusePath('bad-depth', 'climbs out of the template; drop "../"');
    const open = loops.slice(0, loops.length - depth);
    if (data) {
      if (parts.length !== 1 || !loopData.includes(parts[0]!) || open.length === 0)
        refusePath('unknown-data', 'is not available here; inside {{#each}} there are @index, @first, @last');
      return { of: 'loop', what: parts[0] as LoopValue, loops: depth };
    }
    if (parts.length === 0 && open.length > 0) return { of: 'loop', what: 'item', loops: depth };
    const [name] = parts;
    if (name === undefined) return refusePath('dotted-path', 'has a meaning only inside {{#each}}');
    if (parts.length !== 1) refusePath('dotted-path', 'has a dot, but parameters have no fields');
    for (let k = open.length - 1; k >= 0; k--) {
      const index = open[k]!.indexOf(name);
      if (index >= 0)
        return { of: 'loop', what: index === 0 ? 'item' : 'index', loops: loops.length - 1 - k };
    }
    if (!parameters.has(name))
      refuse(
        'unknown-parameter',
        `{{${original}}} is not a declared parameter; declared: ${[...parameters.keys()].join(', ') || 'none'}`,
        at(expression),
      );
    return { of: 'parameter', name };
  };

  const operand = (expression: Expression, around: Surroundings): Operand =>
    expression.type.endsWith('Literal')
      ? { constant: (expression as hbs.AST.StringLiteral).value }
      : { path: path(expression, around) };

  const condition = (expression: Expression, around: Surroundings): Condition => {
    if (expression.type !== 'SubExpression') return { test: path(expression, around) };
    const { path: helper, params, hash } = expression as hbs.AST.SubExpression;
    if (hash) refuse('hash-argument', 'key=value arguments are not supported', at(expression));
    const [first, second] = params;
    if (helper.original === 'not' && first && params.length === 1) return { not: condition(first, around) };
    if (helper.original === 'eq' && first && second && params.length === 2)
      return { equal: [operand(first, around), operand(second, around)] };
    return refuse(
      'unknown-helper',
      `(${helper.original} …) is not available; conditions may use (eq a b) and (not a)`,
      at(expression),
    );
  };

  const value = (node: hbs.AST.MustacheStatement, around: Surroundings): TemplateNode => {
    const { original } = node.path as hbs.AST.PathExpression;
    if (node.params.length > 0 || node.hash)
      refuse(
        'unknown-helper',
        `{{${original} …}} is a helper, and values have none; write {{${original}}}, or \\{{ where the program itself is to get braces`,
        at(node),
      );
    const found = path(node.path, around);
    if (found.of === 'parameter' && parameters.get(found.name)?.type === 'object')
      refuse(
        'object-value',
        `{{${original}}} is an object, which no argument can hold; declare its parts as parameters of their own`,
        at(node),
      );
    return { kind: 'value', path: found, at: at(node) };
  };

  const block = (node: hbs.AST.BlockStatement, around: Surroundings): TemplateNode => {
    const name = node.path.original;
    const [argument] = node.params;
    if (!argument || node.params.length !== 1 || node.hash)
      return refuse('block-arguments', `{{#${name}}} takes exactly one argument`, at(node));
    const id = blocks++;
    const arm = (taken: boolean, loops = around.loops): Surroundings => ({
      loops,
      within: [...around.within, { block: id, taken }],
      depth: around.depth + 1,
    });
    const common = { id, within: around.within, at: at(node) };
    if (name === 'if' || name === 'unless') {
      const test = condition(argument, around);
      return {
        ...common,
        kind: 'if',
        condition: name === 'if' ? test : { not: test },
        body: body(node.program, arm(true)),
        otherwise: body(node.inverse, arm(false)),
      };
    }
    if (name !== 'each')
      return refuse(
        'unknown-helper',
        `{{#${name}}} is not available; use {{#if}}, {{#unless}} or {{#each}}`,
        at(node),
      );
    const list = path(argument, around);
    if (list.of !== 'parameter' || parameters.get(list.name)?.type !== 'array')
      refuse('each-not-array', `{{#each}} needs a parameter of type array`, at(argument));
    const names = (node.program as hbs.AST.Program | undefined)?.blockParams ?? [];
    return {
      ...common,
      kind: 'each',
      path: list,
      names,
      body: body(node.program, arm(true, [...around.loops, names])),
      otherwise: body(node.inverse, arm(false)),
    };
  };

  const body = (program: hbs.AST.Program | undefined, around: Surroundings): TemplateNode[] =>
    (program?.body ?? []).flatMap((node): TemplateNode[] => {
      if (around.depth > limits.depth)
        refuse('too-deep', `blocks nest deeper than ${limits.depth} levels`, at(node));
      switch (node.type) {
        case 'ContentStatement': {
          // Handlebars strips the white space of lines that hold only a block, so the text may begin later.
          const { value: text } = node as hbs.AST.ContentStatement;
          const found = template.indexOf(text, at(node));
          return [{ kind: 'literal', text, at: found < 0 ? at(node) : found }];
        }
        case 'CommentStatement':
          return [];
        case 'MustacheStatement': // {{x}} and {{{x}}} mean the same: there is no HTML here, and no splicing.
          return [value(node as hbs.AST.MustacheStatement, around)];
        case 'BlockStatement':
          return [block(node as hbs.AST.BlockStatement, around)];
        default:
          return refuse('unsupported-mustache', `partials and decorators are not supported`, at(node));
      }
    });

  return body(parse(template, offsetOf), { loops: [], within: [], depth: 0 });
}

function parse(template: string, offsetOf: (position?: hbs.AST.Position) => number): hbs.AST.Program {
  try {
    return parseWithHandlebars(template);
  } catch (cause) {
    if (cause instanceof TemplateRefusal) throw cause;
    return refuse('template-syntax', ...readSyntaxError(cause, template, offsetOf));
  }
}

/** "Parse error on line 2:\n...the text...\n-----^\nExpecting 'ID', got 'EOF'", or "if doesn't match each - 2:5". */
function readSyntaxError(
  cause: unknown,
  template: string,
  offsetOf: (position?: hbs.AST.Position) => number,
): [message: string, offset: number] {
  const { lineNumber, column } = cause as { lineNumber?: number; column?: number };
  const [first = '', excerpt = '', caret = ''] = messageOf(cause).split('\n');
  if (lineNumber !== undefined)
    return [
      `a block is not closed by its own name: ${first}`,
      offsetOf({ line: lineNumber, column: column ?? 0 }),
    ];
  const lineStart = offsetOf({ line: Number(/on line (\d+)/.exec(first)?.[1] ?? 1), column: 0 });
  const unexpected = excerpt.slice(Math.max(0, caret.length - 1)).replace(/\.\.\.$/, '');
  const found = unexpected === '' ? template.length : template.indexOf(unexpected, lineStart);
  const shown = unexpected === '' ? 'end' : `"${unexpected}"`;
  const instead = unexpected.startsWith('}}}')
    ? 'put a space between {{name}} and the "}" behind it'
    : 'each {{#if …}} needs its {{/if}}, and {{ as text is written \\{{';
  return [
    `an expression in {{ }} or a block is not complete: unexpected ${shown}; ${instead}`,
    found < 0 ? lineStart : found,
  ];
}

/** From Handlebars' places (lines from 1, columns from 0) to offsets. */
function createLocator(template: string): (position?: hbs.AST.Position) => number {
  const starts = [
    0,
    ...Array.from(template.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length),
  ];
  return (position) => (position ? (starts[position.line - 1] ?? 0) + position.column : 0);
}
