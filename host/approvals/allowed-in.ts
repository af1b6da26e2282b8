import { readDocument } from '../core/documents/document.ts';

/** What an agent's file lets run without a question: tools of `allow_untrusted`, and rules of `permissions.allow`. */
export function allowedIn(
  text: string,
  path: string,
): readonly { readonly key: string; readonly allowed: readonly string[] }[] {
  const { value } = readDocument(text, { path, format: 'yaml' });
  const written = value as {
    readonly allow_untrusted?: unknown;
    readonly permissions?: { readonly allow?: unknown } | null;
  } | null;
  const lists = {
    allow_untrusted: written?.allow_untrusted,
    'permissions.allow': written?.permissions?.allow,
  };
  return Object.entries(lists).flatMap(([key, list]) =>
    Array.isArray(list) && list.length > 0 ? [{ key, allowed: list.map(String) }] : [],
  );
}
