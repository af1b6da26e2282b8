import { memberJson, PegboardError } from 'pegboard';

/** Names and indexes of "items[0].price" or "$.items[0]['a b']". Throws PEG_INVALID_ARGUMENTS. */
export function parsePath(path: string): readonly (string | number)[] {
  const steps: (string | number)[] = [];
  const step = /\.?([A-Za-z_$][\w$-]*)|\[(\d+)\]|\['([^']*)'\]/y;
  step.lastIndex = path.startsWith('$') ? 1 : 0;
  while (step.lastIndex < path.length) {
    const at = step.lastIndex;
    const [, name, index, quoted] = step.exec(path) ?? [];
    if (name === undefined && index === undefined && quoted === undefined) {
      throw new PegboardError(
        'PEG_INVALID_ARGUMENTS',
        `json_path "${path}" is invalid from character ${at + 1} on. Write it like items[0].price.`,
      );
    }
    steps.push(index === undefined ? (name ?? quoted)! : Number(index));
  }
  return steps;
}

/** The value at the path, as JSON. Undefined if there is none. */
export function jsonAt(value: unknown, path: string): string | undefined {
  let [holder, key]: [object, string | number] = [{ value }, 'value'];
  for (const step of parsePath(path)) {
    const inner: unknown = (holder as { readonly [key: string | number]: unknown })[key];
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined;
    [holder, key] = [inner, step];
  }
  return memberJson(holder, key);
}
