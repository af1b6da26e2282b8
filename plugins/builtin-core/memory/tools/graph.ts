import { PegboardError, defineTool, textResult, type Tool } from 'pegboard';
import type { Edge, Node } from '../graph/graph.ts';
import type { Remember } from '../remembering.ts';
import type { Remembering } from '../remembering.ts';
import { edgeItem, nodeItem } from './structure.ts';

export function createMemoryGraph(remember: Remember): Tool {
  return defineTool({
    name: 'memory_graph',
    title: 'Memory graph',
    description:
      'Follows how people, places and things in memory hang together. search: which of them have a name like this. explore: what is known to connect with one. connect: whether, and over what, two are connected.',
    category: 'memory',
    tags: ['knowledge', 'graph', 'relations', 'people', 'connections', 'entities'],
    annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false },
    timeout: 30,
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['action', 'name'],
      properties: {
        action: { type: 'string', enum: ['search', 'explore', 'connect'] },
        name: { type: 'string', minLength: 1, maxLength: 200, description: 'A person, place or thing.' },
        to: { type: 'string', minLength: 1, maxLength: 200, description: 'For connect: the other one.' },
        depth: {
          type: 'integer',
          minimum: 1,
          maximum: 3,
          default: 1,
          description: 'For explore: steps from the start.',
        },
        limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
    },
    outputSchema: {
      type: 'object',
      properties: {
        nodes: { type: 'array', items: nodeItem, description: 'Of search.' },
        node: { ...nodeItem, description: 'Of explore: the start.' },
        edges: { type: 'array', items: edgeItem, description: 'Of explore.' },
        connected: { type: 'boolean', description: 'Of connect.' },
        path: { type: 'array', items: edgeItem, description: 'Of connect.' },
      },
    },
    examples: [
      { input: { action: 'explore', name: 'Anna', depth: 2 } },
      { input: { action: 'connect', name: 'Anna', to: 'Lisbon' } },
    ],
    async execute({ action, name, to, depth = 1, limit = 20 }, { signal }) {
      const [memory, graph] = await Promise.all([remember(), import('../graph/graph.ts')]);
      const vectorOf = async (text: string): Promise<Float32Array | undefined> =>
        (await memory.context.embed([text], signal))?.[0];
      if (action === 'search') {
        const nodes = await graph.searchNodes(memory.database, name, limit, await vectorOf(name));
        const text = nodes.map(showNode).join('\n') || `Nothing has a name like "${name}".`;
        return textResult(text, { nodes });
      }
      const start = await nodeNamed(memory, name, await vectorOf(name));
      if (action === 'explore') {
        const edges = await graph.exploreFrom(memory.database, start, depth, limit);
        return textResult([showNode(start), ...edges.map(showEdge)].join('\n'), { node: start, edges });
      }
      if (to === undefined)
        throw new PegboardError('PEG_INVALID_ARGUMENTS', 'connect needs "to": the other one.');
      const end = await nodeNamed(memory, to, await vectorOf(to));
      const path = await graph.connect(memory.database, start, end);
      const text = path
        ? [`${start.name} and ${end.name} are connected:`, ...path.map(showEdge)].join('\n')
        : `Nothing within ${graph.maxPathLength} steps connects ${start.name} and ${end.name}.`;
      return textResult(text, { connected: path !== undefined, path: path ?? [] });
    },
  });
}

async function nodeNamed(memory: Remembering, name: string, vector: Float32Array | undefined): Promise<Node> {
  const { findNode } = await import('../graph/graph.ts');
  const node = await findNode(memory.database, name, vector);
  if (node) return node;
  throw new PegboardError(
    'PEG_INVALID_ARGUMENTS',
    `Nothing in the graph has a name like "${name}". Try action search with a part of the name, or memory_recall.`,
  );
}

const showNode = ({ name, kind }: Node): string => `${name} (${kind})`;

/** "Anna → works at → Acme (memory #12)" */
const showEdge = ({ from, relation, to, memory }: Edge): string =>
  `${from} → ${relation} → ${to} (memory #${memory})`;
