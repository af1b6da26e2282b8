import type { Dispatch } from '../api/dispatch.ts';
import type { Tool } from '../api/tool.ts';
import { askUser } from './ask-user.ts';
import { backgroundRun } from './background-run.ts';
import { callApp, type AgentServices } from './call-app.ts';
import type { Jobs } from './jobs.ts';
import { runParallel } from './run-parallel.ts';
import { spawnAgent } from './spawn-agent.ts';
import { useSkill, type SkillServices } from './use-skill.ts';

export interface AgentToolServices extends AgentServices, SkillServices {
  readonly dispatch: Dispatch;
  readonly jobs: Jobs;
}

/** The meta-tools for agents: parallel and background calls, questions, skills and other agents. */
export function agentTools(services: AgentToolServices): readonly Tool[] {
  return [
    runParallel(services),
    backgroundRun(services),
    askUser(),
    useSkill(services),
    callApp(services),
    spawnAgent(services),
  ];
}
