/** The name of the page's channel, and the source of its conversations. */
export const pageSource = 'web';
