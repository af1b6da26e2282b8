import { existsSync, mkdirSync, readFileSync, renameSync, statfsSync, statSync } from 'node:fs';
import { cpus, freemem, loadavg, totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import { defineTool, type Tool } from 'pegboard';

const whole = { type: 'integer' } as const;
const outputSchema = {
  type: 'object',
  required: ['cpu', 'memory', 'disk', 'temperature', 'database', 'log', 'uptime', 'units'],
  properties: {
    cpu: {
      type: 'object',
      required: ['cores', 'load'],
      properties: { cores: whole, load: { type: 'array', items: { type: 'number' } } },
    },
    memory: {
      type: 'object',
      required: ['total', 'free', 'host'],
      properties: { total: whole, free: whole, host: whole },
    },
    disk: { type: 'object', required: ['total', 'free'], properties: { total: whole, free: whole } },
    temperature: { type: ['number', 'string'], description: '"unknown" where there is no sensor.' },
    database: whole,
    log: whole,
    uptime: {
      type: 'object',
      required: ['machine', 'host'],
      properties: { machine: whole, host: whole },
    },
    rotated: { type: 'string', description: 'Where the log was put.' },
    units: { type: 'string' },
  },
} as const;

export function createSystemStatus(home: string): Tool {
  const log = join(home, 'data/logs/host.log');
  return defineTool({
    name: 'self_system_status',
    title: 'System status',
    description:
      'Reports processor, memory, disk, temperature, sizes of database and log, and uptimes of machine and host. With rotate_log the log file is put aside and a new one begun.',
    category: 'self',
    tags: ['health', 'cpu', 'memory', 'disk', 'temperature'],
    aliases: ['self_status'],
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
    parameters: {
      type: 'object',
      additionalProperties: false,
      properties: { rotate_log: { type: 'boolean', default: false, description: 'Put the log file aside.' } },
    },
    outputSchema,
    execute({ rotate_log: rotate = false }) {
      const disk = statfsSync(home);
      const rotated = rotate && existsSync(log) ? putAside(home, log) : undefined;
      return {
        cpu: { cores: cpus().length, load: loadavg().map((load) => Math.round(load * 100) / 100) },
        memory: {
          total: megabytes(totalmem()),
          free: megabytes(freemem()),
          host: megabytes(process.memoryUsage.rss()),
        },
        disk: { total: megabytes(disk.blocks * disk.bsize), free: megabytes(disk.bavail * disk.bsize) },
        temperature: temperature() ?? 'unknown',
        database: sizeOf(join(home, 'data/pegboard.db')),
        log: sizeOf(log),
        uptime: { machine: Math.round(uptime()), host: Math.round(process.uptime()) },
        ...(rotated !== undefined && { rotated }),
        units: 'MB, °C, seconds',
      };
    },
  });
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);
const sizeOf = (path: string): number => megabytes(statSync(path, { throwIfNoEntry: false })?.size ?? 0);

/** Of the first sensor that Linux lists. */
function temperature(): number | undefined {
  try {
    return Number(readFileSync('/sys/class/thermal/thermal_zone0/temp', 'utf8')) / 1000;
  } catch {
    return undefined;
  }
}

function putAside(home: string, log: string): string {
  const archive = join(home, 'data/logs/archive');
  mkdirSync(archive, { recursive: true, mode: 0o700 });
  const target = join(archive, `host-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.log`);
  renameSync(log, target);
  return target;
}
