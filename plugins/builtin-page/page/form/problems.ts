import type { FieldProblem } from '../../wire.ts';
import type { Problems } from './fields.tsx';

/** What the host says is wrong with a value, by the field that it is about. */
export const problemsAtFields = (problems: readonly FieldProblem[]): Problems =>
  new Map(
    problems.map(({ path, property, message }) => [
      property === undefined ? path : `${path}/${property}`,
      message,
    ]),
  );

/** Without what was said of arguments that have changed since. */
export function stillSaid(problems: Problems, before: object, now: object): Problems {
  if (problems.size === 0) return problems;
  const [old, next] = [before, now].map((args) => args as { readonly [name: string]: unknown });
  const names = Object.keys({ ...before, ...now }).filter((name) => old![name] !== next![name]);
  const isAbout = (path: string): boolean =>
    names.some((name) => path === `/${name}` || path.startsWith(`/${name}/`));
  return new Map([...problems].filter(([path]) => !isAbout(path)));
}
