import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { healthPath } from '../../../host/core/http/request-guard.ts';
import { repository } from '../../kit/homes/clone.ts';

const read = (file: string): string => readFileSync(join(repository, file), 'utf8');

interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The instructions of each stage, with continued lines joined. */
function stagesOf(dockerfile: string): readonly (readonly Instruction[])[] {
  const stages: Instruction[][] = [];
  const lines = dockerfile.replaceAll(/^\s*#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ');
  for (const line of lines.split('\n').filter((one) => one.trim() !== '')) {
    const [, name = '', text = ''] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

const [build = [], image = []] = stagesOf(read('Dockerfile'));
const all = (stage: readonly Instruction[], name: string): readonly string[] =>
  stage.filter((one) => one.name === name).map(({ text }) => text);
const last = (name: string): string => all(image, name).at(-1)!;

test('the image runs as a fixed user that is not root', () => {
  expect(last('USER')).toMatch(/^[1-9]\d+:[1-9]\d+$/);
});

test('the image has one volume, and all that Pegboard writes is in it', () => {
  expect(all(image, 'VOLUME')).toEqual(['/data']);
  const variables = Object.fromEntries(
    [...last('ENV').matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  ) as Record<string, string>;
  for (const name of ['HOME', 'PEGBOARD_HOME', 'XDG_STATE_HOME'])
    expect(variables[name]).toMatch(/^\/data\//);
});

test('the image trusts no home of somebody else', () => {
  expect(read('Dockerfile')).not.toContain('PEGBOARD_TRUST_HOME');
  expect(JSON.stringify(parse(read('compose.yaml'), { merge: true }))).not.toContain('PEGBOARD_TRUST_HOME');
});

test('the health check asks the address that the host answers without a token, on the port that it serves', () => {
  const command = JSON.parse(last('CMD')) as string[];
  const port = command.at(-1)!.split(':').at(-1)!;
  expect(command.slice(0, 2)).toEqual(['start', '--http']);
  expect(last('HEALTHCHECK')).toContain(`http://127.0.0.1:${port}${healthPath}`);
  expect(last('EXPOSE')).toBe(port);
});

test('the package is built as it is published, and development packages stay in the build stage', () => {
  const run = all(build, 'RUN').join('\n');
  expect(run).toContain('npm run build');
  expect(run).toMatch(/npm install .*--omit=dev/);
  const copied = all(image, 'COPY');
  expect(copied.every((text) => text.startsWith('--from=build '))).toBe(true);
  expect(copied.some((text) => text.includes('/src'))).toBe(false);
});

test('no history, data or secrets are given to a build', () => {
  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  expect(lines[0]).toBe('*');
  expect(lines).toEqual(expect.arrayContaining(['**/node_modules', '**/data', '**/.env*']));
  expect(lines).not.toContain('!.git');
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['pegboard.env', 'postgres.env']));
});

interface Service {
  readonly [key: string]: unknown;
  readonly profiles?: readonly string[];
  readonly command?: readonly string[];
  readonly healthcheck: { readonly test: readonly string[] };
  readonly ports: readonly string[];
  readonly volumes: readonly string[];
  readonly tmpfs: readonly string[];
}

test('compose.yaml runs it read-only, without capabilities, restarted, and reachable from this machine only', () => {
  const { services } = parse(read('compose.yaml'), { merge: true }) as { services: { pegboard: Service } };
  const { pegboard } = services;
  expect(pegboard).toMatchObject({
    read_only: true,
    cap_drop: ['ALL'],
    restart: 'unless-stopped',
    env_file: [{ path: 'pegboard.env', required: false }],
  });
  expect(pegboard['security_opt']).toEqual(['no-new-privileges:true']);
  expect(pegboard.volumes).toEqual(['pegboard:/data']);
  expect(pegboard.tmpfs).toEqual([expect.stringMatching(/^\/tmp(:|$)/)]);
  expect(pegboard.ports).toEqual(['127.0.0.1:3917:3917']);
  expect(pegboard).not.toHaveProperty('privileged');
});

test('the profile "many" of compose.yaml has Postgres and two hosts, confined as the one that runs alone', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: { readonly [name: string]: Service };
    volumes: object;
  };
  const { pegboard, one, two, postgres } = services;
  const ofMany = Object.keys(services).filter((name) => services[name]!.profiles?.includes('many'));
  expect(ofMany).toEqual(['one', 'two', 'postgres']);
  expect(pegboard).not.toHaveProperty('profiles');
  const own = ['profiles', 'depends_on', 'env_file', 'volumes', 'ports', 'command', 'healthcheck'];
  const shared = (service: Service): object =>
    Object.fromEntries(Object.entries(service).filter(([key]) => !own.includes(key)));
  for (const host of [one!, two!]) {
    expect(shared(host)).toEqual(shared(pegboard!));
    expect(host['depends_on']).toEqual({ postgres: { condition: 'service_healthy' } });
    // One home for both. Without the password, compose still starts the service that needs none.
    expect(host.volumes).toEqual(['many:/data']);
    expect(host['env_file']).toContainEqual({ path: 'postgres.env', required: false });
  }
  expect(postgres!['env_file']).toEqual([{ path: 'postgres.env', required: false }]);
  expect(postgres).not.toHaveProperty('ports');
  expect(Object.keys(volumes)).toEqual(['pegboard', 'many', 'postgres']);
  // Each is asked whether it is well on the port that it serves and publishes.
  for (const [service, port] of [
    [one!, '3917'],
    [two!, '3918'],
  ] as const) {
    const command = service.command ?? (JSON.parse(last('CMD')) as readonly string[]);
    expect(command).toEqual(['start', '--http', `0.0.0.0:${port}`]);
    expect(service.ports).toEqual([`127.0.0.1:${port}:${port}`]);
    expect(service.healthcheck.test.at(-1)).toContain(`http://127.0.0.1:${port}${healthPath}`);
  }
});
