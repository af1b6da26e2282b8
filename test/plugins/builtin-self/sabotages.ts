import { app, restart, type TestProject } from './project.ts';

/** A change that must not stay deployed, and what is reported to the owner. */
export interface Sabotage {
  readonly files: { readonly [path: string]: string };
  readonly says: RegExp;
  /** Additional settings of the plugin. */
  readonly config?: object;
  /** Version 1, where it matters. */
  readonly first?: string;
  /** Before the deploy. */
  readonly prepare?: (project: TestProject, home: string) => Disposable | void;
}

const node = process.execPath;
const never = 'setInterval(() => {}, 1000);';
/** Opens the home's database, as Pegboard does. */
const database = `
  const home = require('fs').readFileSync(__dirname + '/../home', 'utf8');
  const db = new (require('node:sqlite').DatabaseSync)(home + '/data/pegboard.db');
  const version = db.prepare('pragma user_version').get().user_version;`;
/** Only once: the first run of a script finds no mark. */
const once = (name: string, code: string): string =>
  `if (!require('fs').existsSync('${name}.mark')) { require('fs').writeFileSync('${name}.mark', ''); ${code} }`;
const parentOf = (pid: string): string =>
  `Number(require('child_process').execFileSync('ps', ['-o', 'ppid=', '-p', String(${pid})]))`;
const withDatabase = (project: TestProject, home: string): void => project.write('home', home);

/** Bad versions that pass their checks, and fail when they are started or in service. */
export const sabotages = {
  'a syntax error': { files: { 'host/app.cjs': 'this is no JavaScript (' }, says: /not healthy within/ },
  'an import of a missing module': {
    files: { 'host/app.cjs': `require('./nowhere.cjs'); ${app('v2')}` },
    says: /not healthy within/,
  },
  'a throw at boot': {
    files: { 'host/app.cjs': `${app('v2')} throw new Error('boom');` },
    says: /unhealthy/,
  },
  'an exit at boot': { files: { 'host/app.cjs': 'process.exit(1);' }, says: /not healthy within/ },
  'a hang at boot': { files: { 'host/app.cjs': 'for (;;);' }, says: /not healthy within/ },
  'a host that never listens': { files: { 'host/app.cjs': never }, says: /not healthy within/ },
  'a crash a moment later': {
    files: { 'host/app.cjs': `${app('v2')} setTimeout(() => process.exit(1), 900);` },
    says: /unhealthy/,
  },
  'a config schema that is broken': {
    files: {
      'host/config.schema.json': '{ "type": ',
      'host/app.cjs': `JSON.parse(require('fs').readFileSync(__dirname + '/config.schema.json', 'utf8')); ${app('v2')}`,
    },
    says: /not healthy within/,
  },
  'a migration that fails': {
    files: { 'host/app.cjs': `${database} db.exec('begin; select nonsense; commit'); ${app('v2')}` },
    prepare: withDatabase,
    says: /not healthy within/,
  },
  'a migration after which the version before refuses the database': {
    first: `${database} if (version > 100) process.exit(1); ${app('v1')}`,
    files: {
      'host/app.cjs': `${database}
        require('fs').mkdirSync(home + '/data/backups', { recursive: true });
        if (version < 100) db.prepare('vacuum into ?').run(home + '/data/backups/pegboard-version-' + version + '.db');
        db.exec('pragma user_version = 101'); process.exit(1);`,
    },
    prepare: withDatabase,
    says: /not healthy within/,
  },
  'a health check that fails': {
    files: { 'host/app.cjs': app('v2').replace('response.end', 'response.writeHead(500).end') },
    says: /the health check ended with 1/,
  },
  'a health check that hangs': {
    files: { 'tools/health.sh': 'exec sleep 600\n', 'host/app.cjs': app('v2') },
    says: /the health check took longer than 6 s/,
  },
  'a port that is taken': {
    files: {
      'host/app.cjs': `const net = require('net'); ${app('v2')}
        const one = net.createServer().listen(0, '127.0.0.1', () => net.createServer().listen(one.address().port, '127.0.0.1'));`,
    },
    says: /unhealthy/,
  },
  'a lock of the home that is held': {
    files: { 'host/app.cjs': `require('fs').openSync(__dirname + '/../lock.mark', 'wx'); ${app('v2')}` },
    prepare: ({ write }) => write('lock.mark', ''),
    says: /not healthy within/,
  },
  'a restart command that fails': {
    files: { 'tools/restart.cjs': `console.log('out of order'); process.exit(3);` },
    says: /the restart ended with 3: out of order/,
  },
  'a restart command that hangs': {
    files: { 'tools/restart.cjs': never },
    says: /the restart took longer than 6 s/,
  },
  'a restart command that stops the host and fails': {
    files: { 'tools/restart.cjs': `${restart.split('\n').slice(0, 3).join('\n')} process.exit(1);` },
    says: /the restart ended with 1/,
  },
  'a restart command that is missing': {
    files: { 'host/app.cjs': app('v2') },
    config: { restart: ['/nowhere/restart'] },
    says: /could not be run: \/nowhere\/restart ENOENT/,
  },
  'a way back whose restart fails once': {
    files: { 'host/app.cjs': 'process.exit(1);' },
    config: { restart: [node, 'flaky.mark'] },
    prepare: ({ write }) =>
      write(
        'flaky.mark',
        `const fs = require('fs'); const runs = fs.existsSync('runs.mark') ? fs.readFileSync('runs.mark', 'utf8').length : 0;
         fs.writeFileSync('runs.mark', 'x'.repeat(runs + 1)); if (runs === 1) process.exit(7);
         require('child_process').execFileSync(process.execPath, ['tools/restart.cjs']);`,
      ),
    says: /not healthy within/,
  },
  'a git that was killed and left its lock': {
    files: {
      'host/app.cjs': `require('fs').writeFileSync(__dirname + '/../.git/index.lock', ''); process.exit(1);`,
    },
    says: /not healthy within/,
  },
  'a supervisor that is killed between restart and verdict': {
    files: {
      'host/app.cjs': 'process.exit(1);',
      'tools/restart.cjs': `${restart} ${once('killed', `process.kill(process.ppid, 'SIGKILL');`)}`,
    },
    says: /not healthy within/,
  },
  'a supervisor that is killed with its guard before the restart': {
    files: {
      'host/app.cjs': 'process.exit(1);',
      'tools/restart.cjs':
        once(
          'killed',
          `const worker = process.ppid; process.kill(${parentOf('worker')}, 'SIGKILL'); process.kill(worker, 'SIGKILL'); process.exit();`,
        ) + restart,
    },
    says: /not healthy within/,
  },
} as const satisfies { readonly [name: string]: Sabotage };
