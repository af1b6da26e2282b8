import { YAMLException } from 'js-yaml';
import type { Located } from '../located.ts';
import { messageOf } from '../../errors.ts';
import { placeAt } from '../../files/text-file.ts';
import type { NodeIndex } from './index-of-nodes.ts';

/** Explains a YAML error to the author of the text. */
export function explainYamlError(cause: unknown, source: string, nodes: () => NodeIndex): Located {
  const reason = cause instanceof YAMLException ? cause.reason : messageOf(cause);
  const offset = (cause instanceof YAMLException ? cause.mark?.position : undefined) ?? 0;
  if (reason.includes('duplicated mapping key')) return duplicateKey(source, offset, nodes);
  if (/depth|nesting/i.test(reason)) {
    return { code: 'too-deep', message: 'the text is nested too deeply', offset };
  }
  return (
    unquotedMustache(source, offset) ??
    tabIndentation(source, offset) ??
    (/quoted scalar|deficient indentation/.test(reason) ? openQuotes(source) : undefined) ?? {
      code: 'yaml-syntax',
      message: `this is not YAML: ${reason}`,
      offset,
      ...hintFor(source, offset),
    }
  );
}

function duplicateKey(source: string, offset: number, nodes: () => NodeIndex): Located {
  const { duplicate } = nodes();
  if (!duplicate) return { code: 'duplicate-key', message: 'this key is there twice', offset };
  const { line } = placeAt(source, duplicate.first);
  const lines = placeAt(source, duplicate.second).line - line;
  const where = lines === 0 ? 'on this line' : `${lines} ${lines === 1 ? 'line' : 'lines'} above`;
  return {
    code: 'duplicate-key',
    message: `"${duplicate.name}" is there twice; the first is ${where}`,
    offset: duplicate.second,
    hint: 'keep one of them',
  };
}

/** `command: {{x}} …` is a map in YAML. */
function unquotedMustache(source: string, offset: number): Located | undefined {
  for (const match of source.matchAll(/^([ \t]*(?:- +)?["']?([\w-]+)["']?: +)(\{\{.*?)\r?$/gm)) {
    const start = match.index + match[1]!.length;
    if (match.index > offset) return undefined;
    return {
      code: 'unquoted-mustache',
      message: `text that begins with {{ is a map to YAML, so "${match[2]}" can't be read`,
      offset: start,
      hint: `put it in quotes: ${match[2]}: ${quoted(match[3]!)}`,
    };
  }
  return undefined;
}

function tabIndentation(source: string, offset: number): Located | undefined {
  const match = /^ *\t+(?=[^\s#])/m.exec(source);
  if (!match || match.index > offset + 1) return undefined;
  return {
    code: 'tab-indentation',
    message: 'a tab indents this line; YAML only allows spaces',
    offset: match.index + match[0].indexOf('\t'),
    hint: 'indent with two spaces',
  };
}

/** An unclosed quote swallows the rest of the text, so the parser reports the end. */
function openQuotes(source: string): Located | undefined {
  for (const match of source.matchAll(/^([ \t]*(?:- +)*(?:[\w-]+: +)?)(["'])(.*)$/gm)) {
    const [, before = '', quote, text = ''] = match;
    const closed = quote === '"' ? /(?<!\\)(?:\\\\)*"/.test(text) : text.includes("'");
    if (closed) continue;
    return {
      code: 'yaml-syntax',
      message: 'this is not YAML: the quotes that open here are never closed',
      offset: match.index + before.length,
      hint: 'close the quotes that this text opens',
    };
  }
  return undefined;
}

function hintFor(source: string, offset: number): { readonly hint?: string } {
  const { line } = placeAt(source, offset);
  const lines = source.split(/\r?\n/);
  const text = lines[line - 1] ?? '';
  // A key without a space after the colon is only detected at the next key.
  for (const near of [text, lines[line - 2] ?? '']) {
    const unspaced = /^[ \t]*(?:- +)?([\w-]+):([^\s:/].*)$/.exec(near);
    if (unspaced) return { hint: `put a space after the colon: ${unspaced[1]}: ${unspaced[2]}` };
  }
  const pair = /^[ \t]*(?:- +)?([\w-]+): +(.*)$/.exec(text);
  if (!pair) return {};
  const value = pair[2]!.trimEnd();
  if (/^[@`%&*!|>{[]/.test(value) || /: |:$/.test(value)) {
    return { hint: `put the text in quotes: ${pair[1]}: ${quoted(value)}` };
  }
  return {};
}

const quoted = (text: string): string => `'${text.trimEnd().replaceAll("'", "''")}'`;

export function explainJsonError(cause: unknown, source: string): Located {
  const reason = messageOf(cause);
  const position = /at position (\d+)/.exec(reason)?.[1];
  const offset = position === undefined ? jsonErrorOffset(reason, source) : Number(position);
  const message = `this is not JSON: ${reason.replace(/ (?:in JSON )?at position \d+.*$/s, '').replace(/, "?.*"? is not valid JSON$/s, '')}`;
  return { code: 'json-syntax', message, offset, ...jsonHint(source, offset, reason) };
}

/** V8 omits the position for short texts and at the end of the text. */
function jsonErrorOffset(reason: string, source: string): number {
  if (source.trim() === '') return 0;
  const token = /Unexpected token '(.)'/su.exec(reason)?.[1];
  const found = token === undefined ? -1 : source.indexOf(token);
  return found === -1 ? source.trimEnd().length : found;
}

function jsonHint(source: string, offset: number, reason: string): { readonly hint?: string } {
  const found = source.slice(offset, offset + 2);
  const before = source.slice(0, offset).trimEnd();
  if (source.trim() === '') return { hint: 'write {} for nothing' };
  if (/^[}\]]/.test(found) && before.endsWith(',')) return { hint: 'delete the comma before it' };
  if (found === '//' || found === '/*') return { hint: 'JSON has no comments' };
  if (found.startsWith("'")) return { hint: 'JSON takes double quotes' };
  if (found.startsWith('"') && reason.includes("Expected ','")) return { hint: 'put a comma before it' };
  return {};
}
