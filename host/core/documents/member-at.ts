/** The member of a JSON value, also of an object in it: "lastRun.state". Undefined when there is none. */
export function memberAt(value: unknown, path: string): unknown {
  let at: unknown = value;
  for (const step of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined;
    at = (at as { readonly [name: string]: unknown })[step];
  }
  return at;
}
