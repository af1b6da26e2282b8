/** English words that say nothing of what is meant. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
   can could couldn d did didn do does doesn doing don down during each few for from further had has have having he
   her here hers herself him himself his how i if in into is isn it its itself just kind ll m many me more most much
   my myself no nor not now of off on once only or other our ours out over own re s same she should so some such t
   than that the their theirs them then there these they this those through to too type under until up ve very was
   wasn we were weren what when where which while who whom whose why will with would you your yours`
    .split(/\s+/)
    .filter(Boolean),
);
