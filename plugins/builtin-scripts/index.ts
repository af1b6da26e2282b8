import { definePlugin, provide, Scripts, Search } from 'pegboard';
import type { ScriptLimits } from './sandbox/limits.ts';
import { createScriptRunner } from './script-runner.ts';
import { scriptTools } from './tools.ts';

/** Programs over tools: as tools of models, as manifests, and as `pegboard run`. */
export default definePlugin<ScriptLimits>({
  setup(context) {
    const search = context.use(Search);
    const scripts = context.own(
      createScriptRunner(
        {
          snapshot: () => context.registry.snapshot,
          search: (...asked) => search(({ tools }) => tools(...asked)),
          holdsSecret: (memory) => context.secrets.isIn(memory),
          dispatch: (request) => context.dispatch(request),
        },
        () => context.config,
      ),
    );
    return {
      metaTools: scriptTools(scripts),
      provides: [provide(Scripts, scripts)],
      commands: { run: async (call) => (await import('./command.ts')).run(call, context) },
    };
  },
});
