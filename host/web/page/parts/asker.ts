/** Where a call or a question comes from, in words: "web" is this page. */
export const askerName = (asker: string): string => (asker === 'web' ? 'the page' : asker);
