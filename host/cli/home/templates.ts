/** The files that `pegboard init` writes, by path in the home. */
export const homeFiles: { readonly [file: string]: string } = {
  'pegboard.yaml': `# yaml-language-server: $schema=.vscode/pegboard/pegboard.schema.json
# This file makes the folder a Pegboard home. Every text may use \${NAME} and \${NAME:-default}.

# MCP servers whose tools are offered: "pegboard mcp add" writes them here.
mcpServers: {}
#   everything:
#     command: npx
#     args: ["-y", "@modelcontextprotocol/server-everything"]
#   github:
#     url: https://api.githubcopilot.com/mcp/
#     headers: { Authorization: "Bearer \${GITHUB_TOKEN}" }

# When to ask before a tool runs: manifest (where the tool says so), never, always.
confirm: manifest

# Selections of tools for single clients: "pegboard serve --preset reading".
# presets:
#   reading:
#     tools: [filesystem.read, filesystem.glob, filesystem.grep]
`,
  '.gitignore': `# State, logs and artifacts of Pegboard
/data/
# Settings of this machine only
/pegboard.local.yaml
`,
  'spaces/personal/space.manifest.json': `{
  "$schema": "../../.vscode/pegboard/space.manifest.schema.json",
  "id": "personal",
  "name": "Personal",
  "description": "Tools of my own."
}
`,
  'spaces/personal/agent/tools/greet.md': `---
id: greet
name: Greet
description: Greets somebody by name
tags: [hello, example]
parameters:
  - name: name
    type: string
    description: Whom to greet
    required: true
  - name: greeting
    type: string
    description: How to begin
    default: Hello
command: printf '%s, %s!\\n' {{greeting}} {{name}}
examples:
  - input: { name: Ada }
    output: "Hello, Ada!"
---

# Greet

A tool is a Markdown file: the part above says what it takes and what it runs, the rest is for people.

    pegboard call greet name=Ada

Change it, and every client of Pegboard sees the change at once. \`pegboard new tool NAME\` writes another one.
`,
  '.vscode/settings.json': `{
  "yaml.schemas": {
    ".vscode/pegboard/pegboard.schema.json": ["pegboard.yaml", "pegboard.local.yaml"],
    ".vscode/pegboard/agent.schema.json": ["spaces/*/agent/agent.yaml", "spaces/*/agent/agents/*.yaml"],
    ".vscode/pegboard/tool.schema.json": ["spaces/*/agent/tools/*.yaml", "spaces/*/agent/tools/*.yml"],
    ".vscode/pegboard/plugin.schema.json": "plugins/*/plugin.yaml"
  },
  "json.schemas": [
    { "fileMatch": ["space.manifest.json"], "url": "./.vscode/pegboard/space.manifest.schema.json" },
    { "fileMatch": [".mcp.json"], "url": "./.vscode/pegboard/mcp.schema.json" }
  ]
}
`,
};

const [, ...configLines] = homeFiles['pegboard.yaml']!.split('\n');

/** The same for `.pegboard` in a project: shared with everybody who works on it, so without editor settings. */
export const projectHomeFiles: { readonly [file: string]: string } = {
  'pegboard.yaml': `# This file makes the folder a Pegboard home, which is used everywhere in the project.
# Without "models" here, everybody's own models answer.
${configLines.slice(1).join('\n')}`,
  '.gitignore': `${homeFiles['.gitignore']!}# Variables with secrets
/.env
`,
  'spaces/project/space.manifest.json': `{
  "id": "project",
  "name": "Project",
  "description": "Tools of this project."
}
`,
  'spaces/project/agent/tools/files.md': `---
id: files
name: Files
description: Lists the files of the folder in which its caller works
tags: [example]
command: ls -A
cwd: caller
readOnly: true
---

# Files

A tool is a Markdown file: the part above says what it takes and what it runs, the rest is for people.

    pegboard call files

With "cwd: caller" it runs where you are. Without it, a command runs in the folder of its space.
`,
};
