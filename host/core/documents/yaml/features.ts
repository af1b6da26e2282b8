import { EVENT_ID, SCALAR_STYLE, type Event } from 'js-yaml';
import type { Located } from '../located.ts';
import { isRepresentable, whyNotRepresentable } from '../written-numbers.ts';

/** The first feature in the text beyond maps, lists and scalars, or a key such as `__proto__`. */
export function findForbidden(
  events: readonly Event[],
  source: string,
  format: 'yaml' | 'json',
): Located | undefined {
  let documents = 0;
  for (const event of events) {
    switch (event.type) {
      case EVENT_ID.DOCUMENT: {
        if (event.directives.length > 0) return directive(source);
        if (++documents > 1) return secondDocument(source);
        break;
      }
      case EVENT_ID.ALIAS:
        return {
          code: 'yaml-alias',
          message: `aliases (*${source.slice(event.anchorStart, event.anchorEnd)}) are not allowed`,
          offset: Math.max(0, event.anchorStart - 1),
          hint: 'write the value out, or put text that begins with * in quotes',
        };
      case EVENT_ID.MAPPING:
      case EVENT_ID.SEQUENCE:
      case EVENT_ID.SCALAR: {
        const marked = anchorOrTag(event, source);
        if (marked) return marked;
        if (event.type === EVENT_ID.SCALAR) {
          const forbidden = forbiddenKey(source, event) ?? forbiddenNumber(source, event, format);
          if (forbidden) return forbidden;
        }
        break;
      }
      case EVENT_ID.POP:
        break;
    }
  }
  return undefined;
}

function anchorOrTag(
  event: {
    readonly anchorStart: number;
    readonly anchorEnd: number;
    readonly tagStart: number;
    readonly tagEnd: number;
  },
  source: string,
): Located | undefined {
  if (event.anchorStart >= 0) {
    return {
      code: 'yaml-anchor',
      message: `anchors (&${source.slice(event.anchorStart, event.anchorEnd)}) are not allowed`,
      offset: Math.max(0, event.anchorStart - 1),
      hint: 'write the value out, or put text that begins with & in quotes',
    };
  }
  if (event.tagStart >= 0) {
    return {
      code: 'yaml-tag',
      message: `tags (${source.slice(event.tagStart, event.tagEnd)}) are not allowed`,
      offset: event.tagStart,
      hint: 'leave the tag out, or put text that begins with ! in quotes',
    };
  }
  return undefined;
}

function forbiddenKey(
  source: string,
  event: { readonly valueStart: number; readonly valueEnd: number; readonly style: number },
): Located | undefined {
  const { valueStart: start, valueEnd: end } = event;
  if (end - start === 2 && event.style === SCALAR_STYLE.PLAIN && source.startsWith('<<', start)) {
    return {
      code: 'yaml-merge-key',
      message: 'merge keys (<<) are not allowed',
      offset: start,
      hint: 'write the keys out',
    };
  }
  if (end - start === 9 && source.startsWith('__proto__', start)) {
    return { code: 'forbidden-key', message: '"__proto__" is not allowed', offset: start };
  }
  return undefined;
}

/** YAML's infinities and NaN, which JSON lacks, and numbers that would be rounded. */
function forbiddenNumber(
  source: string,
  {
    valueStart,
    valueEnd,
    style,
  }: { readonly valueStart: number; readonly valueEnd: number; readonly style: number },
  format: 'yaml' | 'json',
): Located | undefined {
  // Most texts begin with a letter, and no number does.
  if (style !== SCALAR_STYLE.PLAIN || !'+-.0123456789'.includes(source[valueStart] ?? ' ')) return undefined;
  const written = source.slice(valueStart, valueEnd);
  const isNone = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(written);
  const isNumber = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?$/.test(written);
  const isText = format === 'yaml' && !Number.isFinite(Number(written));
  if (!isNone && (!isNumber || isRepresentable(written) || isText)) return undefined;
  const why = isNone ? 'there is no such number in JSON' : `it ${whyNotRepresentable(written)}`;
  return {
    code: 'yaml-number',
    message: `${written.slice(0, 80)} is not allowed: ${why}`,
    offset: valueStart,
    hint: 'write a number, or put it in quotes if it is a text',
  };
}

function directive(source: string): Located {
  const offset = Math.max(0, source.search(/^%/m));
  return {
    code: 'yaml-directive',
    message: 'directives (%YAML, %TAG) are not allowed',
    offset,
    hint: 'delete the line',
  };
}

function secondDocument(source: string): Located {
  // The first --- may open the first document. A separator has content before it.
  const marks = [...source.matchAll(/^(?:---|\.\.\.)(?=\s|$)/gm)].map(({ index }) => index);
  const content = /^[^\S\n]*[^\s#-]/m.exec(source)?.index ?? Number.POSITIVE_INFINITY;
  const offset = marks.find((index) => content < index) ?? marks.at(-1) ?? 0;
  return {
    code: 'second-document',
    message: 'there is a second document; a file holds one',
    offset,
    hint: 'put it into a file of its own',
  };
}
