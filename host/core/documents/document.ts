import type { Located } from './located.ts';
import { CORE_SCHEMA, constructFromEvents, parseEvents, type Event } from 'js-yaml';
import type { Diagnostic } from '../../api/diagnostic.ts';
import { pointerTo } from './pointer.ts';
import { findHidden } from '../foreign/hidden-characters.ts';
import { briefly } from '../text/shorten.ts';
import { placeAt } from '../files/text-file.ts';
import { explainJsonError, explainYamlError } from './yaml/syntax-errors.ts';
import { findForbidden } from './yaml/features.ts';
import { indexEvents, type NodeIndex } from './yaml/index-of-nodes.ts';
import { parseJson } from './written-numbers.ts';

interface SourcePosition {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. */
  readonly column: number;
}

/** A diagnostic with the JSON pointer of its subject, if any. */
export interface DocumentProblem extends Diagnostic {
  readonly pointer?: string;
}

/** A YAML or JSON text with the positions of all its parts. */
export interface SourceDocument {
  readonly path: string;
  /** `undefined` when it could not be parsed. See `diagnostics`. */
  readonly value: unknown;
  readonly diagnostics: readonly DocumentProblem[];
  /** The position of the key or value at a JSON pointer, or of its nearest parent. */
  locate(pointer: string, part?: 'key' | 'value'): SourcePosition;
  /** The position in the file of a character of the text at `pointer`, through quotes, escapes, folding and indentation. */
  locateInside(pointer: string, offset: number): SourcePosition;
  /** The source of an unquoted scalar: `1.10`, where its value is 1.1. */
  written(pointer: string): string | undefined;
  /** The comment that cuts off an unquoted text: `echo a # b`. */
  commentAfter(pointer: string): { readonly place: SourcePosition; readonly text: string } | undefined;
}

export type Document = SourceDocument;

export interface ReadOptions {
  readonly path: string;
  readonly format: 'yaml' | 'json';
  /** Lines of the file before `text`. */
  readonly lineOffset?: number;
}

/** Maximum nesting, far deeper than what people write. */
const maxDepth = 64;

/**
 * Parses one YAML document of plain maps, lists and scalars, or JSON. Other features of YAML (anchors, aliases, tags,
 * merge keys, directives, several documents) and duplicate keys are refused. Never throws.
 */
export function readDocument(text: string, { path, format, lineOffset = 0 }: ReadOptions): SourceDocument {
  // JSON is YAML once its tabs, which can only be space, are spaces.
  const source = format === 'json' ? text.replaceAll('\t', ' ') : text;
  let index: NodeIndex | undefined;
  const place = (offset: number): SourcePosition => {
    const { line, column } = placeAt(text, offset);
    return { line: line + lineOffset, column };
  };
  /** Made when somebody asks for a place, so that of a document without mistakes only its value is kept. */
  const nodes = (): NodeIndex => (index ??= indexEvents(eventsOf(source), text));
  const finish = (value: unknown, problem?: Located): SourceDocument => ({
    path,
    value,
    diagnostics: problem ? [toDiagnostic(problem, path, place)] : [],
    locate: (pointer, part) => place(nodes().offsetOf(pointer, part)),
    locateInside: (pointer, offset) => place(nodes().offsetInside(pointer, offset)),
    written: (pointer) => nodes().written(pointer),
    commentAfter: (pointer) => {
      const hasComment = text.includes('#') && /[ \t]#/.test(text);
      const comment = hasComment ? nodes().commentAfter(pointer) : undefined;
      return comment && { place: place(comment.offset), text: comment.text };
    },
  });

  let value: unknown;
  try {
    if (format === 'json') value = parseJson(text);
  } catch (cause) {
    return finish(undefined, unmergedIn(text) ?? explainJsonError(cause, text));
  }
  try {
    const events = parseEvents(source, { maxDepth });
    const forbidden = findForbidden(events, text, format);
    if (forbidden) return finish(undefined, unmergedIn(text) ?? forbidden);
    // This also finds duplicate keys. A text without content, for instance all comments, is null in YAML.
    const [read = null] = constructFromEvents(events, { source, schema: CORE_SCHEMA, maxAliases: 0 });
    if (format === 'yaml') value = read;
  } catch (cause) {
    return finish(undefined, unmergedIn(text) ?? explainYamlError(cause, text, nodes));
  }
  const hidden = hiddenEscape(value, text, nodes);
  return finish(hidden ? undefined : value, hidden);
}

/** What git leaves in a file that it could not merge. */
function unmergedIn(text: string): Located | undefined {
  const found = /^<{7} .*$/m.exec(text);
  if (!found || !/^>{7} /m.test(text)) return undefined;
  return {
    code: 'merge-conflict',
    message: 'git could not merge this file: both versions stand here, between <<<<<<< and >>>>>>>',
    offset: found.index,
    hint: 'keep what you want, and delete the three marks',
  };
}

/** None for a text that can't be parsed. */
function eventsOf(source: string): readonly Event[] {
  try {
    return parseEvents(source, { maxDepth });
  } catch {
    return [];
  }
}

/** An escape can contain characters that are forbidden in the text itself. */
function hiddenEscape(value: unknown, source: string, nodes: () => NodeIndex): Located | undefined {
  if (!source.includes('\\')) return undefined;
  const visit = (node: unknown, pointer: string): Located | undefined => {
    if (typeof node === 'string') {
      const found = findHidden(node);
      // Line ends of any kind are visible in an escape.
      if (!found || found.code === 'lone-cr') return undefined;
      return {
        code: found.code,
        message: `this text holds ${found.name}, which is invisible to readers`,
        offset: nodes().offsetInside(pointer, found.index),
        hint: 'delete it, or write what it stands for',
      };
    }
    if (node === null || typeof node !== 'object') return undefined;
    for (const [key, item] of Object.entries(node)) {
      const found = visit(item, pointer + pointerTo(key)) ?? visit(key, pointer);
      if (found) return found;
    }
    return undefined;
  };
  return visit(value, '');
}

function toDiagnostic(
  { offset, ...problem }: Located,
  path: string,
  place: (offset: number) => SourcePosition,
): Diagnostic {
  return briefly({ severity: 'error', path, ...place(offset), ...problem });
}
