import { gunzipSync } from 'node:zlib';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedSpan {
  readonly name: string;
  /** OTLP's number: 1 internal, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty at a root. */
  readonly parent: string;
  readonly failed: boolean;
  readonly attributes: { readonly [name: string]: unknown };
}

interface ReceivedPoint {
  readonly metric: string;
  /** Of a histogram. */
  readonly count: number;
  /** Of a histogram or counter; the value of a gauge. */
  readonly sum: number;
  readonly attributes: { readonly [name: string]: unknown };
}

/** An OTLP collector over HTTP that accepts JSON. */
export interface Collector extends AsyncDisposable {
  readonly url: string;
  readonly spans: readonly ReceivedSpan[];
  readonly points: readonly ReceivedPoint[];
  readonly resources: readonly { readonly [name: string]: unknown }[];
  /** All bodies, unchanged. */
  readonly bodies: readonly string[];
  readonly headers: readonly { readonly [name: string]: unknown }[];
  /** Resolves with the first span with this name. */
  waitFor(name: string): Promise<ReceivedSpan>;
}

/** `status`: of every response; default 200. `silent`: accepts requests and never responds. */
export async function startCollector({
  status = 200,
  silent = false,
}: { readonly status?: number; readonly silent?: boolean } = {}): Promise<Collector> {
  const spans: ReceivedSpan[] = [];
  const points: ReceivedPoint[] = [];
  const resources: object[] = [];
  const bodies: string[] = [];
  const headers: object[] = [];
  const news = new EventTarget();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      const text = (request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw).toString();
      bodies.push(text);
      headers.push(request.headers);
      const body = JSON.parse(text) as Exported;
      for (const { resource, scopeSpans } of body.resourceSpans ?? []) {
        resources.push(valuesOf(resource.attributes));
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map(toSpan)));
      }
      for (const { resource, scopeMetrics } of body.resourceMetrics ?? []) {
        resources.push(valuesOf(resource.attributes));
        points.push(...scopeMetrics.flatMap((scope) => scope.metrics.flatMap(toPoints)));
      }
      news.dispatchEvent(new Event('news'));
      if (!silent) response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    points,
    resources: resources as Collector['resources'],
    bodies,
    headers: headers as Collector['headers'],
    async waitFor(name) {
      for (;;) {
        const found = spans.find((span) => span.name === name);
        if (found) return found;
        await once(news, 'news');
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

type Attributes = readonly { readonly key: string; readonly value: { readonly [type: string]: unknown } }[];
interface WireSpan {
  readonly name: string;
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly status?: { readonly code?: number };
  readonly attributes?: Attributes;
}
interface WirePoint {
  readonly count?: number | string;
  readonly sum?: number;
  readonly asInt?: number | string;
  readonly asDouble?: number;
  readonly attributes?: Attributes;
}
interface WireMetric {
  readonly name: string;
  readonly histogram?: { readonly dataPoints: readonly WirePoint[] };
  readonly sum?: { readonly dataPoints: readonly WirePoint[] };
  readonly gauge?: { readonly dataPoints: readonly WirePoint[] };
}
interface Exported {
  readonly resourceSpans?: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly spans: readonly WireSpan[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeMetrics: readonly { readonly metrics: readonly WireMetric[] }[];
  }[];
}

const valuesOf = (attributes: Attributes = []): { [name: string]: unknown } =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

const toSpan = ({
  name,
  kind,
  traceId,
  spanId,
  parentSpanId,
  status,
  attributes,
}: WireSpan): ReceivedSpan => ({
  name,
  kind,
  traceId,
  spanId,
  parent: parentSpanId ?? '',
  failed: status?.code === 2,
  attributes: valuesOf(attributes),
});

const toPoints = ({ name, histogram, sum, gauge }: WireMetric): ReceivedPoint[] =>
  (histogram ?? sum ?? gauge)?.dataPoints.map((point) => ({
    metric: name,
    count: Number(point.count ?? 1),
    sum: Number(point.sum ?? point.asInt ?? point.asDouble ?? 0),
    attributes: valuesOf(point.attributes),
  })) ?? [];
