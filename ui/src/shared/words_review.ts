/** The sentences of review, charts and of later additions; part of the one table in words.ts. */
const n = (value: number): string => value.toLocaleString(navigator.language);
export const reviewWords = {
  reviewSays: 'Say whether one assertion holds, as you see it. Labels never change a verdict: they show how far judges can be trusted.',
  queue: 'Queue', queues: { open: 'not labelled yet', disagree: 'people and verdict disagree', flaky: 'flaky tests', close: 'failed by one blocker', mine: 'labelled by me' } as Record<string, string>,
  queueEmpty: 'Nothing waits in this queue.', queueDone: 'That was the last one of this queue.', restart: 'Start over', reviewItem: (at: number, of: number) => `${n(at)} of ${n(of)}`,
  blind: 'blind', blindSays: 'The verdict appears after your own label.', hiddenVerdict: 'The verdict is hidden until you have decided.', doesItHold: 'Does this hold?',
  labelHints: { passed: '1', failed: '2', unsure: '3', invalid: '4' } as Record<string, string>, note: 'Note', changeNote: 'Change note', noteScope: 'All runs of this scenario show it with this group.', noteHint: 'Why, for people (n)', undoLabel: 'Undo', nextItem: 'Next', yourLabel: 'Your label',
  theVerdict: (by: string, says: string) => `${by} says: ${says}.`, judgeNamed: (model: string) => `The judge ${model}`, scoringSays: 'Scoring', agrees: 'You agree with it.', disagrees: 'You disagree with it.', neitherAgrees: 'A label of this kind counts neither way.',
  agreement: 'Agreement', agreementSays: 'How well each judge agrees with people, by criterion. Kappa is the agreement beyond chance: 1 is perfect, 0 is chance. Below 0.6 a criterion is weak ground for a blocker.',
  noAgreement: 'No judged assertion has a label yet. Label some in the queue; kappa needs labels of both kinds.', criterionColumn: 'criterion', judgeColumn: 'judge', pairsColumn: 'labels', agreedColumn: 'agreed', baseRateColumn: 'people passed', kappaColumn: 'kappa', weak: 'weak for a blocker', sessionSoFar: (agreed: number, of: number) => `You agreed with ${n(agreed)} of ${n(of)} verdicts since you opened this page.`,
  labelThis: 'Label this result', noLabelYet: 'No label yet.', wholeResult: 'the whole result', labelBy: (who: string, what: string) => `${who}: ${what}`,
  claimUnsupported: (kind: string) => `This ${kind} is not supported by anything that the agent was given.`,
  groupRows: 'Group', groupings: { none: 'no', persona: 'personality' } as Record<string, string>, byField: (name: string) => `field ${name}`, noValue: 'without a value', changeAgainst: 'change', mostChanged: 'most changed',
  chartTurnTime: (p95: string, turn: number) => `Turn ${turn} is the slowest: 95 % answer within ${p95}`, chartTurnTimeNone: 'Response times by turn', turnColumn: 'turn', sampleOf: (some: number, all: number) => `from ${n(some)} of ${n(all)} conversations`,
  chartRoles: (sum: string) => `This run cost ${sum}`, roleColumn: 'role', roles: { agent: 'agent', tester: 'tester', judge: 'judge' } as Record<string, string>, callsOf: (count: number) => `${n(count)} calls`,
  costByRole: 'Cost of a conversation, by role', faultSources: 'Faults by source', sayFirst: 'Write the first message: the agent waits for you.', alsoBefore: 'also in the previous run', inEachBefore: (of: number) => `in each of the last ${n(of)} runs`,
  since: 'Since', sinces: { 1: 'the last day', 7: 'the last 7 days', 30: 'the last 30 days' } as Record<string, string>,
};
