/** The variables and secrets of a home as if they were one environment. */
export function variables(resolve: (name: string) => string | undefined): NodeJS.ProcessEnv {
  return new Proxy({}, { get: (_none, name) => (typeof name === 'string' ? resolve(name) : undefined) });
}
