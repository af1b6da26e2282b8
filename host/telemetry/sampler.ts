import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  type Sampler,
} from '@opentelemetry/sdk-trace';

/** Takes the values of OTEL_TRACES_SAMPLER. An unknown name means the default. */
export function createSampler(name: string | undefined, ratio: number): Sampler {
  const basic: { readonly [name: string]: () => Sampler } = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(ratio),
  };
  const [, parent, plain = 'always_on'] = /^(parentbased_)?(\w+)$/.exec(name ?? '') ?? [];
  const root = (basic[plain] ?? basic['always_on']!)();
  return parent === undefined && name !== undefined ? root : new ParentBasedSampler({ root });
}
