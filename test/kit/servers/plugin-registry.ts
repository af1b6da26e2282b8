import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tgzOf } from '../data/tar.ts';

interface Offered {
  readonly manifest: { readonly name: string; readonly version: string };
  readonly tarball: Buffer;
  readonly integrity: string;
}

/** A registry for npm, with what a test publishes there. */
export interface PluginRegistry extends AsyncDisposable {
  readonly url: string;
  /** Of all tarballs that were fetched, in order: "dice-1.0.0.tgz". */
  readonly fetched: readonly string[];
  /** The files of a package, with its package.json; or its tarball. `integrity`: what the registry says of it. */
  publish(
    files: Readonly<Record<string, string>>,
    how?: { readonly tarball?: Buffer; readonly integrity?: string },
  ): void;
}

export async function startPluginRegistry(): Promise<PluginRegistry> {
  /** By name. */
  const offered = new Map<string, Offered[]>();
  const fetched: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    const [, name = '', file] = /^\/((?:@[^/]+\/)?[^/]+)(?:\/-\/(.+))?$/.exec(path) ?? [];
    const versions = offered.get(name);
    const found = versions?.find(({ manifest }) => fileOf(manifest) === file);
    if (!versions || (file !== undefined && !found)) return void response.writeHead(404).end('{}');
    if (found) {
      fetched.push(file!);
      return void response.end(found.tarball);
    }
    const listed = versions.map(({ manifest, integrity }) => [
      manifest.version,
      {
        ...manifest,
        _npmUser: { name: 'ada', email: 'ada@example.org' },
        dist: { tarball: `${url}/${name}/-/${fileOf(manifest)}`, integrity },
      },
    ]);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name,
        'dist-tags': { latest: versions.at(-1)!.manifest.version },
        versions: Object.fromEntries(listed),
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    fetched,
    publish(files, { tarball = tgzOf(files), integrity = integrityOf(tarball) } = {}) {
      const manifest = JSON.parse(files['package.json']!) as Offered['manifest'];
      offered.set(manifest.name, [...(offered.get(manifest.name) ?? []), { manifest, tarball, integrity }]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const fileOf = ({ name, version }: Offered['manifest']): string => `${name.split('/').at(-1)}-${version}.tgz`;

const integrityOf = (tarball: Buffer): string =>
  `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
