import { definePlugin, defineTool, textResult } from 'pegboard';
import type { SelfConfig } from './config.ts';
import { createDeploy, supervise } from './deploy.ts';
import { createOutcomeService, reportOutcome } from './deploy-outcome.ts';
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
    const project = openProject(config.projectRoot ?? context.installation, context.surroundings);
    const rejections = context.own(createRejections());
    const deploys = project !== undefined && !development;
    return {
      mentions: () => (project === undefined ? [] : [mentionsOf(project)]),
      ...(deploys && {
        services: [
          createOutcomeService({
            home,
            project,
            deliver: (to, message, signal) => context.deliver(to, message, signal),
            supervise,
            log: context.log,
          }),
        ],
      }),
      commands: {
        'self outcome': async (call) => {
          const outcome = await reportOutcome(home, (...sent) => context.deliver(...sent), context.signal);
          if (call.options['json']) call.json({ outcome: outcome ?? null });
          else call.out(outcome ?? 'No deploy has ended.');
        },
      },
      packs: {
        self: [
          project && createReadSource(project, context.fileOrigins),
          project && createEditSource(project, rejections, context),
          project && createRunTests(project),
          createViewLogs(context, config.service),
          createSystemStatus(home),
          deploys && createDeploy(project, config, context),
          defineTool({
            name: 'extension_reload',
            title: 'Reload extensions',
            description:
              'Reloads all plugins, and the tools, skills and identity files of all spaces, from disk.',
            category: 'self',
            tags: ['plugins', 'skills', 'refresh'],
            annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
            parameters: { type: 'object', additionalProperties: false, properties: {} },
            outputSchema: {
              type: 'object',
              required: ['problems', 'pending'],
              properties: {
                problems: { type: 'array', items: { type: 'string' } },
                pending: {
                  type: 'array',
                  items: { type: 'string' },
                  description: 'What waits for approval.',
                },
              },
            },
            async execute() {
              const { problems, pending } = await context.reload();
              const lines = [
                ...(problems.length > 0 ? [`Problems: ${problems.join('; ')}`] : []),
                ...(pending.length > 0 ? [`Pending approval: ${pending.join('; ')}`] : []),
              ];
              const text =
                lines.length === 0 ? 'Everything was reloaded.' : ['Reloaded.', ...lines].join('\n');
              return textResult(text, { problems, pending });
            },
          }),
        ],
      },
    };
  },
});
