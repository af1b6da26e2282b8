/** So many tools that a window decides how they are shown. */
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

/** Tokens that models take, by the way in which these tools are then shown. */
export const windows = { direct: 200_000, compact_direct: 60_000, discovery: 9_000 } as const;
