import type { Document, Node, Scalar } from 'yaml';
import { readDocument, type ReadOptions } from '../core/documents/document.ts';
import { hiddenText, secretPartsOf } from './secret-parts.ts';

/** A part of a text that is not shown. */
interface Cut {
  readonly from: number;
  readonly to: number;
}

/**
 * The text of a file of settings without what may be a secret in it, also in its comments. Undefined when it can't be
 * parsed, since then nobody knows what is a value.
 */
export async function shownFile(text: string, options: ReadOptions): Promise<string | undefined> {
  if (readDocument(text, options).value === undefined) return undefined;
  const { parseDocument } = await import('yaml');
  const document = parseDocument(text);
  if (document.errors.length > 0) return undefined;
  const cuts = [...(await cutsIn(document, text)), ...cutsInComments(text)].toSorted(
    (a, b) => a.from - b.from,
  );
  let shown = '';
  let at = 0;
  for (const { from, to } of cuts) {
    if (from >= at) shown += `${text.slice(at, from)}${hiddenText}`;
    at = Math.max(at, to);
    // A text of several lines ends with the end of its last one.
    if (text[at - 1] === '\n') at--;
  }
  return shown + text.slice(at);
}

async function cutsIn(document: Document, text: string): Promise<readonly Cut[]> {
  const { isPair, isScalar, isSeq, visit } = await import('yaml');
  const cuts: Cut[] = [];
  const textOf = (node: unknown): string =>
    `${isScalar(node) ? (node.value as string | number | boolean) : ''}`;
  visit(document, {
    Scalar(key, node: Scalar, path) {
      if (key === 'key' || node.value === null || !node.range) return;
      const parent = path.at(-1);
      const before = isSeq(parent) && typeof key === 'number' ? (parent.items[key - 1] as Node) : undefined;
      const names = path.flatMap((one) => (isPair(one) ? [textOf(one.key)] : []));
      const parts = secretPartsOf(names, textOf(node), before && textOf(before));
      if (parts === undefined) return;
      const [from, to] = node.range;
      for (const part of parts) {
        const start = text.indexOf(part, from);
        // Escapes, and line ends in its middle, make it something else in the file.
        const isThere = start >= 0 && start + part.length <= to;
        cuts.push(isThere ? { from: start, to: start + part.length } : { from, to });
      }
    },
  });
  return cuts;
}

/** Settings that were turned into comments. */
function* cutsInComments(text: string): Iterable<Cut> {
  for (const { 1: comment = '', index, 0: whole } of text.matchAll(/(?:^|[ \t])#(.*)$/gm)) {
    const start = index + whole.length - comment.length;
    const [, name = '', value = ''] =
      /(?:^|[\s#-])["']?([\w.-]+)["']?\s*[:=]\s*["']?(.*?)["']?\s*$/.exec(comment) ?? [];
    const words = comment.split(/[\s"',{}[\]]+/).flatMap((word) => secretPartsOf([''], word) ?? []);
    const secrets = [...words, ...(value === '' ? [] : (secretPartsOf([name], value) ?? []))];
    for (const secret of secrets) {
      const from = text.indexOf(secret, start);
      if (from >= 0 && from < start + comment.length) yield { from, to: from + secret.length };
    }
  }
}
