/** The sentences of review, charts and of later additions; part of the one table in words.ts. */
const n = (value: number): string => value.toLocaleString(navigator.language);
const many = (value: number, one: string, more: string): string => `${n(value)} ${value === 1 ? one : more}`;
export const reviewWords = {
  reviewSays: 'Decide whether an assertion holds. Labels never change a verdict. They show how far you can trust the judges.',
  queue: 'Queue', queues: { open: 'Not labeled yet', disagree: 'People and verdict disagree', flaky: 'Flaky tests', close: 'Failed by one blocker', mine: 'Labeled by me' } as Record<string, string>,
  queueEmpty: 'This queue is empty.', queueDone: 'This is the end of the queue.', restart: 'Start over', reviewItem: (at: number, of: number) => `${n(at)} of ${n(of)}`,
  blind: 'Blind', blindSays: 'Shows the verdict only after your label.', hiddenVerdict: 'The verdict is hidden until you decide.', doesItHold: 'Does this hold?',
  labelHints: { passed: '1', failed: '2', unsure: '3', invalid: '4' } as Record<string, string>, note: 'Note', changeNote: 'Change note', noteScope: 'Shown with this group in all of the scenario’s runs.', noteHint: 'Reason (n)', undoLabel: 'Undo', nextItem: 'Next', yourLabel: 'Your label',
  theVerdict: (by: string, says: string) => `${by}: ${says}.`, judgeNamed: (model: string) => `Judge ${model}`, scoringSays: 'Scoring', agrees: 'You agree.', disagrees: 'You disagree.', neitherAgrees: 'Your label counts neither way.',
  agreement: 'Agreement', agreementSays: 'How well each judge agrees with people, by criterion. Kappa is agreement beyond chance: 1 is perfect, 0 is chance. Below 0.6, a criterion is too weak for a blocker.',
  noAgreement: 'No judged assertions labeled yet. Label some in the queue. Kappa needs both “Holds” and “Does not hold”.', criterionColumn: 'Criterion', judgeColumn: 'Judge', pairsColumn: 'Labels', agreedColumn: 'Agreed', baseRateColumn: 'Labeled “Holds”', kappaColumn: 'Kappa', weak: 'weak for a blocker', sessionSoFar: (agreed: number, of: number) => `You agreed with ${n(agreed)} of ${many(of, 'verdict', 'verdicts')} so far.`,
  labelThis: 'Label this result', noLabelYet: 'No labels yet.', wholeResult: 'whole result', labelBy: (who: string, what: string) => `${who}: ${what}`,
  claimUnsupported: (kind: string) => `Nothing that the agent was given supports this ${kind}.`,
  groupRows: 'Group', groupings: { none: 'None', persona: 'Personality' } as Record<string, string>, byField: (name: string) => `Field ${name}`, noValue: 'No value', changeAgainst: 'Change', mostChanged: 'Most changed',
  chartTurnTime: (p95: string, turn: number) => `Turn ${turn} is the slowest: 95 % answered within ${p95}`, chartTurnTimeNone: 'Response times by turn', turnColumn: 'Turn', sampleOf: (some: number, all: number) => `From ${n(some)} of ${many(all, 'conversation', 'conversations')}`,
  chartRoles: (sum: string) => `This run cost ${sum}`, roleColumn: 'Role', roles: { agent: 'Agent', tester: 'Tester', judge: 'Judge' } as Record<string, string>, callsOf: (count: number) => many(count, 'call', 'calls'),
  costByRole: 'Cost per conversation, by role', faultSources: 'Faults by source', faults: 'faults', sayFirst: 'Write the first message. The agent is waiting.', alsoBefore: 'Also in the previous run', inEachBefore: (of: number) => `In each of the last ${n(of)} runs`,
  since: 'Started', sinces: { 1: 'Last day', 7: 'Last 7 days', 30: 'Last 30 days' } as Record<string, string>,
};
