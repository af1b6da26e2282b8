import { definePlugin, provide } from 'pegboard';
import { HttpServing } from 'pegboard/serving';

/** Pegboard as an MCP server. */
export default definePlugin({
  setup: () => ({
    provides: [
      provide(HttpServing, {
        start: async (host, context) =>
          await (await import('./serving/serve-http.ts')).startHttp(host, context),
      }),
    ],
  }),
});
