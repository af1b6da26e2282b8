import { definePlugin, provide } from 'pegboard';
import { HttpPage } from 'pegboard/serving';

/** The page in the browser. */
export default definePlugin({
  setup: () => ({
    provides: [provide(HttpPage, { open: async (host) => (await import('./web.ts')).createWeb(host) })],
  }),
});
