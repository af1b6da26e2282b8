import type { Row, Section } from '../kit/section.ts';
import { readConversations } from '../memory/conversations.ts';
import { measure } from '../memory/measure.ts';
import { pegboard, plain } from '../memory/sides.ts';

export const recall: Section = {
  name: 'recall',
  title: 'Finding what answers a question about past conversations',
  about:
    'The questions of `bench/memory-data` about its conversations. R@10: of the messages that answer a question, the share that is among the first ten found; packed: the share in the text that a model gets to read. Milliseconds of a recall with packing, of each question the fastest of three. Direct: plain full text by FTS5 with stemming, ranked by BM25. `npm run bench:memory` shows it by kind of question.',
  async measure() {
    const { plain: direct, pegboard: ours } = await measure(
      readConversations().map((each) => [each]),
      { plain, pegboard },
    );
    const share = (what: string, figure: 'at10' | 'packed', atLeast: number): Row => ({
      what,
      unit: 'share',
      direct: direct.all[figure],
      pegboard: ours.all[figure],
      target: { of: 'ratio', atLeast },
    });
    const time = (what: string, figure: 'p50' | 'p95'): Row => ({
      what,
      unit: 'ms',
      direct: direct[figure],
      pegboard: ours[figure],
    });
    return [
      share('R@10', 'at10', 1.15),
      share('packed', 'packed', 1.15),
      time('latency, p50', 'p50'),
      time('latency, p95', 'p95'),
    ];
  },
};
