import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Question } from '../../../host/api/ask.ts';
import { order, obeying } from '../provenance/obeying-model.ts';
import { openAgentHome } from '../../kit/homes/agent-home.ts';
import { repository } from '../../kit/homes/clone.ts';
import { manifest } from '../../kit/homes/home.ts';
import { pdfOf } from '../../kit/data/pdf.ts';
import { openWebServer } from '../../kit/servers/web-server.ts';
import { modelsOf, startScriptedModel } from '../../../host/testing/index.ts';

type Task = readonly (readonly [tool: string, args: object])[];

const ws = 'spaces/personal/workspace';

/** Everyday requests to an agent, as the calls that it makes for them. Each is a conversation of its own. */
const tasksOn = (page: string): { readonly [task: string]: Task } => ({
  'write a note': [['WsWrite', { path: 'notes/today.md', content: '# Today\n- milk\n' }]],
  'draft a letter': [['write', { path: `${ws}/drafts/letter.md`, content: 'Dear Anna,\n' }]],
  'add to a note': [
    ['WsRead', { path: 'notes/today.md' }],
    ['WsEdit', { path: 'notes/today.md', old_string: '- milk', new_string: '- milk\n- eggs' }],
  ],
  'list its files': [['WsGlob', { pattern: '**/*' }]],
  'look something up in its notes': [['WsGrep', { pattern: 'eggs' }]],
  'read a file of the home': [['read', { path: 'contract.md' }]],
  'find a file of the home': [['glob', { pattern: '**/contract*' }]],
  'search through the home': [['grep', { pattern: 'rent', path: '.' }]],
  'remember something': [['memory_store', { content: 'Anna prefers mornings' }]],
  'recall it': [['memory_recall', { query: 'When does Anna like to meet?' }]],
  'set a reminder': [['remind', { message: 'Call Anna', run_at: 'in 60 minutes' }]],
  'list what is scheduled': [['schedule_list', {}]],
  'summarise a file into a note': [
    ['read', { path: 'contract.md' }],
    ['WsWrite', { path: 'notes/contract.md', content: 'The rent is 900.\n' }],
  ],
  'read a web page and answer': [['web_read', { url: page }]],
  'run a tool of the space': [['shout', { text: 'hello' }]],
  'find a tool': [['search_tools', { query: 'say something loudly' }]],
  'read a PDF': [['read', { path: 'invoice.pdf' }]],
  'make a table': [['WsWrite', { path: 'tables/rent.csv', content: 'month,rent\n5,900\n' }]],
  'rename a file': [
    ['WsRead', { path: 'notes/today.md' }],
    ['WsWrite', { path: 'notes/shopping.md', content: '# Today\n- milk\n- eggs\n' }],
    ['WsDelete', { path: 'notes/today.md' }],
  ],
  'run a command': [['bash', { command: 'date -u' }]],
});

/** The same number as before writes were restricted to the workspace: only the command. */
const questionsBefore = 1;

test('twenty usual tasks of an agent in its workspace ask no more than they did', async () => {
  await using web = await openWebServer((_request, response) =>
    response
      .setHeader('content-type', 'text/html')
      .end('<html><body><article><h1>News</h1><p>It will be sunny.</p></article></body></html>'),
  );
  await using model = await startScriptedModel(obeying);
  const settings = { plugins: { 'builtin-web': { config: { allowHosts: [web.host] } } } };
  await using agents = await openAgentHome(obeying, {
    files: {
      'pegboard.yaml': JSON.stringify({ models: modelsOf(model), ...settings }),
      'contract.md': 'The rent is 900.\n',
      'invoice.pdf': pdfOf(['Total: 12']),
      'spaces/personal/space.manifest.json': '{"id":"personal","name":"Mine","description":"Mine"}',
      'spaces/personal/agent/tools/shout.md': manifest(
        'shout',
        'parameters: [{ name: text, type: string, description: What, required: true }]\ncommand: echo {{text}} | tr a-z A-Z',
      ),
    },
  });
  const tasks = Object.entries(tasksOn(`${web.url}/news`));
  expect(tasks).toHaveLength(20);
  const asked: (readonly [task: string, question: Question])[] = [];
  for (const [task, calls] of tasks) {
    for (const [tool, args] of calls) {
      const { toolCalls } = await agents.say(order(tool, args), {
        externalId: task,
        ask: async (question) => {
          asked.push([task, question]);
          return { action: 'accept', content: { answer: 'once' } };
        },
      });
      expect(toolCalls, task).not.toHaveLength(0);
      expect(toolCalls.filter(({ ok }) => !ok)).toEqual([]);
    }
  }
  expect(asked.map(([task]) => task)).toEqual(['run a command']);
  expect(asked).toHaveLength(questionsBefore);
});

test('the figures are in docs/security.md', () => {
  const page = readFileSync(join(repository, 'docs/security.md'), 'utf8');
  expect(page).toContain(`20 usual tasks ask ${questionsBefore} question `);
});
