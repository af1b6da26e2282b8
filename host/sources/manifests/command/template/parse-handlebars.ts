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
/**
 * The surroundings of a node: the names that each loop defines, outermost first, and the branches of blocks that lead
 * to it.
 */
interface Surroundings {
  readonly loops: readonly (readonly string[])[];
  readonly within: readonly Arm[];
  readonly depth: number;
}
const loopData: readonly string[] = ['index', 'first', 'last'] satisfies LoopValue[];

/** Parses with Handlebars, without compiling, and accepts only what a command may contain. Throws TemplateRefusal. */
export function parseHandlebars(template: string, parameters: Parameters): TemplateNode[] {
  const locate = createLocator(template);
  return new Converter(template, parameters, locate).body(parse(template, locate), outermost);
}

const outermost: Surroundings = { loops: [], within: [], depth: 0 };

/** Converts the nodes of Handlebars to ours. Each method throws TemplateRefusal. */
class Converter {
  readonly #template: string;
  readonly #parameters: Parameters;
  readonly #locate: Locate;
  #blocks = 0;

  constructor(template: string, parameters: Parameters, locate: Locate) {
    this.#template = template;
    this.#parameters = parameters;
    this.#locate = locate;
  }

  body(program: hbs.AST.Program | undefined, around: Surroundings): TemplateNode[] {
    return (program?.body ?? []).flatMap((node): TemplateNode[] => {
      if (around.depth > limits.depth)
        refuse('too-deep', `blocks nest deeper than ${limits.depth} levels`, this.#at(node));
      switch (node.type) {
        case 'ContentStatement':
          return [this.#literal(node as hbs.AST.ContentStatement)];
        case 'CommentStatement':
          return [];
        case 'MustacheStatement': // {{x}} and {{{x}}} mean the same: there is no HTML here, and no splicing.
          return [this.#value(node as hbs.AST.MustacheStatement, around)];
        case 'BlockStatement':
          return [this.#block(node as hbs.AST.BlockStatement, around)];
        default:
          return refuse('unsupported-mustache', `partials and decorators are not supported`, this.#at(node));
      }
    });
  }

  #at(node: hbs.AST.Node): number {
    return this.#locate(node.loc?.start);
  }

  #literal(node: hbs.AST.ContentStatement): TemplateNode {
    // Handlebars strips the white space of lines that hold only a block, so the text may begin later.
    const { value: text } = node;
    const at = this.#at(node);
    const found = this.#template.indexOf(text, at);
    return { kind: 'literal', text, at: found < 0 ? at : found };
  }

  #value(node: hbs.AST.MustacheStatement, around: Surroundings): TemplateNode {
    const { original } = node.path as hbs.AST.PathExpression;
    if (node.params.length > 0 || node.hash)
      refuse(
        'unknown-helper',
        `{{${original} …}} is a call of a helper, which values don't support; write {{${original}}}, or \\{{ for literal braces`,
        this.#at(node),
      );
    const found = this.#path(node.path, around);
    if (found.of === 'parameter' && this.#parameters.get(found.name)?.type === 'object')
      refuse(
        'object-value',
        `{{${original}}} is an object, which can't be an argument; declare its parts as separate parameters`,
        this.#at(node),
      );
    return { kind: 'value', path: found, at: this.#at(node) };
  }

  #block(node: hbs.AST.BlockStatement, around: Surroundings): TemplateNode {
    const name = node.path.original;
    const [argument] = node.params;
    if (!argument || node.params.length !== 1 || node.hash)
      return refuse('block-arguments', `{{#${name}}} takes exactly one argument`, this.#at(node));
    const id = this.#blocks++;
    const arm = (taken: boolean, loops = around.loops): Surroundings => ({
      loops,
      within: [...around.within, { block: id, taken }],
      depth: around.depth + 1,
    });
    const common = { id, within: around.within, at: this.#at(node) };
    if (name === 'if' || name === 'unless') {
      const test = this.#condition(argument, around);
      return {
        ...common,
        kind: 'if',
        condition: name === 'if' ? test : { not: test },
        body: this.body(node.program, arm(true)),
        otherwise: this.body(node.inverse, arm(false)),
      };
    }
    if (name !== 'each')
      return refuse(
        'unknown-helper',
        `{{#${name}}} is not available; use {{#if}}, {{#unless}} or {{#each}}`,
        this.#at(node),
      );
    const list = this.#path(argument, around);
    if (list.of !== 'parameter' || this.#parameters.get(list.name)?.type !== 'array')
      refuse('each-not-array', `{{#each}} needs a parameter of type array`, this.#at(argument));
    const names = (node.program as hbs.AST.Program | undefined)?.blockParams ?? [];
    return {
      ...common,
      kind: 'each',
      path: list,
      names,
      body: this.body(node.program, arm(true, [...around.loops, names])),
      otherwise: this.body(node.inverse, arm(false)),
    };
  }

  #condition(expression: Expression, around: Surroundings): Condition {
    if (expression.type !== 'SubExpression') return { test: this.#path(expression, around) };
    const { path: helper, params, hash } = expression as hbs.AST.SubExpression;
    if (hash) refuse('hash-argument', 'key=value arguments are not supported', this.#at(expression));
    const [first, second] = params;
    if (helper.original === 'not' && first && params.length === 1)
      return { not: this.#condition(first, around) };
    if (helper.original === 'eq' && first && second && params.length === 2)
      return { equal: [this.#operand(first, around), this.#operand(second, around)] };
    return refuse(
      'unknown-helper',
      `(${helper.original} …) is not available; conditions may use (eq a b) and (not a)`,
      this.#at(expression),
    );
  }

  #operand(expression: Expression, around: Surroundings): Operand {
    return expression.type.endsWith('Literal')
      ? { constant: (expression as hbs.AST.StringLiteral).value }
      : { path: this.#path(expression, around) };
  }

  #path(expression: Expression, { loops }: Surroundings): Path {
    if (expression.type !== 'PathExpression')
      refuse('not-a-name', 'only the name of a parameter is allowed here', this.#at(expression));
    const { original, parts, depth, data } = expression as hbs.AST.PathExpression;
    const refusePath = (code: 'bad-depth' | 'unknown-data' | 'dotted-path', why: string): never =>
      refuse(code, `{{${original}}} ${why}`, this.#at(expression));
    if (depth > loops.length) refusePath('bad-depth', 'leads out of the template; remove "../"');
    const open = loops.slice(0, loops.length - depth);
    if (data) {
      if (parts.length !== 1 || !loopData.includes(parts[0]!) || open.length === 0)
        refusePath('unknown-data', 'is not available here; inside {{#each}} there are @index, @first, @last');
      return { of: 'loop', what: parts[0] as LoopValue, loops: depth };
    }
    if (parts.length === 0 && open.length > 0) return { of: 'loop', what: 'item', loops: depth };
    const [name] = parts;
    if (name === undefined) return refusePath('dotted-path', 'is only defined inside {{#each}}');
    if (parts.length !== 1) refusePath('dotted-path', 'has a dot, but parameters have no fields');
    for (let k = open.length - 1; k >= 0; k--) {
      const index = open[k]!.indexOf(name);
      if (index >= 0)
        return { of: 'loop', what: index === 0 ? 'item' : 'index', loops: loops.length - 1 - k };
    }
    if (!this.#parameters.has(name))
      refuse(
        'unknown-parameter',
        `{{${original}}} is not a declared parameter; declared: ${[...this.#parameters.keys()].join(', ') || 'none'}`,
        this.#at(expression),
      );
    return { of: 'parameter', name };
  }
}

function parse(template: string, locate: Locate): hbs.AST.Program {
  try {
    return parseWithHandlebars(template);
  } catch (cause) {
    if (cause instanceof TemplateRefusal) throw cause;
    return refuse('template-syntax', ...readSyntaxError(cause, template, locate));
  }
}

/** "Parse error on line 2:\n...the text...\n-----^\nExpecting 'ID', got 'EOF'", or "if doesn't match each - 2:5". */
function readSyntaxError(
  cause: unknown,
  template: string,
  locate: Locate,
): [message: string, offset: number] {
  const { lineNumber, column } = cause as { lineNumber?: number; column?: number };
  const [first = '', excerpt = '', caret = ''] = messageOf(cause).split('\n');
  if (lineNumber !== undefined)
    return [`a block is closed by another name: ${first}`, locate({ line: lineNumber, column: column ?? 0 })];
  const lineStart = locate({ line: Number(/on line (\d+)/.exec(first)?.[1] ?? 1), column: 0 });
  const unexpected = excerpt.slice(Math.max(0, caret.length - 1)).replace(/\.\.\.$/, '');
  const found = unexpected === '' ? template.length : template.indexOf(unexpected, lineStart);
  const shown = unexpected === '' ? 'end' : `"${unexpected}"`;
  const instead = unexpected.startsWith('}}}')
    ? 'put a space between {{name}} and the "}" after it'
    : 'each {{#if …}} needs its {{/if}}, and a literal {{ is written as \\{{';
  return [
    `an expression in {{ }} or a block is not complete: unexpected ${shown}; ${instead}`,
    found < 0 ? lineStart : found,
  ];
}

/** From Handlebars' positions (lines from 1, columns from 0) to offsets. */
type Locate = (position?: hbs.AST.Position) => number;

function createLocator(template: string): Locate {
  const starts = [
    0,
    ...Array.from(template.matchAll(/\r\n?|\n/g), ({ 0: end, index }) => index + end.length),
  ];
  return (position) => (position ? (starts[position.line - 1] ?? 0) + position.column : 0);
}
