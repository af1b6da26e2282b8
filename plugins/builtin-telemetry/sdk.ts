import { createNoopMeter, diag, DiagLogLevel, trace, type Meter, type Tracer } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import {
  BatchSpanProcessor,
  TracerProvider,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import { messageOf } from 'pegboard/kit';
import type { TelemetrySettings } from './settings.ts';

export interface Sdk {
  readonly tracer: Tracer;
  readonly meter: Meter;
  /** Sends what is left, within the timeout. Never rejects. */
  close(timeoutMs: number): Promise<void>;
}

export interface SdkOptions {
  readonly version: string;
  /** Called for each failure to export. */
  readonly onFailure: (reason: string) => void;
}

/** Characters: the packages hand out whole stacks. */
const maxReasonLength = 300;

/** Sets up OpenTelemetry's packages. The resource comes from the environment; the command line is never exported. */
export function openSdk(settings: TelemetrySettings, { version, onFailure }: SdkOptions): Sdk {
  const quiet = (): void => {};
  const failed = (message: string, ...more: unknown[]): void =>
    onFailure([message, ...more].join(' ').slice(0, maxReasonLength));
  diag.setLogger(
    { error: failed, warn: failed, info: quiet, debug: quiet, verbose: quiet },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'pegboard', 'service.version': version }))
    .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] }));
  const spans =
    settings.traces &&
    new TracerProvider({
      resource,
      sampler: createSampler(settings.sampler, settings.samplerArgument),
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: new OTLPTraceExporter(),
          scheduledDelayMillis: settings.spanDelayMs,
        }),
      ],
    });
  const metrics =
    settings.metrics &&
    new MeterProvider({
      resource,
      readers: [
        new PeriodicExportingMetricReader({
          exporter: new OTLPMetricExporter(),
          exportIntervalMillis: settings.metricIntervalMs,
        }),
      ],
    });
  return {
    tracer: spans ? spans.getTracer('pegboard', version) : trace.getTracer('pegboard'),
    meter: metrics ? metrics.getMeter('pegboard', version) : createNoopMeter(),
    async close(timeoutMs) {
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        onFailure(`no response within ${timeoutMs / 1000} s`);
        late.resolve();
      }, timeoutMs);
      const sending = [spans, metrics].map(async (part) => {
        if (part) await part.shutdown().catch((cause: unknown) => onFailure(messageOf(cause)));
      });
      await Promise.race([Promise.all(sending), late.promise]);
      clearTimeout(timer);
    },
  };
}

/** Takes the values of OTEL_TRACES_SAMPLER. An unknown name means the default. */
function createSampler(name: string | undefined, ratio: number): Sampler {
  const basic: { readonly [name: string]: () => Sampler } = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const [, parent, plain = 'always_on'] = /^(parentbased_)?(\w+)$/.exec(name ?? '') ?? [];
  const root = (basic[plain] ?? basic['always_on']!)();
  return parent === undefined && name !== undefined ? root : new ParentBasedSampler({ root });
}
