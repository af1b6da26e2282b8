/** 0.2 s and 48 MB: loaded only where clients may log in. */
export async function importOidcProvider(): Promise<typeof import('oidc-provider')> {
  // It warns of every Node that has no name of a long-term release, the one that a clone brings along included.
  const { warn } = console;
  console.warn = (...words: unknown[]) => {
    if (!String(words[0]).includes('Unsupported runtime')) warn(...words);
  };
  try {
    return await import('oidc-provider');
  } finally {
    console.warn = warn;
  }
}
