/** The schemas of the files that people write, as editors see them. host/formats/ defines them. */
export { default as agentSchema } from '../../../schemas/agent.schema.json' with { type: 'json' };
export { default as mcpSchema } from '../../../schemas/mcp.schema.json' with { type: 'json' };
export { default as pegboardSchema } from '../../../schemas/pegboard.schema.json' with { type: 'json' };
export { default as pluginSchema } from '../../../schemas/plugin.schema.json' with { type: 'json' };
export { default as skillSchema } from '../../../schemas/skill.schema.json' with { type: 'json' };
export { default as spaceSchema } from '../../../schemas/space.manifest.schema.json' with { type: 'json' };
export { default as toolSchema } from '../../../schemas/tool.schema.json' with { type: 'json' };
