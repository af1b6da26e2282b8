/** Any value with a method `then` is awaited, whoever made it. */
export const isThenable = <T>(value: T | PromiseLike<T>): value is Promise<T> =>
  typeof (value as PromiseLike<T> | null | undefined)?.then === 'function';
