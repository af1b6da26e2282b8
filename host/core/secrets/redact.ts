import type { ToolResult } from '../../api/result.ts';
import { keepWritten } from '../documents/written-numbers.ts';
import { createSecretFinder, type SecretFinder } from './secret-finder.ts';
import { minFormLength } from './secret-forms.ts';

/** Variables that are public although manifests refer to them. */
const publicNames =
  /^(HOME|USER|LOGNAME|PWD|PATH|LANG|LC_.*|SHELL|TERM|TMPDIR|HOSTNAME|TZ|NODE_ENV|PEGBOARD_HOME)$/;

/** Replaces the values of secrets, also in encoded form, by `[secret NAME]`. */
export interface Redactor {
  /** A known value keeps its name, unless the new name was chosen by its owner. */
  add(name: string, value: string, options?: { readonly isOwnersName?: boolean }): void;
  /** `refresh` is called before the redactor is used, at most every 25 ms, to add what other processes have stored. */
  refreshWith(refresh: () => void): void;
  text(text: string): string;
  /** Whether the memory of a program holds a secret as a string. */
  isInMemory(bytes: Buffer): boolean;
  /**
   * Redacts every string in a JSON-like value. The same object when nothing was replaced. Images, audio and files that
   * contain a secret are removed.
   */
  value<T>(value: T): T;
  result(result: ToolResult): ToolResult;
  /** For a text that arrives in pieces. */
  stream(): RedactedStream;
  /** For a message that others may follow: also removes the beginning of a secret at its end. */
  message(text: string): string;
}

/** Returns the text so far, except for a possible beginning of a secret, which waits for the next piece. */
interface RedactedStream {
  add(piece: string): string;
  /** The text that was still waiting. */
  end(): string;
}

const refreshIntervalMs = 25;

export function createRedactor(): Redactor {
  const names = new Map<string, string>();
  const refreshes: (() => void)[] = [];
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let finder: SecretFinder | undefined;
  /** Undefined if there are no secrets. */
  const current = (): SecretFinder | undefined => {
    const now = performance.now();
    if (now - refreshedAt >= refreshIntervalMs) {
      refreshedAt = now;
      for (const refresh of refreshes) refresh();
    }
    if (names.size === 0) return undefined;
    return (finder ??= createSecretFinder([...names].map(([value, name]) => ({ name, value }))));
  };
  const value = <T>(input: T): T => {
    const now = current();
    return now ? (redactValue(input, now, 0) as T) : input;
  };
  return {
    add(name, secret, { isOwnersName = false } = {}) {
      if (secret.length < minFormLength || publicNames.test(name)) return;
      if (names.has(secret) && !isOwnersName) return;
      names.set(secret, name.replaceAll(/[^\w .:/-]/g, '_'));
      finder = undefined;
    },
    refreshWith: (refresh) => void refreshes.push(refresh),
    text: (input) => current()?.replace(input) ?? input,
    isInMemory: (bytes) => current()?.isInMemory(bytes) ?? false,
    value,
    result: (result) => value(result),
    stream() {
      let held = '';
      return {
        add(piece) {
          const now = current();
          if (!now) return piece;
          const text = now.replace(held + piece);
          const from = now.begunAt(text);
          held = text.slice(from);
          return text.slice(0, from);
        },
        end() {
          const rest = held;
          held = '';
          return rest;
        },
      };
    },
    message(input) {
      const now = current();
      if (!now) return input;
      const text = now.replace(input);
      const from = now.begunAt(text);
      return text.length - from < minFormLength ? text : `${text.slice(0, from)}[secret]`;
    },
  };
}

/** Maximum depth of values. */
const maxDepth = 1_000;

function redactValue(value: unknown, finder: SecretFinder, depth: number): unknown {
  if (typeof value === 'string') return finder.replace(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > maxDepth) return '[too deep]';
  if (Array.isArray(value)) {
    let changed = false;
    const items = value.map((item) => {
      const next = redactValue(item, finder, depth + 1);
      changed ||= next !== item;
      return next;
    });
    return changed ? keepWritten(value, items) : value;
  }
  const media = mediaOf(value);
  if (media) {
    const name = finder.nameIn(Buffer.from(media.data, 'base64'));
    if (name !== undefined) return media.without(`[left out: it holds the secret ${name}]`);
  }
  const keys = Object.keys(value);
  const at = (key: string): unknown => (value as { readonly [key: string]: unknown })[key];
  let members: [string, unknown][] | undefined;
  for (const [index, key] of keys.entries()) {
    const item = at(key);
    const next = item === media?.data ? item : redactValue(item, finder, depth + 1);
    const name = finder.replace(key);
    if (!members && (next !== item || name !== key))
      members = keys.slice(0, index).map((same) => [same, at(same)]);
    members?.push([name, next]);
  }
  return members ? keepWritten(value, Object.fromEntries(members)) : value;
}

/** The bytes of an MCP content block or resource: replacing parts of base64 would break them. */
function mediaOf(
  value: object,
): { readonly data: string; readonly without: (note: string) => object } | undefined {
  const { type, data, blob, uri } = value as { readonly [key: string]: unknown };
  if (typeof data === 'string' && (type === 'image' || type === 'audio'))
    return { data, without: (text) => ({ type: 'text', text }) };
  if (typeof blob !== 'string' || typeof uri !== 'string') return undefined;
  return {
    data: blob,
    without(text) {
      const { type: _, data: __, blob: ___, ...rest } = value as { readonly [key: string]: unknown };
      return { ...rest, mimeType: 'text/plain', text };
    },
  };
}
