import { definePlugin, defineTool } from 'pegboard';
import type { SelfConfig } from './config.ts';
import { createDeploy, supervise } from './deploy.ts';
import { createOutcomeService } from './deploy-outcome.ts';
import { createEditSource } from './edit-source.ts';
import { mentionsOf, openProject } from './project.ts';
import { createReadSource } from './read-source.ts';
import { createRejections } from './rejections.ts';
import { createRunTests } from './run-tests.ts';
import { createSystemStatus } from './system-status.ts';
import { createViewLogs } from './view-logs.ts';

export default definePlugin<SelfConfig>({
  setup(context) {
    const { config, home, development } = context;
    const project = openProject(config.projectRoot ?? context.installation);
    const rejections = context.own(createRejections());
    const deploys = project !== undefined && !development;
    return {
      mentions: () => (project === undefined ? [] : [mentionsOf(project)]),
      ...(deploys && {
        services: [
          createOutcomeService({
            home,
            deliver: (to, message, signal) => context.deliver(to, message, signal),
            supervise,
            log: context.log,
          }),
        ],
      }),
      packs: {
        self: [
          project && createReadSource(project, context.fileOrigins),
          project && createEditSource(project, rejections, context),
          project && createRunTests(project),
          createViewLogs(home, config.service),
          createSystemStatus(home),
          deploys && createDeploy(project, config, home),
          defineTool({
            name: 'extension_reload',
            title: 'Reload extensions',
            description:
              'Loads all plugins, and the tools, skills and identity files of all spaces, anew from disk.',
            category: 'self',
            tags: ['plugins', 'skills', 'refresh'],
            annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
            parameters: { type: 'object', additionalProperties: false, properties: {} },
            async execute() {
              const problems = await context.reload();
              return problems.length === 0
                ? 'Everything is loaded anew.'
                : `Loaded anew. Wrong: ${problems.join('; ')}`;
            },
          }),
        ],
      },
    };
  },
});
