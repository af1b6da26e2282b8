/** Enough tools for the context window to decide how they are shown. */
export const manyTools = {
  'spaces/others/space.manifest.json': JSON.stringify({
    id: 'others',
    name: 'Others',
    tools: Array.from({ length: 120 }, (_, at) => ({
      id: `tool-${at}`,
      name: `Tool ${at}`,
      description: `Does the thing that has the number ${at}. ${'More is to be said about it. '.repeat(10)}`,
      command: 'echo done',
    })),
  }),
};

/** Context windows in tokens, by the mode in which these tools are then shown. */
export const windows = { direct: 200_000, compact_direct: 60_000, discovery: 9_000 } as const;
