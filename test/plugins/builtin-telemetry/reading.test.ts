import { expect, test } from 'vitest';
import type { PluginContext } from '../../../host/api/plugin.ts';
import { silentLogger } from '../../../host/core/log.ts';
import telemetry from '../../../plugins/builtin-telemetry/index.ts';
import { surroundingsWith } from '../../kit/surroundings.ts';

test.each([
  ['known, calls are followed', false, 1],
  ['only read, nothing is', true, 0],
])('where the home is %s', async (_what, reading, expected) => {
  await using owned = new AsyncDisposableStack();
  let followers = 0;
  const context: Partial<PluginContext> = {
    reading,
    surroundings: surroundingsWith({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' }),
    log: silentLogger,
    use: () => () => Promise.reject(new Error('no queues')),
    own(resource) {
      followers++;
      return owned.use(resource);
    },
  };
  await telemetry.setup(context as PluginContext);
  expect(followers).toBe(expected);
});
