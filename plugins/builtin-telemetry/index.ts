import { definePlugin } from 'pegboard';
import { Queues } from 'pegboard/kit';
import { telemetrySettings } from './settings.ts';

/** OpenTelemetry's packages are loaded only where an endpoint is configured. A home that is only read isn't followed. */
export default definePlugin({
  async setup(context) {
    const settings = context.reading ? undefined : telemetrySettings(context.surroundings.env);
    if (!settings) return;
    const { openTelemetry } = await import('./open.ts');
    const telemetry = context.own(openTelemetry(settings, context.log));
    const queues = context.use(Queues);
    telemetry.followQueues(() => queues((own) => own.status()));
  },
});
