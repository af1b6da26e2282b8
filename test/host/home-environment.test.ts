import { expect, test } from 'vitest';
import { startScriptedModel } from '../../host/testing/index.ts';
import { pegboard, pegboardJson } from '../kit/cli.ts';
import { createHome, manifest } from '../kit/homes/home.ts';

const show = 'command: printf "%s|" "${GIVEN:-}" "${OPENAI_BASE_URL:-}"';

test("the home's .env is read for the home's configuration, and the environment goes before it", async () => {
  await using model = await startScriptedModel(() => ({ text: 'from .env' }));
  await using home = await createHome({
    '.env': `OPENAI_BASE_URL="${model.baseUrl}" # ours\nOPENAI_API_KEY=a-key-for-the-model-17\nPEGBOARD_MODEL=openai/from-dotenv\nNAME=of-dotenv\nTIMEZONE=Asia/Tokyo\n`,
    'pegboard.yaml': 'name: "${NAME}"\n',
  });
  const at = { home: home.path };
  expect(await pegboard(['chat', 'hi'], at)).toMatchObject({ code: 0, stdout: 'from .env\n' });
  expect(model.requests[0]).toMatchObject({ model: 'from-dotenv' });
  expect(await pegboardJson(['schedule', 'add', '2100-01-01T09:00', 'x'], at)).toMatchObject({
    timezone: 'Asia/Tokyo',
    run_at: '2100-01-01T00:00:00.000Z',
  });
  const outer = { ...at, env: { PEGBOARD_MODEL: 'openai/from-outside' } };
  expect(await pegboard(['chat', 'hi'], outer)).toMatchObject({ code: 0 });
  expect(model.requests.at(-1)).toMatchObject({ model: 'from-outside' });
});

test('no program that Pegboard starts gets what .env adds, and no tool of a space', async () => {
  await using home = await createHome({
    '.env': 'GIVEN=of-dotenv\nOPENAI_BASE_URL=http://127.0.0.1:9/v1\nPATH=/nowhere\n',
    'spaces/s/agent/tools/plain.md': manifest('plain', show),
    'spaces/s/agent/tools/named.md': manifest('named', `${show}\nenvironment: { GIVEN: "\${GIVEN}" }`),
    'spaces/s/agent/tools/code.ts': `export const meta = { requires: { env: ['GIVEN'] } };
export default { name: 'code', description: 'x', parameters: { type: 'object' }, execute: () => 'ran' };\n`,
  });
  const call = (tool: string) => pegboard(['call', tool, '--yes'], { home: home.path });
  expect(await call('plain')).toMatchObject({ code: 0, stdout: '||\n' });
  expect(await call('named')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/needs the variable GIVEN .* It is in the home's \.env/) as string,
  });
  expect(await pegboard(['approvals', 'allow', 'spaces/s/code', '--yes'], { home: home.path })).toMatchObject(
    {
      code: 0,
    },
  );
  expect(await call('code')).toMatchObject({ code: 4 });
});
