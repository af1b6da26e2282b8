import type { Check } from '../api/diagnostic.ts';

export function ok(name: string, message: string): Check {
  return { name, status: 'ok', message };
}

export function warning(name: string, message: string, fix: string): Check {
  return { name, status: 'warning', message, fix };
}

export function failed(name: string, message: string, fix: string): Check {
  return { name, status: 'failed', message, fix };
}
