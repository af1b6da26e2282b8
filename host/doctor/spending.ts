import type { Check } from '../api/diagnostic.ts';
import type { Host } from '../host.ts';
import { warning } from '../status/check.ts';

/** Names of models that a daily cap applies to, and whose price nobody knows. */
export async function uncappedModels(host: Host): Promise<readonly string[]> {
  const { config, spaces } = host;
  const isCapped = config.models.spendPerDay !== undefined;
  const capped = spaces.agents.filter(({ runtime }) => isCapped || runtime.spendPerDay !== undefined);
  if (config.spend || (capped.length === 0 && !isCapped)) return [];
  const { models } = await host.agents();
  const brains = [...capped, ...(isCapped ? [spaces.agentFor()] : [])].map(({ brain }) => brain);
  const described = (await Promise.all(brains.map((brain) => models.describe(brain)))).flat();
  const unpriced = described.filter(
    ({ price, isFree, problem }) => !price && !isFree && problem === undefined,
  );
  return [...new Set(unpriced.map(({ name }) => name))];
}

export async function checkSpending(host: Host): Promise<readonly Check[]> {
  const names = host.reading ? [] : await uncappedModels(host).catch(() => []);
  if (names.length === 0) return [];
  return [
    warning(
      'spending',
      `the price of ${names.join(' and ')} is unknown, so the daily cap doesn't hold`,
      'set spend.unknown in pegboard.yaml: refuse, or count with a price',
    ),
  ];
}
