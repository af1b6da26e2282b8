import type { Query } from './queries.ts';

/** Small secrets that all hosts of a home use: keys, and the token of the server. */
export interface SharedTexts {
  /** `first` is what it begins with. Of several hosts that start together, one decides. */
  text(name: string, first: () => Promise<string>): Promise<string>;
}

export function createSharedTexts(query: Query): SharedTexts {
  const find = async (name: string): Promise<string | undefined> => {
    const [row] = await query<{ readonly text: string }>('select text from mcp_texts where name = $1', [
      name,
    ]);
    return row?.text;
  };
  return {
    async text(name, first) {
      const known = await find(name);
      if (known !== undefined) return known;
      const text = await first();
      await query('insert into mcp_texts (name, text) values ($1, $2) on conflict do nothing', [name, text]);
      return (await find(name)) ?? text;
    },
  };
}
