import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { repository } from '../homes/clone.ts';

interface PackageManifest {
  readonly name: string;
  readonly version: string;
}

/** npm's registry, with the packages that are installed in this clone, and those that a test adds. */
export interface NpmRegistry extends AsyncDisposable {
  readonly url: string;
  /** Offers a folder with a package.json as a package. Returns the hash that a lock file has. */
  add(folder: string): string;
  /** Offers a package with a program `bin/node` that starts the Node that runs this test, instead of 50 MB. Returns its hash. */
  addNode(name: string, version: string): Promise<string>;
  /** No longer offers it. */
  remove(name: string): void;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
  const work = await mkdtemp(join(tmpdir(), 'pegboard-registry-'));
  /** Folders by name and version. */
  const offered = new Map<string, Map<string, string>>();
  const offer = (folder: string): PackageManifest => {
    const manifest = manifestIn(folder);
    const versions = offered.get(manifest.name) ?? new Map<string, string>();
    offered.set(manifest.name, versions.set(manifest.version, folder));
    return manifest;
  };
  for (const path of globSync('node_modules/**/package.json', { cwd: repository })) {
    const folder = join(repository, dirname(path));
    if (/node_modules\/(?:@[^/]+\/)?[^/]+$/.test(folder)) offer(folder);
  }
  const packed = new Map<string, Buffer>();
  const pack = (folder: string): Buffer => {
    const known = packed.get(folder);
    if (known) return known;
    // The same hash in every process.
    const always = ['--sort=name', '--mtime=@0', '--owner=0', '--group=0', '--numeric-owner'];
    const options = [...always, '--exclude=./node_modules', '--transform=s,^\\.,package,', '-C', folder, '.'];
    const made = execFileSync('tar', ['-czf', '-', ...options], {
      maxBuffer: 2 ** 28,
      env: { ...process.env, GZIP: '-1' },
    });
    packed.set(folder, made);
    return made;
  };
  const server = createServer((request, response) => {
    const [, name = '', , version = ''] =
      /^\/((?:@[^/]+\/)?[^/]+)(\/-\/(.+)\.tgz)?$/.exec(decodeURIComponent(request.url ?? '')) ?? [];
    const versions = offered.get(name);
    if (!versions) return void response.writeHead(404).end('{}');
    if (version !== '') return void response.end(pack(versions.get(version)!));
    const listed = [...versions].map(([number, folder]) => {
      const tarball = `${url}/${name}/-/${number}.tgz`;
      return [number, { ...manifestIn(folder), dist: { tarball, integrity: hashOf(pack(folder)) } }] as const;
    });
    const latest = listed.at(-1)![0];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ name, 'dist-tags': { latest }, versions: Object.fromEntries(listed) }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const add = (folder: string): string => {
    offer(folder);
    return hashOf(pack(folder));
  };
  return {
    url,
    add,
    async addNode(name, version) {
      const folder = await mkdtemp(join(work, 'node-'));
      mkdirSync(join(folder, 'bin'));
      writeFileSync(
        join(folder, 'package.json'),
        JSON.stringify({ name, version, bin: { node: 'bin/node' } }),
      );
      writeFileSync(join(folder, 'bin/node'), `#!/bin/sh\nexec '${process.execPath}' "$@"\n`);
      chmodSync(join(folder, 'bin/node'), 0o755);
      offered.delete(name);
      return add(folder);
    },
    remove: (name) => void offered.delete(name),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await rm(work, { recursive: true, force: true });
    },
  };
}

function manifestIn(folder: string): PackageManifest {
  const file = join(folder, 'package.json');
  return existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as PackageManifest)
    : ({} as PackageManifest);
}

const hashOf = (content: Buffer): string => `sha512-${createHash('sha512').update(content).digest('base64')}`;
