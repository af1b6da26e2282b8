/** Settings from OpenTelemetry's environment variables: https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/ */
export interface TelemetrySettings {
  readonly traces: boolean;
  readonly metrics: boolean;
  /** URL of the collector, for log messages. */
  readonly destination: string;
  /** Undefined: all spans. */
  readonly sampler: string | undefined;
  readonly samplerArgument: number;
  /** Milliseconds between two reports. */
  readonly spanDelayMs: number;
  readonly metricIntervalMs: number;
}

type Environment = { readonly [name: string]: string | undefined };

/** Undefined unless an endpoint is configured. Headers, timeouts, certificates and the resource are read by the packages. */
export function telemetrySettings(environment: Environment): TelemetrySettings | undefined {
  if (environment['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return undefined;
  const endpointOf = (signal: string): string | undefined =>
    environment[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]?.trim() ||
    environment['OTEL_EXPORTER_OTLP_ENDPOINT']?.trim() ||
    undefined;
  const wants = (signal: string): boolean =>
    endpointOf(signal) !== undefined && environment[`OTEL_${signal}_EXPORTER`]?.trim() !== 'none';
  const [traces, metrics] = [wants('TRACES'), wants('METRICS')];
  if (!traces && !metrics) return undefined;
  const ratio = Number(environment['OTEL_TRACES_SAMPLER_ARG'] || 1);
  return {
    traces,
    metrics,
    destination: endpointOf(traces ? 'TRACES' : 'METRICS')!,
    sampler: environment['OTEL_TRACES_SAMPLER']?.trim() || undefined,
    samplerArgument: ratio >= 0 && ratio <= 1 ? ratio : 1,
    spanDelayMs: milliseconds(environment['OTEL_BSP_SCHEDULE_DELAY'], 5_000),
    metricIntervalMs: milliseconds(environment['OTEL_METRIC_EXPORT_INTERVAL'], 60_000),
  };
}

function milliseconds(text: string | undefined, fallback: number): number {
  const value = Number(text);
  return value > 0 && value < 2 ** 31 ? value : fallback;
}
