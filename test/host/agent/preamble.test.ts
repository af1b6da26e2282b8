import { expect, test } from 'vitest';
import { writePreamble, type PreambleParts } from '../../../host/agent/preamble.ts';

const plain: PreambleParts = {
  now: new Date('2026-02-23T20:15:00Z'),
  timezone: 'America/New_York',
  source: 'telegram',
  development: false,
  sections: [],
  skills: [],
  undone: [],
  finishedJobs: [],
};

test('a preamble has the date of the home, memories, skills and what is replied to, in its format', () => {
  const preamble = writePreamble({
    ...plain,
    earlier: 'They planned a trip.',
    sections: [
      {
        title: 'Recent memories -- use these for context, pattern recognition, and continuity',
        lines: ['(preference) User prefers dark mode', '(fact) User works at Acme Corp'],
      },
      { title: 'Potentially relevant memories', lines: ['(note) Meeting with Bob (87% match)'] },
      { title: 'Nothing', lines: [] },
    ],
    skills: [{ name: 'daily-standup', description: '', body: 'Ask three questions.\n', path: '/x' }],
    undone: ['The user undid the changes of the turn.'],
    finishedJobs: ['Job 3 (web.read): done after 4 s'],
    replyTo: 'what was that?',
  });
  expect(preamble).toBe(`[Context: Monday, February 23, 2026 at 3:15 PM (America/New_York) | telegram]

[Earlier in this conversation]
They planned a trip.

[Recent memories -- use these for context, pattern recognition, and continuity]
- (preference) User prefers dark mode
- (fact) User works at Acme Corp

[Potentially relevant memories]
- (note) Meeting with Bob (87% match)

[Active skills -- follow these instructions when relevant]
### daily-standup
Ask three questions.

[File changes that the user has undone]
- The user undid the changes of the turn.

[Background jobs that have ended]
- Job 3 (web.read): done after 4 s

[Replying to: "what was that?"]`);
});

test('with nothing to add it is the date, the place and the channel', () => {
  expect(writePreamble({ ...plain, timezone: 'Europe/Berlin', source: 'cli', development: true })).toBe(
    '[Context: Monday, February 23, 2026 at 9:15 PM (Europe/Berlin) | cli | development]',
  );
});
