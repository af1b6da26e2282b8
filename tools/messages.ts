/**
 * `npm run messages [-- WORDS]`: prints every text in the code that a person may read, each with its place: errors,
 * notices, questions, help, descriptions of tools. WORDS: only texts that contain them.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'rolldown/parseAst';

const root = join(import.meta.dirname, '..');

interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [member: string]: unknown;
}

interface Message {
  /** "host/cli/warn.ts:12" */
  readonly place: string;
  /** On one line. What is filled in is shown as the code has it: "${count} tools". */
  readonly text: string;
}

/** In the order of paths and lines. */
function findMessages(): readonly Message[] {
  return globSync(['host/**/*.ts', 'plugins/**/*.ts', 'bin/*.cjs', 'tools/setup.cjs'], { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const code = readFileSync(join(root, path), 'utf8');
      const program = parseAst(code, {
        lang: path.endsWith('.cjs') ? 'js' : 'ts',
        sourceType: 'unambiguous',
      });
      return [...textsIn(program as unknown as Node, code)].map(({ at, text }) => ({
        place: `${path}:${code.slice(0, at).split('\n').length}`,
        text: text.replaceAll(/\s+/g, ' ').trim(),
      }));
    });
}

function* textsIn(node: Node, code: string): Generator<{ readonly at: number; readonly text: string }> {
  if (node.type.startsWith('Import') || node.type.startsWith('TS')) return;
  const text = textOf(node, code);
  if (text !== undefined && isProse(text)) yield { at: node.start, text };
  // Of a text only what is filled in is looked at further.
  const parts = text === undefined ? Object.values(node) : filledIn(node);
  for (const part of parts.flat()) if (isNode(part)) yield* textsIn(part, code);
}

/** Undefined for what isn't a text. What is filled in stands as the code has it. */
function textOf(node: Node, code: string): string | undefined {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : undefined;
  const pieces = piecesOf(node);
  const texts = pieces.map((piece) =>
    piece.type === 'TemplateElement' ? (piece['value'] as { readonly raw: string }).raw : textOf(piece, code),
  );
  if (texts.every((text) => text === undefined)) return undefined;
  return texts.map((text, at) => text ?? `\${${code.slice(pieces[at]!.start, pieces[at]!.end)}}`).join('');
}

function filledIn(node: Node): readonly Node[] {
  return piecesOf(node).filter(({ type }) => type !== 'TemplateElement' && type !== 'Literal');
}

/** Of a template or a sum, in order; of anything else none. */
function piecesOf(node: Node): readonly Node[] {
  if (node.type === 'TemplateLiteral')
    return [...(node['quasis'] as Node[]), ...(node['expressions'] as Node[])].toSorted(
      (a, b) => a.start - b.start,
    );
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return [];
  return [node['left'] as Node, node['right'] as Node].flatMap((side) =>
    piecesOf(side).length === 0 ? [side] : piecesOf(side),
  );
}

/** At least two words of a language, and not a query. */
function isProse(text: string): boolean {
  const words = text.replaceAll(/\$\{[^}]*\}/g, 'x');
  return (
    /[A-Za-z]{2,}[,:;]? [A-Za-z]/.test(words) &&
    !/^\s*(use strict|select|insert|update|delete|create|drop|alter|pragma|with|begin)\b/i.test(words)
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';
}

const wanted = process.argv.slice(2).join(' ').toLowerCase();
for (const { place, text } of findMessages())
  if (text.toLowerCase().includes(wanted)) console.log(`${place}\n  ${text}`);
